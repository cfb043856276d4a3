@testable import AuthCore

extension EmailAddress {
    /// An address of a test, which is well-formed.
    static func ascii(_ text: String) -> EmailAddress {
        guard let address = EmailAddress(text) else { preconditionFailure("\(text) is no address") }
        return address
    }
}

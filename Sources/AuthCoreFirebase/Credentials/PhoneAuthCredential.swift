internal import AuthCore
public import Foundation

/// A code that was sent to a number, and the id that the sending returned.
// Nothing in it ever changes, as in its base class.
open class PhoneAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
    let verificationID: String
    let verificationCode: String

    init(verificationID: String, verificationCode: String) {
        self.verificationID = verificationID
        self.verificationCode = verificationCode
        super.init(
            provider: ProviderID.phone.rawValue,
            presented: [.phone(verificationID: verificationID, code: verificationCode)]
        )
    }

    /// The proof of a number that turned out to be another account's, good for signing in there.
    init(ownership: AuthCore.AuthCredential) {
        verificationID = ""
        verificationCode = ""
        super.init(provider: ProviderID.phone.rawValue, presented: [ownership])
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the id and the code.
    public func encode(with coder: NSCoder) {
        coder.encode(verificationID as NSString, forKey: "verificationID")
        coder.encode(verificationCode as NSString, forKey: "verificationCode")
    }

    /// Reads what `encode(with:)` wrote.
    public required convenience init?(coder: NSCoder) {
        guard let verificationID = coder.text(forKey: "verificationID"),
            let verificationCode = coder.text(forKey: "verificationCode")
        else { return nil }
        self.init(verificationID: verificationID, verificationCode: verificationCode)
    }
}

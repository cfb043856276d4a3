internal import AuthCore
public import Foundation

/// When an account was made and last used.
open class UserMetadata: NSObject, NSSecureCoding {
    /// When the last sign-in was.
    public let lastSignInDate: Date?
    /// When the account was made.
    public let creationDate: Date?

    init(_ metadata: AuthCore.UserInfo.Metadata) {
        lastSignInDate = metadata.lastSignInDate
        creationDate = metadata.creationDate
    }

    /// True: it can be archived securely.
    public static var supportsSecureCoding: Bool { true }

    /// Writes both dates.
    public func encode(with coder: NSCoder) {
        coder.encode(lastSignInDate, forKey: "lastSignInDate")
        coder.encode(creationDate, forKey: "creationDate")
    }

    /// Reads what `encode(with:)` wrote.
    public required init?(coder: NSCoder) {
        lastSignInDate = coder.date(forKey: "lastSignInDate")
        creationDate = coder.date(forKey: "creationDate")
    }
}

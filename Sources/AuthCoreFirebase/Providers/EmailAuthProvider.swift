public import Foundation

/// Makes credentials from email addresses.
open class EmailAuthProvider: NSObject {
    /// The provider's ID.
    public static let id = "password"

    /// An address and its password.
    open class func credential(withEmail email: String, password: String) -> AuthCredential {
        EmailAuthCredential(email: email, kind: .password(password))
    }

    /// An address and the link that was mailed to it.
    open class func credential(withEmail email: String, link: String) -> AuthCredential {
        EmailAuthCredential(email: email, kind: .link(link))
    }
}

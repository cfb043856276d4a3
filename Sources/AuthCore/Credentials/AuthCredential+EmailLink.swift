extension AuthCredential {
    /// An e-mail address and the link, or the bare code, that was mailed to it.
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - link: The link, or the code in it.
    /// - Returns: The credential.
    public static func emailLink(email: String, link: String) -> AuthCredential {
        emailLink(EmailLinkCredential(email: email, link: link))
    }

    /// A link that was mailed.
    ///
    /// - Parameter link: The link and the address it was mailed to.
    /// - Returns: The credential.
    public static func emailLink(_ link: EmailLinkCredential) -> AuthCredential {
        AuthCredential(.emailLink(email: link.email, link: link.link))
    }
}

/// An e-mail address and the link that was mailed to it, for what only the owner of a mailbox may do.
///
/// Printing, dumping or encoding it never shows the link.
public struct EmailLinkCredential: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The address.
    public let email: String
    let link: Secret

    /// Creates a credential from an address and the link, or the bare code, that was mailed to it.
    public init(email: String, link: String) {
        self.email = email
        self.link = Secret(link)
    }

    /// The type, and nothing that was presented.
    public var description: String { "EmailLinkCredential" }

    /// The type, and nothing that was presented.
    public var debugDescription: String { description }

    /// A mirror with nothing in it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

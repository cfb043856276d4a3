extension AuthCredential {
    /// An email address and the link, or only its code, that was mailed to it.
    ///
    /// ```swift
    /// try await auth.signIn(with: .emailLink(email: email, link: link)).user
    /// ```
    ///
    /// - Parameters:
    ///   - email: The address.
    ///   - link: The link, or the code in it.
    /// - Returns: The credential.
    public static func emailLink(email: String, link: String) -> AuthCredential {
        emailLink(EmailLink(email: email, link: link))
    }

    /// A sign-in link.
    ///
    /// - Parameter link: The link and the address it was mailed to.
    /// - Returns: The credential.
    public static func emailLink(_ link: EmailLink) -> AuthCredential {
        AuthCredential(.emailLink(email: link.email, link: link.link))
    }

    /// An email address and the link that was mailed to it, for operations that only the owner of a mailbox may
    /// perform.
    ///
    /// Printing or dumping it never displays the link.
    public struct EmailLink: Sendable, Hashable, Concealing {
        /// The address.
        public let email: String
        let link: Secret

        /// Creates a credential from an address and the link that was mailed to it.
        ///
        /// - Parameters:
        ///   - email: The address that the person typed when the link was requested.
        ///   - link: The link as it was opened, or only its code.
        public init(email: String, link: String) {
            self.email = email
            self.link = Secret(link)
        }

        /// The name of the type, without the credential's contents.
        public var description: String { "AuthCredential.EmailLink" }
    }
}

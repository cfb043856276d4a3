public import AuthCore

extension Message.Outbox {
    /// Why a message cannot be read: nothing of the kind was sent to the recipient.
    public struct MissingMessage: Error, Sendable, Hashable, CustomStringConvertible {
        /// The kind of message.
        public let kind: Message.Kind
        /// The address or number.
        public let recipient: String
        /// What was sent instead, without codes.
        public let sent: [String]

        /// What is missing, and what was sent instead.
        public var description: String {
            "No \(kind) with a code was sent to \(recipient), only: \(sent.isEmpty ? "nothing" : sent.joined(separator: ", "))"
        }
    }

    /// Returns the code in the newest message of a kind to an address or number.
    ///
    /// - Parameters:
    ///   - kind: The kind of message.
    ///   - recipient: The address or number.
    /// - Returns: The code.
    /// - Throws: ``MissingMessage`` if there is no such message, or if it has no code.
    public func code(_ kind: Message.Kind, to recipient: String) throws(MissingMessage) -> String {
        guard let message = last(to: recipient, kind), !message.code.isEmpty else { throw missing(kind, recipient) }
        return message.code
    }

    /// Returns the link in the newest message of a kind to an address.
    ///
    /// - Parameters:
    ///   - kind: The kind of message.
    ///   - recipient: The address.
    /// - Returns: The link.
    /// - Throws: ``MissingMessage`` if there is no such message, or if it has no link.
    public func link(_ kind: Message.Kind, to recipient: String) throws(MissingMessage) -> String {
        guard let link = last(to: recipient, kind)?.link else { throw missing(kind, recipient) }
        return link
    }

    /// Returns the newest sign-in link to an address, as a person opens it.
    ///
    /// ```swift
    /// try await auth.sendSignInLink(to: "ann@example.com")
    /// try await auth.signIn(with: .emailLink(outbox.signInLink(to: "ann@example.com")))
    /// ```
    ///
    /// - Parameter email: The address.
    /// - Returns: The link and its address.
    /// - Throws: ``MissingMessage`` if no sign-in link was sent there.
    public func signInLink(to email: String) throws(MissingMessage) -> AuthCredential.EmailLink {
        AuthCredential.EmailLink(email: email, link: try link(.signInLink, to: email))
    }

    private func missing(_ kind: Message.Kind, _ recipient: String) -> MissingMessage {
        MissingMessage(kind: kind, recipient: recipient, sent: messages.suffix(10).map(\.description))
    }
}

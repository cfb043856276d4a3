extension ActionCode {
    /// A link that carries a mailed code.
    public struct Link: Sendable, Hashable, Concealing {
        /// The link's stated purpose, in Firebase's terms: `verifyEmail`, `resetPassword`, `signIn` and so on.
        public let mode: String?
        /// The code in the link.
        public let code: String
        /// The address at which the person continues.
        public let continueURL: String?
        /// The language of the page that the link opens.
        public let languageCode: String?

        /// The purpose, without the code.
        public var description: String { "ActionCode.Link(\(mode ?? "without a purpose"))" }

        /// Reads a link, also one that is wrapped in another link's `link` or `deep_link_id` parameter; nil if it has
        /// no code.
        public init?(_ text: String) {
            guard let contents = ActionLinkForm.parse(text) else { return nil }
            (mode, code, continueURL, languageCode) = contents
        }
    }
}

extension ActionLinkForm {
    /// Returns the text of the link in a message.
    func text(kind: Message.Kind, code: String, settings: Message.Settings?) -> String {
        text(mode: kind.linkMode, code: code, continueURL: settings?.continueURL, language: settings?.language)
    }
}

extension Message.Kind {
    /// The mode in the link of a message, in Firebase's terms where it has one.
    fileprivate var linkMode: String {
        switch self {
        case .signInLink: "signIn"
        case .changeEmail: "verifyAndChangeEmail"
        case _ where isNotice: Message.Kind.changeReport.rawValue
        default: rawValue
        }
    }
}

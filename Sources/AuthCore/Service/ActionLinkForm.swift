import AuthCoreFoundation

/// The common parts of all links of a service, parsed once, because parsing takes longer than the decision itself.
struct ActionLinkForm: Sendable {
    /// The text up to the value of the mode; nil if the base is not an address, and is then the whole link.
    private let beginning: String?
    private let ending: String
    private let base: String
    /// The host that the links lead to.
    let host: String?

    init(base: String) {
        self.base = base
        guard var parts = URLComponents(string: base) else {
            host = nil
            beginning = nil
            ending = ""
            return
        }
        host = parts.host
        ending = parts.percentEncodedFragment.map { "#" + $0 } ?? ""
        parts.percentEncodedFragment = nil
        // An item without a value has no equals sign.
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "mode", value: nil)]
        beginning = parts.string.map { $0 + "=" }
    }

    /// Returns the text of a link with these contents.
    func text(kind: Message.Kind, code: String, settings: Message.Settings?) -> String {
        guard let beginning else { return base }
        let mode = Self.mode(of: kind)
        var text = ""
        // Reserves the whole capacity at once, since a text that grows is copied each time.
        text.reserveCapacity(beginning.utf8.count + mode.utf8.count + code.utf8.count + ending.utf8.count + 16)
        text += beginning
        text += mode
        text += "&oobCode="
        text += code
        if let url = settings?.continueURL { text += Self.item("continueUrl", url) }
        if let language = settings?.language { text += Self.item("lang", language) }
        text += ending
        return text
    }

    /// Returns a query item, percent-encoded.
    private static func item(_ name: String, _ value: String) -> String {
        var parts = URLComponents()
        parts.queryItems = [URLQueryItem(name: name, value: value)]
        return "&" + (parts.percentEncodedQuery ?? name)
    }

    /// Returns the mode of a message; no mode and no code contains a character that must be percent-encoded.
    private static func mode(of kind: Message.Kind) -> String {
        switch kind {
        case .signInLink: "signIn"
        case .changeEmail: "verifyAndChangeEmail"
        case _ where kind.isNotice: Message.Kind.changeReport.rawValue
        default: kind.rawValue
        }
    }
}

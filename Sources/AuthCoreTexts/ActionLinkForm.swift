import AuthCoreFoundation

/// The common parts of all links of a service, parsed once, because parsing takes longer than the decision itself.
package struct ActionLinkForm: Sendable {
    /// The text up to the value of the mode; nil if the base is not an address, and is then the whole link.
    private let beginning: String?
    private let ending: String
    private let base: String
    /// The host that the links lead to.
    package let host: String?

    package init(base: String) {
        self.base = base
        guard var parts = URLComponents(string: base) else {
            host = nil
            beginning = nil
            ending = ""
            return
        }
        host = parts.encodedHost
        ending = parts.percentEncodedFragment.map { "#" + $0 } ?? ""
        parts.percentEncodedFragment = nil
        // What the base has escaped stays escaped.
        parts.percentEncodedQuery = (parts.percentEncodedQuery.map { $0 + "&" } ?? "") + "mode"
        beginning = parts.string.map { $0 + "=" }
    }

    /// Returns the text of a link with these contents; neither mode nor code needs to be percent-encoded.
    package func text(mode: String, code: String, continueURL: String?, language: String?) -> String {
        guard let beginning else { return base }
        var text = ""
        // Reserves the whole capacity at once, since a text that grows is copied each time.
        text.reserveCapacity(beginning.utf8.count + mode.utf8.count + code.utf8.count + ending.utf8.count + 16)
        text += beginning
        text += mode
        text += "&oobCode="
        text += code
        if let continueURL { text += Self.item("continueUrl", continueURL) }
        if let language { text += Self.item("lang", language) }
        text += ending
        return text
    }

    /// Reads a link, also one that is wrapped in another link's `link` or `deep_link_id` parameter; nil if it has no
    /// code.
    package static func parse(
        _ text: String
    ) -> (mode: String?, code: String, continueURL: String?, language: String?)? {
        var text = text
        for _ in 0..<3 {
            guard text.utf8.count <= 16_384, let parts = URLComponents(string: text) else { return nil }
            var values: [String: String] = [:]
            for item in parts.queryItems ?? [] { values[item.name] = item.value }
            if let code = values["oobCode"], !code.isEmpty {
                return (values["mode"], code, values["continueUrl"], values["lang"])
            }
            guard let inner = values["link"] ?? values["deep_link_id"] else { return nil }
            text = inner
        }
        return nil
    }

    /// Returns a query item, percent-encoded.
    private static func item(_ name: String, _ value: String) -> String {
        var parts = URLComponents()
        parts.queryItems = [URLQueryItem(name: name, value: value)]
        // A page that reads the query as a form takes a plus sign for a space.
        return "&" + (parts.percentEncodedQuery ?? name).replacing("+", with: "%2B")
    }
}

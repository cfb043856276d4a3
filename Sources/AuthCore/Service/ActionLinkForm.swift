#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What all links of a service have in common, read once: taking an address apart costs more than deciding what is sent.
struct ActionLinkForm: Sendable {
    /// Everything up to the value of the mode; nil for a base that is no address, which is then the whole link.
    private let beginning: String?
    private let ending: String
    private let base: String

    init(base: String) {
        self.base = base
        guard var parts = URLComponents(string: base) else {
            beginning = nil
            ending = ""
            return
        }
        ending = parts.percentEncodedFragment.map { "#" + $0 } ?? ""
        parts.percentEncodedFragment = nil
        // An item without a value leaves out the sign before it.
        parts.queryItems = (parts.queryItems ?? []) + [URLQueryItem(name: "mode", value: nil)]
        beginning = parts.string.map { $0 + "=" }
    }

    /// The text of a link with these contents.
    func text(kind: MessageKind, code: String, settings: MessageSettings?) -> String {
        guard let beginning else { return base }
        let mode = Self.mode(of: kind)
        var text = ""
        // Room for all of it from the start, since a text that grows is copied each time.
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

    /// A further item, encoded as an address wants it.
    private static func item(_ name: String, _ value: String) -> String {
        var parts = URLComponents()
        parts.queryItems = [URLQueryItem(name: name, value: value)]
        return "&" + (parts.percentEncodedQuery ?? name)
    }

    /// The words for what a link does; none of them, and no code, holds a character that an address must encode.
    private static func mode(of kind: MessageKind) -> String {
        switch kind {
        case .signInLink: "signIn"
        case .changeEmail: "verifyAndChangeEmail"
        case _ where kind.isNotice: MessageKind.changeReport.rawValue
        default: kind.rawValue
        }
    }
}

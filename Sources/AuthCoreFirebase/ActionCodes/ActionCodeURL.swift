public import Foundation

/// A mailed link, taken apart.
// Nothing in it ever changes, and subclasses can add nothing that would; the compiler believes that of final classes only.
open class ActionCodeURL: NSObject, @unchecked Sendable {
    /// The key of the project that sent it.
    public let apiKey: String?
    /// What the code in it is for.
    public let operation: ActionCodeOperation
    /// The code in it.
    public let code: String?
    /// Where the person goes on.
    public let continueURL: URL?
    /// The language of the page behind it.
    public let languageCode: String?

    /// Takes a link apart, also one that is wrapped in the `link` parameter of another; nil if there is nothing in it.
    public init?(link: String) {
        var values = Self.values(in: link)
        for _ in 0..<3 {
            guard values["oobCode"] == nil, let inner = values["link"] ?? values["deep_link_id"] else { break }
            values = Self.values(in: inner)
        }
        if values.isEmpty { return nil }
        apiKey = values["apiKey"]
        operation = ActionCodeOperation(mode: values["mode"])
        code = values["oobCode"]
        continueURL = values["continueUrl"].flatMap { URL(string: $0) }
        languageCode = values["lang"] ?? values["languageCode"]
    }

    private static func values(in link: String) -> [String: String] {
        guard link.utf8.count <= 16_384, let items = URLComponents(string: link)?.queryItems else { return [:] }
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }
}

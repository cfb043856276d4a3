public import Foundation

/// The parts of a mailed link.
// It is immutable, and subclasses cannot add mutable state. The compiler cannot know that of a class that is not final.
open class ActionCodeURL: NSObject, @unchecked Sendable {
    /// The key of the project that sent the link.
    public let apiKey: String?
    /// What the code in the link does.
    public let operation: ActionCodeOperation
    /// The code in the link.
    public let code: String?
    /// The URL at which the person continues.
    public let continueURL: URL?
    /// The language of the page that the link opens.
    public let languageCode: String?

    /// Reads a link, also one in the `link` parameter of another link; nil if it has no query.
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
        // The service reads the last one of several, too.
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }
    }
}

import Foundation

/// Looks for secrets in everything that printing, dumping, reflecting or encoding a value shows.
struct Leaks {
    private struct Secret {
        let name: String
        let bytes: [UInt8]
        /// The forms in which it may stand in a text: itself, and its bytes as Swift and JSON write them.
        let texts: [String]
    }

    private let secrets: [Secret]

    /// A search for these texts, by their names.
    init(_ secrets: [String: String]) {
        self.secrets = secrets.sorted { $0.key < $1.key }.map { name, text in
            let bytes = Array(text.utf8)
            return Secret(name: name, bytes: bytes, texts: [text] + Self.lists(of: bytes))
        }
    }

    /// A search for these bytes, by their name.
    init(bytes: [UInt8], name: String) {
        secrets = [Secret(name: name, bytes: bytes, texts: Self.lists(of: bytes))]
    }

    private static func lists(of bytes: [UInt8]) -> [String] {
        [", ", ","].map { bytes.map(String.init).joined(separator: $0) }
    }

    /// Where a secret shows; empty if none does.
    func found(in value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        var ways = [
            ("description", String(describing: value)), ("debugDescription", String(reflecting: value)),
            ("dump", dumped),
        ]
        if let encodable = value as? any Encodable, let json = try? JSONEncoder().encode(encodable) {
            ways.append(("JSON", String(decoding: json, as: UTF8.self)))
        }
        var found: [String] = []
        for (way, text) in ways { found += names(in: text).map { "\($0) in the \(way)" } }
        found += reflected(value, depth: 0).map { "\($0) in the mirror" }
        return found
    }

    /// The names of the secrets that a text holds.
    private func names(in text: String) -> [String] {
        secrets.filter { secret in secret.texts.contains { text.contains($0) } }.map(\.name)
    }

    /// The names of the secrets that walking the mirrors comes upon.
    private func reflected(_ value: Any, depth: Int) -> Set<String> {
        var found: Set<String> = []
        if let text = value as? String { found.formUnion(names(in: text)) }
        if let bytes = value as? [UInt8] {
            found.formUnion(secrets.filter { $0.bytes.count <= bytes.count && bytes.contains($0.bytes) }.map(\.name))
            return found
        }
        found.formUnion(names(in: String(describing: value)))
        guard depth < 12 else { return found }
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            for child in current.children { found.formUnion(reflected(child.value, depth: depth + 1)) }
            mirror = current.superclassMirror
        }
        return found
    }
}

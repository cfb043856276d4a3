#if SQLite || PostgreSQL
import Foundation

/// Blocks of Swift, as a document shows them and as a test holds them between two marks.
enum Blocks {
    static func shown(in document: [String]) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in document {
            if line == "```swift" {
                block = []
            } else if line == "```" {
                if let block { blocks.append(block) }
                block = nil
            } else {
                block?.append(line)
            }
        }
        return blocks
    }

    /// The blocks between `// document begins` and `// document ends`.
    static func marked(_ document: String, in source: [String]) -> [[String]] {
        var blocks: [[String]] = []
        var block: [String]?
        for line in source {
            switch line.trimmingCharacters(in: .whitespaces) {
            case "// \(document) begins": block = []
            case "// \(document) ends":
                if let block { blocks.append(block) }
                block = nil
            default: block?.append(line)
            }
        }
        return blocks
    }

    /// The lines without the indentation that all of them share, and without `static`, which a document need not say.
    static func plain(_ block: [String]) -> String {
        let depth = block.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return block.map { line in
            let line = line.dropFirst(depth)
            return String(line.hasPrefix("static func") ? line.dropFirst(7) : line)
        }.joined(separator: "\n")
    }
}
#endif

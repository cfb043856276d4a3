// Holds what a module's documents say against the symbols that the compiler notes of it.
//
//     symbols GRAPHS PAGE [--choices ARTICLE] EXAMPLES...
//
// GRAPHS is the folder of the module's symbol graphs: one of its own, and one of each module that it extends.
//
// The page lists every public declaration at the top level. Each example in a comment stands in one of the files of
// examples, which a test compiles, letter for letter. The article says of every choice of the policy what the choice's
// comment says.
import Foundation

/// The part of a symbol graph that is read.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Names: Decodable { let title: String }
        struct Comment: Decodable {
            struct Line: Decodable { let text: String }

            let module: String?
            let lines: [Line]
        }
        struct Fragment: Decodable { let spelling: String }

        let names: Names
        let pathComponents: [String]
        let docComment: Comment?
        let declarationFragments: [Fragment]?

        var path: String { pathComponents.joined(separator: ".") }
        /// The comment, if it is not one of the standard library's that was inherited.
        var comment: [String] {
            guard let docComment, docComment.module?.hasPrefix("AuthCore") ?? true else { return [] }
            return docComment.lines.map(\.text)
        }
        /// The type of a property, or of what it may hold.
        var type: String {
            let declaration = (declarationFragments ?? []).map(\.spelling).joined()
            return declaration.drop { $0 != ":" }.dropFirst(2).filter { $0 != "?" }
        }
    }

    let symbols: [Symbol]
}

func lines(of file: String) throws -> [String] {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}

func trimmed(_ line: String) -> String { line.trimmingCharacters(in: .whitespaces) }

/// The declarations at the top level that the page does not list.
func unlisted(in page: [String], of symbols: [SymbolGraph.Symbol]) -> [String] {
    let declared = symbols.filter { $0.pathComponents.count == 1 }.map(\.names.title)
    let listed = page.filter { $0.hasPrefix("- ``") && $0.hasSuffix("``") }.map { String($0.dropFirst(4).dropLast(2)) }
    return Set(declared).subtracting(listed).sorted()
}

/// The examples of a comment, each without its indentation.
func examples(in comment: [String]) -> [String] {
    var (examples, example): ([String], [String]?) = ([], nil)
    for line in comment.map(trimmed) {
        if line == "```swift" {
            example = []
        } else if line == "```" {
            if let example { examples.append(example.joined(separator: "\n")) }
            example = nil
        } else {
            example?.append(line)
        }
    }
    return examples
}

/// Code that is only indented, which would be shown and never compiled.
func indentedCode(in comment: [String]) -> [String] {
    var (found, isFenced, last): ([String], Bool, String) = ([], false, "-")
    for line in comment {
        if line.hasPrefix("```") { isFenced.toggle() }
        if !isFenced, last.isEmpty, line.hasPrefix("    ") { found.append(line) }
        last = line
    }
    return found
}

/// The choices of which the article's table says something else than their comments.
func differences(in article: [String], from symbols: [SymbolGraph.Symbol]) -> [String] {
    let byPath = Dictionary(symbols.map { ($0.path, $0) }) { first, _ in first }
    let table = article.drop { $0 != "## Every choice" }.filter { $0.hasPrefix("| `") }
    var wrong = table.isEmpty ? ["no choice is listed"] : []
    for row in table {
        let cells = row.split(separator: "|").map { trimmed(String($0)) }
        let name = cells[0].filter { $0 != "`" }
        let parts = name.split(separator: ".").map(String.init)
        let group = parts.count > 1 ? byPath["AuthPolicy.\(parts[0])"]?.type : "AuthPolicy"
        let sentence = group.flatMap { byPath["\($0).\(parts.last ?? "")"] }?.comment.prefix { !$0.isEmpty }
        if sentence?.joined(separator: " ").replacingOccurrences(of: "``", with: "`") != cells[1] { wrong.append(name) }
    }
    return wrong
}

var arguments = Array(CommandLine.arguments.dropFirst())
let graphs = URL(filePath: arguments.removeFirst())
let symbols = try FileManager.default.contentsOfDirectory(at: graphs, includingPropertiesForKeys: nil).flatMap { file in
    try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file)).symbols
}
let page = arguments.removeFirst()
var article: String?
if arguments.first == "--choices" {
    article = arguments[1]
    arguments.removeFirst(2)
}
// A document need not say that a function of an example is static.
let compiled = try arguments.map { file in
    let lines = try lines(of: file).map(trimmed)
    return lines.map { $0.hasPrefix("static func ") ? String($0.dropFirst(7)) : $0 }.joined(separator: "\n")
}

var mistakes: [String] = []
let missing = unlisted(in: try lines(of: page), of: symbols)
if !missing.isEmpty { mistakes.append("\(page) does not list: \(missing.joined(separator: ", "))") }
var count = 0
for symbol in symbols {
    for example in examples(in: symbol.comment) {
        count += 1
        if !compiled.contains(where: { $0.contains(example) }) {
            mistakes.append("no test compiles the example of \(symbol.path):\n\(example)")
        }
    }
    mistakes += indentedCode(in: symbol.comment).map { "an example of \(symbol.path) is only indented: \($0)" }
}
if let article {
    let wrong = differences(in: try lines(of: article), from: symbols)
    mistakes += wrong.map { "\(article) does not say what the comment of the choice says: \($0)" }
}
for mistake in mistakes { print(mistake) }
print("symbols \(symbols.count), examples \(count), mistakes \(mistakes.count)")
exit(mistakes.isEmpty ? 0 : 1)

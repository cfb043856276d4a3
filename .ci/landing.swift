// Names the public declarations at the top level of a module that its landing page does not list: SYMBOLS PAGE
import Foundation

/// The part of a symbol graph that is read.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Names: Decodable { let title: String }

        let names: Names
        let pathComponents: [String]
    }

    let symbols: [Symbol]
}

let (symbols, page) = (CommandLine.arguments[1], CommandLine.arguments[2])
let graph = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: URL(filePath: symbols)))
let declared = graph.symbols.filter { $0.pathComponents.count == 1 }.map(\.names.title)
let lines = try String(contentsOfFile: page, encoding: .utf8).split(separator: "\n")
let listed = lines.filter { $0.hasPrefix("- ``") && $0.hasSuffix("``") }.map { String($0.dropFirst(4).dropLast(2)) }
let missing = Set(declared).subtracting(listed).sorted()
if !missing.isEmpty {
    print("\(page) does not list: \(missing.joined(separator: ", "))")
    exit(1)
}

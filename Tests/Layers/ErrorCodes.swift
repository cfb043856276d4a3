/// The article on errors, held against the codes that the modules name.
///
/// What it lists as thrown is named in one of them, and what it lists as never thrown in none.
struct ErrorCodes {
    private(set) var mistakes: [String] = []
    private(set) var count = 0

    /// The modules that throw codes; AuthCoreFirebase throws some more.
    private static let modules = [
        "AuthCore", "AuthCoreMigration", "AuthCorePostgres", "AuthCoreProviders", "AuthCoreSQLite",
    ]
    private static let memberOfCodes = "s:13AuthCoreTexts0A9ErrorCodeV"

    init(_ article: String, _ index: Index, sources: String) {
        let files = Self.modules.flatMap { index.files(under: "\(sources)/\($0)/") }
        let members = files.flatMap(\.occurrences).filter { $0.symbol.hasPrefix(Self.memberOfCodes) }
        let named = Set(members.map(\.name))
        var isThrown = false
        for line in article.split(separator: "\n") {
            if line.hasPrefix("## ") { isThrown = line == "## What AuthCore throws" }
            guard line.hasPrefix("| `") else { continue }
            let code = String(line.dropFirst(3).prefix { $0 != "`" })
            count += 1
            if named.contains(code) == isThrown { continue }
            mistakes.append(isThrown ? "no module names \(code)" : "\(code) is named in a module")
        }
    }
}

/// What the index says against the order of the folders and the purity of the rules.
struct Check {
    private(set) var violations: Set<Violation> = []
    private(set) var unknownFolders: Set<String> = []
    let files: [IndexedFile]
    let sources: String
    /// The folder in which each of the library's symbols is defined.
    private var home: [String: String] = [:]

    struct Violation: Hashable {
        let file: String
        let line: Int
        let text: String
        let isImpure: Bool
    }

    init(_ index: Index, sources: String) {
        self.sources = sources.hasSuffix("/") ? sources : sources + "/"
        files = index.files(under: self.sources)
        for file in files {
            for occurrence in file.occurrences where occurrence.isDefinition {
                home[occurrence.symbol] = folder(of: file)
            }
        }
        for file in files { check(file) }
    }

    private func folder(of file: IndexedFile) -> String {
        let parts = file.path.dropFirst(sources.count).split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : ""
    }

    private mutating func check(_ file: IndexedFile) {
        let folder = folder(of: file)
        let below = Layers.below(folder)
        if below == nil { unknownFolders.insert(folder) }
        var seen: Set<String> = []
        for use in file.occurrences.sorted(by: { $0.line < $1.line }) where seen.insert(use.symbol).inserted {
            // The property itself is there too.
            if use.name.hasPrefix("getter:") || use.name.hasPrefix("setter:") { continue }
            if let below, let other = home[use.symbol], other != folder, !below.contains(other) {
                // What no folder of the order defines is reported as a folder, once.
                if Layers.below(other) != nil {
                    add("\(folder) uses \(other), which is not below it: \(use.name)", false, file, use)
                }
            }
            if Layers.pure.contains(folder), let impurity = impurity(of: use) {
                add("\(folder) must be pure: \(impurity)", true, file, use)
            }
        }
    }

    private mutating func add(_ text: String, _ isImpure: Bool, _ file: IndexedFile, _ use: Occurrence) {
        let path = String(file.path.dropFirst(sources.count))
        violations.insert(Violation(file: path, line: use.line, text: text, isImpure: isImpure))
    }

    /// Why a symbol may not be used where everything is decided by facts alone.
    private func impurity(of use: Occurrence) -> String? {
        if use.isAsync { return "\(use.name) is async" }
        if home[use.symbol] != nil { return nil }
        let module = "c:@M@"
        if use.symbol.hasPrefix(module) {
            return Self.modules.contains(use.name) ? nil : "the module \(use.name)"
        }
        if use.symbol.hasPrefix("c:") { return "\(use.name) is a function of the system" }
        let isRandom = Self.randomNames.contains { use.name.hasPrefix($0) }
        return isRandom || Self.names.contains(use.name) ? use.name : Self.symbols[use.symbol]
    }

    /// The modules that may be imported; the texts are constants, and of the digests and codings only the random bytes
    /// depend on more than their arguments, which `randomNames` finds.
    private static let modules: Set<String> = [
        "AuthCoreClaims", "AuthCoreCrypto", "AuthCoreFoundation", "AuthCoreTexts", "FoundationEssentials", "Foundation",
        "Swift",
    ]
    private static let names: Set<String> = [
        "Task", "Clock", "ContinuousClock", "SuspendingClock", "RandomNumberGenerator", "SystemRandomNumberGenerator",
    ]
    private static let randomNames = ["random", "shuffle"]
    private static let symbols = [
        "s:20FoundationEssentials4DateVACycfc": "Date()",
        "s:20FoundationEssentials4DateV3nowACvpZ": "Date.now",
        "s:20FoundationEssentials4UUIDVACycfc": "UUID()",
    ]
}

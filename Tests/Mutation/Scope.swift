/// The part of the sources that gets faults.
enum Scope: String, CaseIterable {
    case rules
    case around
    case sqlite
    case postgres

    /// Whether it is a store that needs a trait.
    var isStore: Bool { self == .sqlite || self == .postgres }

    /// How many of a hundred faults must be noticed.
    var bar: Double { self == .rules ? 95 : 92 }

    /// The modules that get faults, with the tests that these are shown to.
    var modules: [(name: String, tests: String)] {
        let core = (name: "AuthCore", tests: "AuthCoreTests")
        return switch self {
        case .rules: [core]
        case .sqlite: [(name: "AuthCoreSQLite", tests: "AuthCoreSQLiteTests")]
        case .postgres: [(name: "AuthCorePostgres", tests: "AuthCorePostgresTests")]
        case .around:
            [
                core,
                (name: "AuthCoreClaims", tests: "AuthCoreTests"),
                (name: "AuthCoreTexts", tests: "AuthCoreTests"),
                (name: "AuthCoreCrypto", tests: "AuthCoreCryptoTests"),
                (name: "AuthCoreFirebase", tests: "AuthCoreFirebaseTests"),
                (name: "AuthCoreFirebaseApp", tests: "AuthCoreFirebaseTests"),
                (name: "AuthCoreMigration", tests: "AuthCoreMigrationTests"),
                (name: "AuthCoreProviders", tests: "AuthCoreProvidersTests"),
                (name: "AuthCoreSQL", tests: "AuthCoreSQLTests"),
            ]
        }
    }

    /// The tests that faults are shown to, each name once.
    var tests: [String] {
        modules.map(\.tests).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The targets that its tests do without, so that their library of the system need not be there.
    var unneededTargets: [String] {
        let verifying = ["COpenSSL", "AuthCoreProviders", "AuthCoreProvidersTests", "AuthCoreFirebaseTests"]
        return switch self {
        case .rules: verifying
        case .around: []
        case .sqlite: verifying + ["CPostgreSQL", "AuthCorePostgres", "AuthCorePostgresTests"]
        case .postgres: verifying + ["CSQLite", "AuthCoreSQLite", "AuthCoreSQLiteTests"]
        }
    }

    /// Whether a file of a module gets faults.
    func includes(_ file: String, of module: String) -> Bool {
        guard file.hasSuffix(".swift"), !Self.filesOfOtherBuilds.contains(file) else { return false }
        if module != "AuthCore" { return self != .rules }
        let folder = String(file.prefix { $0 != "/" })
        return switch self {
        case .rules: ["Policy", "Proof", "Decision", "UseCases"].contains(folder)
        case .around: ["Service", "Client", "InMemory", "Credentials", "Crypto", "Model", "Store"].contains(folder)
        case .sqlite, .postgres: false
        }
    }

    /// What is not compiled with every trait, and what only a bench calls.
    private static let filesOfOtherBuilds: Set = [
        "Signatures/Signatures+None.swift", "SQLiteByHand.swift", "SQLiteStore+Unavailable.swift",
        "PostgresByHand.swift", "PostgresStore+Unavailable.swift",
    ]

    /// What is not shown to these tests: what is about other things, what takes long, and what compares recorded text.
    var omittedTests: [String] {
        switch self {
        case .rules:
            [
                "Assurance/BadInput", "Assurance/Model", "Assurance/Races", "Crypto/Passwords", "Documents", "InMemory",
                "Store",
            ]
        case .around: ["Assurance/Model", "Assurance/Situations", "Assurance/Tables", "Documents"]
        case .sqlite, .postgres: ["Documents"]
        }
    }
}

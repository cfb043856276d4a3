internal import Foundation

/// A copy of the package in which the sources hold every fault, one of them active at a time.
struct Workshop {
    let folder: URL
    private(set) var mutants: [Mutant] = []
    /// How many faults are left out, since their lines do not compile with them.
    private(set) var excluded = 0
    private let root: URL
    private let scope: Scope

    init(copying root: URL, to folder: URL, _ scope: Scope) throws {
        self.root = root
        self.scope = scope
        self.folder = folder
        let files = FileManager.default
        for name in [
            "Sources/AuthCore", "Sources/AuthCoreCrypto", "Sources/AuthCoreMigration", "Sources/AuthCoreTesting",
            "Sources/AuthCoreClaims", "Sources/AuthCoreFoundation", "Sources/AuthCoreTexts", "Sources/System",
            "Sources/AuthCoreFirebase", "Sources/AuthCoreFirebaseApp", "Sources/AuthCoreProviders",
            "Sources/AuthCorePostgres", "Sources/AuthCoreSQL", "Sources/AuthCoreSQLite",
            "Tests/AuthCoreTests", "Tests/AuthCoreCryptoTests", "Tests/AuthCoreFirebaseTests",
            "Tests/AuthCoreMigrationTests",
            "Tests/AuthCorePostgresTests", "Tests/AuthCoreProvidersTests", "Tests/AuthCoreSQLTests",
            "Tests/AuthCoreSQLiteTests", ".ci/postgres", "README.md",
        ] {
            let copy = folder.appending(path: name)
            try files.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(at: root.appending(path: name), to: copy)
        }
        let manifest =
            Self.manifest + (scope.isStore ? Self.manifestOfStores : "")
            + "\n\npackage.targets.removeAll { \(scope.unneededTargets).contains($0.name) }\n"
        try manifest.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        try bring("Mutants.swift", to: "Sources/AuthCoreCrypto")
        try bring("Faults+Rules.swift", to: "Sources/AuthCore")
        for module in scope.modules { try bring("Faults.swift", to: "Sources/\(module.name)") }
        for target in scope.tests {
            try bring("MutantTests.swift", to: "Tests/\(target)")
            try ProbeList(of: root, tests: target, scope).source
                .write(
                    to: folder.appending(path: "Tests/\(target)/Probes.swift"),
                    atomically: true,
                    encoding: .utf8
                )
        }
    }

    private func bring(_ name: String, to place: String) throws {
        try FileManager.default.copyItem(
            at: root.appending(path: "Tests/Mutation/Inside/\(name)"),
            to: folder.appending(path: "\(place)/\(name)")
        )
    }

    /// Writes the faults in and builds; a line that does not compile with a fault in it is left as it is.
    mutating func build() throws {
        var mutator = Mutator(scope: scope, members: try MemberNames(in: root.appending(path: "Sources")))
        var files: [MutatedFile] = []
        for module in scope.modules.map(\.name) {
            let library = root.appending(path: "Sources/\(module)")
            let names = FileManager.default.enumerator(atPath: library.path)?.compactMap { $0 as? String } ?? []
            for name in names.sorted() where scope.includes(name, of: module) {
                let source = try String(contentsOf: library.appending(path: name), encoding: .utf8)
                let path = "Sources/\(module)/\(name)"
                files.append(MutatedFile(path, source, mutator.mutate(source, file: name, of: module)))
            }
        }
        for file in files { try file.write(in: folder) }
        var isBuilt = false
        for _ in 1...40 {
            // The tests are not built before the libraries are.
            let isWhole = isBuilt
            let what = isWhole ? ["--build-tests"] : []
            let log = try Tool("swift", ["build", "--package-path", folder.path, "-j", "4"] + what, in: folder).finish()
            let broken = Self.brokenLines(log)
            isBuilt = broken.isEmpty
            if broken.isEmpty {
                guard log.contains("Build complete") || log.contains("Build of target") else {
                    throw Failure("the copy does not build:\n\(log.suffix(3000))")
                }
                if !isWhole { continue }
                mutants = mutator.mutants.filter { mutant in
                    !files.contains { $0.isExcluded(mutant) }
                }
                excluded = mutator.mutants.count - mutants.count
                return
            }
            for index in files.indices {
                guard let lines = broken[files[index].path] else { continue }
                files[index].leaveOut(lines)
                try files[index].write(in: folder)
            }
        }
        throw Failure("the copy does not build without more and more faults left out")
    }

    /// The lines with errors, by file.
    private static func brokenLines(_ log: String) -> [String: Set<Int>] {
        var lines: [String: Set<Int>] = [:]
        // A line that begins with a path; a search of the whole log takes minutes.
        for line in log.utf8.split(separator: UInt8(ascii: "\n")) where line.first == UInt8(ascii: "/") {
            let text = String(Substring(line))
            guard let match = text.firstMatch(of: #/(Sources/AuthCore\w*/[\w+\/]+\.swift):(\d+):\d+: error/#) else {
                continue
            }
            lines[String(match.1), default: []].insert(Int(match.2) ?? 0)
        }
        return lines
    }

    /// The libraries and their tests, with less strictness: the faults make warnings.
    private static let manifest = """
        // swift-tools-version: 6.2
        import PackageDescription

        let settings: [SwiftSetting] = [
            .swiftLanguageMode(.v6),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .unsafeFlags(["-suppress-warnings", "-gnone"]),
        ]

        // The verifiers' tests need signatures.
        let verifying = settings + [.define("OpenSSL", .when(platforms: [.linux]))]

        let package = Package(
            name: "auth-core",
            platforms: [.macOS(.v15)],
            targets: [
                .systemLibrary(name: "CCrypt", path: "Sources/System/CCrypt"),
                .systemLibrary(name: "COpenSSL", path: "Sources/System/COpenSSL"),
                .target(name: "CSHA256", path: "Sources/System/CSHA256", publicHeadersPath: "."),
                .target(name: "AuthCoreFoundation", swiftSettings: settings),
                // It is below all others, and so has what says which fault is active.
                .target(
                    name: "AuthCoreCrypto",
                    dependencies: [
                        "AuthCoreFoundation", "CSHA256",
                        .target(name: "CCrypt", condition: .when(platforms: [.linux])),
                    ],
                    swiftSettings: settings
                ),
                .target(name: "AuthCoreClaims", dependencies: ["AuthCoreCrypto"], swiftSettings: settings),
                .target(name: "AuthCoreTexts", dependencies: ["AuthCoreCrypto", "AuthCoreFoundation"], swiftSettings: settings),
                .target(
                    name: "AuthCore",
                    dependencies: ["AuthCoreClaims", "AuthCoreCrypto", "AuthCoreFoundation", "AuthCoreTexts"],
                    swiftSettings: settings
                ),
                .target(name: "AuthCoreMigration", dependencies: ["AuthCore"], swiftSettings: settings),
                .target(
                    name: "AuthCoreProviders",
                    dependencies: ["AuthCore", .target(name: "COpenSSL", condition: .when(platforms: [.linux]))],
                    swiftSettings: verifying
                ),
                .target(name: "AuthCoreSQL", dependencies: ["AuthCore"], swiftSettings: settings),
                .target(name: "AuthCoreTesting", dependencies: ["AuthCore"], swiftSettings: settings),
                .target(name: "AuthCoreFirebaseApp", dependencies: ["AuthCoreCrypto"], swiftSettings: settings),
                .target(
                    name: "AuthCoreFirebase",
                    dependencies: ["AuthCore", "AuthCoreFirebaseApp"],
                    swiftSettings: settings
                ),
                .testTarget(
                    name: "AuthCoreCryptoTests",
                    dependencies: ["AuthCoreCrypto", "CSHA256"],
                    swiftSettings: settings
                ),
                .testTarget(
                    name: "AuthCoreTests",
                    dependencies: ["AuthCore", "AuthCoreMigration", "AuthCoreTesting"],
                    exclude: ["Assurance/Tables/Golden"],
                    resources: [.copy("Store/Records/Fixtures")],
                    swiftSettings: settings
                ),
                .testTarget(
                    name: "AuthCoreMigrationTests",
                    dependencies: ["AuthCore", "AuthCoreMigration", "AuthCoreTesting"],
                    swiftSettings: settings
                ),
                .testTarget(
                    name: "AuthCoreProvidersTests",
                    dependencies: [
                        "AuthCore", "AuthCoreFirebase", "AuthCoreFirebaseApp", "AuthCoreProviders", "AuthCoreTesting",
                        .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
                    ],
                    swiftSettings: verifying
                ),
                .testTarget(
                    name: "AuthCoreSQLTests",
                    dependencies: ["AuthCore", "AuthCoreSQL"],
                    swiftSettings: settings
                ),
                .testTarget(
                    name: "AuthCoreFirebaseTests",
                    dependencies: [
                        "AuthCoreFirebase", "AuthCoreFirebaseApp", "AuthCore", "AuthCoreProviders", "AuthCoreTesting",
                    ],
                    swiftSettings: settings
                ),
            ]
        )
        """

    /// What the store's tests need, instead of all other tests: files of the tests of the rules as a module.
    private static let manifestOfStores = """


        let storing = settings + [.define("PostgreSQL"), .define("SQLite")]
        package.targets.removeAll { $0.isTest }
        package.targets += [
            .systemLibrary(name: "CPostgreSQL", path: "Sources/System/CPostgreSQL"),
            .systemLibrary(name: "CSQLite", path: "Sources/System/CSQLite"),
            .target(
                name: "AuthCorePostgres",
                dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreSQL", "CPostgreSQL"],
                swiftSettings: storing
            ),
            .target(
                name: "AuthCoreSQLite",
                dependencies: ["AuthCore", "AuthCoreSQL", "CSQLite"],
                swiftSettings: storing
            ),
            .target(
                name: "StoreInvariants",
                dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreTesting"],
                path: "Tests/AuthCoreTests",
                exclude: ["Assurance/Tables/Golden", "Store/Records/Fixtures"],
                sources: [
                    "Assurance/Races/Invariants.swift", "Assurance/Races/Invariants+Accounts.swift",
                    "Assurance/Races/RaceProgram.swift", "Assurance/Races/RacePrograms+Accounts.swift",
                    "Assurance/Races/RacePrograms+Sessions.swift", "Assurance/Races/Schedule.swift",
                    "Assurance/Races/StoreView.swift", "Fixture/AuthService+Client.swift",
                    "Fixture/Expectations.swift", "Fixture/ForwardingStore.swift",
                    "Fixture/IdentityEvent+Number.swift", "Fixture/InTime.swift", "Fixture/LimitedTestCase.swift",
                    "Store/Contract/FlawedStore.swift", "Store/Contract/ReadableViews.swift",
                ],
                swiftSettings: settings
            ),
            .testTarget(
                name: "AuthCorePostgresTests",
                dependencies: [
                    "AuthCore", "AuthCoreMigration", "AuthCorePostgres", "AuthCoreSQL", "AuthCoreTesting",
                    "StoreInvariants",
                ],
                swiftSettings: storing
            ),
            .testTarget(
                name: "AuthCoreSQLiteTests",
                dependencies: [
                    "AuthCore", "AuthCoreMigration", "AuthCoreSQL", "AuthCoreSQLite", "AuthCoreTesting", "CSQLite",
                    "StoreInvariants",
                ],
                swiftSettings: storing
            ),
        ]
        """
}

/// A source file, line by line as it is and with its faults.
private struct MutatedFile {
    let path: String
    private let lines: [String]
    /// With all faults.
    private let mutated: [String]
    /// Without those that are guesses.
    private let careful: [String]
    /// The lines that get no guesses.
    private var withoutGuesses: Set<Int> = []
    /// The lines that get no fault.
    private var excluded: Set<Int> = []

    init(_ path: String, _ source: String, _ mutated: (all: String, careful: String)) {
        self.path = path
        lines = source.components(separatedBy: "\n")
        self.mutated = mutated.all.components(separatedBy: "\n")
        careful = mutated.careful.components(separatedBy: "\n")
    }

    /// Leaves these lines without guesses, and those that have none without a fault.
    ///
    /// Where a line has none, a value is missing in its function: first no statement is dropped there, then nothing is
    /// changed there.
    mutating func leaveOut(_ broken: Set<Int>) {
        for line in broken where lines.indices.contains(line - 1) {
            if hasFault(line) {
                leaveOut(line)
                continue
            }
            let faults = function(around: line).filter(hasFault)
            let dropped = faults.filter { mutated[$0 - 1].trimmed.hasPrefix("if isKept(") }
            for line in dropped.isEmpty ? faults : dropped { leaveOut(line) }
        }
    }

    private mutating func leaveOut(_ line: Int) {
        let hasGuess = mutated[line - 1] != careful[line - 1]
        let isFirstTime = withoutGuesses.insert(line).inserted
        if !hasGuess || !isFirstTime || careful[line - 1] == lines[line - 1] { excluded.insert(line) }
    }

    private func hasFault(_ line: Int) -> Bool { mutated[line - 1] != lines[line - 1] && !excluded.contains(line) }

    /// The numbers of the lines of the declaration that a line is in.
    private func function(around line: Int) -> ClosedRange<Int> {
        func isInside(_ line: Int) -> Bool {
            let text = lines[line - 1]
            // The end of the parameters, where these stand on lines of their own.
            return text.isEmpty || text.hasPrefix("     ") || text.hasPrefix("    )")
        }
        var (first, last) = (line, line)
        while first > 1, first == line || isInside(first) { first -= 1 }
        while last < lines.count, isInside(last) || last == line && !lines[line - 1].hasPrefix("    }") { last += 1 }
        return first...last
    }

    func isExcluded(_ mutant: Mutant) -> Bool {
        path == "Sources/\(mutant.place.module)/\(mutant.place.file)"
            && (excluded.contains(mutant.place.line) || mutant.isGuess && withoutGuesses.contains(mutant.place.line))
    }

    func write(in folder: URL) throws {
        let text = lines.indices.map { index in
            if excluded.contains(index + 1) { return lines[index] }
            return withoutGuesses.contains(index + 1) ? careful[index] : mutated[index]
        }
        .joined(separator: "\n")
        let copy = folder.appending(path: path)
        // What stays as it is need not be compiled again.
        if try String(contentsOf: copy, encoding: .utf8) != text {
            try text.write(to: copy, atomically: true, encoding: .utf8)
        }
    }
}

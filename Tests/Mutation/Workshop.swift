internal import Foundation

/// A copy of the package in which the rules hold every fault, one of them active at a time.
struct Workshop {
    let folder: URL
    private(set) var mutants: [Mutant] = []
    private let root: URL

    init(copying root: URL, to folder: URL) throws {
        self.root = root
        self.folder = folder
        let files = FileManager.default
        for name in [
            "Sources/AuthCore", "Sources/AuthCoreMigration", "Sources/AuthCoreTesting", "Sources/CCrypt",
            "Tests/AuthCoreTests", "README.md",
        ] {
            let copy = folder.appending(path: name)
            try files.createDirectory(at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try files.copyItem(at: root.appending(path: name), to: copy)
        }
        try Self.manifest.write(to: folder.appending(path: "Package.swift"), atomically: true, encoding: .utf8)
        try bring("MutantTests.swift", to: "Tests/AuthCoreTests")
        try bring("Mutants.swift", to: "Sources/AuthCore")
        try ProbeList(of: root).source
            .write(to: folder.appending(path: "Tests/AuthCoreTests/Probes.swift"), atomically: true, encoding: .utf8)
    }

    private func bring(_ name: String, to place: String) throws {
        try FileManager.default.copyItem(
            at: root.appending(path: "Tests/Mutation/Inside/\(name)"),
            to: folder.appending(path: "\(place)/\(name)")
        )
    }

    /// Writes the faults in and builds; what does not compile with a fault in it is left as it is.
    mutating func build() throws {
        var mutator = Mutator()
        for _ in 1...6 {
            mutator = try write(excluding: mutator.excluded)
            let build = ["build", "--build-tests", "--package-path", folder.path]
            let log = try Tool("swift", build, in: folder).finish()
            let broken = log.matches(of: #/AuthCore/([\w+\/]+\.swift):(\d+):\d+: error/#)
            if broken.isEmpty {
                guard log.contains("Build complete") else {
                    throw Failure("the copy does not build:\n\(log.suffix(3000))")
                }
                mutants = mutator.mutants
                return
            }
            for match in broken {
                mutator.excluded[String(match.1), default: []].insert(Int(match.2) ?? 0)
            }
        }
        throw Failure("the copy does not build without more and more faults left out")
    }

    private func write(excluding excluded: [String: Set<Int>]) throws -> Mutator {
        var mutator = Mutator()
        mutator.excluded = excluded
        let library = root.appending(path: "Sources/AuthCore")
        let copies = folder.appending(path: "Sources/AuthCore")
        let names = FileManager.default.enumerator(atPath: library.path)?.compactMap { $0 as? String } ?? []
        for name in names.sorted() where Self.isRule(name) {
            let source = try String(contentsOf: library.appending(path: name), encoding: .utf8)
            let copy = copies.appending(path: name)
            let mutated = mutator.mutate(source, file: name)
            // What stays as it is need not be compiled again.
            if try String(contentsOf: copy, encoding: .utf8) == mutated { continue }
            try mutated.write(to: copy, atomically: true, encoding: .utf8)
        }
        return mutator
    }

    /// Whether a file of the library decides something.
    private static func isRule(_ name: String) -> Bool {
        let folder = name.prefix { $0 != "/" }
        return ["Rules", "Policy", "Proof", "Decision", "UseCases"].contains(folder) && name.hasSuffix(".swift")
            && !name.contains("/Reason")
    }

    /// The library and its own tests, with less strictness: the faults make warnings.
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

        let package = Package(
            name: "auth-core",
            platforms: [.macOS(.v15)],
            targets: [
                .systemLibrary(name: "CCrypt"),
                .target(
                    name: "AuthCore",
                    dependencies: [.target(name: "CCrypt", condition: .when(platforms: [.linux]))],
                    swiftSettings: settings
                ),
                .target(name: "AuthCoreMigration", dependencies: ["AuthCore"], swiftSettings: settings),
                .target(name: "AuthCoreTesting", dependencies: ["AuthCore"], swiftSettings: settings),
                .testTarget(
                    name: "AuthCoreTests",
                    dependencies: ["AuthCore", "AuthCoreMigration", "AuthCoreTesting"],
                    exclude: [
                        "Assurance/BadInput", "Crypto/Passwords", "InMemory", "Store/Contract",
                        "UseCases/Merge/MergeRacesTests.swift", "Assurance/Tables/Golden",
                    ],
                    resources: [.copy("Store/Records/Fixtures")],
                    swiftSettings: settings
                ),
            ]
        )
        """
}

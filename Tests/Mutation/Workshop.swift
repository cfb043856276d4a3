internal import Foundation

/// A copy of the package in which the rules hold every fault, one of them active at a time.
struct Workshop {
    let folder: URL
    private(set) var mutants: [Mutant] = []

    init(copying root: URL, to folder: URL) throws {
        self.folder = folder
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["Sources", "Tests", "Package.swift", "README.md"] {
            try files.copyItem(at: root.appending(path: name), to: folder.appending(path: name))
        }
        // The faults make warnings, and what switches them on reads the environment.
        let manifest = folder.appending(path: "Package.swift")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        try text.replacing(".treatAllWarnings(as: .error),", with: "").replacing(".strictMemorySafety(),", with: "")
            .write(to: manifest, atomically: true, encoding: .utf8)
    }

    /// Writes the faults in and builds; what does not compile with a fault in it is left as it is.
    mutating func build(from root: URL) throws {
        var mutator = Mutator()
        for _ in 1...6 {
            mutator = try write(from: root, excluding: mutator.excluded)
            let log = try run("swift", ["build", "--build-tests", "--package-path", folder.path]).output
            let broken = log.matches(of: #/Rules/([\w+\/]+\.swift):(\d+):\d+: error/#)
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

    private func write(from root: URL, excluding excluded: [String: Set<Int>]) throws -> Mutator {
        var mutator = Mutator()
        mutator.excluded = excluded
        let rules = root.appending(path: "Sources/AuthCore/Rules")
        let copies = folder.appending(path: "Sources/AuthCore/Rules")
        let names = FileManager.default.enumerator(atPath: rules.path)?.compactMap { $0 as? String } ?? []
        for name in names.sorted() where name.hasSuffix(".swift") && !name.hasPrefix("Reason") {
            let source = try String(contentsOf: rules.appending(path: name), encoding: .utf8)
            try mutator.mutate(source, file: name)
                .write(to: copies.appending(path: name), atomically: true, encoding: .utf8)
        }
        try Self.activation.write(to: copies.appending(path: "Mutants.swift"), atomically: true, encoding: .utf8)
        return mutator
    }

    private static let activation = """
        import Foundation

        let activeMutant = Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0

        func mutated(_ number: Int, _ condition: @autoclosure () -> Bool) -> Bool {
            activeMutant == number ? !condition() : condition()
        }

        func mutatedReason(_ number: Int, _ reason: Reason) -> Reason {
            activeMutant == number ? .factsContradict : reason
        }

        func isKept(_ number: Int) -> Bool { activeMutant != number }
        """

    /// Whether the tests notice this fault; with none active they must all pass.
    func isNoticed(_ mutant: Int, by tests: [String]) throws -> Bool {
        let bundle = folder.appending(path: ".build/debug/auth-corePackageTests.xctest")
        let result = try run("timeout", ["90", bundle.path, tests.joined(separator: ",")], mutant: mutant)
        return result.status != 0
    }

    private func run(
        _ command: String,
        _ arguments: [String],
        mutant: Int = 0
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["MUTANT": String(mutant), "SWIFT_BACKTRACE": "enable=no"]
        ) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.currentDirectoryURL = folder
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

internal import Foundation
internal import Synchronization

/// Shows faults to the tests of one target, in two processes at a time.
struct Inspection {
    private let workshop: Workshop
    private let target: String
    private let baselines: [URL]
    /// The tests that fail without any fault; they notice nothing.
    private(set) var failing: [String] = []

    /// First every test is run without any fault.
    init(_ workshop: Workshop, by target: String) throws {
        self.workshop = workshop
        self.target = target
        baselines = (0...1).map { workshop.folder.appending(path: "\(target).baseline\($0)") }
        let tools = try baselines.enumerated().map { half, file in
            try start("testBaseline", answers: file, ["HALF": String(half)], part: half)
        }
        for tool in tools { try tool.finish() }
        for file in baselines {
            let lines = try Self.lines(file)
            guard lines.last == "finished" else { throw Failure("the tests end early: \(lines.last ?? "")") }
            failing += lines.filter { $0.hasPrefix("FAILED") }.map { String($0.split(separator: " ")[1]) }
        }
    }

    /// What no test notices, by number, with how it goes unnoticed.
    func survivors(among mutants: [Mutant]) throws -> [Int: String] {
        // Faults that stand side by side are for the same tests, so each process has a part of the list of its own.
        let numbers = mutants.map(\.number)
        let halves = [numbers.prefix(numbers.count / 2), numbers.dropFirst(numbers.count / 2)]
        let threads = halves.enumerated().map { part, numbers in
            Background { try answers(for: Array(numbers), part) }
        }
        var survivors: [Int: String] = [:]
        for thread in threads { survivors.merge(try thread.finish()) { $1 } }
        return survivors
    }

    private func answers(for numbers: [Int], _ part: Int) throws -> [Int: String] {
        var rest = numbers
        var survivors: [Int: String] = [:]
        // A test that goes on for ever with a fault notices nothing; the others are asked.
        var hanging: [Int: [String]] = [:]
        let file = workshop.folder.appending(path: "\(target).answers\(part)")
        while !rest.isEmpty {
            let environment = [
                "MUTANTS": rest.map(String.init).joined(separator: ","),
                "HANGING": (rest.first.flatMap { hanging[$0] } ?? []).joined(separator: ","),
                "BASELINES": baselines.map(\.path).joined(separator: ":"),
            ]
            try start("testMutants", answers: file, environment, part: part).finish()
            var begun = 0
            var last: [String] = []
            for line in try Self.lines(file) {
                last = line.split(separator: " ").map(String.init)
                switch last.first {
                case "begun"?: begun = Int(last[1]) ?? 0
                case "unnoticed"?, "unreached"?: survivors[begun] = last[0]
                default: break
                }
            }
            if last.first == "finished" { break }
            guard let place = rest.firstIndex(of: begun) else { throw Failure("the tests do not begin") }
            if last.first == "hangs" {
                hanging[begun, default: []].append(last[2])
                let isEnough = hanging[begun, default: []].count == 3
                if isEnough { survivors[begun] = "hangs" }
                rest.removeSubrange(..<(isEnough ? place + 1 : place))
            } else {
                // The fault ended the process, which is noticed well enough.
                rest.removeSubrange(...place)
            }
        }
        return survivors
    }

    private func start(_ test: String, answers: URL, _ environment: [String: String], part: Int) throws -> Tool {
        try Data().write(to: answers)
        var environment = environment
        // The second process has a server of its own.
        if part == 1 {
            environment["AUTHCORE_POSTGRES"] = ProcessInfo.processInfo.environment["AUTHCORE_POSTGRES_BESIDE"]
        }
        let bundle = workshop.folder.appending(path: ".build/debug/auth-corePackageTests.xctest").path
        return try Tool(
            bundle,
            ["\(target).MutantTests/\(test)"],
            in: workshop.folder,
            environment: environment.merging(["ANSWERS": answers.path, "SWIFT_BACKTRACE": "enable=no"]) { $1 }
        )
    }

    private static func lines(_ file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

/// Something done beside everything else.
private final class Background<Answer: Sendable>: Sendable {
    private let group = DispatchGroup()
    private let answer = Mutex<Result<Answer, any Error>?>(nil)

    init(_ body: @escaping @Sendable () throws -> Answer) {
        DispatchQueue.global().async(group: group) {
            let result = Result { try body() }
            self.answer.withLock { $0 = result }
        }
    }

    func finish() throws -> Answer {
        group.wait()
        guard let answer = answer.withLock({ $0 }) else { throw Failure("nothing was answered") }
        return try answer.get()
    }
}

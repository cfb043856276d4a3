import AuthCoreCrypto
import Foundation
import Synchronization
import XCTest

/// One test, which can be run again and again.
struct Probe {
    let name: String
    let test: () -> XCTestCase

    func isPassed() -> Bool {
        let test = test()
        test.run()
        return test.testRun?.hasSucceeded ?? false
    }
}

func probe<Test: XCTestCase>(
    _ type: Test.Type,
    _ name: String,
    _ method: @escaping (Test) -> () throws -> Void
) -> Probe {
    Probe(name: "\(type).\(name)") {
        type.init(name: name) { test in if let test = test as? Test { try method(test)() } }
    }
}

func waitingProbe<Test: XCTestCase>(
    _ type: Test.Type,
    _ name: String,
    _ method: @escaping (Test) -> () async throws -> Void
) -> Probe {
    probe(type, name, asyncTest(method))
}

/// Shows the faults to the tests, all in one process: first what each test passes without any fault, then, for every
/// fault that is asked for, the tests that pass its place, the quickest first, until one of them fails.
final class MutantTests: XCTestCase {
    private struct Baseline {
        let seconds: Double
        let passed: [Int]
    }

    private let environment = ProcessInfo.processInfo.environment
    private let answers = Answers()

    /// Writes down what every test of one half passes, and how long it takes.
    func testBaseline() throws {
        guard let half = environment["HALF"].flatMap({ Int($0) }) else { return }
        for (index, probe) in allProbes().enumerated() where index % 2 == half {
            Mutants.forget()
            let began = ContinuousClock.now
            let isPassed = probe.isPassed()
            let seconds = (ContinuousClock.now - began) / .seconds(1)
            let passed = Mutants.passed.indices.filter { Mutants.passed[$0] }
            answers.write("\(isPassed ? "passed" : "FAILED") \(probe.name) \(seconds) \(list(passed))")
        }
        answers.write("finished")
    }

    func testMutants() throws {
        guard let numbers = environment["MUTANTS"] else { return }
        let known = try baselines()
        let probes = allProbes()
        var favorites: [String] = []
        // These go on for ever with the first fault.
        var hanging = (environment["HANGING"] ?? "").split(separator: ",").map(String.init)
        let watchman = Watchman(answers)
        for number in numbers.split(separator: ",").compactMap({ Int($0) }) {
            answers.write("begun \(number)")
            let usable = probes.filter {
                !hanging.contains($0.name) && known[$0.name]?.passed.contains(number) ?? false
            }
            hanging = []
            // What noticed the faults beside this one is asked before others that take as long.
            let order = usable.sorted { left, right in
                let seconds = (known[left.name]?.seconds ?? 0, known[right.name]?.seconds ?? 0)
                return seconds.0 * (favorites.contains(left.name) ? 0.01 : 1)
                    < seconds.1 * (favorites.contains(right.name) ? 0.01 : 1)
            }
            Mutants.active = number
            let witness = order.first { probe in
                // Longer than the minute after which a test itself gives up what it waits for.
                watchman.watch(number, probe.name, for: 75 + 10 * (known[probe.name]?.seconds ?? 0))
                return !probe.isPassed()
            }
            watchman.rest()
            Mutants.active = 0
            if let witness {
                favorites = [witness.name] + favorites.prefix(7).filter { $0 != witness.name }
                answers.write("noticed \(number) \(witness.name)")
            } else {
                answers.write(usable.isEmpty ? "unreached \(number)" : "unnoticed \(number)")
            }
        }
        answers.write("finished")
    }

    private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }

    private func baselines() throws -> [String: Baseline] {
        var known: [String: Baseline] = [:]
        for path in (environment["BASELINES"] ?? "").split(separator: ":") {
            for line in try String(contentsOfFile: String(path), encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.count == 4, words[0] == "passed", let seconds = Double(words[2]) else { continue }
                let passed = words[3].split(separator: ",").compactMap { Int($0) }
                known[String(words[1])] = Baseline(seconds: seconds, passed: passed)
            }
        }
        return known
    }
}

/// What is written for whoever started the process; a line that was written is not lost if it dies.
private final class Answers: Sendable {
    private let file: Int32

    init() { file = open(ProcessInfo.processInfo.environment["ANSWERS"] ?? "/dev/null", O_WRONLY | O_APPEND) }

    func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Foundation.write(file, bytes, bytes.count)
    }
}

/// Ends the process when a fault makes a test go on for ever, which is no way to notice it.
private final class Watchman: Sendable {
    private struct Watched {
        let number: Int
        let name: String
        let until: Date
    }

    private let answers: Answers
    private let watched = Mutex<Watched?>(nil)

    init(_ answers: Answers) {
        self.answers = answers
        Thread.detachNewThread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                guard let watched = watched.withLock({ $0 }), watched.until < Date() else { continue }
                answers.write("hangs \(watched.number) \(watched.name)")
                _exit(2)
            }
        }
    }

    func watch(_ number: Int, _ name: String, for seconds: Double) {
        watched.withLock { $0 = Watched(number: number, name: name, until: Date(timeIntervalSinceNow: seconds)) }
    }

    func rest() { watched.withLock { $0 = nil } }
}

import Foundation
import Synchronization
import XCTest

@testable import authlab

/// What a command says on standard error while somebody waits for it.
final class ProgressLogTests: LimitedTestCase {
    /// A clock that a test moves, and the lines that were said by it.
    private final class Watched: Sendable {
        private let time = Mutex(ContinuousClock.now)
        private let said = Mutex<[String]>([])
        /// How much time passes whenever somebody looks at the clock.
        private let tick: Duration

        init(tick: Duration = .zero) { self.tick = tick }

        var lines: [String] { said.withLock(\.self) }

        func wait(_ duration: Duration) { time.withLock { $0 += duration } }

        func log() -> ProgressLog {
            ProgressLog {
                self.time.withLock { time in
                    time += self.tick
                    return time
                }
            } write: { line in
                self.said.withLock { $0.append(line) }
            }
        }
    }

    func testNothingIsSaidInTheFirstTwoSeconds() {
        let watched = Watched()
        let log = watched.log()
        log.begins("one")
        watched.wait(.milliseconds(1999))
        log.look()
        log.begins("two")
        log.finds("a result")
        XCTAssertEqual(watched.lines, [], "a short command said something")
    }

    func testTheStepThatBeganBeforeTwoSecondsWereOverIsNamedThen() {
        let watched = Watched()
        let log = watched.log()
        log.begins("copying")
        watched.wait(.seconds(2))
        log.look()
        XCTAssertEqual(watched.lines, ["copying"], "the step was not named while it ran")
        watched.wait(.seconds(60))
        log.look()
        XCTAssertEqual(watched.lines, ["copying"], "it was named once more")
    }

    func testALongStepIsNamedWhileItRunsAndManyShortOnesAreNot() {
        let watched = Watched()
        let log = watched.log()
        watched.wait(.seconds(2))
        for number in 1...10 { log.begins("short \(number)") }
        XCTAssertEqual(watched.lines, ["short 1"], "more than one of many short steps was named")
        log.begins("long")
        watched.wait(.milliseconds(1600))
        log.look()
        XCTAssertEqual(watched.lines, ["short 1", "long"], "the long step was not named before its end")
    }

    func testAResultIsSaidAtOnceAndItsStepNoMore() {
        let watched = Watched()
        let log = watched.log()
        watched.wait(.seconds(2))
        log.begins("one")
        log.begins("two")
        log.finds("two: 7 a second")
        watched.wait(.seconds(5))
        log.look()
        log.finds("eight")
        log.begins("three")
        let lines = ["one", "two: 7 a second", "eight"]
        XCTAssertEqual(watched.lines, lines, "a result waited, or a step was named that was done or had just begun")
    }
}

/// The commands beside a clock on which they take no time, and beside one on which they take long.
extension ProgressLogTests {
    private static let trace =
        #"{"name":"guest","config":{},"steps":[{"op":"signInAnonymously","session":"s1","expect":{"user":"u1","isNewUser":true},"changes":{"u1":{"providers":[]}}}]}"#

    private func ran(_ words: [String], _ watched: Watched) async throws -> String {
        let terminal = Terminal(environment: [:], isTerminal: false, deviceWidth: nil)
        var printed: [String] = []
        _ = try await AuthLab.run(words, terminal, watched.log()) { printed.append($0) }
        return printed.joined(separator: "\n")
    }

    func testACommandNamesItsStepsOnlyIfItTakesLongAndPrintsTheSame() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "trace-\(UUID().uuidString).jsonl")
        try Self.trace.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        let uses = [
            (words: ["tour"], step: "playing scene 3 of 19"),
            (words: ["replay", file.path], step: "replaying trace 1 of 1, guest"),
        ]
        for (words, step) in uses {
            let (short, long) = (Watched(), Watched(tick: .seconds(2)))
            let first = try await ran(words, short)
            XCTAssertEqual(short.lines, [], "\(words) is short and said something")
            let second = try await ran(words, long)
            XCTAssertTrue(long.lines.contains { $0.hasPrefix(step) }, "\(words) did not name \(step): \(long.lines)")
            XCTAssertEqual(first, second, "\(words) printed something else when it took long")
        }
    }

    func testEveryPartOfALongBenchIsNamed() async throws {
        let uses = [
            (
                words: ["--accounts", "40", "--seconds", "0.001"],
                steps: [
                    "making account 0 of 40", "making 40 accounts in the floor", "40 accounts: measuring the hashing",
                ]
                    + Bench.operationNames.map { "40 accounts: measuring \($0)" }
                    + Bench.taskCounts.map { "40 accounts: measuring known sign-ins, \($0) at once" }
            ),
            (
                words: ["--accounts", "40", "--scale"],
                steps: [
                    "measuring known sign-ins", "making 20 expired records",
                    "measuring known sign-ins beside a sweep", "measuring pages of accounts",
                    "living through day 1 of 364", "living through day 364 of 364",
                ]
            ),
        ]
        for (words, steps) in uses {
            let long = Watched(tick: .seconds(2))
            _ = try await ran(["bench"] + words, long)
            for step in steps {
                XCTAssertTrue(long.lines.contains(step), "\(words) did not name \(step): \(long.lines)")
            }
        }
    }
}

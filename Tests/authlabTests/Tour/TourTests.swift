@testable import AuthCore
import Synchronization
import XCTest

@testable import authlab

/// The flows that `authlab tour` plays.
final class TourTests: LimitedTestCase {
    private func played(_ tour: Tour = Tour()) async -> (isClean: Bool, text: String) {
        var lines: [String] = []
        let isClean = await tour.run { lines.append($0) }
        return (isClean, lines.joined(separator: "\n"))
    }

    func testEverySceneIsPlayedAndEverythingInItIsAsExpected() async {
        let (isClean, text) = await played()
        XCTAssertTrue(isClean, text)
        XCTAssertEqual(Tour.program.count, 19)
        XCTAssertEqual(Set(Tour.program.map(\.name)).count, 19, "two scenes have one name")
        for scene in Tour.program { XCTAssertTrue(text.contains(scene.title), scene.title) }
        XCTAssertFalse(text.contains("NOT SO"), text)
        XCTAssertTrue(text.hasSuffix("19 scenes, everything as expected"), String(text.suffix(80)))
    }

    func testEveryPerformanceIsTheSame() async {
        let first = await played()
        let second = await played()
        XCTAssertEqual(first.text, second.text)
    }

    func testEverySceneShowsAnAccountAndSaysWhatCameOfEveryCall() async throws {
        for scene in Tour.program {
            let stage = Stage((scene.policy ?? .standard).policy)
            try await scene.play(stage)
            stage.finishes()
            XCTAssertTrue(stage.lines.contains { if case .state = $0 { true } else { false } }, scene.title)
            for (line, next) in zip(stage.lines, stage.lines.dropFirst()) {
                guard case .call(let code) = line else { continue }
                switch next {
                case .fact, .refusal, .state: break
                case .title, .aside, .pause, .call, .failure: XCTFail("nothing is said of \(code)")
                }
            }
        }
    }

    func testPlainTextHasNoEscapesAndColoredTextSaysTheSame() async {
        let plain = await played().text
        let colored = await played(Tour(layout: NarrationLayout(isColored: true))).text
        XCTAssertFalse(plain.contains("\u{1B}"))
        XCTAssertTrue(colored.contains("\u{1B}[1m"))
        XCTAssertEqual(colored.replacing(#/\u{1B}\[[0-9;]*m/#, with: ""), plain)
    }

    func testNoLineIsWiderThanTheTerminalIsTakenToBe() async {
        for width in [60, 96] {
            let text = await played(Tour(layout: NarrationLayout(width: width))).text
            for line in text.split(separator: "\n") where line.contains(" ") {
                let isOneWord = line.drop { !$0.isLetter }.split(separator: " ").count == 1
                XCTAssertTrue(line.count <= width || isOneWord, "\(width): \(line)")
                XCTAssertNotEqual(line.last, " ", String(line))
            }
        }
    }

    func testEveryScenePlaysUnderEveryPreset() async {
        for preset in NamedPolicy.presets {
            let (isClean, text) = await played(Tour(policy: preset))
            XCTAssertTrue(isClean, "\(preset.name): \(text.split(separator: "\n").filter { $0.contains("NOT SO") })")
        }
    }

    func testTheSceneOfWhatFirebaseDoesDifferentlyIsPlayedUnderItsPolicyWhateverTheTours() async {
        let (_, text) = await played(Tour(scenes: [.signUp, .firebaseDiffers]))
        XCTAssertTrue(text.contains("══ .standard ══"), text)
        XCTAssertTrue(text.contains("══ .firebase ══"), text)
        XCTAssertTrue(text.contains("Eve is in the account that Ann uses"), text)
    }

    func testTheCommandListsScenesPlaysOneAndWaitsBetweenThem() async throws {
        var lines: [String] = []
        let terminal = Terminal(environment: [:], isTerminal: false, deviceWidth: nil)
        let list = try await TourCommand(arguments: ["--list"], terminal).run { lines.append($0) }
        XCTAssertTrue(list)
        for scene in Tour.program { XCTAssertTrue(lines[0].contains(scene.name), scene.name) }

        lines = []
        let one = try await TourCommand(arguments: ["--only", "phone-code", "--policy", "firebase"], terminal)
            .run { lines.append($0) }
        XCTAssertTrue(one)
        XCTAssertTrue(lines[0].hasPrefix("══ 11. A code by text message ══ .firebase"), lines[0])
        XCTAssertEqual(lines.last, "1 scene, everything as expected")

        let waits = Mutex(0)
        let tour = Tour(scenes: [.signUp, .phone, .join], wait: { waits.withLock { $0 += 1 } })
        let calls = Mutex(0)
        _ = await tour.run { if $0.contains("  › ") { calls.withLock { $0 += 1 } } }
        XCTAssertEqual(waits.withLock(\.self), calls.withLock(\.self) - 1 + 2, "it waits before calls and scenes")
    }

    func testATourWithAFailureIsNotClean() async {
        let scene = Scene(name: "broken", title: "Broken", about: "Nothing holds.") { stage in
            stage.checks("two is three", 2 == 3)
        }
        let stopped = Scene(name: "stopped", title: "Stopped", about: "Nothing goes on.") { _ in throw SceneStopped() }
        for broken in [scene, stopped] {
            let (isClean, text) = await played(Tour(scenes: [.signUp, broken]))
            XCTAssertFalse(isClean)
            XCTAssertTrue(text.contains("NOT SO"), text)
            XCTAssertTrue(text.hasSuffix("2 scenes, not as expected: 1"), text)
        }
    }

    func testATourSaysWhyItsStoreIsNotEmpty() async throws {
        for (failing, statement) in [(1, "the scene runs to its end"), (2, "the store is emptied again")] {
            let calls = Mutex(0)
            let memory = InMemoryIdentityStore()
            let store = try await LabStore(memory, InMemoryAttemptStore(), called: "a store") {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if call == failing { throw CommandFailure("the disk is full") }
            }
            let (isClean, text) = await played(Tour(scenes: [.signUp], store: store))
            XCTAssertFalse(isClean, "a tour counts as clean although \(statement) is not so")
            XCTAssertTrue(text.contains("✗ NOT SO: \(statement) (the disk is full)"), "the error is hidden: \(text)")
            XCTAssertTrue(text.hasSuffix("1 scene, not as expected: 1"), "the failure is not counted: \(text)")
        }
    }

    func testAStageNoticesWhatIsNotAsExpected() async {
        let stage = Stage()
        stage.checks("this is so", true)
        XCTAssertEqual(stage.failures, 0)
        stage.checks("this is so", false)
        XCTAssertEqual(stage.failures, 1)
        do {
            try await stage.isRefused("auth.signInAnonymously()", as: .operationNotAllowed) {
                try await stage.app().signInAnonymously()
            }
            XCTFail("a call that went through counts as refused")
        } catch {
            XCTAssertEqual(stage.failures, 2)
        }
        do {
            try await stage.calls("auth.checkActionCode(nothing)") { try await stage.app().checkActionCode("nothing") }
            XCTFail("a refused call counts as gone through")
        } catch {
            XCTAssertEqual(stage.failures, 3)
        }
        _ = try? await stage.isRefused("auth.checkActionCode(nothing)", as: .userDisabled) {
            try await stage.app().checkActionCode("nothing")
        }
        XCTAssertEqual(stage.failures, 4)
        XCTAssertThrowsError(try stage.unwraps(Int?.none, "there is a number"))
        XCTAssertEqual(stage.failures, 5)
    }
}

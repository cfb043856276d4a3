@testable import AuthCore
import Foundation
import Synchronization
import XCTest

@testable import authlab

/// The recorded behavior of the reference server, replayed against AuthCore's own face.
final class ReplayTests: LimitedTestCase {
    private func recordedTraces() throws -> [Trace] {
        let url = try XCTUnwrap(
            Bundle.module.url(forResource: "firebase-traces", withExtension: "jsonl", subdirectory: "Traces")
        )
        let text = try String(contentsOf: url, encoding: .utf8)
        return try text.split(separator: "\n").map { try Trace(line: $0) }
    }

    func testEveryRecordedTraceReplaysWithoutADifferenceAndNothingIsSkipped() async throws {
        let traces = try recordedTraces()
        let report = await Replay(face: { AuthCoreFace(policy: $0) }, policy: .firebase).replay(traces)
        XCTAssertEqual(report.differences.map(\.description), [])
        XCTAssertEqual(report.traces, 400)
        XCTAssertEqual(report.steps, 6265)
        XCTAssertEqual(report.skipped, 0)
    }

    func testEveryRecordedTraceReplaysThroughFirebasesFaceToo() async throws {
        let report = await Replay(face: { FirebaseFace(policy: $0) }, policy: .firebase).replay(try recordedTraces())
        XCTAssertEqual(report.differences.map(\.description), [])
        XCTAssertEqual(report.traces, 400)
        XCTAssertEqual(report.steps, 6265)
        XCTAssertEqual(report.skipped, 0)
    }

    func testAReplayNoticesEveryKindOfDifference() async throws {
        let lines = [
            // Another outcome than recorded.
            #"{"name":"a","config":{},"steps":[{"op":"signInAnonymously","session":"s1","expect":{"error":"userDisabled"}}]}"#,
            // Another state than recorded.
            #"{"name":"b","config":{},"steps":[{"op":"signInAnonymously","session":"s1","expect":{"user":"u1","isNewUser":true},"changes":{"u1":{"displayName":"Ann","providers":[]}}}]}"#,
            // A change that was not recorded.
            #"{"name":"c","config":{},"steps":[{"op":"signInAnonymously","session":"s1","expect":{"user":"u1","isNewUser":true}}]}"#,
        ]
        for line in lines {
            let report = await Replay(face: { AuthCoreFace(policy: $0) }, policy: .firebase)
                .replay([try Trace(line: line)])
            XCTAssertFalse(report.differences.isEmpty, line)
        }
    }

    func testLinesMayEndAsOnWindows() async throws {
        let line =
            #"{"name":"a","config":{},"steps":[{"op":"signInAnonymously","session":"s1","expect":{"user":"u1"}}]}"#
        let file = FileManager.default.temporaryDirectory.appending(path: "traces-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("\(line)\r\n\r\n\(line)\r\n".utf8).write(to: file)
        var said: [String] = []
        _ = try await ReplayCommand(arguments: [file.path()]).run { said.append($0) }
        XCTAssertEqual(said.last?.hasPrefix("traces 2,"), true, "\(said)")
    }

    func testALineThatIsNoTraceIsSaidToBeNone() {
        for line in ["", "[]", "{}", #"{"name":"a"}"#, #"{"name":"a","config":{},"steps":[{}]}"#] {
            XCTAssertThrowsError(try Trace(line: line), "“\(line)” is a trace")
        }
    }

    func testAFileWithoutATraceIsNotReplayedWithoutADifference() async throws {
        let line =
            #"{"name":"a","config":{},"steps":[{"op":"signInAnonymously","session":"s1","expect":{"user":"u1"}}]}"#
        let folder = FileManager.default.temporaryDirectory.appending(path: "traces-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (full, empty) = (folder.appending(path: "full").path, folder.appending(path: "empty").path)
        try Data("\(line)\n".utf8).write(to: URL(filePath: full))
        for text in ["", "\n \r\n"] {
            try Data(text.utf8).write(to: URL(filePath: empty))
            do {
                _ = try await ReplayCommand(arguments: [full, empty]).run { XCTFail("the replay went on to say \($0)") }
                XCTFail("a file that lost its traces counts as replayed")
            } catch let error as UsageError {
                XCTAssertEqual(error.text, "\(empty) has no traces", "the message does not name the file")
            }
        }
    }

    func testAReplaySaysWhyItsStoreIsNotEmpty() async throws {
        let line = #"{"name":"a","config":{},"steps":[{"op":"signInAnonymously","expect":{}}]}"#
        for (failing, place) in [(1, "a"), (2, "after the last trace")] {
            let calls = Mutex(0)
            var replay = Replay(face: { AuthCoreFace(policy: $0) }, policy: .firebase)
            replay.empty = {
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                if call == failing { throw CommandFailure("the disk is full") }
            }
            let said = await replay.replay([try Trace(line: line)]).differences.map(\.description)
            XCTAssertTrue(
                said.contains("\(place)\n  expected an empty store\n  got      the disk is full"),
                "the replay hides that its store was not emptied: \(said)"
            )
        }
    }

    func testTheReplayCommandRefusesWhatItDoesNotKnow() {
        for arguments in [[], ["--policy", "other", "x"], ["--loud", "x"], ["--policy"], ["--face", "other", "x"]] {
            XCTAssertThrowsError(try ReplayCommand(arguments: arguments), "\(arguments)")
        }
    }
}

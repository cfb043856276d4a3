#if SQLite
import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// The system itself refuses to write: a process whose files may not grow, and a file system without room.
final class FullDiskTests: LimitedTestCase {
    /// What the process said between the word and the end of what it did.
    private func tell(_ process: KilledProcess, _ word: String) throws -> [String] {
        try process.say(word)
        return try XCTUnwrap(process.answer(until: "done"), "the process ended at: \(word)")
    }

    /// Signs people in until there is no room, makes room and signs others in; returns everything that was answered.
    private func fill(
        _ process: KilledProcess,
        failing expected: String,
        makingRoom: String
    ) throws -> [String] {
        var answered: [String] = []
        let lines = try tell(process, "people first 2000")
        answered += lines.filter { $0.hasPrefix("answered ") }
        XCTAssertGreaterThan(answered.count, 3, "nothing was written before: \(lines)")
        XCTAssertEqual(lines.last, expected)
        // It goes on failing, and is not worse for that.
        for name in ["second", "third"] {
            let more = try tell(process, "people \(name) 1")
            XCTAssertEqual(more, [expected], "the next sign-in without room")
        }
        _ = try tell(process, makingRoom)
        let after = try tell(process, "people later 3")
        XCTAssertEqual(after.count { $0.hasPrefix("answered ") }, 3, "service did not go on: \(after)")
        return (answered + after).map { String($0.dropFirst("answered ".count)) }
    }

    private func assertWhole(_ store: SQLiteStore, has answered: [String]) async throws {
        let accounts = try await store.accounts(after: nil, limit: 10_000)
        XCTAssertEqual(
            accounts.map { $0.email?.description ?? "" }.sorted(),
            answered.sorted(),
            "what was answered, and nothing else"
        )
        let broken = try await Invariants(store: store, policy: .standard).violations()
        XCTAssertEqual(broken, [], "something is half written")
        let damage = try await store.findDamage()
        XCTAssertEqual(damage, [], "the file is damaged")
    }

    func testAProcessWhoseFilesMayNotGrowLosesNothing() async throws {
        let database = try TestDatabase()
        let process = try KilledProcess(on: database.path, called: "squeezed")
        XCTAssertNotNil(process.answer(until: "ready"))
        _ = try tell(process, "limit 1000000")
        // The system reports this as a failed write and not as a full disk.
        let answered = try fill(
            process,
            failing: """
                failed outcomeUnknown 10 The disk reported a failure. The change was being committed, and may be made or not.
                """,
            makingRoom: "limit 1000000000000"
        )
        _ = process.kill()
        try await assertWhole(try await database.open(), has: answered)
    }

    func testAFileSystemWithoutRoomLosesNothing() async throws {
        let (database, folder) = (try TestDatabase(), FileManager.default)
        let (small, ballast) = (database.path("small"), database.path("small/ballast"))
        try folder.createDirectory(atPath: small, withIntermediateDirectories: false)
        // A file system of two megabytes that only the process and its children see.
        let script = """
            mount -t tmpfs -o size=2m small "\(small)" && head -c 500000 /dev/zero >"\(ballast)" && exec "$@"
            """
        let launcher = ["/usr/bin/unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh"]
        guard folder.isExecutableFile(atPath: launcher[0]) else { throw XCTSkip("there is no unshare") }
        let trial = Process()
        trial.executableURL = URL(filePath: launcher[0])
        trial.arguments = launcher.dropFirst() + ["true"]
        try trial.run()
        trial.waitUntilExit()
        guard trial.terminationStatus == 0 else { throw XCTSkip("a process may not mount here") }
        let process = try KilledProcess(on: small + "/accounts.sqlite", called: "squeezed", by: launcher)
        XCTAssertNotNil(process.answer(until: "ready"), "the process did not begin")
        let answered = try fill(
            process,
            failing: """
                failed storeUnavailable 13 The disk is full, or the database has reached its largest size. Nothing was \
                changed.
                """,
            makingRoom: "free \(ballast)"
        )
        let copy = database.path("copy.sqlite")
        _ = try tell(process, "backup \(copy)")
        _ = process.kill()
        try await assertWhole(try await SQLiteStore(path: copy), has: answered)
    }
}
#endif

#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// A server that cannot serve: an error that says what happened, nothing lost, and service again afterwards.
final class PostgresFailureTests: LimitedTestCase {
    func testAStandbyOrReadOnlyServerIsNamed() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        let connection = database.connection + " options='-c default_transaction_read_only=on'"
        let store = try await PostgresStore(connection, options: database.options)
        let kind = await Self.kind { _ = try await store.commit(Samples.creation("ann")) }
        XCTAssertEqual(kind, .readOnly)
    }

    func testAServerWithoutConnectionsLeftIsNamedAndServesAgain() async throws {
        let server = try TestServer("max_connections=6")
        defer { try? server.stop("immediate") }
        let options = try TestDatabase { $0.connections = 10 }.options
        let store = try await PostgresStore(server.connection, options: options)
        let kinds = await withTaskGroup(of: PostgresError.Kind?.self) { group in
            for _ in 0..<10 { group.addTask { await Self.kind { try await store.execute("SELECT pg_sleep(1)") } } }
            return await group.reduce(into: Set<PostgresError.Kind>()) { kinds, kind in
                kind.map { _ = kinds.insert($0) }
            }
        }
        XCTAssertEqual(kinds, [.tooManyConnections])
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
    }

    func testAFullDiskIsNamedAndServiceGoesOnWhenThereIsRoom() async throws {
        let disk = try SmallDisk(megabytes: 8)
        defer { disk.remove() }
        let server = try TestServer()
        defer { try? server.stop("immediate") }
        let maker = try await TestDatabase(server.connection).open()
        try await maker.execute("CREATE TABLESPACE small LOCATION '\(disk.path)'")
        let connection = server.connection + " options='-c default_tablespace=small'"
        let store = try await TestDatabase(connection).open()
        var (written, error): (Int, AuthError?) = (0, nil)
        while error == nil, written < 20_000 {
            do {
                _ = try await store.commit(Samples.creation("ann\(written)"))
                written += 1
            } catch let failure as AuthError {
                error = failure
            }
        }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual((error?.cause as? PostgresError)?.kind, .outOfResources, "\(String(describing: error?.cause))")
        XCTAssertEqual(error?.message.hasPrefix("The server has no space"), true, error?.message ?? "")
        let kept = try await store.accounts(after: nil, limit: 100_000).count
        XCTAssertEqual(kept, written, "what was answered, and nothing else")
        let events = "SELECT count(*) FROM \(store.schema.name).events"
        let count = try await store.run(events, []).first?.number(0)
        XCTAssertEqual(count, Int64(written), "the events of what was answered")
        try disk.grow(megabytes: 200)
        let outcome = try await store.commit(Samples.creation("ann\(written)"))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }
}

/// A file system of its own in memory, which can be full; skips the test where none can be made.
private struct SmallDisk {
    let path = NSTemporaryDirectory() + "disk-\(UUID().uuidString.prefix(8))"

    init(megabytes: Int) throws {
        _ = try TestDatabase.server()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m,mode=0777", "tmpfs", path) else {
            try? FileManager.default.removeItem(atPath: path)
            throw XCTSkip("needs a file system that can be full: only root may mount one")
        }
        // The server wants the folder for itself.
        guard try Self.run("chown", "nobody", path) else {
            remove()
            throw XCTSkip("needs the system's user nobody, under which the server runs")
        }
    }

    func grow(megabytes: Int) throws {
        let isDone = try Self.run("mount", "-o", "remount,size=\(megabytes)m", path)
        XCTAssertTrue(isDone, "the disk did not grow")
    }

    func remove() {
        _ = try? Self.run("umount", "-l", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func run(_ words: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
#endif

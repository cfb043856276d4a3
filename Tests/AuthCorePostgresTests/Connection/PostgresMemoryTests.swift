#if PostgreSQL && os(Linux)
import AuthCore
import Foundation
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What the C library gives is given back: a service runs for months.
final class PostgresMemoryTests: LimitedTestCase {
    /// The memory of the process that is in use, in megabytes.
    private static func megabytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return try XCTUnwrap(line?.split(separator: " ").dropFirst().first.flatMap { Int($0) }) / 1024
    }

    /// Expects that doing something again does not take more and more memory.
    ///
    /// What was freed may stay with the thread that had it, so the first times may take some; what is not freed takes
    /// eighty megabytes each time.
    private static func expectNoGrowth(_ what: String, _ body: () async throws -> Void) async throws {
        var growth: [Int] = []
        for _ in 0..<6 where growth.last ?? 80 >= 40 {
            let before = try megabytes()
            try await body()
            growth.append(try megabytes() - before)
        }
        XCTAssertLessThan(growth.last ?? 80, 40, "\(what) stay in memory: it grew by \(growth) megabytes")
    }

    func testAnswersThatWereReadAreFreed() async throws {
        let store = try await TestDatabase { $0.connections = 1 }.open()
        try await Self.expectNoGrowth("answers") {
            for _ in 0..<20 {
                let rows = try await store.run("SELECT repeat('x', 4000000)", [])
                XCTAssertEqual(rows.first?.text(0)?.utf8.count, 4_000_000, "the answer")
            }
        }
    }

    func testConnectionStringsThatWereReadAreFreed() async throws {
        _ = try TestDatabase.server()
        let connection = "host=/nonexistent nonsense=" + String(repeating: "x", count: 4_000_000)
        try await Self.expectNoGrowth("connection strings") {
            for _ in 0..<10 {
                do throws(AuthError) {
                    _ = try await PostgresStore(connection)
                    XCTFail("it connected")
                } catch {
                    XCTAssertEqual((error.cause as? PostgresError)?.kind, .invalidSettings, "\(error.code)")
                }
            }
        }
    }
}
#endif

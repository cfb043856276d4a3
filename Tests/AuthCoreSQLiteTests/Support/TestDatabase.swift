#if SQLite
import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCoreSQLite

/// A database in a folder of its own, with every store that was opened on it.
final class TestDatabase: Sendable {
    let path: String
    private let folder: URL
    private let opened = Mutex<[SQLiteStore]>([])

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("authcore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("accounts.sqlite").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// A further file in the same folder.
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    func open(_ change: (inout SQLiteStore.Options) -> Void = { _ in }) async throws -> SQLiteStore {
        var options = SQLiteStore.Options()
        options.readers = 2
        change(&options)
        let store = try await SQLiteStore(path: path, options: options)
        opened.withLock { $0.append(store) }
        return store
    }

    /// Ends all connections, as the end of a process does.
    func close() async throws {
        let stores = opened.withLock { opened in
            defer { opened = [] }
            return opened
        }
        for store in stores { try await store.close() }
    }

    /// What the conformance suite needs; every handle may be wrapped in something else.
    func subject(
        _ change: @escaping @Sendable (inout SQLiteStore.Options) -> Void = { _ in },
        wrapped: @escaping @Sendable (SQLiteStore) -> any IdentityStore = { $0 }
    ) -> StoreSubject {
        StoreSubject {
            wrapped(try await self.open(change))
        } reopen: {
            try await self.close()
            return wrapped(try await self.open(change))
        } interrupt: { count in
            for store in self.opened.withLock({ $0 }) { try await store.endAfter(statements: count) }
        }
    }
}

extension SQLiteStore {
    /// Closes all connections.
    func close() async throws {
        try await writer.run { $0.close() }
        for lane in readers?.lanes ?? [] { try await lane.run { $0.close() } }
    }

    /// Lets the connection that writes end after so many statements.
    func endAfter(statements count: Int) async throws {
        try await writer.run { $0.statementsBeforeDeath = count }
    }

    /// Runs statements on the connection that writes.
    func execute(_ sql: String) async throws { try await writer.run { try $0.execute(sql) } }

    /// The values of a query's first column, as text.
    func column(_ sql: String) async throws -> [String] { try await read { try $0.all(sql) { $0.text(0) } } }
}

/// An error that a call must throw; fails the test if it throws none.
func storeError(
    _ what: String,
    file: StaticString = #filePath,
    line: UInt = #line,
    from call: () async throws -> Void
) async -> AuthError? {
    do {
        try await call()
        XCTFail("\(what): nothing was thrown", file: file, line: line)
        return nil
    } catch {
        XCTAssertTrue(error is AuthError, "\(what): \(error)", file: file, line: line)
        return error as? AuthError
    }
}
#endif

#if SQLite
import AuthCore
import Foundation
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Files and paths that a store refuses to open, and what it says of each.
final class UnusableFileTests: LimitedTestCase {
    func testAFileOfAnotherProgramIsRefused() async throws {
        let database = try TestDatabase()
        PrivateFile.make(database.path)
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("CREATE TABLE cats (name TEXT)")
        other.close()
        let error = await storeError("a file of another program") { _ = try await database.open() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message.contains("belongs to another program"), true, error?.message ?? "")
        let owner = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        let mode = try owner.first("PRAGMA journal_mode") { $0.text(0) }
        XCTAssertEqual(mode, "delete", "a file that is refused is left as it was")
        try Data("This is a diary, and not a database at all.".utf8 + Array(repeating: 32, count: 5000))
            .write(to: URL(fileURLWithPath: database.path("diary")))
        let diary = await storeError("a file that is no database") {
            _ = try await SQLiteStore(path: database.path("diary"))
        }
        XCTAssertEqual((diary?.cause as? SQLiteError)?.primaryCode, 26, "SQLITE_NOTADB")
        XCTAssertEqual(diary?.message.contains("no database of SQLite: choose another path"), true, "\(diary as Any)")
    }

    func testAnEmptyPathIsNoFile() async throws {
        let error = await storeError("an empty path") { _ = try await SQLiteStore(path: "") }
        XCTAssertEqual(error?.code, .storeUnavailable, "\(error as Any)")
        XCTAssertEqual(error?.message.contains("check the path"), true, "\(error as Any)")
    }

    /// Some builds of SQLite would open the file that the URI names, and others make one of that name.
    func testAPathIsNotTakenForAURI() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        let error = await storeError("a path of a folder that is not there") {
            _ = try await SQLiteStore(path: "file:\(database.path)")
        }
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 14, "SQLITE_CANTOPEN: \(error as Any)")
        let store = try await database.open()
        let copy = await storeError("a copy to a folder that is not there") {
            try await store.backup(to: "file:\(database.path("copy"))")
        }
        XCTAssertEqual((copy?.cause as? SQLiteError)?.primaryCode, 14, "SQLITE_CANTOPEN: \(copy as Any)")
    }

    func testAFileThatCannotHaveALogIsRefused() {
        // A file without a name is SQLite's own, which is gone with its connection and has no log.
        XCTAssertThrowsError(try SQLiteConnection.writer("", SQLiteStore.Options())) { error in
            guard case UnusableFile.withoutLog(let mode) = error else {
                return XCTFail("it is not told why: \(error)")
            }
            XCTAssertEqual(mode, "delete")
        }
    }

    func testAFileThatCannotBeWrittenIsRefused() async throws {
        let database = try TestDatabase()
        _ = try await database.open()
        try await database.close()
        // Root may write any file, so the folder is one in which no file can be made.
        let missing = await storeError("a folder that is not there") {
            _ = try await SQLiteStore(path: database.path("missing/accounts.sqlite"))
        }
        XCTAssertEqual((missing?.cause as? SQLiteError)?.primaryCode, 14, "SQLITE_CANTOPEN")
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: database.path)
        if geteuid() == 0 {
            // Root may write any file, so another user's process opens this one, in a folder that everybody may write.
            let folder = URL(fileURLWithPath: database.path).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
            let said = try KilledProcess.openingAsNobody(database.path)
            XCTAssertTrue(said.contains("can be read and not written"), said)
            return
        }
        let error = await storeError("a file that can only be read") { _ = try await database.open() }
        XCTAssertEqual(error?.message.contains("can be read and not written"), true, error?.message ?? "")
    }
}
#endif

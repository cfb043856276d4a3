#if SQLite
import AuthCore
import XCTest

@testable import AuthCoreSQL
@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Whose file is opened, what its connections may do, and what a person reads of a failure.
final class OpeningTests: LimitedTestCase {
    func testAnEmptyFileWithTheMarkOfAnotherProgramIsRefused() async throws {
        let database = try TestDatabase()
        PrivateFile.make(database.path)
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("PRAGMA application_id = 7")
        other.close()
        let error = await storeError("a file of another program") { _ = try await database.open() }
        let said = error?.message ?? "nothing"
        XCTAssertTrue(said.contains("belongs to another program"), "what is said of the file: \(said)")
        let owner = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        let mark = try owner.first("PRAGMA application_id") { $0.integer(0) }
        XCTAssertEqual(mark, 7, "a file that is refused is left as it was")
    }

    func testAConnectionThatReadsDoesNotWrite() async throws {
        let store = try await TestDatabase().open()
        let error = await storeError("a change on a connection that reads") {
            try await store.read { try $0.execute("UPDATE store SET key_rule = 'address'") }
        }
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 8, "the code is not that of SQLITE_READONLY")
        let rule = try await store.column("SELECT coalesce(key_rule, '-') FROM store")
        XCTAssertEqual(rule, ["-"], "the connection that reads has written")
    }

    func testAConnectionThatReadsWaitsForAnotherProcessAsLongAsTheOptionsSay() throws {
        let database = try TestDatabase()
        PrivateFile.make(database.path)
        let other = try SQLiteConnection(path: database.path, busyTimeout: .seconds(1))
        try other.execute("BEGIN EXCLUSIVE")
        var options = SQLiteStore.Options()
        options.busyTimeout = .milliseconds(200)
        let began = ContinuousClock.now
        XCTAssertThrowsError(try SQLiteConnection.reader(database.path, options), "a file that is locked") { error in
            XCTAssertEqual((error as? SQLiteError)?.primaryCode, 5, "SQLITE_BUSY")
        }
        let waited = ContinuousClock.now - began
        XCTAssertGreaterThanOrEqual(waited, options.busyTimeout, "how long the connection waited")
        try other.execute("ROLLBACK")
    }

    func testNoConnectionTrustsWhatIsInTheSchema() async throws {
        let store = try await TestDatabase().open()
        let writing = try await store.writer.run { try $0.all("PRAGMA trusted_schema") { $0.text(0) } }
        XCTAssertEqual(writing, ["0"], "the connection that writes runs any function that the schema names")
        let reading = try await store.column("PRAGMA trusted_schema")
        XCTAssertEqual(reading, ["0"], "a connection that reads runs any function that the schema names")
    }

    func testAnErrorHasTheExtendedCode() async throws {
        let store = try await TestDatabase().open()
        do {
            try await store.execute("INSERT INTO store SELECT * FROM store")
            XCTFail("a second row has the key of the first")
        } catch {
            XCTAssertEqual((error as? SQLiteError)?.code, 1555, "the code is not that of a primary key: \(error)")
        }
    }

    func testAPersonReadsWhyAFileIsNotOpenedOrWritten() {
        let cases: [(any Error, String)] = [
            (UnusableFile.foreign, "The file belongs to another program; choose another path."),
            (
                UnusableFile.readOnly,
                "The file can be read and not written; check the owner of the file and its folder."
            ),
            (
                UnusableFile.withoutLog(mode: "delete"),
                "The file system does not support a write-ahead log (the journal mode is delete); use a local disk."
            ),
            (
                UnusableFile.olderSchema(3),
                "The schema has version 3 and was not to be migrated; run SQLiteStore.schema(after: 3)."
            ),
            (UnusableFile.inMemory, "A database in memory has no copies."),
            (UnusableFile.isItself, "A copy cannot replace the database itself."),
            (UnusableFile.olderLibrary("3.36.0"), "SQLite is 3.36.0, and 3.37 or later is needed."),
            (
                NewerSchema(version: 9, newest: 1),
                "The database has schema version 9, and this version of the library knows 1; update the library."
            ),
            (
                SQLiteError(code: 14, message: "unable to open database file"),
                "The file cannot be opened; check the path and the owner of the folder."
            ),
            (CancellationError(), "CancellationError()"),
        ]
        for (failure, text) in cases {
            let opening = AuthError(opening: "a", failure: failure).message
            XCTAssertEqual(opening, "The database a cannot be opened. \(text)", "what is said of \(failure)")
            let copying = AuthError(copyingTo: "b", failure: failure).message
            XCTAssertEqual(copying, "The copy b cannot be written. \(text)", "what is said of \(failure)")
        }
    }

    func testAPersonReadsWhatIsWrongWithTheFileAndWhatToDo() {
        let damaged = "The database is damaged; restore the newest backup."
        let locked = "Another process kept the database locked; try again."
        for (code, text) in [
            (5, locked), (6, locked), (13, "The disk is full, or the database has reached its largest size."),
            (8, "The database can be read and not written; check the owner of the file and its folder."),
            (11, damaged),
            (26, "The file is no database of SQLite: choose another path, or restore the newest backup if it was one."),
            (14, "The file cannot be opened; check the path and the owner of the folder."),
            (10, "The disk reported a failure."), (3, "The process may not use the file."),
            (23, "The process may not use the file."), (7, "The process is out of memory."),
            (18, "A record is larger than SQLite can store."), (1, "SQLite reported: what it said."),
        ] as [(Int32, String)] {
            // The extended codes are of the same kinds.
            for extended in [code, code | 2 << 8] {
                let error = AuthError(reading: SQLiteError(code: extended, message: "what it said"))
                XCTAssertEqual(error.message, "\(text) Nothing was changed.", "what is said of the code \(extended)")
            }
        }
    }
}
#endif

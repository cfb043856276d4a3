import XCTest

@testable import authlab

/// `--store` names a store, and says what is missing.
final class StoreChoiceTests: XCTestCase {
    func testAStoreIsNamedByOneWord() throws {
        XCTAssertEqual(try StoreChoice("memory"), .memory)
        XCTAssertEqual(try StoreChoice("sqlite:/tmp/a:b.sqlite"), .sqlite(path: "/tmp/a:b.sqlite"))
        XCTAssertEqual(try StoreChoice("postgres:dbname=a"), .postgres(url: "postgres:dbname=a"))
        XCTAssertEqual(try StoreChoice("postgresql://localhost/a"), .postgres(url: "postgresql://localhost/a"))
        XCTAssertEqual(try ReplayCommand(arguments: ["x"]).store, .memory)
        XCTAssertEqual(try ReplayCommand(arguments: ["--store", "sqlite:a", "x"]).store, .sqlite(path: "a"))
        for word in ["", "sqlite", "sqlite:", "cats:a", "memory:a"] {
            XCTAssertThrowsError(try StoreChoice(word), word) {
                XCTAssertTrue("\($0)".hasPrefix("--store takes memory, sqlite:PATH or postgres:URL"), "\($0)")
            }
        }
    }

    func testABenchOfAStoreHasItsOwnOperations() throws {
        let command = try BenchCommand(arguments: ["--store", "sqlite:a", "--only", "95 % reads", "--normal"])
        XCTAssertEqual(command.accounts, 10_000)
        XCTAssertFalse(command.isSynchronous)
        XCTAssertThrowsError(try BenchCommand(arguments: ["--only", "95 % reads"]))
        XCTAssertThrowsError(try BenchCommand(arguments: ["--store", "sqlite:a", "--only", "token issue"]))
    }

    func testAStoreWithoutItsTraitIsOneLine() async throws {
        #if SQLite
        throw XCTSkip("this authlab was built with the trait SQLite")
        #else
        do {
            _ = try await StoreChoice.sqlite(path: "a").open()
            XCTFail("a store was opened")
        } catch {
            XCTAssertEqual("\(error)", "this authlab was built without that store; build it with --traits SQLite")
        }
        #endif
    }
}

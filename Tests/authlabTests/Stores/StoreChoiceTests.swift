import XCTest

@testable import authlab

/// `--store` names a store, and says what is missing.
final class StoreChoiceTests: LimitedTestCase {
    private func choice(_ word: String) throws -> StoreChoice {
        try StoreChoice(BenchCommand.synopsis.read(["--store=\(word)"]))
    }

    func testAStoreIsNamedByOneWord() throws {
        XCTAssertEqual(try choice("memory"), .memory)
        XCTAssertEqual(try choice("sqlite:folder/a:b.sqlite"), .sqlite(path: "folder/a:b.sqlite"))
        XCTAssertEqual(try choice("postgres:dbname=a"), .postgres(url: "postgres:dbname=a"))
        XCTAssertEqual(try choice("postgresql://localhost/a"), .postgres(url: "postgresql://localhost/a"))
        XCTAssertEqual(try ReplayCommand(arguments: ["x"]).store, .memory)
        XCTAssertEqual(try ReplayCommand(arguments: ["--store", "sqlite:a", "x"]).store, .sqlite(path: "a"))
        XCTAssertThrowsError(try choice("")) { XCTAssertTrue("\($0)".contains("--store needs a value"), "\($0)") }
        for word in ["sqlite", "sqlite:", "cats:a", "memory:a"] {
            XCTAssertThrowsError(try choice(word), word) {
                XCTAssertTrue("\($0)".contains("there is no store"), "\($0)")
            }
        }
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

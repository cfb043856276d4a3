@testable import AuthCore
import XCTest

/// XCTest's own assertion about errors takes no asynchronous code.
func assertHashingThrows(
    _ expected: PasswordHash.HashingError,
    _ message: String = "",
    file: StaticString = #filePath,
    line: UInt = #line,
    _ body: () async throws -> Void
) async {
    do {
        try await body()
        XCTFail("Nothing was thrown. \(message)", file: file, line: line)
    } catch {
        XCTAssertEqual(error as? PasswordHash.HashingError, expected, message, file: file, line: line)
    }
}

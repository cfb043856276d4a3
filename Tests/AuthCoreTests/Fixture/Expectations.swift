import AuthCore
import XCTest

/// Runs the operation and gives the `AuthError` it throws; anything else is a failure.
func authError<Value>(
    _ message: String = "",
    file: StaticString = #filePath,
    line: UInt = #line,
    from operation: () async throws -> Value
) async -> AuthError? {
    do {
        _ = try await operation()
        XCTFail("nothing was thrown \(message)", file: file, line: line)
        return nil
    } catch let error as AuthError {
        return error
    } catch {
        XCTFail("not an AuthError: \(error) \(message)", file: file, line: line)
        return nil
    }
}

/// Asserts the code of the `AuthError` that the operation throws.
func assertThrows<Value>(
    _ code: AuthErrorCode,
    _ message: String = "",
    file: StaticString = #filePath,
    line: UInt = #line,
    from operation: () async throws -> Value
) async {
    let error = await authError(message, file: file, line: line, from: operation)
    XCTAssertEqual(error?.code, code, message, file: file, line: line)
}

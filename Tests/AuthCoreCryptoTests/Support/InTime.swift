/// Fails a test that waits for what never comes: it is canceled after half a minute, so that streams end and waits give
/// up; one that goes on even so is left behind.
func inTime(_ body: @escaping @Sendable () async throws -> Void) async throws {
    struct GoesOn: Error {}
    let (results, result) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let test = Task {
        do { result.yield(.success(try await body())) } catch { result.yield(.failure(error)) }
    }
    // Limits and not waits: a test that holds ends long before them. The second is for what is canceled and still goes on.
    let limit = Task {
        try await Task.sleep(for: .seconds(30))
        test.cancel()
        try await Task.sleep(for: .seconds(5))
        result.yield(.failure(GoesOn()))
    }
    defer { limit.cancel() }
    for await result in results { return try result.get() }
}

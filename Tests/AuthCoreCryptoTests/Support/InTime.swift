/// Fails a test that waits for what never comes: after half a minute it is canceled, and no longer waited for.
func inTime(_ body: @escaping @Sendable () async throws -> Void) async throws {
    struct TookTooLong: Error {}
    let (results, result) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
    let test = Task {
        do { result.yield(.success(try await body())) } catch { result.yield(.failure(error)) }
    }
    // A limit and not a wait: a test that holds ends long before it.
    let limit = Task {
        try await Task.sleep(for: .seconds(30))
        // First, since a test may end as if all was well when it is canceled.
        result.yield(.failure(TookTooLong()))
        test.cancel()
    }
    defer { limit.cancel() }
    for await result in results { return try result.get() }
}

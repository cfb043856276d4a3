internal import AuthCore

/// Does the work in a task of its own, which a cancellation of the caller does not reach.
///
/// The original's calls do not notice that either.
func shielded<Outcome>(
    _ work: @escaping () async throws(AuthError) -> Outcome
) async throws(AuthError) -> Outcome {
    let work = Handover(work)
    let task = Task { () async -> Handover<Result<Outcome, AuthError>> in
        do throws(AuthError) { return Handover(.success(try await work.value())) } catch {
            return Handover(.failure(error))
        }
    }
    return try await task.value.value.get()
}

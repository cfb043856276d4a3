extension AuthService {
    /// What an operation would do now.
    func previewed<O: Operation>(
        _ operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> Preview where O.Outcome == SignedIn {
        let (attempt, seen) = try await preview(operation, context)
        return Preview(of: attempt, on: seen, under: policy)
    }

    /// What an operation would answer now, or the error that it would throw; a challenge or conflict that it would keep is
    /// not made.
    func previewed<O: Operation>(_ operation: O, _ context: RequestContext) async throws(AuthError) -> O.Outcome {
        switch try await preview(operation, context).attempt.result {
        case .success(let outcome): return outcome
        case .failure(let refusal): throw AuthError(refusal.code, reasons: refusal.reasons)
        }
    }

    /// Decides as the operation would and drops what it would write; what is overdue is cleaned up as it would be first,
    /// but only in what was seen.
    private func preview<O: Operation>(
        _ operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> (attempt: Attempt<O.Outcome>, seen: Snapshot) {
        let request = Request(sharedPolicy, context)
        try checkBounds(in: String(describing: O.self), context)
        let decisionContext = DecisionContext(request, now: environment.now, fresh: environment.freshIdentifiers())
        var seen = try await cleanedUp(try await load(operation.allLookups(request)), decisionContext)
        if let more = operation.secondLookups(after: seen, request) {
            seen = try await cleanedUp(try await load(more), decisionContext)
        }
        let attempt = operation.attempt(seen, decisionContext)
        // A preview that is refused tells a stranger as much as the call would, so it is recorded like the call.
        if case .failure(let refusal) = attempt.result {
            audit(AuthError(refusal), of: operation, on: seen, context)
        }
        return (attempt, seen)
    }

    /// The snapshot as it would be once everything overdue was cleaned up.
    private func cleanedUp(_ seen: Snapshot, _ context: DecisionContext) async throws(AuthError) -> Snapshot {
        var seen = seen
        while let account = seen.dueForExpiry(at: context.now) {
            let cleanUp = ExpireAccount(account: account)
            let attempt = cleanUp.attempt(try await load(for: cleanUp, context.request), context)
            // It may have been cleaned up meanwhile; then what was seen is out of date.
            guard !attempt.changes.isEmpty else { return try await load(seen.asked) }
            seen = seen.applying(attempt.changes)
        }
        return seen
    }
}

extension AuthService {
    /// Returns what an operation would do now.
    func previewed<O: Operation>(
        _ operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> Preview where O.Outcome == SignedIn {
        let (decision, seen, _) = try await preview(operation, context)
        return Preview(of: decision, on: seen, under: policy)
    }

    /// Returns what an operation would return now and what was loaded for it, or throws the error that it would throw,
    /// without creating a challenge or a conflict.
    func previewedOutcome<O: Operation>(
        of operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> (outcome: O.Outcome, loaded: Snapshot) {
        let (decision, _, loaded) = try await preview(operation, context)
        return (try decision.result.mapError { AuthError($0, withDetail: false) }.get(), loaded)
    }

    /// Decides as the operation would, and discards its changes; what has expired is cleaned up first, as the operation
    /// would do, but only in the snapshot that is decided on: the one that was loaded is for an operation that follows.
    private func preview<O: Operation>(
        _ operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> (decision: Decision<O.Outcome>, seen: Snapshot, loaded: Snapshot) {
        let request = Request(sharedPolicy, context)
        try checkBounds(in: "\(O.self)", context)
        let decisionContext = decisionContext(for: operation, request, at: environment.now)
        var loaded = try await load(operation.allLookups(request))
        var seen = try await cleanedUp(loaded, decisionContext)
        while let all = operation.secondLookups(after: seen, request), !seen.covers(all) {
            loaded = try await load(all)
            seen = try await cleanedUp(loaded, decisionContext)
        }
        let decision = operation.decision(on: seen, decisionContext)
        // A refused preview tells an attacker as much as the call would, so it is recorded like the call.
        if case .failure(let refusal) = decision.result { audit(refusal, of: operation, on: seen, context) }
        return (decision, seen, loaded)
    }

    /// Returns the snapshot as it would be after everything that has expired was cleaned up.
    private func cleanedUp(_ seen: Snapshot, _ context: DecisionContext) async throws(AuthError) -> Snapshot {
        var seen = seen
        while let account = seen.dueForExpiry(at: context.now) {
            let cleanUp = ExpireAccount(account: account)
            let decision = cleanUp.decision(on: try await load(for: cleanUp, context.request), context)
            // It may have been cleaned up meanwhile; then the snapshot is out of date.
            guard !decision.transaction.changes.isEmpty else { return try await load(seen.asked) }
            seen = seen.applying(decision.transaction.changes)
        }
        return seen
    }
}

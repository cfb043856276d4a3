extension AuthService {
    /// Walks the road as far as the decision.
    func foresee<O: Operation>(
        _ operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> Preview where O.Outcome == SignedIn {
        let request = Request(sharedPolicy, context)
        try checkBounds(in: String(describing: O.self), context)
        var snapshot = try await load(for: operation, request)
        // What time asks for is no effect of the call, so it is done, as the call would do it first.
        if let overdue = snapshot.overdue(at: environment.now) {
            _ = try await walk(TidyAccount(account: overdue), RequestContext())
            snapshot = try await load(for: operation, request)
        }
        let decisionContext = DecisionContext(request, now: environment.now, fresh: environment.freshIdentifiers())
        let attempt = operation.attempt(snapshot, decisionContext)
        // A preview that is refused tells a stranger as much as the call would, so it is recorded like the call.
        if case .failure(let refusal) = attempt.result {
            audit(AuthError(refusal), of: operation, on: snapshot, context)
        }
        return Preview(of: attempt, on: snapshot, under: policy)
    }
}

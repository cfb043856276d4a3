extension AuthService {
    /// Walks the road as far as the decision.
    func foresee<O: Operation>(
        _ operation: O,
        _ context: RequestContext
    ) async throws(AuthError) -> Preview where O.Outcome == SignedIn {
        let request = Request(rulebook, context)
        try checkBounds(in: String(describing: O.self), context)
        var snapshot = try await load(for: operation, request)
        // What time asks for is no effect of the call, so it is done, as the call would do it first.
        if let overdue = snapshot.overdue(at: environment.now) {
            _ = try await walk(TidyAccount(account: overdue), RequestContext())
            snapshot = try await load(for: operation, request)
        }
        let ruling = Ruling(request, now: environment.now, fresh: environment.freshIdentifiers())
        let decision = operation.judge(snapshot, by: ruling)
        // A preview that is refused tells a stranger as much as the call would, so it is recorded like the call.
        if case .refused(let refusal) = decision.verdict {
            audit(AuthError(refusal.code, reasons: decision.reasons), of: operation, on: snapshot, context)
        }
        return Preview(of: decision, on: snapshot, under: policy)
    }
}

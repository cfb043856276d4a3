extension AuthService {
    /// Returns the account into which an account was merged, over up to 64 merges; nil if it was not merged.
    ///
    /// This is for servers only: an attacker who knows only the old ID must not learn the new one.
    ///
    /// - Parameter account: The account that was merged.
    /// - Returns: The account that remains.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the store fails.
    public func successor(of account: AccountID) async throws(AuthError) -> AccountID? {
        var successor: AccountID?
        var id = account
        for _ in 0..<64 {
            guard let next = try await load([.account(id)]).successor(of: id) else { break }
            (successor, id) = (next, next)
        }
        return successor
    }

    /// Performs a merge, in several steps if there are hooks, and returns whether every hook was notified.
    func merge(
        _ beginning: BeginMerge,
        _ context: RequestContext
    ) async throws(AuthError) -> (done: MergeDone, isFinished: Bool) {
        switch try await perform(beginning, context) {
        case .done(let done): return (done, true)
        case .begun(let run, let sides):
            let done: MergeDone
            do { done = try await carryOut(run, prepared: [], sides, context) } catch {
                // What was begun and neither done nor aborted is resumed later.
                throw [.canceled, .storeUnavailable].contains(error.code)
                    ? AuthError(.outcomeUnknown, cause: error) : error
            }
            return (done, (try? await notifyCommit(run, context)) != nil)
        }
    }
}

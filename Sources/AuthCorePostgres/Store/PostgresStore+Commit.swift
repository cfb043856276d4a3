#if PostgreSQL
public import AuthCore

extension PostgresStore {
    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        do throws(PostgresError) {
            let call = try CommitCall(changes, schema, coder)
            return try call.outcome(of: try await send(call.statement, call.parameters))
        } catch {
            // Where the connection was lost, no one knows whether the change was written before it works again.
            throw error.kind == .connectionLost ? AuthError(.outcomeUnknown, cause: error) : AuthError(error)
        }
    }
}
#endif

#if PostgreSQL
public import AuthCore

extension PostgresStore: IdentityStore {
    /// All events, and the operations of a day.
    public var retention: Store.Retention { Store.Retention(events: .all, operations: .seconds(86_400)) }

    /// Returns what every lookup finds, all at the same moment.
    public func load(_ lookups: Store.Lookups) async throws -> Store.Snapshot {
        if lookups.isEmpty { return Store.Snapshot(lookups) { _ in .nothing } }
        do throws(PostgresError) {
            let call = LoadCall(lookups, schema)
            return try call.snapshot(of: try await send(call.statement, call.parameters), coder)
        } catch {
            throw AuthError(error)
        }
    }
}
#endif

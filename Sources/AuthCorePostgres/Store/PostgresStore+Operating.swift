#if PostgreSQL
import AuthCoreCrypto
public import AuthCore

/// What operators ask and do.
extension PostgresStore {
    /// Returns how far readers of events are behind what was committed; more than a few seconds need a look.
    ///
    /// - Throws: `storeUnavailable` if the database cannot be reached.
    public func eventLag() async throws(AuthError) -> EventLag {
        let row = try await run("SELECT * FROM \(schema).event_lag()", []).first ?? []
        return EventLag(
            transactions: Int(clamping: row.first?.map { Int64(bigEndianBytes: $0) } ?? 0),
            age: .milliseconds(row.last?.map { Int64(bigEndianBytes: $0) } ?? 0)
        )
    }

    /// Raises the number that positions of events begin with; call it after a restore, before any service runs.
    ///
    /// Without it, readers that have read events which the backup did not have would miss those that follow.
    ///
    /// - Throws: `storeUnavailable` if the database cannot be reached.
    public func raiseIncarnation() async throws(AuthError) {
        _ = try await run("SELECT \(schema).raise_incarnation()", [])
    }

    /// Removes the events from before a time from the log.
    ///
    /// - Parameter time: The time; an event that stands behind a later one stays.
    /// - Returns: How many were removed.
    /// - Throws: `storeUnavailable` if the database cannot be reached.
    @discardableResult
    public func removeEvents(before time: Timestamp) async throws(AuthError) -> Int {
        let sql = "SELECT \(schema).remove_events(\(schema).moment($1))"
        var removed = 0
        while true {
            let count = Int(clamping: try await run(sql, [.number(time.milliseconds)]).first?.number(0) ?? 0)
            removed += count
            if count < 10_000 { return removed }
        }
    }

    /// Removes everything, for tests and tools that begin with an empty database.
    package func removeEverything() async throws {
        _ = try await run("SELECT \(schema).remove_everything()", [])
    }
}
#endif

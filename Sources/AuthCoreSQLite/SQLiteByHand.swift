#if SQLite
package import AuthCore
internal import AuthCoreSQL

/// The statements of the store sent by hand, one after the other on one connection: what a bench compares it with.
///
/// Records are encoded and decoded by the same coder, and the connection has the same settings; there is no other
/// thread, no queue and no shared transaction.
package final class SQLiteByHand {
    private let connection: SQLiteConnection
    private let coder = RowCoder()
    private let isSynchronous: Bool

    /// Opens a database that a store has made.
    package init(path: String, options: SQLiteStore.Options = SQLiteStore.Options()) throws {
        connection = try SQLiteConnection.writer(path, options)
        isSynchronous = options.synchronous == .full
        // The log of a file in use has its size, and the disk takes several times as long for a commit that makes it
        // grow.
        try connection.run("CREATE TABLE growth (filler)")
        try connection.run("INSERT INTO growth VALUES (zeroblob(8000000))")
        try connection.run("DROP TABLE growth")
    }

    /// Answers the lookups.
    package func load(_ lookups: Store.Lookups) throws {
        try connection.run("BEGIN")
        var loader = SQLiteLoader(connection, coder)
        for lookup in lookups { _ = try loader.answer(to: lookup) }
        try connection.run("COMMIT")
    }

    /// Writes the change.
    package func commit(_ changes: Store.ChangeSet) throws -> Store.CommitOutcome {
        try connection.setSynchronous(isSynchronous)
        try connection.run("BEGIN IMMEDIATE")
        let outcome = try ChangeWriter(connection: connection, coder: coder, changes: changes).commit()
        try connection.run("COMMIT")
        return outcome
    }

    /// Removes messages that were sent.
    package func settle(_ messages: [Store.OperationID]) throws {
        try connection.setSynchronous(false)
        try connection.run("BEGIN IMMEDIATE")
        for id in messages { try connection.run("DELETE FROM messages WHERE id = ?", .bytes(id.bytes)) }
        try connection.run("COMMIT")
    }

    /// How many bytes the database has.
    package func size() throws -> Int {
        let all = try connection.first("PRAGMA page_count") { Int($0.integer(0)) } ?? 0
        let pages = all - (try connection.first("PRAGMA freelist_count") { Int($0.integer(0)) } ?? 0)
        return pages * (try connection.first("PRAGMA page_size") { Int($0.integer(0)) } ?? 0)
    }
}
#endif

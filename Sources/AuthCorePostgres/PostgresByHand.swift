#if PostgreSQL
package import AuthCore
internal import AuthCoreSQL
internal import Dispatch
internal import Synchronization

/// The statements of the store sent by hand, each of several threads on a connection of its own: what a bench compares
/// it with.
///
/// Records are encoded and decoded by the same coder, and the connections have the same settings; there is no queue, no
/// pool and no task.
package final class PostgresByHand: Sendable {
    /// What is sent.
    package enum Step: Sendable {
        /// A load.
        case load(Store.Lookups)
        /// A commit.
        case commit(Store.ChangeSet)
        /// Messages that were sent.
        case settle([Store.OperationID])
    }

    private static let tables = [
        "operations", "accounts", "methods", "sign_ins", "keys", "email_references", "email_lists", "sessions",
        "records", "events", "messages", "attempts",
    ]

    private final class Lane: Sendable {
        let queue = DispatchQueue(label: "AuthCore.postgres.by-hand")
        let link: Mutex<Link>

        init(_ settings: Settings) throws(PostgresError) {
            var link = try Link(settings)
            try link.use(settings.options)
            self.link = Mutex(link)
        }
    }

    private let schema: Schema
    private let coder = RowCoder()
    private let lanes: [Lane]

    /// Copies what a store has to another schema, and connects to that.
    package init(copyOf store: PostgresStore, _ connection: String, lanes: Int) async throws {
        var options = store.options
        options.schema = store.schema.name + "_by_hand"
        let copy = try await PostgresStore(connection, options: options)
        try await copy.removeEverything()
        for table in Self.tables {
            _ = try await store.run(
                "INSERT INTO \(copy.schema).\(table) OVERRIDING SYSTEM VALUE SELECT * FROM \(store.schema).\(table)",
                []
            )
        }
        let (from, to) = (store.schema, copy.schema)
        _ = try await store.run(
            "UPDATE \(to).store SET key_rule = (SELECT key_rule FROM \(from).store)",
            []
        )
        _ = try await store.run(
            "SELECT setval('\(to).email_list_versions', nextval('\(from).email_list_versions') + 1000000)",
            []
        )
        schema = copy.schema
        let settings = Settings(connection: connection, options: options)
        self.lanes = try (0..<lanes).map { _ throws(PostgresError) in try Lane(settings) }
    }

    /// Sends all lots at once, each on a connection of its own, and the steps of a lot one after the other.
    ///
    /// - Precondition: There are not more lots than lanes.
    package func run(_ lots: [[Step]]) throws {
        precondition(lots.count <= lanes.count, "a lot needs a connection of its own")
        let failure = Mutex<PostgresError?>(nil)
        let group = DispatchGroup()
        for (lane, lot) in zip(lanes, lots) where !lot.isEmpty {
            lane.queue.async(group: group) { [self] in
                do throws(PostgresError) {
                    for step in lot { try send(step, on: lane) }
                } catch {
                    failure.withLock { $0 = error }
                }
            }
        }
        group.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    private func send(_ step: Step, on lane: Lane) throws(PostgresError) {
        switch step {
        case .load(let lookups):
            let call = LoadCall(lookups, schema)
            _ = try call.snapshot(of: try send(call.statement, call.parameters, on: lane), coder)
        case .commit(let changes):
            let call = try CommitCall(changes, schema, coder)
            let outcome = try call.outcome(of: try send(call.statement, call.parameters, on: lane))
            if !outcome.isWritten { throw PostgresError(.unexpected, "The copy answers otherwise: \(outcome).") }
        case .settle(let ids):
            let text = "DELETE FROM \(schema).messages WHERE id = ANY($1)"
            _ = try send(text, [.ids(ids.map(\.bytes))], on: lane)
        }
    }

    private func send(
        _ statement: String,
        _ parameters: [Parameter],
        on lane: Lane
    ) throws(PostgresError) -> [Row] {
        let result: Result<[Row], PostgresError> = lane.link.withLock { link in
            do throws(PostgresError) {
                let deadline = ContinuousClock.now + .seconds(30)
                return .success(try link.run(statement, parameters, isPrepared: true, until: deadline))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// What a bench asks of a store.
extension PostgresStore {
    /// How many bytes the tables and indexes have.
    package func size() async throws(AuthError) -> Int {
        let text = """
            SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = $1 AND c.relkind = 'r'
            """
        return Int(clamping: try await run(text, [.text(schema.name)]).first?.number(0) ?? 0)
    }

    /// Removes the schema and that of a copy made by hand, with all that is in them, for a bench.
    package func removeSchema() async throws {
        _ = try await run("DROP SCHEMA IF EXISTS \(schema), \"\(schema.name)_by_hand\" CASCADE", [])
    }
}
#endif

#if PostgreSQL
internal import Dispatch
internal import Synchronization

/// One connection to the server; what blocks runs on a thread of its own, never on those of Swift's tasks.
final class Connection: Sendable {
    /// Work that sends statements and returns what their rows say.
    typealias Work<Value> =
        @Sendable (_ run: (Statement, [Parameter]) throws(PostgresError) -> Rows) throws(PostgresError) -> Value

    private enum Activity {
        case idle
        case running
        /// A request to stop was sent, or is about to be.
        case canceling
    }

    private let settings: Settings
    private let queue = DispatchQueue(label: "AuthCore.postgres", qos: .userInitiated)
    // Only the queue uses it.
    private let link = Mutex<Link?>(nil)
    /// Locked while a request to stop is under way, so that it never meets the statement after the one that it is for.
    private let canceling = Mutex<Canceller?>(nil)
    private let activity = Mutex(Activity.idle)

    init(_ settings: Settings) { self.settings = settings }

    /// Does work on the thread of the connection, with what runs a statement; connects first if there is no connection.
    ///
    /// The work is done where the answer arrives, so that one thread encodes, sends, waits and decodes. A canceled task
    /// asks the server to stop, and waits for its answer: only that tells whether anything was written.
    func run<Value: Sendable>(_ work: @escaping Work<Value>) async throws(PostgresError) -> Value {
        try await onQueue { () throws(PostgresError) in
            try self.connected { (link) throws(PostgresError) in
                try work { (statement, parameters) throws(PostgresError) in
                    try self.whileRunning { () throws(PostgresError) in
                        try link.run(
                            statement,
                            parameters,
                            isPrepared: !self.settings.options.isPooledByTransaction,
                            until: .now + self.settings.options.statementTimeout + .seconds(1),
                            onDelay: { self.stop() }
                        )
                    }
                }
            }
        }
    }

    /// Runs statements, then those that a question decides about, all in one transaction.
    func run(
        transaction statements: [String],
        then question: Statement,
        _ others: @escaping @Sendable (Rows) throws(PostgresError) -> [String]
    ) async throws(PostgresError) {
        // A migration may take long; what waits for it is only what opens the database.
        let deadline = ContinuousClock.now + .seconds(3600)
        try await onQueue { () throws(PostgresError) in
            try self.connected { (link) throws(PostgresError) in
                do throws(PostgresError) {
                    try link.run(
                        text: Self.text(["BEGIN", "SET LOCAL statement_timeout = 0"] + statements),
                        until: deadline
                    )
                    let rows = try link.run(question, [], isPrepared: false, until: deadline) {}
                    try link.run(text: Self.text(try others(rows) + ["COMMIT"]), until: deadline)
                } catch {
                    try? link.run(text: "ROLLBACK", until: .now + .seconds(10))
                    throw error
                }
            }
        }
    }

    private static func text(_ statements: [String]) -> String { statements.joined(separator: ";\n") }
}

extension Connection {
    private func onQueue<Value: Sendable>(
        _ work: @escaping @Sendable () throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, PostgresError>, Never>) in
                queue.async { continuation.resume(returning: Result(catching: work)) }
            }
        } onCancel: {
            // Not here: the handler runs on whichever thread cancels, and the request blocks.
            DispatchQueue.global().async { self.stop() }
        }
        return try result.get()
    }

    /// Uses the link; opens one if there is none, and closes it if it is lost.
    private func connected<Value: Sendable>(
        _ work: (inout Link) throws(PostgresError) -> Value
    ) throws(PostgresError) -> Value {
        let result: Result<Value, PostgresError> = link.withLock { link in
            do throws(PostgresError) {
                // A server that was restarted, or a proxy, may have closed it meanwhile.
                var open = if let known = link.take(), !known.isLost { known } else { try self.opened() }
                do throws(PostgresError) {
                    let value = try work(&open)
                    link = consume open
                    return .success(value)
                } catch {
                    if error.kind != .connectionLost { link = consume open }
                    return .failure(error)
                }
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func opened() throws(PostgresError) -> Link {
        let link = try Link(settings)
        canceling.withLock { $0 = link.canceller() }
        // A pooler gives a transaction any of its connections, which must not remember anything.
        if settings.options.isPooledByTransaction { return link }
        let text = """
            SET statement_timeout = \(settings.options.statementTimeout.wholeMilliseconds);
            SET lock_timeout = \(settings.options.lockTimeout.wholeMilliseconds);
            SET idle_in_transaction_session_timeout = 60000;
            SET default_transaction_isolation = 'read committed'
            """
        try link.run(text: text, until: .now + settings.options.statementTimeout + .seconds(10))
        return link
    }

    private func whileRunning<Value>(_ work: () throws(PostgresError) -> Value) throws(PostgresError) -> Value {
        activity.withLock { $0 = .running }
        defer {
            let isCanceling = activity.withLock { activity in
                defer { activity = .idle }
                return activity == .canceling
            }
            // A request that is under way ends before the next statement begins.
            if isCanceling { canceling.withLock { _ in } }
        }
        return try work()
    }

    /// Asks the server to stop the statement that runs, if one does.
    private func stop() {
        canceling.withLock { canceller in
            let isRunning = activity.withLock { activity in
                guard activity == .running else { return false }
                activity = .canceling
                return true
            }
            if isRunning { canceller?.cancel() }
        }
    }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(seconds, 1_000_000) * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
#endif

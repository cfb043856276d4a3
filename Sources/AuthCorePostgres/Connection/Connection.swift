#if PostgreSQL
internal import Dispatch
internal import Synchronization

/// One connection to the server, which one task at a time uses.
///
/// A statement goes out from the thread of its task, and a thread of the connection, which waits already, takes the
/// answer: so nothing has to be woken for a statement but the server, that thread and the task. What can block, such as
/// connecting, does so on another thread of the connection, never on those of Swift's tasks.
final class Connection: Sendable {
    private typealias Answer = Result<[Row], PostgresError>
    private typealias Waiter = CheckedContinuation<Answer, Never>

    private struct State: ~Copyable {
        var link: Link?
        /// Who waits for the answer that the reading thread is to take.
        var waiter: Waiter?
        var delay = Delay(.now)
        /// Whether a thread waits for answers.
        var isReading = false
    }

    /// How long the thread waits for another statement before it ends, and how often it looks whether an answer is
    /// late.
    static let pause = Duration.milliseconds(100)

    private let settings: Settings
    private let blocking = DispatchQueue(label: "AuthCore.postgres.blocking", qos: .userInitiated)
    private let reading = DispatchQueue(label: "AuthCore.postgres.reading", qos: .userInitiated)
    private let state = Mutex(State())
    private let canceler = Canceler()

    init(_ settings: Settings) { self.settings = settings }

    /// Runs a statement; connects first if there is no connection.
    ///
    /// A canceled task asks the server to stop, and waits for its answer: only that tells whether anything was written.
    func run(_ statement: String, _ parameters: [Parameter]) async throws(PostgresError) -> [Row] {
        try await answer { waiter in
            switch send(statement, parameters, for: waiter) {
            case .sent: break
            case .partlySent:
                block(for: waiter) { [canceler] (link, deadline) throws(PostgresError) in
                    try link.answer(until: deadline, onPause: canceler.askAgain, onDelay: canceler.cancel)
                }
            case .unsent(let error): end(waiter, .failure(error))
            case .unprepared:
                block(for: waiter) { [prepares, canceler] (link, deadline) throws(PostgresError) in
                    // It may have been canceled while the connection was made.
                    guard canceler.send() else { throw .canceledBefore }
                    return try link.run(
                        statement,
                        parameters,
                        isPrepared: prepares,
                        until: deadline,
                        onPause: canceler.askAgain,
                        onDelay: canceler.cancel
                    )
                }
            }
        }
    }

    /// Runs statements, then those that a question decides about, all in one transaction.
    ///
    /// After a failure the connection is of no use; it is closed, and the transaction undone, with its pool.
    func run(
        transaction statements: [String],
        then question: String,
        _ others: @escaping @Sendable ([Row]) throws(PostgresError) -> [String]
    ) async throws(PostgresError) {
        _ = try await answer { waiter in
            block(for: waiter) { (link, _) throws(PostgresError) in
                // A migration may take long; what waits for it is only what opens the database.
                let deadline = ContinuousClock.now + .seconds(3600)
                let beginning = ["BEGIN", "SET LOCAL statement_timeout = 0"] + statements
                try link.run(text: Self.text(beginning), until: deadline)
                let rows = try link.run(question, [], isPrepared: false, until: deadline)
                try link.run(text: Self.text(try others(rows) + ["COMMIT"]), until: deadline)
                return rows
            }
        }
    }

    private static func text(_ statements: [String]) -> String { statements.joined(separator: ";\n") }
}

// On the thread of a task.
extension Connection {
    private enum Progress {
        case sent
        case partlySent
        case unsent(PostgresError)
        /// There is no connection, or it does not know the statement yet.
        case unprepared
    }

    private var prepares: Bool { !settings.options.isPooledByTransaction }

    private func answer(_ send: (Waiter) -> Void) async throws(PostgresError) -> [Row] {
        canceler.begin()
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { send($0) }
        } onCancel: {
            canceler.cancel()
        }
        return try answer.get()
    }

    /// Sends as much of a statement as can be sent without waiting; if that is all of it, the reading thread gives the
    /// waiter its answer.
    private func send(_ statement: String, _ parameters: [Parameter], for waiter: Waiter) -> Progress {
        state.withLock { state in
            // A server that was restarted, or a proxy, may have closed it meanwhile.
            if state.link?.isLost == true { state.link = nil }
            guard let isKnown = state.link?.hasPrepared(statement), isKnown || !prepares else { return .unprepared }
            guard canceler.send() else { return .unsent(.canceledBefore) }
            if let error = state.link?.send(statement, parameters) {
                state.link = nil
                return .unsent(error)
            }
            if state.link?.flush() != true { return .partlySent }
            state.waiter = waiter
            state.delay = Delay(deadline)
            if !state.isReading {
                state.isReading = true
                reading.async { self.read() }
            }
            return .sent
        }
    }

    private var deadline: ContinuousClock.Instant { .now + settings.options.statementTimeout + .seconds(1) }
}

// On threads that may block.
extension Connection {
    /// Does work that blocks, and gives a waiter its answer; connects first if there is no connection.
    private func block(
        for waiter: Waiter,
        _ work: @escaping @Sendable (inout Link, _ until: ContinuousClock.Instant) throws(PostgresError) -> [Row]
    ) {
        blocking.async { [self] in
            let answer = state.withLock { state in
                do throws(PostgresError) {
                    var link = if let link = state.link.take() { link } else { try opened() }
                    do throws(PostgresError) {
                        let rows = try work(&link, deadline)
                        state.link = consume link
                        return Answer.success(rows)
                    } catch {
                        if !error.endsConnection { state.link = consume link }
                        return .failure(error)
                    }
                } catch {
                    return .failure(error)
                }
            }
            end(waiter, answer)
        }
    }

    private func opened() throws(PostgresError) -> Link {
        // A request for the link that was lost may be under way for very long.
        canceler.use(nil)
        var link = try Link(settings)
        canceler.use(link.stopRequests())
        try link.use(settings.options)
        return link
    }

    /// Takes the answers to statements, until for a while there is none to take.
    private func read() {
        while let socket = socketToRead() {
            Link.wait(for: socket)
            guard let (waiter, answer) = take() else { return }
            if let answer { end(waiter, answer) }
        }
    }

    private func socketToRead() -> Int32? {
        state.withLock { state in
            if state.link == nil { state.isReading = false }
            return state.link?.socket
        }
    }

    /// The answer to the statement that runs, if it is complete; nil if none runs, and then nothing is read any more.
    private func take() -> (Waiter, Answer?)? {
        state.withLock { state in
            guard let waiter = state.waiter else {
                state.isReading = false
                return nil
            }
            // Even if there is nothing to read: a library for TLS may still hold what it has read.
            var answer = state.link?.receive()
            if answer == nil {
                canceler.askAgain()
                do throws(PostgresError) { try state.delay.check(canceler.cancel) } catch { answer = .failure(error) }
            }
            if answer != nil { state.waiter = nil }
            if answer?.isLost == true { state.link = nil }
            return (waiter, answer)
        }
    }

    /// Ends a statement with its answer.
    private func end(_ waiter: Waiter, _ answer: Answer) {
        // On a link that is lost no other statement runs, which the request to stop this one could meet.
        if !answer.isLost, !canceler.end() { state.withLock { $0.link = nil } }
        waiter.resume(returning: answer)
    }
}

extension Result where Failure == PostgresError {
    /// Whether it tells that the connection was lost, or is of no use.
    fileprivate var isLost: Bool { if case .failure(let error) = self { error.endsConnection } else { false } }
}

extension Duration {
    /// The milliseconds of a limit, at least one: for the server none at all stands for no limit.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = min(max(self, .milliseconds(1)), .seconds(1_000_000)).components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
#endif

extension AuthService {
    /// Loads what the operation needs, decides, commits and sends the messages; retries if others changed what the
    /// decision was based on.
    ///
    /// What was just read to verify the credential is not read again on the first try. Before each commit of a success,
    /// `prepare` gets the outcome; if it throws, nothing is written.
    func perform<O: Operation>(
        _ operation: O,
        _ context: RequestContext,
        after seen: Snapshot? = nil,
        delivering delivery: MessageDelivery = .afterwards,
        preparing prepare: ((O.Outcome) async throws(AuthError) -> Void)? = nil
    ) async throws(AuthError) -> O.Outcome {
        let request = Request(sharedPolicy, context)
        try checkBounds(in: "\(O.self)", context)
        var (earlier, isCounted) = (seen, false)
        for number in 1...max(1, configuration.retries) {
            if number > 3 { try await pause(beforeTry: number) }
            let (snapshot, now) = try await loadCleanedUp(for: operation, request, after: earlier)
            earlier = nil
            let decisionContext = decisionContext(for: operation, request, at: now)
            let decision = operation.decision(on: snapshot, decisionContext)
            if !isCounted, case .failure(let refusal) = decision.result, let waiting = refusal.waiting {
                isCounted = true
                let handle = (operation as? any SessionOperation)?.handle
                let account = snapshot.account(about: waiting, under: policy)
                try await countVisit(by: handle, about: account, "\(O.self)", context)
            }
            if let prepare, case .success(let outcome) = decision.result { try await prepare(outcome) }
            if try await commit(decision.transaction.changes) == false { continue }
            if !decision.transaction.changes.events.isEmpty, eventNews.isHeard { eventNews.raise() }
            switch decision.result {
            case .success(let outcome):
                let messages = decision.transaction.changes.messages
                if !messages.isEmpty { try await deliver(messages, saying: decision.transaction.issued, delivery) }
                return outcome
            case .failure(let refusal): throw audit(refusal, of: operation, on: snapshot, context)
            }
        }
        throw AuthError(.storeUnavailable, message: "Others kept changing the account; nothing was written, try again.")
    }

    /// Returns what the operation decides by besides the snapshot.
    func decisionContext(for operation: some Operation, _ request: Request, at now: Timestamp) -> DecisionContext {
        DecisionContext(request, now: now, verifiedAt: operation.verifiedAt, fresh: environment.freshIdentifiers())
    }

    /// Loads what the operation needs, and cleans up first what has expired of it, which is no try of the operation.
    func loadCleanedUp<O: Operation>(
        for operation: O,
        _ request: Request,
        after earlier: Snapshot? = nil
    ) async throws(AuthError) -> (seen: Snapshot, now: Timestamp) {
        var seen = try await load(for: operation, request, after: earlier)
        // Each account of a snapshot is due at most once, unless the store answers with old values.
        for _ in 0..<16 {
            let now = environment.now
            guard let due = seen.dueForExpiry(at: now), !(operation is ExpireAccount) else { return (seen, now) }
            _ = try await perform(ExpireAccount(account: due), RequestContext())
            seen = try await load(for: operation, request)
        }
        throw AuthError(.storeUnavailable, message: "What has expired could not be cleaned up; try again.")
    }

    func load<O: Operation>(
        for operation: O,
        _ request: Request,
        after earlier: Snapshot? = nil
    ) async throws(AuthError) -> Snapshot {
        let lookups = operation.allLookups(request)
        var seen = if let earlier, earlier.covers(lookups) { earlier } else { try await load(lookups) }
        // What it needs can change between two reads.
        while let all = operation.secondLookups(after: seen, request), !seen.covers(all) { seen = try await load(all) }
        return seen
    }

    /// Loads a snapshot from the store; throws `storeUnavailable` if the store fails, since nothing was changed.
    func load(_ lookups: Lookups) async throws(AuthError) -> Snapshot {
        do {
            if Task.isCancelled { throw CancellationError() }
            return try await store.load(lookups)
        } catch { throw AuthError(storeFailure: error) }
    }

    /// Commits the changes and returns whether they were written; false if what they were based on has changed.
    private func commit(_ changes: ChangeSet) async throws(AuthError) -> Bool {
        if changes.isEmpty { return true }
        if Task.isCancelled { throw AuthError(storeFailure: CancellationError()) }
        do {
            return try isWritten(try await store.commit(changes))
        } catch let error as AuthError {
            throw error
        } catch {
            return try await retryCommit(changes, after: error)
        }
    }

    /// Whether the changes were written; throws if deciding again cannot help.
    private func isWritten(_ outcome: Store.CommitOutcome) throws(AuthError) -> Bool {
        if case .violated(.keyRule) = outcome { throw AuthError(.keyRuleMismatch) }
        return outcome.isWritten
    }

    /// Lets others finish whose changes prevent this operation's.
    ///
    /// Of many operations on one account, only one at a time can be written. The second and third try follow at once;
    /// each later one waits for a random time, whose bound doubles up to a quarter of a second.
    private func pause(beforeTry number: Int) async throws(AuthError) {
        let longest = 1 << min(number, 8)
        let milliseconds = 1 + Int(environment.randomBits() % UInt128(longest))
        do { try await environment.sleep(for: .milliseconds(milliseconds)) } catch {
            throw AuthError(storeFailure: error)
        }
    }

    /// Sends the same changes again after a failure that left open whether they were written.
    ///
    /// Their operation ID lets the store recognize them.
    private func retryCommit(_ changes: ChangeSet, after first: any Error) async throws(AuthError) -> Bool {
        var failure = first
        for _ in 0..<3 {
            let store = try store
            let outcome: Store.CommitOutcome
            do { outcome = try await shielded { try await store.commit(changes) } } catch {
                failure = error
                continue
            }
            return try isWritten(outcome)
        }
        throw AuthError(.outcomeUnknown, cause: failure)
    }

    /// Does what the caller's cancellation must not prevent: in a task of its own if it was canceled.
    func insisting<Answer: Sendable>(
        _ body: @escaping @Sendable () async throws -> Answer
    ) async throws(AuthError) -> Answer {
        do { return try await body() } catch {
            let failure = AuthError(storeFailure: error)
            if failure.code != .canceled { throw failure }
            do { return try await shielded(body) } catch { throw AuthError(storeFailure: error) }
        }
    }

    /// Does it again in a task of its own if it failed and the caller is canceled: the process may end now, and what
    /// is left half done may not be done again.
    func evenIfCanceled<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer
    {
        do { return try await body() } catch  where Task.isCancelled { return try await shielded(body) }
    }

    /// Does what a cancellation of the caller must not leave half done, in a task of its own.
    func shielded<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        try await Task { try await body() }.value
    }
}

extension Store.CommitOutcome {
    /// Whether the changes are in the store.
    package var isWritten: Bool { if case .violated = self { false } else { true } }
}

extension Snapshot {
    /// The account that a stored conflict or challenge is about.
    fileprivate func account(about waiting: OneTimeRecord, under policy: AuthPolicy) -> Account? {
        switch waiting.content {
        case .phoneOwnership(let number): return owner(of: .phone(number))
        case .mailboxOwnership(let email): return owner(ofAddress: email, under: policy)
        default:
            guard let id = waiting.account ?? waiting.content.pendingTarget else { return nil }
            return firstRow { $0.id == id }?.account
        }
    }
}

extension Refusal {
    /// The conflict or challenge that is stored for its answer.
    fileprivate var waiting: OneTimeRecord? {
        writes.lazy.compactMap { if case .put(let record) = $0 { record } else { nil } }.first
    }
}

extension AuthError {
    /// The error for a rejected operation.
    init(_ refusal: Refusal, withDetail: Bool = true) {
        self.init(refusal.code, reasons: refusal.reasons, detail: withDetail ? refusal.detail : nil)
        retryAt = refusal.retryAt?.date
    }

    /// The error for a store that failed before anything was written.
    init(storeFailure error: any Error) {
        if let error = error as? AuthError {
            // The service refused before it asked the store.
            self = error
        } else {
            self.init(failure: error, .storeUnavailable)
        }
    }

    /// The error for something that the app gave the service, such as a hook, and that failed; a cancellation stays
    /// one.
    init(failure error: any Error, _ code: AuthErrorCode) {
        self.init(error is CancellationError ? .canceled : code, cause: error)
    }
}

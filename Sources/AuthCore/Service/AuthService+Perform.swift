/// What a walk down the road leaves: the answer, and the messages that are to be sent.
struct Performed<Outcome: Sendable>: Sendable {
    let outcome: Outcome
    let messages: [OutboxEntry]
    /// The codes of these messages.
    let issued: [IssuedCode]
}

extension AuthService {
    /// Loads what the operation needs to see, decides, commits; again if others changed what the decision rested on.
    ///
    /// What was read a moment ago, to verify a credential, is not read again.
    func perform<O: Operation>(
        _ operation: O,
        _ context: RequestContext,
        after seen: Snapshot? = nil
    ) async throws(AuthError) -> Performed<O.Outcome> {
        let request = Request(sharedPolicy, context)
        try checkBounds(in: String(describing: O.self), context)
        var earlier = seen
        for _ in 0..<max(1, configuration.retries) {
            let snapshot = try await load(for: operation, request, after: earlier)
            earlier = nil
            let now = environment.now
            if let dueForExpiry = snapshot.dueForExpiry(at: now), !(operation is ExpireAccount) {
                _ = try await perform(ExpireAccount(account: dueForExpiry), RequestContext())
                continue
            }
            let decisionContext = DecisionContext(
                request,
                now: now,
                shownAt: operation.verifiedAt,
                fresh: environment.freshIdentifiers()
            )
            let attempt = operation.attempt(snapshot, decisionContext)
            if try await commit(attempt.changes) == false { continue }
            if !attempt.changes.events.isEmpty { drainer.nudge() }
            switch attempt.result {
            case .success(let outcome):
                let messages = attempt.changes.messages
                if messages.isEmpty { return Performed(outcome: outcome, messages: messages, issued: []) }
                let others = try await sendNotices(among: messages, saying: attempt.issued)
                return Performed(outcome: outcome, messages: others, issued: attempt.issued)
            case .failure(let refusal):
                let error = AuthError(refusal)
                audit(error, of: operation, on: snapshot, context)
                throw error
            }
        }
        throw AuthError(
            .storeUnavailable,
            message: "Others kept changing the same account; nothing was changed, try again."
        )
    }

    func load<O: Operation>(
        for operation: O,
        _ request: Request,
        after earlier: Snapshot? = nil
    ) async throws(AuthError) -> Snapshot {
        let lookups = operation.allLookups(request)
        let seen = if let earlier, earlier.covers(lookups) { earlier } else { try await load(lookups) }
        guard let more = operation.secondLookups(after: seen, request) else { return seen }
        return try await load(more)
    }

    /// Reads from the store; a store that fails changed nothing.
    func load(_ lookups: Lookups) async throws(AuthError) -> Snapshot {
        do {
            if Task.isCancelled { throw CancellationError() }
            return try await store.load(lookups)
        } catch {
            throw AuthError(storeFailure: error)
        }
    }

    /// Whether the change was written; false if what it rested on no longer holds.
    private func commit(_ changes: ChangeSet) async throws(AuthError) -> Bool {
        if changes.isEmpty { return true }
        if Task.isCancelled { throw AuthError(storeFailure: CancellationError()) }
        do {
            return try await store.commit(changes).isWritten
        } catch {
            return try await retryCommit(changes, after: error)
        }
    }

    /// After a failure nobody knows whether the change was written; its operation id lets the same change be sent again.
    private func retryCommit(_ changes: ChangeSet, after first: any Error) async throws(AuthError) -> Bool {
        var failure = first
        for _ in 0..<3 {
            let store = store
            // A task of its own, so that a cancelled caller cannot leave the question unanswered.
            let answer = await Task { () async -> Result<CommitOutcome, any Error> in
                do { return .success(try await store.commit(changes)) } catch { return .failure(error) }
            }.value
            switch answer {
            case .success(let outcome): return outcome.isWritten
            case .failure(let error): failure = error
            }
        }
        throw AuthError(.outcomeUnknown, cause: failure)
    }
}

extension CommitOutcome {
    /// Whether the change is in the store.
    package var isWritten: Bool {
        switch self {
        case .committed, .duplicate: true
        case .violated: false
        }
    }
}

extension AuthError {
    /// The error for a rejected operation.
    init(_ refusal: Refusal) {
        self.init(refusal.code, reasons: refusal.reasons, detail: refusal.detail)
    }

    /// The error for a store that failed before anything was written.
    init(storeFailure error: any Error) {
        if error is CancellationError {
            self.init(.cancelled, cause: error)
        } else {
            self.init(.storeUnavailable, cause: error)
        }
    }
}

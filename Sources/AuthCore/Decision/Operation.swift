/// One operation that can be requested.
///
/// `lookups` says what must be read; `decide` is pure and total: no clock, no randomness, no store.
protocol Operation: Sendable {
    associatedtype Outcome: Sendable

    /// What must be looked up.
    func lookups(_ request: Request) -> Lookups

    /// What else must be looked up after the first read, all of it again as of one moment; nil if that was enough.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups?

    /// The one-time records of a second factor that the operation consumes; without them it is refused.
    var requires: [OneTimeRecordID] { get }

    /// When the credential that counts as a login was verified; nil for now, or if there is none.
    var verifiedAt: Timestamp? { get }

    /// Writes the changes into the transaction and returns the outcome; throws if the operation is refused.
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome
}

extension Operation {
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? { nil }

    var requires: [OneTimeRecordID] { [] }

    var verifiedAt: Timestamp? { nil }

    /// What must be looked up, including the records that the factor consumes.
    func allLookups(_ request: Request) -> Lookups {
        var all = lookups(request)
        for key in requires { all.insert(.record(key)) }
        return all
    }

    /// What must be looked up after the first read, including the first lookups; nil if that was enough.
    func secondLookups(after seen: Snapshot, _ request: Request) -> Lookups? {
        further(seen, request).map { seen.asked.union($0) }
    }
}

/// The result of a decision.
struct Decision<Outcome: Sendable>: Sendable {
    /// The outcome, or the refusal.
    let result: Result<Outcome, Refusal>
    /// What the operation did; for a refusal, only what that keeps.
    let transaction: Transaction
}

extension Operation {
    /// Decides, after checking that the records which the factor consumes are still there.
    func decision(on seen: Snapshot, _ context: DecisionContext) -> Decision<Outcome> {
        var transaction = Transaction(context)
        do throws(Refusal) {
            for key in requires { try seen.require(key, context) }
            let outcome = try decide(seen, &transaction)
            try transaction.checkMergeLocks()
            transaction.readReferences(in: seen)
            return Decision(result: .success(outcome), transaction: consume transaction)
        } catch {
            var kept = Transaction(context)
            kept.changes.records = error.writes
            kept.reasons = error.reasons
            return Decision(result: .failure(error), transaction: kept)
        }
    }
}

extension Snapshot {
    /// Refuses a challenge, or the code that answers it, that has expired or belongs to another device.
    fileprivate func require(_ key: OneTimeRecordID, _ context: DecisionContext) throws(Refusal) {
        guard let found = record(key), found.isLive(at: context.now) else {
            if case .phoneCode? = record(key)?.content { throw .phoneCodeExpired }
            throw .challengeOver
        }
        if context.isElsewhere(found) { throw .codeOfAnotherDevice }
    }
}

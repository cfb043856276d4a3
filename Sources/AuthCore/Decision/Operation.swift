/// One thing that can be asked for.
///
/// `lookups` says what must be seen; `decide` is pure and total: no clock, no randomness, no store.
protocol Operation: Sendable {
    associatedtype Outcome: Sendable

    /// What must be seen.
    func lookups(_ request: Request) -> Lookups

    /// What must be seen besides once the first look told, all of it again as of one moment; nil where the first look was
    /// enough, and nothing where it was but must not be told from one that was not.
    func further(_ seen: Snapshot, _ request: Request) -> Lookups?

    /// The one-time records of a second factor that the operation uses up; without them there is nothing to decide.
    var requires: [OneTimeRecordID] { get }

    /// When the credential was checked that the operation shows as a login; nil for now, or for none.
    var verifiedAt: Timestamp? { get }

    /// Writes what is to change into the transaction, and answers; or throws why nothing changes.
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome
}

extension Operation {
    func further(_ seen: Snapshot, _ request: Request) -> Lookups? { nil }

    var requires: [OneTimeRecordID] { [] }

    var verifiedAt: Timestamp? { nil }

    /// What must be seen, with what the factor uses up.
    func allLookups(_ request: Request) -> Lookups {
        var all = lookups(request)
        for key in requires { all.insert(.record(key)) }
        return all
    }

    /// What must be seen after the first look, the first again included; nil where that was enough.
    func secondLookups(after seen: Snapshot, _ request: Request) -> Lookups? {
        further(seen, request).map { seen.asked.union($0) }
    }
}

/// What came of a decision.
struct Attempt<Outcome: Sendable>: Sendable {
    /// What it answers, or why it is refused.
    let result: Result<Outcome, Refusal>
    /// What is to be written: all of a granted operation, and of a refused one what its refusal keeps.
    let changes: ChangeSet
    let reasons: [Reason]
    /// The codes of the messages that are to be sent.
    let issued: [IssuedCode]
}

extension Operation {
    /// Decides, once it is sure that what the factor uses up is still there.
    func attempt(_ seen: Snapshot, _ context: DecisionContext) -> Attempt<Outcome> {
        var transaction = Transaction(context)
        do throws(Refusal) {
            for key in requires { try seen.require(key, context) }
            let outcome = try decide(seen, &transaction)
            try transaction.checkHolds()
            return Attempt(
                result: .success(outcome),
                changes: transaction.changes,
                reasons: transaction.reasons,
                issued: transaction.issued
            )
        } catch {
            var changes = Transaction(context).changes
            changes.records = error.writes
            return Attempt(result: .failure(error), changes: changes, reasons: error.reasons, issued: [])
        }
    }
}

extension Snapshot {
    /// Refuses a challenge, or the code that answers it, that is over or belongs elsewhere.
    fileprivate func require(_ key: OneTimeRecordID, _ context: DecisionContext) throws(Refusal) {
        let found = record(key)
        if let found, case .phoneCode = found.content, !found.isLive(at: context.now) {
            throw .phoneCodeExpired
        }
        guard let found, found.isLive(at: context.now) else {
            throw .challengeOver
        }
        if let device = found.device, device != context.device { throw .codeOfAnotherSeat }
    }
}

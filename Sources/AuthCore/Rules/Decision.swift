/// What the rules found: an answer, what is to be written, and why.
struct Decision<Outcome: Sendable>: Sendable {
    var verdict: Verdict<Outcome>
    var changes: ChangeSet
    var reasons: [Reason]
    /// The accounts as they were before the first step that wrote them, so that a further step tells of one change.
    var origins: [Account] = []
    /// The codes of the messages that are to be sent.
    var issued: [IssuedCode] = []
}

/// The answer of a rule.
enum Verdict<Outcome: Sendable>: Sendable {
    case granted(Outcome)
    case refused(Refusal)
}

extension Optional {
    /// What is there wherever a rule found what it found; no facts lead to what this throws.
    func promised() throws(Refusal) -> Wrapped {
        guard let self else { throw .contradiction }
        return self
    }
}

/// An operation that answers with a decision of its own, in place of writing into a transaction.
protocol DecidingOperation: Operation {
    /// What it throws is a refusal that writes nothing.
    func decide(on snapshot: Snapshot, _ context: DecisionContext) throws(Refusal) -> Decision<Outcome>
}

extension DecidingOperation {
    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome {
        try transaction.take(try decide(on: seen, transaction.context))
    }
}

extension Operation {
    /// A refusal that writes nothing.
    func refuse(_ refusal: Refusal, _ context: DecisionContext) -> Decision<Outcome> {
        Decision(
            verdict: .refused(refusal),
            changes: ChangeSet(operation: OperationID(bits: context.fresh.operation), at: context.now),
            reasons: [refusal.reason]
        )
    }
}

/// An operation of the person in a session that answers with a decision of its own.
protocol ActingOperation: SessionOperation {
    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        _ context: DecisionContext
    ) throws(Refusal) -> Decision<Outcome>
}

extension ActingOperation {
    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> Outcome {
        try transaction.take(try decide(for: acting, on: seen, transaction.context))
    }
}

extension Transaction {
    /// Takes a decision over, in place of what was written so far.
    fileprivate mutating func take<Outcome>(_ decision: Decision<Outcome>) throws(Refusal) -> Outcome {
        switch decision.verdict {
        case .granted(let outcome):
            changes = decision.changes
            reasons = decision.reasons
            origins = decision.origins
            issued = decision.issued
            return outcome
        case .refused(let refusal):
            throw Refusal(
                refusal.code,
                refusal.reason,
                detail: refusal.detail,
                writing: decision.changes.capabilities
            )
            .after(decision.reasons.dropLast())
        }
    }

    /// A transaction that goes on where a decision stopped.
    init<Outcome>(continuing decision: Decision<Outcome>, _ context: DecisionContext) {
        self.init(context)
        changes = decision.changes
        reasons = decision.reasons
        origins = decision.origins
        issued = decision.issued
    }

    // Both are mutating: an argument that writes into the transaction is then evaluated first.

    /// The decision that this became.
    mutating func granted<Outcome>(_ outcome: Outcome) -> Decision<Outcome> {
        do throws(Refusal) {
            try checkHolds()
        } catch {
            return Decision(verdict: .refused(error), changes: Transaction(context).changes, reasons: error.reasons)
        }
        return Decision(
            verdict: .granted(outcome),
            changes: changes,
            reasons: reasons,
            origins: origins,
            issued: issued
        )
    }

    /// A refusal, with what may be written all the same.
    mutating func refused<Outcome>(_ refusal: Refusal) -> Decision<Outcome> {
        var written = changes
        written.capabilities += refusal.writes
        return Decision(verdict: .refused(refusal), changes: written, reasons: reasons + [refusal.reason])
    }
}

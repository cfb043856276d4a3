/// Adds a second factor to the account of the acting session.
struct EnrollFactor: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeFactors }

    /// What was presented of the new factor.
    struct NewFactor: Sendable, Hashable {
        /// The number that the person controls, or the seed with the step of the code that was presented, which cannot
        /// be used again.
        let kind: SecondFactor.Kind
        /// The one-time record with the digits that were sent, or with the seed.
        let record: OneTimeRecordID
    }

    let handle: ActingHandle
    let factor: NewFactor
    let displayName: String?

    var requires: [OneTimeRecordID] { [factor.record] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        let number: PhoneNumber? = if case .phone(let number) = factor.kind { number } else { nil }
        try acting.requireEnrollment(of: number, under: context.policy)
        transaction.reasons.append(.personChangesFactors)
        var account = acting.account
        // Codes stand for the factors beside which they were made; those of suspended factors may be an attacker's.
        if account.activeFactors.isEmpty { account.recoveryCodes = [] }
        let enrolled = account.addFactor(
            factor.kind,
            named: displayName,
            id: context.fresh.record.bits,
            at: context.now
        )
        if let number { account.note(.phone(number), .phoneCode, at: context.now) }
        // What the account lacked before, the factor does not take away.
        if account.lacksLastMethod(context), !acting.account.lacksLastMethod(context) { throw .lastMethod }
        transaction.consume(factor.record)
        if acting.account.activeFactors.isEmpty {
            account.distrustDevices(except: context.request.context.device)
            transaction.raiseSessionGeneration(of: &account, for: [.firstFactor], except: acting.session.id)
        }
        var session = acting.session
        session.factor = SecondFactor.Use(factor: enrolled.id, kind: enrolled.factorKind, at: context.now)
        transaction.advance(&session, on: account, isPrivileged: true)
        return transaction.write(&account, session, of: acting)
    }
}

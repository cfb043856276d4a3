/// Adds a second factor to the account of the acting session.
struct EnrollFactor: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeFactors }

    /// What was presented of the new factor.
    enum NewFactor: Sendable, Hashable {
        /// Control of a number, by the one-time record with this key.
        case phone(PhoneNumber, OneTimeRecordID)
        /// A code of the seed in the one-time record with this key; the step cannot be used again.
        case totp(sealedSeed: [UInt8], step: UInt64, OneTimeRecordID)

        var record: OneTimeRecordID {
            switch self {
            case .phone(_, let key), .totp(_, _, let key): key
            }
        }

        fileprivate var number: PhoneNumber? {
            guard case .phone(let number, _) = self else { return nil }
            return number
        }

        fileprivate var kind: SecondFactor.Kind {
            switch self {
            case .phone(let number, _): .phone(number)
            case .totp(let seed, let step, _): .totp(sealedSeed: seed, lastUsedStep: step)
            }
        }
    }

    let handle: ActingHandle
    let factor: NewFactor
    let displayName: String?

    var requires: [OneTimeRecordID] { [factor.record] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        let context = transaction.context
        try EnrollmentFacts(acting, number: factor.number, under: context.policy).check()
        transaction.reasons.append(.personChangesFactors)
        var account = acting.account
        let enrolled = account.addFactor(
            factor.kind,
            named: displayName,
            id: context.fresh.record.bits,
            at: context.now
        )
        if let number = factor.number { account.note(.phone(number), .phoneCode, at: context.now) }
        if account.usableMethods(under: context.policy).isEmpty, context.policy.lastMethod == .kept {
            throw .lastMethod
        }
        transaction.consume(factor.record)
        if acting.account.activeFactors.isEmpty {
            transaction.raiseSessionGeneration(of: &account, for: .firstFactor, except: acting.session.id)
        }
        var session = acting.session
        session.factor = SecondFactor.Use(factor: enrolled.id, kind: enrolled.factorKind, at: context.now)
        transaction.advance(&session, on: account, isPrivileged: true)
        return transaction.write(&account, session, of: acting)
    }
}

/// Sends digits to a number that is to become a second factor.
struct RequestEnrolmentCode: ActingOperation {
    typealias Outcome = CapabilityKey

    let handle: ActingHandle
    let number: PhoneNumber
    let code: IssuedCode

    init(handle: ActingHandle, number: PhoneNumber, code: IssuedCode) {
        self.handle = handle
        self.number = number
        self.code = code
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        _ context: DecisionContext
    ) -> Decision<CapabilityKey> {
        let facts = EnrolmentFacts(acting, number: number, under: context.policy)
        if let refusal = facts.refusal { return refuse(refusal, context) }
        var transaction = Transaction(context)
        transaction.reasons.append(.numberWillProve)
        transaction.read(acting.account)
        transaction.issuePhoneCode(code, to: number, for: .enrolment(acting.account.id), account: acting.account.id)
        return transaction.granted(code.key)
    }
}

/// Keeps a seed until a code made from it comes back.
struct KeepSeed: ActingOperation {
    typealias Outcome = CapabilityKey

    let handle: ActingHandle
    let sealedSeed: [UInt8]
    let key: CapabilityKey

    init(handle: ActingHandle, sealedSeed: [UInt8], key: CapabilityKey) {
        self.handle = handle
        self.sealedSeed = sealedSeed
        self.key = key
    }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        _ context: DecisionContext
    ) -> Decision<CapabilityKey> {
        let facts = EnrolmentFacts(acting, number: nil, under: context.policy)
        if let refusal = facts.refusal { return refuse(refusal, context) }
        var transaction = Transaction(context)
        transaction.reasons.append(.personChangesFactors)
        transaction.changes.capabilities.append(
            .put(
                Capability(
                    key: key,
                    account: acting.account.id,
                    createdAt: context.now,
                    expiresAt: context.now + context.policy.lifetimes.factorChallenge,
                    seat: context.seat,
                    content: .totpSeed(sealedSeed)
                )
            )
        )
        return transaction.granted(key)
    }
}

/// Sends digits to the number of a factor that a challenge asks for.
struct RequestChallengeCode: DecidingOperation {
    typealias Outcome = CapabilityKey

    let challenge: CapabilityKey
    let factor: FactorID
    let code: IssuedCode

    init(challenge: CapabilityKey, factor: FactorID, code: IssuedCode) {
        self.challenge = challenge
        self.factor = factor
        self.code = code
    }

    func lookups(_ request: Request) -> Lookups { [.record(challenge)] }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<CapabilityKey> {
        if let refusal = snapshot.challengeRefusal(challenge, context) { return refuse(refusal, context) }
        guard let account = snapshot.account(of: challenge),
            let number = account.activeFactors.first(where: { $0.id == factor })?.phoneNumber
        else { return refuse(Refusal(.multiFactorInfoNotFound, .factorIsUnknown), context) }
        var transaction = Transaction(context)
        transaction.reasons.append(.numberWillProve)
        transaction.issuePhoneCode(code, to: number, for: .challenge(challenge, factor), account: account.id)
        return transaction.granted(code.key)
    }
}

extension Snapshot {
    /// Why a challenge cannot be answered any more, or not here; nil while it can.
    func challengeRefusal(_ key: CapabilityKey, _ context: DecisionContext) -> Refusal? {
        guard let capability = record(key), case .factorChallenge = capability.content,
            capability.isLive(at: context.now), let account = account(of: key),
            capability.epoch == account.epoch
        else { return Refusal(.invalidMultiFactorSession, .challengeIsOver) }
        if let seat = capability.seat, seat != context.seat {
            return Refusal(.seatMismatch, .challengeIsOfAnotherSeat)
        }
        return nil
    }
}

extension Transaction {
    /// Sends digits to a number for one use.
    mutating func issuePhoneCode(
        _ code: IssuedCode,
        to number: PhoneNumber,
        for use: PhoneCode.Use,
        account: AccountID?
    ) {
        issue(
            code,
            .phoneCode(PhoneCode(number: number, hash: code.hash, use: use)),
            kind: .phoneCode,
            to: .phone(number),
            account: account,
            lifetime: context.policy.lifetimes.phoneCode,
            seat: context.seat,
            settings: nil
        )
    }
}

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
        by ruling: Ruling
    ) -> Decision<CapabilityKey> {
        let facts = EnrolmentFacts(acting, number: number, under: ruling.policy)
        if let refusal = facts.refusal { return refuse(refusal, by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.numberWillProve)
        draft.read(acting.account)
        draft.issuePhoneCode(code, to: number, for: .enrolment(acting.account.id), account: acting.account.id)
        return draft.granted(code.key)
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
        by ruling: Ruling
    ) -> Decision<CapabilityKey> {
        let facts = EnrolmentFacts(acting, number: nil, under: ruling.policy)
        if let refusal = facts.refusal { return refuse(refusal, by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.personChangesFactors)
        draft.changes.capabilities.append(
            .put(
                Capability(
                    key: key,
                    account: acting.account.id,
                    createdAt: ruling.now,
                    expiresAt: ruling.now + ruling.policy.lifetimes.factorChallenge,
                    seat: ruling.context.seat,
                    content: .totpSeed(sealedSeed)
                )
            )
        )
        return draft.granted(key)
    }
}

/// Sends digits to the number of a factor that a challenge asks for.
struct RequestChallengeCode: Operation {
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

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<CapabilityKey> {
        if let refusal = snapshot.challengeRefusal(challenge, by: ruling) { return refuse(refusal, by: ruling) }
        guard let account = snapshot.account(of: challenge),
            let number = account.activeFactors.first(where: { $0.id == factor })?.phoneNumber
        else { return refuse(Refusal(.multiFactorInfoNotFound, .factorIsUnknown), by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.numberWillProve)
        draft.issuePhoneCode(code, to: number, for: .challenge(challenge, factor), account: account.id)
        return draft.granted(code.key)
    }
}

extension Snapshot {
    /// Why a challenge cannot be answered any more, or not here; nil while it can.
    func challengeRefusal(_ key: CapabilityKey, by ruling: Ruling) -> Refusal? {
        guard let capability = record(key), case .factorChallenge = capability.content,
            capability.isLive(at: ruling.now), let account = account(of: key),
            capability.epoch == account.epoch
        else { return Refusal(.invalidMultiFactorSession, .challengeIsOver) }
        if let seat = capability.seat, seat != ruling.context.seat {
            return Refusal(.seatMismatch, .challengeIsOfAnotherSeat)
        }
        return nil
    }
}

extension Draft {
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
            lifetime: ruling.policy.lifetimes.phoneCode,
            seat: ruling.context.seat,
            settings: nil
        )
    }
}

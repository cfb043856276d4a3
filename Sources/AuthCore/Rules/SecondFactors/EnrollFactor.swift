/// Adds a second factor to the account of the acting session.
struct EnrollFactor: ActingOperation {
    typealias Outcome = SignedIn

    var sensitivity: SensitiveOperation? { .changeFactors }

    /// What was shown of the new factor.
    enum NewFactor: Sendable, Hashable {
        /// Control of a number, by the capability with this key.
        case phone(PhoneNumber, CapabilityKey)
        /// A code of the seed that the capability with this key holds; the step cannot be used again.
        case totp(sealedSeed: [UInt8], step: UInt64, CapabilityKey)

        var capability: CapabilityKey {
            switch self {
            case .phone(_, let key), .totp(_, _, let key): key
            }
        }
    }

    let handle: ActingHandle
    let factor: NewFactor
    let displayName: String?

    init(handle: ActingHandle, factor: NewFactor, displayName: String?) {
        self.handle = handle
        self.factor = factor
        self.displayName = displayName
    }

    var requires: [CapabilityKey] { [factor.capability] }

    func decide(
        for acting: ActingSession,
        on snapshot: Snapshot,
        _ context: DecisionContext
    ) -> Decision<SignedIn> {
        let number: PhoneNumber?
        if case .phone(let new, _) = factor { number = new } else { number = nil }
        let facts = EnrolmentFacts(acting, number: number, under: context.policy)
        if let refusal = facts.refusal { return refuse(refusal, context) }
        var transaction = Transaction(context)
        transaction.reasons.append(.personChangesFactors)
        var account = acting.account
        let kind: SecondFactor.Kind
        switch factor {
        case .phone(let number, _): kind = .phone(number)
        case .totp(let seed, let step, _): kind = .totp(sealedSeed: seed, lastUsedStep: step)
        }
        let enrolled = account.addFactor(kind, named: displayName, id: context.fresh.capability, at: context.now)
        if case .phone(let number) = kind { account.note(.phone(number), .phoneCode, at: context.now) }
        if account.usableMethods(under: context.policy).isEmpty, context.policy.lastMethod == .kept {
            return refuse(Refusal(.lastMethod, .methodIsTheLast), context)
        }
        transaction.changes.capabilities.append(.consume(factor.capability))
        if acting.account.activeFactors.isEmpty {
            transaction.raiseEpoch(of: &account, for: .firstFactor, except: acting.session.id)
        }
        transaction.update(acting.account, to: &account, by: .session(acting.session.id))
        var session = acting.session
        session.epoch = account.epoch
        session.factor = FactorUse(factor: enrolled.id, kind: enrolled.factorKind, at: context.now)
        transaction.put(session, over: acting.session)
        return transaction.granted(
            SignedIn(
                account: account,
                session: session,
                isNewUser: false,
                lastSignIn: snapshot.lastSignIn(of: account.id)
            )
        )
    }
}

/// What decides whether a session may add a factor, before and after the code is sent.
struct EnrolmentFacts: Sendable, Hashable {
    var isSessionEligible: Bool
    var isAddressProven: Bool
    var isNumberEnrolled: Bool
    /// Whether the number is the one that signs in, and the policy wants another for the factor.
    var isSignInNumber: Bool
    var isLimitReached: Bool
    var isFactorMissing: Bool

    init(_ acting: ActingSession, number: PhoneNumber?, under policy: AuthPolicy) {
        switch acting.session.basis.kind {
        case .password, .emailLink, .federated: isSessionEligible = true
        case .phone: isSessionEligible = policy.phoneWithFactors == .asksForFactor
        case .customToken, .anonymous: isSessionEligible = false
        }
        isAddressProven = acting.account.isEmailVerified(under: policy)
        isNumberEnrolled =
            number.map { number in acting.account.factors.contains { $0.phoneNumber == number } } ?? false
        isSignInNumber = number != nil && policy.factorChangeNeedsFactor && acting.account.phoneNumber == number
        isLimitReached = policy.factorLimit.map { acting.account.factors.count >= $0 } ?? false
        isFactorMissing =
            policy.factorChangeNeedsFactor && acting.account.factorStanding(in: acting.session, shown: nil) == .owed
    }

    var refusal: Refusal? {
        if !isSessionEligible { return Refusal(.unsupportedFirstFactor, .sessionMayNotEnrol) }
        if !isAddressProven { return Refusal(.unverifiedEmail, .addressIsNotProven) }
        if isNumberEnrolled { return Refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) }
        if isSignInNumber { return Refusal(.secondFactorAlreadyEnrolled, .numberSignsIn) }
        if isLimitReached { return Refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached) }
        if isFactorMissing { return Refusal(.requiresRecentLogin, .secondFactorIsOwed) }
        return nil
    }
}

extension Account {
    /// Adds a factor with the next number.
    package mutating func addFactor(
        _ kind: SecondFactor.Kind,
        named name: String?,
        id: UInt128,
        at now: Timestamp
    ) -> SecondFactor {
        let factor = SecondFactor(
            id: FactorID(bits: id),
            kind: kind,
            displayName: name,
            enrolledAt: now,
            generation: nextGeneration
        )
        nextGeneration += 1
        factors.append(factor)
        return factor
    }
}

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
        isFactorMissing = policy.factorChangeNeedsFactor && acting.factorStanding == .owed
    }

    /// Throws why the session may not.
    func check() throws(Refusal) {
        if !isSessionEligible { throw Refusal(.unsupportedFirstFactor, .sessionMayNotEnrol) }
        if !isAddressProven { throw .addressUnverified }
        if isNumberEnrolled { throw .factorEnrolled }
        if isSignInNumber { throw Refusal(.secondFactorAlreadyEnrolled, .numberSignsIn) }
        if isLimitReached { throw Refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached) }
        if isFactorMissing { throw .factorNotShown }
    }
}

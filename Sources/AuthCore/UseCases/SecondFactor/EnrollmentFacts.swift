/// The facts that decide whether a session may add a factor, before and after the code is sent.
struct EnrollmentFacts: Sendable, Hashable {
    var isSessionEligible: Bool
    var isAddressVerified: Bool
    var isNumberEnrolled: Bool
    /// Whether the number is the one that signs in, and the policy requires a different one for the factor.
    var isSignInNumber: Bool
    var isLimitReached: Bool
    var isFactorMissing: Bool

    init(_ acting: ActingSession, number: PhoneNumber?, under policy: AuthPolicy) {
        switch acting.session.basis.kind {
        case .password, .emailLink, .federated: isSessionEligible = true
        case .phone: isSessionEligible = policy.phoneWithFactors == .asksForFactor
        case .customToken, .anonymous: isSessionEligible = false
        }
        isAddressVerified =
            acting.account.isEmailVerified(under: policy)
            && (policy.factorRecoveryWait == nil || acting.account.receivesMail)
        isNumberEnrolled =
            number.map { number in acting.account.factors.contains { $0.phoneNumber == number } } ?? false
        isSignInNumber = number != nil && policy.factorChangeNeedsFactor && acting.account.phoneNumber == number
        isLimitReached = policy.factorLimit.map { acting.account.factors.count >= $0 } ?? false
        isFactorMissing = policy.factorChangeNeedsFactor && acting.factorStatus == .owed
    }

    /// Throws if the session may not add the factor.
    func check() throws(Refusal) {
        if !isSessionEligible { throw Refusal(.unsupportedFirstFactor, .sessionMayNotEnroll) }
        if !isAddressVerified { throw .addressUnverified }
        if isNumberEnrolled { throw .factorEnrolled }
        if isSignInNumber { throw Refusal(.secondFactorAlreadyEnrolled, .numberSignsIn) }
        if isLimitReached { throw Refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached) }
        if isFactorMissing { throw .factorNotShown }
    }
}

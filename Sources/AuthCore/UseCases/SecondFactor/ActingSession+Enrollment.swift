extension ActingSession {
    /// Refuses a second factor that the session may not add, before and after its code is sent.
    func requireEnrollment(of number: PhoneNumber?, under policy: AuthPolicy) throws(Refusal) {
        let isEligible =
            switch session.basis.kind {
            case .password, .emailLink, .federated: true
            case .phone: policy.phoneWithFactors == .asksForFactor
            case .customToken, .anonymous: false
            }
        if !isEligible { throw Refusal(.unsupportedFirstFactor, .sessionMayNotEnroll) }
        // The address by which a lost factor is recovered.
        if !account.isEmailVerified(under: policy) || policy.factorRecoveryWait != nil && !account.receivesMail {
            throw .addressUnverified
        }
        if let number {
            if account.factors.contains(where: { $0.phoneNumber == number }) { throw .factorEnrolled }
            if policy.phoneWithFactors == .asksForFactor, account.phoneNumber == number {
                throw Refusal(.secondFactorAlreadyEnrolled, .numberSignsIn)
            }
        }
        if let limit = policy.factorLimit, account.factors.count >= limit {
            throw Refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached)
        }
        if policy.factorChangeNeedsFactor, factorStatus == .required { throw .factorNotPresented }
    }
}

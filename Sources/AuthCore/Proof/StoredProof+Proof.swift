extension StoredProof {
    /// The proof as it was when the factor was asked for; nil for a new password, which is not a proof.
    func proof(under policy: AuthPolicy) -> Proof? {
        switch self {
        case .password(let account, let email, let generation):
            return .password(
                PasswordProof(email: email, finding: .matches(account, generation: generation, rehashed: nil))
            )
        case .mailbox(let email, let key):
            return .mailbox(MailboxProof(email: email, record: key))
        case .phone(let number, let key):
            return .phone(PhoneProof(number: number, record: key))
        case .federated(let assertion, let pending):
            let use = pending.map { PendingUse(key: $0) }
            return FederatedProof(assertion, under: policy, pending: use, nonce: .checked).map { .federated($0) }
        case .customToken(let account, let claims):
            return .customToken(StoredProof.customToken(account, kept: claims))
        case .newPassword:
            return nil
        }
    }

    /// The provider whose credential was the first factor.
    var provider: ProviderID {
        switch self {
        case .password, .mailbox, .newPassword: .password
        case .phone: .phone
        case .federated(let assertion, _): assertion.provider
        case .customToken: .custom
        }
    }

    /// What the provider said, for the result.
    var additional: AdditionalUserInfo? {
        guard case .federated(let assertion, _) = self else { return nil }
        return AdditionalUserInfo(assertion)
    }

    /// A custom token in the form stored while a factor is asked for, with the authentication time that it states.
    static func customToken(_ proof: CustomTokenProof) -> StoredProof {
        var claims = proof.claims
        // The name is reserved, so it cannot replace one of the server's own claims.
        if let at = proof.authenticatedAt { claims[authTime] = .integer(at.seconds) }
        return .customToken(proof.account, claims)
    }

    /// The custom token as it was before it was stored.
    static func customToken(_ account: AccountID, kept claims: [String: ClaimValue]) -> CustomTokenProof {
        var own = claims
        let at = own.removeValue(forKey: authTime)?.integerValue.map { Timestamp(seconds: $0) }
        return CustomTokenProof(account: account, claims: own, authenticatedAt: at)
    }

    private static var authTime: String { "auth_time" }
}

extension CustomTokenProof {
    /// When the server authenticated the person, as far as the policy trusts it.
    func authenticatedAt(_ context: DecisionContext) -> Timestamp {
        context.policy.customTokensAreRecent ? context.now : authenticatedAt ?? .distantPast
    }
}

extension Store.StoredProof {
    /// A custom token in the form stored while a factor is asked for, with the authentication time that it states.
    static func customToken(_ proof: CustomTokenProof) -> Store.StoredProof {
        var claims = proof.claims
        // The name is reserved, so it cannot replace one of the server's own claims.
        if let at = proof.authenticatedAt { claims[authTime] = .integer(at.seconds) }
        return .customToken(proof.account, claims)
    }

    fileprivate static var authTime: String { "auth_time" }
}

extension CustomTokenProof {
    /// The custom token as it was before it was stored with these claims.
    init(of account: AccountID, kept claims: [String: ClaimValue]) {
        var own = claims
        let at = own.removeValue(forKey: Store.StoredProof.authTime)?.integerValue.map { Timestamp(seconds: $0) }
        self.init(account: account, claims: own, authenticatedAt: at)
    }

    /// When the server authenticated the person who presented the token then, as far as the policy trusts it.
    func authenticatedAt(_ verifiedAt: Timestamp, under policy: AuthPolicy) -> Timestamp {
        policy.customTokensAreRecent ? verifiedAt : min(authenticatedAt ?? .distantPast, verifiedAt)
    }
}

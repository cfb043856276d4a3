/// What a proof verifies about an account.
struct Match: Sendable {
    /// What a session can rest on.
    let basis: SessionBasis
    /// The method that was presented; nil for a custom token of the app's own server.
    let method: SignInMethod?
    /// Whether it is a number that was verified too long ago.
    var isStale = false

    init(_ method: SignInMethod) {
        basis = SessionBasis(method)
        self.method = method
    }

    private init(_ basis: SessionBasis) {
        self.basis = basis
        method = nil
    }

    /// The match of a custom token.
    static let customToken = Match(.customToken)

    /// Whether the method is not suspended.
    var isActive: Bool { method?.isActive ?? true }
}

extension Proof {
    /// The account that the proof leads to, usable or not.
    func account(in seen: Snapshot, under policy: AuthPolicy) -> Account? {
        switch claim {
        case .password(let proof):
            if let provisional = proof.provisional {
                return seen.provisionalAccount(provisional).flatMap { $0.email == proof.email ? $0 : nil }
            }
            // An address that the account has left is only reserved for it and does not sign in to it.
            return seen.owner(ofAddress: proof.email, under: policy)
                .flatMap { policy.isSameMailbox($0.email, proof.email) ? $0 : nil }
        case .mailbox(let proof): return seen.owner(ofAddress: proof.email, under: policy)
        case .phone(let proof): return seen.owner(of: .phone(proof.number))
        case .identity(let proof): return seen.owner(of: .identity(proof.identity.key))
        case .customToken(let proof): return seen[proof.account]
        case .nothing: return nil
        }
    }

    /// What the proof verifies about an account, suspended or not; nil if it verifies nothing about it.
    func match(_ account: Account, _ context: DecisionContext) -> Match? {
        switch claim {
        case .password(let proof): return proof.method(of: account).map { Match($0) }
        case .mailbox(let proof):
            guard context.policy.isSameMailbox(account.email, proof.email) else { return nil }
            return account.emailLinkMethod.map { Match($0) }
        case .phone(let proof):
            guard account.phoneNumber == proof.number, let method = account.phoneMethod else { return nil }
            var match = Match(method)
            match.isStale = account.hasOldPhoneProof(at: context.now, under: context.policy)
            return match
        case .identity(let proof): return account.method(for: proof.identity.key).map { Match($0) }
        case .customToken(let proof):
            return proof.account == account.id && account.acceptsCustomTokens ? .customToken : nil
        case .nothing: return nil
        }
    }
}

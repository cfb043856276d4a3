extension AuthService {
    /// Signs in with an existing method and links the identity that met the conflict, in one step.
    ///
    /// If a second factor is owed, the challenge carries the link along: resolving it does both.
    @discardableResult
    public func resolve(
        _ conflict: Conflict,
        signingInWith credential: AuthCredential,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        try await counting(failuresOf: conflict, context) { () async throws(AuthError) in
            let existing = try await verify(credential, context: context)
            let (signedIn, additional) = try await signIn(
                proof: existing.proof,
                factor: nil,
                completing: conflict.pending,
                context
            )
            return result(of: signedIn, provider: conflict.provider, additional: additional)
        }
    }

    /// Answers a conflict by a new account: the address or number moves there, and the old account keeps the rest.
    ///
    /// Where the arriving provider does not run the mailbox, a link that was mailed to the address proves it: ask for it
    /// by `sendSignInLink(to:)` and hand it over as the credential.
    @discardableResult
    public func startFresh(
        from conflict: Conflict,
        provingWith credential: AuthCredential? = nil,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        try await counting(failuresOf: conflict, context) { () async throws(AuthError) in
            var mailbox: MailboxProof?
            if let credential {
                guard case .mailbox(let proof) = try await verify(credential, context: context).proof else {
                    throw AuthError(.invalidCredential, message: "Only a mailed link proves the address.")
                }
                mailbox = proof
            }
            let (link, additional) = try await pendingLink(conflict.pending, context)
            let signedIn = try await walk(StartFresh(pending: link, mailbox: mailbox), context).outcome
            return result(of: signedIn, provider: conflict.provider, additional: additional)
        }
    }

    /// Lets a conflict end after as many wrong answers as a code may have.
    private func counting(
        failuresOf conflict: Conflict,
        _ context: RequestContext,
        _ act: () async throws(AuthError) -> AuthResult
    ) async throws(AuthError) -> AuthResult {
        try await audited("ResolveConflict", context) { () async throws(AuthError) in
            try await checkAnswers(to: conflict.pending.id)
        }
        do {
            return try await act()
        } catch {
            if error.isWrongAnswer { try await countWrongAnswer(to: conflict.pending.id) }
            throw error
        }
    }

    private func pendingLink(
        _ pending: PendingCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> (PendingLink, AdditionalUserInfo?) {
        let verified = try await audited("Verify", context) { () async throws(AuthError) in
            try await verifyPending(pending)
        }
        let target = try await target(of: pending.id)
        return (PendingLink(key: pending.id, proof: verified.proof, target: target), verified.additional)
    }

    func signIn(
        proof: Proof,
        factor: FactorProof?,
        completing pending: PendingCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> (SignedIn, AdditionalUserInfo?) {
        let (link, additional) = try await pendingLink(pending, context)
        if case .anonymous = proof {
            throw AuthError(.invalidCredential, message: "A conflict is resolved by a method of the existing account.")
        }
        if case .mailbox(let proof) = proof, case .federated(let arrival) = link.proof {
            let claim = ClaimAndLink(proof: proof, arrival: arrival, pending: link, factor: factor)
            return (try await walk(claim, context).outcome, additional)
        }
        let both = SignInAndLink(first: SignIn(proof, factor: factor), pending: link)
        return (try await walk(both, context).outcome, additional)
    }

    private func target(of pending: CapabilityKey) async throws(AuthError) -> AccountID? {
        guard case .pendingIdentity(let identity)? = try await capability(pending)?.content else { return nil }
        return identity.target
    }
}

extension AuthError {
    /// Whether somebody who guesses learns something by it.
    fileprivate var isWrongAnswer: Bool {
        switch code {
        case .wrongPassword, .invalidCredential, .userMismatch, .userNotFound, .invalidVerificationCode,
            .invalidActionCode, .invalidEmail:
            true
        default: false
        }
    }
}

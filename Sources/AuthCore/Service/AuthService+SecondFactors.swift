import AuthCoreCrypto

extension AuthService {
    func resolveChallenge(
        _ challenge: SecondFactor.Challenge,
        with assertion: SecondFactor.Assertion,
        _ context: RequestContext
    ) async throws(AuthError) -> (signedIn: SignedIn, provider: ProviderID, additional: AdditionalUserInfo?) {
        let found = try await waiting(challenge.key, in: "ResolveChallenge", context)
        let (waiting, account) = (found.challenge, found.account)
        let factor = try await verify(assertion, for: challenge.key, of: account, in: "ResolveChallenge", context)
        var proof = waiting.proof.proof(under: policy)
        proof?.verifiedAt = waiting.verifiedAt
        let provider = proof?.listedProvider ?? .password
        let signedIn: SignedIn
        switch waiting.purpose {
        case .signIn:
            guard let proof else { throw over }
            if let pending = waiting.completes {
                let (both, additional) = try await signIn(proof: proof, factor: factor, completing: pending, context)
                return (both, additional?.provider ?? provider, additional)
            }
            let retained = waiting.retained?.proof(under: policy)?.password
            signedIn = try await perform(SignIn(proof: proof, factor: factor, presented: retained), context)
        case .reauthentication(let session):
            guard let proof else { throw over }
            let handle = ActingHandle(session: session, account: account.id)
            signedIn = try await perform(Reauthenticate(handle: handle, proof: proof, factor: factor), context)
        case .change(let session):
            let handle = ActingHandle(session: session, account: account.id)
            let method = try newMethod(of: waiting, proof)
            signedIn = try await perform(LinkMethod(handle: handle, method: method, factor: factor), context)
        case .replacement(let session, let old, let addsIfMissing):
            let operation = ReplaceMethod(
                handle: ActingHandle(session: session, account: account.id),
                old: old,
                new: try newMethod(of: waiting, proof),
                addsIfMissing: addsIfMissing,
                factor: factor
            )
            signedIn = try await perform(operation, context)
        case .merge:
            // The answer verifies a side of a merge, which requested no session.
            throw over
        }
        return (signedIn, provider, waiting.proof.additional)
    }

    private var unknownFactor: AuthError { AuthError(Refusal.factorUnknown) }

    private var over: AuthError { AuthError(Refusal.challengeOver) }

    /// Returns the operation that waits for the factor, if the challenge is still valid and belongs to this device.
    ///
    /// What a provider said before counts only while its verifier declares the issuer.
    func waiting(
        _ key: OneTimeRecordID,
        in operation: String,
        _ context: RequestContext
    ) async throws(AuthError) -> WaitingChallenge {
        try await audited(operation, context) { () async throws(AuthError) in
            let seen = try await load([.record(key)])
            let (request, fresh) = (Request(sharedPolicy, context), environment.freshIdentifiers())
            let decisionContext = DecisionContext(request, now: environment.now, fresh: fresh)
            let found = Result { () throws(Refusal) in try seen.waitingChallenge(key, decisionContext) }
            let waiting = try found.mapError { AuthError($0) }.get()
            if case .federated(let assertion, _) = waiting.challenge.proof {
                try require(assertion, from: configuration.providers[assertion.provider])
            }
            return waiting
        }
    }

    /// Returns the sign-in method that waits for the factor.
    private func newMethod(of waiting: Store.FactorChallenge, _ proof: Proof?) throws(AuthError) -> NewMethod {
        if case .newPassword(let email, let hash) = waiting.proof { return .password(email, .success(hash)) }
        guard let proof, let method = NewMethod(proof) else { throw over }
        // Only a change of the number adds what is missing, and it may renew the number.
        if case .replacement(_, _, addsIfMissing: true) = waiting.purpose { return .verified(proof, renews: true) }
        return method
    }

    /// Verifies an assertion against the account's factors.
    ///
    /// Answers are counted per account, too, so that an attacker gains nothing by guessing over many challenges.
    func verify(
        _ assertion: SecondFactor.Assertion,
        for challenge: OneTimeRecordID,
        of account: Account,
        in operation: String,
        _ context: RequestContext
    ) async throws(AuthError) -> FactorProof {
        try await audited(operation, context, account: account.id) { () async throws(AuthError) in
            var digits: (key: OneTimeRecordID, sent: Store.PhoneCode)?
            if case .phone(let verificationID, let code) = assertion.content {
                digits = try await sentDigits(verificationID: verificationID, code: code, context) { use in
                    if case .challenge(challenge, _) = use { true } else { false }
                }
            }
            let (takes, cleared) = factorTakes(challenge, of: account, context)
            // A code of an app for which no key opens a seed is compared with nothing.
            let isTOTP = if case .totp = assertion.content { true } else { false }
            return try await counting(
                takes + (digits.map { answerTakes($0.key) } ?? []),
                clearing: cleared,
                freeOf: isTOTP ? .sealedSecretUnreadable : nil
            ) { () async throws(AuthError) in
                try compare(assertion, digits, for: challenge, of: account)
            }
        }
    }

    private func compare(
        _ assertion: SecondFactor.Assertion,
        _ digits: (key: OneTimeRecordID, sent: Store.PhoneCode)?,
        for challenge: OneTimeRecordID,
        of account: Account
    ) throws(AuthError) -> FactorProof {
        var proof = FactorProof(
            use: SecondFactor.Use(factor: nil, kind: .recoveryCode, at: environment.now),
            account: account.id,
            sessionGeneration: account.sessionGeneration,
            consumes: [challenge]
        )
        let wrong = AuthError(.invalidVerificationCode, reasons: [.codeIsWrong])
        switch assertion.content {
        case .phone(_, let code):
            guard let digits else { throw wrong }
            try compare(code, with: digits.sent, digits.key)
            guard case .challenge(_, let factor) = digits.sent.use,
                account.activeFactors.contains(where: { $0.id == factor })
            else { throw unknownFactor }
            proof.use = SecondFactor.Use(factor: factor, kind: .phone, at: environment.now)
            proof.consumes.append(digits.key)
        case .totp(let code, let wanted):
            if let wanted, !account.activeFactors.contains(where: { $0.id == wanted }) { throw unknownFactor }
            var (failure, isCompared) = (wrong, false)
            for factor in account.activeFactors where wanted == nil || factor.id == wanted {
                guard case .totp(let sealed, let lastUsed) = factor.kind else { continue }
                let matching: UInt64?
                do throws(AuthError) {
                    matching = try matchingStep(code, sealed, account.id, after: lastUsed)
                } catch {
                    // The code may be that of another factor.
                    failure = error
                    continue
                }
                isCompared = true
                guard let step = matching else { continue }
                proof.use = SecondFactor.Use(factor: factor.id, kind: .totp, at: environment.now)
                proof.step = step
                proof.resealedSeed = resealed(sealed, of: account.id)
                return proof
            }
            throw isCompared ? wrong : failure
        case .recoveryCode(let code):
            let offered = Self.message(ofRecoveryCode: code.revealed, of: account.id)
            for hash in codeKeys.namedTags(of: offered) {
                for kept in account.recoveryCodes where equalInConstantTime(kept.hash, hash) {
                    proof.recoveryCode = kept
                }
            }
            if proof.recoveryCode == nil {
                let isLost = account.recoveryCodes.contains { !codeKeys.hasKey(of: $0.hash) }
                throw isLost ? AuthError(.sealedSecretUnreadable) : wrong
            }
        }
        return proof
    }

    /// Returns the time step of a code, if it matches the seed and was not used before.
    func matchingStep(
        _ code: Secret,
        _ sealedSeed: [UInt8],
        _ account: AccountID,
        after lastUsed: UInt64?
    ) throws(AuthError) -> UInt64? {
        let seed = try open(sealedSeed, context: account.seedContext)
        return TimeBasedCode()
            .matchingStep(for: code.revealed, secret: seed, at: environment.now.seconds, drift: 1, after: lastUsed)
    }

    /// Returns the seed sealed under the current key; nil if it is, or if it cannot be read.
    func resealed(_ sealedSeed: [UInt8], of account: AccountID) -> [UInt8]? {
        let context = account.seedContext
        guard !sealer.isCurrent(sealedSeed, context: context),
            let seed = try? sealer.open(sealedSeed, context: context)
        else { return nil }
        return try? sealer.seal(seed, context: context)
    }

    /// Returns the hash under which a recovery code is stored; case and separators do not matter.
    func hash(ofRecoveryCode code: String, of account: AccountID) -> [UInt8] {
        codeKeys.namedTag(of: Self.message(ofRecoveryCode: code, of: account))
    }

    private static func message(ofRecoveryCode code: String, of account: AccountID) -> [UInt8] {
        let plain = code.utf8.prefix(64).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }
            .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
        return Array("recovery\u{0}\(account.text)\u{0}".utf8) + plain
    }
}

extension AccountID {
    /// What the seeds of the account's authenticator apps are sealed for.
    var seedContext: String { "totp " + text }
}

import AuthCoreCrypto

extension AuthService {
    /// Verifies a credential without acting on it.
    ///
    /// Pass the result to a sign-in, a link or a preview; until then nothing is consumed.
    func verify(_ credential: AuthCredential, context: RequestContext) async throws(AuthError) -> VerifiedCredential {
        try requireSecretKey()
        return try await audited("Verify", context, recipient: credential.content.recipient) {
            () async throws(AuthError) in
            try await check(credential, context)
        }
    }

    /// Verifies a mailed link, where no other credential is accepted.
    func verify(_ link: AuthCredential.EmailLink, _ context: RequestContext) async throws(AuthError) -> MailboxProof {
        try await audited("Verify", context, recipient: EmailAddress(link.email)?.text) {
            () async throws(AuthError) in
            try await verifyEmailLink(email: link.email, link: link.link)
        }
    }

    private func check(
        _ credential: AuthCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> VerifiedCredential {
        switch credential.content {
        case .password(let email, let password):
            let (proof, seen) = try await verifyPassword(email: email, password: password, context)
            var verified = verified(.password(proof))
            verified.seen = seen
            return verified
        case .emailLink(let email, let link):
            return verified(.mailbox(try await verifyEmailLink(email: email, link: link)))
        case .phone(let verificationID, let code):
            let digits = try await verifyDigits(verificationID: verificationID, code: code, for: .method, context)
            var verified = verified(.phone(PhoneProof(number: digits.sent.number, record: digits.key)))
            verified.seen = digits.seen
            return verified
        case .federated(let federated):
            let proof = try await verifyFederated(federated, context)
            return verified(.federated(proof), AdditionalUserInfo(proof.assertion))
        case .pending(let pending): return try verifyPending(try await record(pending.key), handedOut: pending.id)
        case .customToken(let token): return verified(.customToken(try await verifyCustomToken(token)))
        case .anonymous: return verified(.anonymous)
        }
    }

    /// Returns a credential that was verified now.
    private func verified(_ proof: Proof, _ additional: AdditionalUserInfo? = nil) -> VerifiedCredential {
        VerifiedCredential(proof: proof, additional: additional, verifiedAt: environment.now)
    }

    /// Compares the password with what is stored for the address; if nothing is stored, the work is the same.
    private func verifyPassword(
        email: String,
        password: Secret,
        _ context: RequestContext
    ) async throws(AuthError) -> (PasswordProof, seen: Snapshot) {
        let address = try parse(email: email)
        let password = configuration.normalized(password)
        var lookups: Lookups = [.owner(policy.key(for: address))]
        // The device may have got another secret since it signed up.
        let device = policy.concealsSignUp ? context.device : nil
        let provisionals = device?.keys.map { OneTimeRecordID.provisional(address, $0) } ?? []
        for provisional in provisionals { lookups.insert(.record(provisional)) }
        let seen = try await load(lookups)
        // Only this device knows of its provisional account, so the extra work discloses nothing to an attacker.
        // If it signed up more than once, the sign-up under its newest secret counts.
        let newest = provisionals.first { seen.provisionalAccount($0)?.email == address }
        if let provisional = newest, let account = seen.provisionalAccount(provisional) {
            let finding = try await compare(password, with: account, address, context)
            if case .matches = finding {
                return (PasswordProof(email: address, finding: finding, provisional: provisional), seen)
            }
        }
        let owner = seen.account(having: address, under: policy)
        return (
            PasswordProof(email: address, finding: try await compare(password, with: owner, address, context)), seen
        )
    }

    /// Compares the password with that of the owner of an address, if the limits allow it.
    private func compare(
        _ password: Secret,
        with owner: Account?,
        _ address: EmailAddress,
        _ context: RequestContext
    ) async throws(AuthError) -> PasswordProof.Finding {
        let (takes, cleared) = passwordTakes(address, of: owner, context)
        let taken: [Store.Take]
        switch try await attempt(takes) {
        case .success(let all): taken = all
        case .failure(let refusal): return .mustWait(refusal)
        }
        let finding: PasswordProof.Finding
        do throws(AuthError) {
            finding = try await compare(password, with: owner)
        } catch {
            // Where no hash was begun, nothing was guessed.
            if error.code == .overloaded { try? await refund(taken) } else { await keep(taken) }
            throw error
        }
        // A right password that does not sign in counts like a wrong one: it would be known by never having to wait.
        if case .matches = finding, owner?.passwordMethod?.isActive == true, policy.isEnabled(.password) {
            try await refund(taken, clearing: cleared)
        } else {
            await keep(taken)
        }
        return finding
    }

    private func compare(_ password: Secret, with owner: Account?) async throws(AuthError) -> PasswordProof.Finding {
        let method = owner?.passwordMethod
        let hasher = configuration.passwordHasher
        // A password that could never have been set is compared with nothing, at the same cost.
        let isPossible = password.utf8Count <= policy.passwordRule.greatestBytes
        let stored = isPossible ? owner?.passwordHash : nil
        do {
            let offered = isPossible ? password : Secret("")
            let check: PasswordHash.Check
            do {
                check = try await hasher.check(offered, against: stored ?? hasher.placeholder)
            } catch let error as PasswordHash.HashingError where stored != nil && error.isOfHash {
                // For a stranger it is a wrong password, with the same work; only operators learn of the hash.
                reportUncheckable(owner, error)
                check = try await hasher.check(offered, against: hasher.placeholder)
            }
            guard case .matches(let needsRehash) = check, stored != nil, let owner, let method else { return .differs }
            // A sign-in does not fail because a better hash cannot be made now.
            let rehashed = needsRehash ? try? await hasher.hash(password) : nil
            return .matches(owner.id, generation: method.generation, rehashed: rehashed)
        } catch {
            throw AuthError(hashingFailure: error)
        }
    }

    private func reportUncheckable(_ owner: Account?, _ failure: PasswordHash.HashingError) {
        let error = AuthError(.invalidCredential, reason: .passwordCannotBeChecked, cause: failure)
        audit(error, of: "Verify", RequestContext(), account: owner?.id)
    }

    /// Finds the code of a mailed link; the rules decide whether it is still valid.
    private func verifyEmailLink(email: String, link: Secret) async throws(AuthError) -> MailboxProof {
        let address = try parse(email: email)
        let key = OneTimeRecordID.mailCode(ActionCode.Link(link.revealed)?.code ?? link.revealed)
        guard case .signInLink(let sentTo)? = try await record(key)?.content else {
            throw AuthError(.invalidActionCode, reasons: [.codeIsUnknown])
        }
        if sentTo != address {
            let message = "The link was mailed to another address; have the person enter that one."
            throw AuthError(.invalidEmail, message: message, reason: .linkIsForAnotherAddress)
        }
        return MailboxProof(email: address, record: key)
    }

    /// Compares digits with the ones that were sent to a number, and returns what was read.
    func verifyDigits(
        verificationID: String,
        code: Secret,
        for use: Store.PhoneCode.Use,
        _ context: RequestContext
    ) async throws(AuthError) -> (key: OneTimeRecordID, sent: Store.PhoneCode, seen: Snapshot?) {
        let (key, sent) = try await sentDigits(verificationID: verificationID, code: code, context) { $0 == use }
        var seen: Snapshot?
        if policy.limits != nil { seen = try await load([.record(key), .owner(.phone(sent.number))]) }
        let (takes, cleared) = digitTakes(key, for: sent.number, of: seen?.owner(of: .phone(sent.number)), context)
        try await counting(takes, clearing: cleared) { () async throws(AuthError) in
            try compare(code, with: sent, key)
        }
        return (key, sent, seen)
    }

    /// Returns the digits that were sent, before anything is compared; on another device, nothing counts against them.
    ///
    /// They are compared only for what they were sent for: elsewhere, counters that are not theirs would allow guesses.
    func sentDigits(
        verificationID: String,
        code: Secret,
        _ context: RequestContext,
        areFor isWanted: (Store.PhoneCode.Use) -> Bool
    ) async throws(AuthError) -> (key: OneTimeRecordID, sent: Store.PhoneCode) {
        if verificationID.isEmpty { throw AuthError(.missingVerificationID) }
        if code.isEmpty { throw AuthError(.missingVerificationCode) }
        guard let key = OneTimeRecordID(verificationID), let record = try await record(key),
            case .phoneCode(let sent) = record.content
        else { throw AuthError(.invalidVerificationID, reasons: [.codeIsUnknown]) }
        if Request(sharedPolicy, context).isElsewhere(record) { throw AuthError(Refusal.codeOfAnotherDevice) }
        if !isWanted(sent.use) { throw AuthError(.invalidVerificationID, reasons: [.codeIsForSomethingElse]) }
        return (key, sent)
    }

    /// Compares digits with the ones that were sent.
    func compare(_ code: Secret, with sent: Store.PhoneCode, _ key: OneTimeRecordID) throws(AuthError) {
        if code.utf8Count > 16 || !isHash(sent.hash, ofDigits: code.revealed, for: key) {
            throw AuthError(.invalidVerificationCode, reasons: [.codeIsWrong])
        }
    }

    /// Verifies a federated credential with the provider's verifier.
    private func verifyFederated(
        _ credential: AuthCredential.Federated,
        _ context: RequestContext
    ) async throws(AuthError) -> FederatedProof {
        let provider = credential.provider
        if !provider.isWellFormed || provider.isReserved { throw AuthError(.invalidProviderID) }
        if !policy.isEnabled(provider) { throw AuthError(.disabled(provider)) }
        guard let verifier = configuration.providers[provider] else {
            throw AuthError(.operationNotAllowed, reasons: [.providerHasNoVerifier])
        }
        let (device, address) = (context.device?.key, context.origin.address)
        let verification = VerificationContext(now: environment.now.date, device: device, address: address)
        let takes = proofTakes(credential, context)
        let assertion = try await counting(takes, isGuess: false, freeOf: .networkError) { () async throws(AuthError) in
            do { return try await verifier.verify(credential, in: verification) } catch {
                throw AuthError(verificationFailure: error)
            }
        }
        try require(assertion, from: verifier)
        var nonce = ProofNonce.unchecked
        if let raw = credential.nonce?.revealed, let key = Nonce.key(raw) {
            guard let claim = assertion.singleUse?.id, isNonce(raw, claimed: claim) else {
                throw AuthError(.missingOrInvalidNonce, reasons: [.nonceIsMissing])
            }
            nonce = .made(key)
        } else if let key = credential.nonce.flatMap({ Nonce.key(digest: $0.revealed) }), try await record(key) != nil {
            // The digest is in the token: who has only that does not have the nonce.
            throw AuthError(.missingOrInvalidNonce, reasons: [.nonceIsMissing])
        }
        guard assertion.provider == provider, let proof = FederatedProof(assertion, under: policy, nonce: nonce) else {
            throw AuthError(.invalidCredential, message: "The provider's answer must name a person.")
        }
        return proof
    }

    /// Throws if the assertion names an issuer that its verifier does not declare, or does not declare any more.
    func require(_ assertion: ProviderAssertion, from verifier: (any CredentialVerifier)?) throws(AuthError) {
        if let verifier, verifier.speaks(for: assertion.issuer) { return }
        throw AuthError(
            .invalidCredential,
            message: "The verifier of \(assertion.provider) does not declare the issuer that the assertion names.",
            cause: VerificationFailure.wrongIssuer
        )
    }

    /// Returns what was verified when the conflict arose; it counts as verified at that time.
    ///
    /// A challenge that waits for a factor knows what it completes by the key alone.
    func verifyPending(
        _ record: OneTimeRecord?,
        handedOut id: OneTimeRecordID?
    ) throws(AuthError) -> VerifiedCredential {
        let over = AuthError(.invalidCredential, reasons: [.pendingIdentityIsOver])
        guard let record else { throw over }
        let key = record.key
        switch record.content {
        case .pendingIdentity(let identity):
            try require(identity.assertion, from: configuration.providers[identity.assertion.provider])
            let use = PendingUse(key: key, handedOut: id)
            guard let proof = FederatedProof(identity.assertion, under: policy, pending: use) else { throw over }
            let additional = AdditionalUserInfo(identity.assertion)
            return VerifiedCredential(proof: .federated(proof), additional: additional, verifiedAt: record.createdAt)
        case .mailboxOwnership(let email):
            let proof = MailboxProof(email: email, record: key, handedOut: id)
            return VerifiedCredential(proof: .mailbox(proof), verifiedAt: record.createdAt)
        case .phoneOwnership(let number):
            let proof = PhoneProof(number: number, record: key, handedOut: id)
            return VerifiedCredential(proof: .phone(proof), verifiedAt: record.createdAt)
        default: throw over
        }
    }

    /// Returns the one-time record with this key, expired or not.
    func record(_ key: OneTimeRecordID) async throws(AuthError) -> OneTimeRecord? {
        try await load([.record(key)]).record(key)
    }

    /// Returns the address in normal form.
    func parse(email: String) throws(AuthError) -> EmailAddress {
        guard let address = EmailAddress(email) else { throw AuthError(.invalidEmail) }
        return address
    }

    /// Returns the number in normal form.
    func parse(phoneNumber: String) throws(AuthError) -> PhoneNumber {
        if phoneNumber.isEmpty { throw AuthError(.missingPhoneNumber) }
        guard let number = PhoneNumber(phoneNumber) else { throw AuthError(.invalidPhoneNumber) }
        return number
    }
}

extension AuthError {
    /// The error for a verifier that refused, with the verifier's error as the cause.
    package init(verificationFailure error: any Error) {
        switch error {
        // What a verifier refuses says nothing of the session that asks.
        case let error as AuthError where !error.code.endsSession: self = error
        case let failure as VerificationFailure: self.init(failure)
        default: self.init(failure: error, .invalidCredential)
        }
    }

    /// The error for what a verifier found, in its words where it has any.
    private init(_ failure: VerificationFailure) {
        let code: AuthErrorCode =
            switch failure.kind {
            case .wrongNonce: .missingOrInvalidNonce
            case .unreachable: .networkError
            case .misconfigured: .internalError
            default: .invalidCredential
            }
        self.init(code, message: failure.detail.map { "\(code.explanation) \($0)" }, cause: failure)
    }

    /// The error for a hasher that failed.
    init(hashingFailure error: any Error) {
        let isOverloaded = error as? PasswordHash.HashingError == .overloaded
        self.init(failure: error, isOverloaded ? .overloaded : .internalError)
    }
}

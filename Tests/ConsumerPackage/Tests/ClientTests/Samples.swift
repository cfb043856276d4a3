import AuthCore

/// One of every value that a store keeps, with every field set, built by what is public alone.
struct Samples {
    let now = Timestamp(seconds: 1_767_268_800)
    let later = Timestamp(seconds: 1_767_355_200)
    let ann: AccountID = "ann"
    let ben: AccountID = "ben"
    let device = DeviceKey(bits: 1)
    let session = SessionID(bits: 2)
    let factor = SecondFactor.ID(bits: 3)
    let key = OneTimeRecordID(bits: 4)
    let identity = Identity.Key(issuer: "https://issuer.example", subject: "117")
    let email: EmailAddress
    let number: PhoneNumber

    init?() {
        guard let email = EmailAddress("ann@example.com"), let number = PhoneNumber("+15550100001") else { return nil }
        self.email = email
        self.number = number
    }

    var account: Account {
        var account = Account(id: ann, createdAt: now, knownDevices: [device])
        account.version = 1
        account.sessionGeneration = 2
        account.nextGeneration = 5
        account.isAnonymous = true
        account.isDisabled = true
        account.wasEverVerified = true
        account.acceptsCustomTokens = true
        account.customTokenAt = Timestamp(seconds: 3)
        account.isProvisional = true
        account.email = email
        account.reservesEmail = true
        account.emailSetAt = Timestamp(seconds: 1)
        account.firstEmail = email
        account.displayName = "Ann"
        account.photoURL = "https://example.com/ann.jpg"
        account.customClaims = ["role": "guest"]
        account.methods = methods
        account.factors = factors
        account.recoveryCodes = [SecondFactor.RecoveryCode(hash: [1, 2])]
        account.evidence = [evidence]
        account.blockedIssuers = [identity.issuer]
        account.reservations = [Account.Reservation(email: email, until: later)]
        account.mergeLock = Account.MergeLock(intent: key, until: later)
        account.deletedUntil = later
        account.dueAt = later
        return account
    }

    private var methods: [SignInMethod] {
        let google = Identity(
            key: identity,
            provider: .google,
            email: email,
            assurance: .authoritative,
            displayName: "Ann",
            photoURL: "https://example.com/ann.jpg",
            username: "ann"
        )
        let kinds: [SignInMethod.Kind] = [
            .password(PasswordHash(tagged: "$y$…")), .emailLink, .phone(number), .federated(google),
        ]
        var methods = kinds.enumerated().map { generation, kind in
            SignInMethod(kind, addedAt: now, generation: UInt32(generation))
        }
        methods[0].seniorSince = later
        methods[0].suspension = SignInMethod.Suspension(since: now, reason: .methodIsSuspended)
        methods[0].coverage = [Evidence.Verification(.email(email), at: now)]
        return methods
    }

    private var factors: [SecondFactor] {
        let kinds: [SecondFactor.Kind] = [.phone(number), .totp(sealedSeed: [3], lastUsedStep: 4)]
        return kinds.map {
            SecondFactor(id: factor, kind: $0, displayName: "mobile", enrolledAt: now, generation: 4)
        }
    }

    private var evidence: Evidence {
        var evidence = Evidence(.email(email), .provider(identity, .authoritative), at: now)
        evidence.count = 2
        evidence.lastAt = later
        evidence.staleSince = later
        return evidence
    }

    var signedIn: Session {
        var row = Session(
            id: session,
            account: ann,
            sessionGeneration: 2,
            basis: Session.Basis(kind: .federated, provider: .google, generation: 3),
            at: now,
            device: device,
            origin: "192.0.2.1",
            deviceName: "Ann's phone",
            refreshHash: [5, 6]
        )
        row.used = methods.map { Session.Basis($0) }
        row.verified = [
            Evidence.Verification(.email(email), at: later), Evidence.Verification(.phone(number), at: now),
        ]
        row.verifiedOnRequest = Evidence.Verification(.email(email), at: now)
        row.factor = SecondFactor.Use(factor: factor, kind: .totp, at: now)
        row.authenticatedAt = later
        row.activeAt = later
        row.expiresAt = later
        row.rotation = 1
        row.refreshCount = 7
        row.claims = ["role": "guest"]
        return row
    }

    var event: IdentityEvent {
        let summaries = methods.map { SignInMethod.Summary($0) }
        return IdentityEvent(
            .methodsChanged,
            at: now,
            account: ann,
            actor: .session(session),
            reasons: [.personAddsMethod],
            evidence: [evidence],
            before: [],
            after: summaries
        )
    }

    var message: Store.OutboxEntry {
        Store.OutboxEntry(
            id: Store.OperationID(bits: 5),
            kind: .resetPassword,
            recipient: .email(email),
            record: key,
            account: ann,
            settings: Message.Settings(continueURL: "https://example.com", handlesCodeInApp: true, language: "de"),
            createdAt: now,
            leasedUntil: now,
            expiresAt: later
        )
    }
}

extension Samples {
    /// A one-time record of every purpose.
    var records: [Store.OneTimeRecord] {
        contents.enumerated().map { number, content in
            Store.OneTimeRecord(
                key: OneTimeRecordID(bits: UInt128(number)),
                account: ann,
                createdAt: now,
                expiresAt: later,
                device: device,
                sessionGeneration: 2,
                content: content
            )
        }
    }

    private var contents: [Store.OneTimeRecord.Content] {
        let recovery = Store.EmailRecovery(
            restores: email,
            replaced: email,
            generation: 3,
            suspendsLaterMethods: true
        )
        let assertion = ProviderAssertion(provider: .google, issuer: "https://issuer.example", subject: "117")
        var challenge = Store.FactorChallenge(
            purpose: .replacement(session, of: .google, addsIfMissing: true),
            proof: .federated(assertion, pending: key),
            verifiedAt: now,
            completes: key
        )
        challenge.retained = .mailbox(email, key)
        let visit = Store.Authorization(
            intent: .link(session),
            provider: .gitHub,
            redirectURI: "https://example.com/done",
            sealed: [7]
        )
        var change = Store.ReversibleChange(
            methods: [1],
            factors: [factor],
            email: email,
            recoveryCodes: [SecondFactor.RecoveryCode(hash: [1])],
            deletedUntil: later,
            notifiedAddress: email
        )
        (change.ownedBefore, change.merge) = (now, Merge.ID(bits: 4))
        return [
            .verifyEmail(email, askedBy: session), .changeEmail(from: email, to: email, askedBy: session),
            .resetPassword(email), .recoverEmail(recovery), .signInLink(email),
            .phoneCode(Store.PhoneCode(number: number, hash: [8], use: .challenge(key, factor))),
            .phoneOwnership(number), .mailboxOwnership(email),
            .pendingIdentity(Store.PendingIdentity(assertion: assertion, target: ben)), .factorChallenge(challenge),
            .totpSeed([9]), .usedAssertion, .authorization(visit), .mergeIntent(intent), .mergePlan(plan),
            .tombstone(successor: ben),
            .undo(Store.UndoRecord(source: account, target: ben, moved: [1], movedFactors: [factor])),
            .changeReport(change), .lostFactors, .provisionalSignUp, .nonce(.reauthentication(session)),
        ]
    }

    private var intent: Store.MergeIntent {
        Store.MergeIntent(
            source: ann,
            target: ben,
            sourceSessionGeneration: 1,
            targetSessionGeneration: 2,
            phase: .prepared,
            prepared: ["orders"]
        )
    }

    private var plan: Merge.Plan {
        let method = Merge.Plan.Method(
            kind: .federated,
            provider: .google,
            identity: identity,
            name: "Google (ann@example.com)",
            generation: 3,
            isSuspended: false
        )
        let app = Merge.Plan.Factor(id: factor, name: "an authenticator app")
        var plan = Merge.Plan(source: ann, target: ben, identity: identity, choices: [.google])
        plan.sourceName = "ann@example.com"
        plan.targetName = "+15550100001"
        plan.moves = [method]
        plan.stays = [Merge.Plan.Staying(thing: method, why: .targetHasProvider)]
        plan.replaced = [method]
        plan.movedAddress = "ann@example.com"
        plan.releasedAddress = "old@example.com"
        plan.factors = [app]
        plan.stayingFactors = [Merge.Plan.Staying(thing: app, why: .factorLimit)]
        plan.lostRecoveryCodes = 1
        plan.profile = [.displayName]
        plan.stayingClaims = ["role"]
        plan.opens = [method]
        return plan
    }
}

import AuthCore

/// Values that have everything: every member is set, and to something that a narrow column, a cut or a wrong type would
/// change.
struct StoreSamples {
    /// A moment between two seconds, and one before 1970.
    static let odd = Timestamp(milliseconds: 1_767_268_800_123)
    static let early = Timestamp(milliseconds: -86_399_999)
    /// Characters that encodings, trimming, comparing and normal forms change.
    static let text = " e\u{301}\u{E9}\u{212B} \u{1F511}\u{0}\r\n\t\\\"'%_\u{FEFF}\u{FFFF} "
    static let bytes: [UInt8] = [0, 0xFB, 0xFF, 0x3E, 0]
    static let claims: [String: ClaimValue] = [
        "": "empty", text: .string(text), "big": .integer(.max), "small": .integer(.min), "share": 0.1, "no": false,
        "deep": [[[[[["bottom"]]]]]],
        "nested": ["list": [.null, true, [:], []], "none": .null], "none": .null,
        // One more than a floating-point number tells apart.
        "odd": .integer(1 << 53 | 1),
        // With as many digits as a number has, and the least and the greatest that there are.
        "sum": .number(0.1 + 0.2), "least": .number(.leastNonzeroMagnitude), "most": .number(.greatestFiniteMagnitude),
    ]

    let mail: EmailAddress
    let other: EmailAddress
    let number: PhoneNumber
    let friend: AccountID
    let identity = Identity.Key(issuer: "https://issuer.example/" + text, subject: text)
    let session = SessionID(bits: 1 << 127 | 7)
    let record = OneTimeRecordID(bits: .max)
    let factor = SecondFactor.ID(bits: 1 << 127 | 8)
    let device = DeviceKey(bits: 1 << 127 | 9)

    init() throws {
        mail = try StoreScene.email("ann@example.com")
        other = try StoreScene.email("other@example.com")
        number = try StoreScene.number(of: "ann")
        friend = try StoreScene.id("friend")
    }

    // MARK: Accounts

    /// An account with nothing but what it must have.
    func bareAccount(_ id: AccountID) -> Account { Account(id: id, createdAt: Self.odd) }

    func fullAccount(_ id: AccountID) -> Account {
        var account = Account(id: id, createdAt: Self.odd, knownDevices: [device, DeviceKey(bits: 1)])
        account.sessionGeneration = .max
        account.nextGeneration = .max
        account.email = mail
        account.emailSetAt = Self.odd
        account.firstEmail = other
        account.displayName = Self.text
        account.photoURL = "https://example.com/" + Self.text
        account.customClaims = Self.claims
        account.methods = methods()
        account.factors = factors()
        account.recoveryCodes = [SecondFactor.RecoveryCode(hash: Self.bytes), SecondFactor.RecoveryCode(hash: [])]
        account.evidence = evidence()
        account.blockedIssuers = [ExactText(Self.text), ExactText(""), ExactText("a,b;c|d e")]
        account.reservations = [Account.Reservation(email: other, until: .distantFuture)]
        account.mergeLock = Account.MergeLock(intent: record, until: Self.odd)
        account.isAnonymous = true
        account.isDisabled = true
        account.wasEverVerified = true
        account.acceptsCustomTokens = true
        account.customTokenAt = Self.odd + .milliseconds(2)
        account.isProvisional = true
        account.reservesEmail = true
        account.deletedUntil = Self.odd + .milliseconds(1)
        account.dueAt = Self.early
        return account
    }

    func methods() -> [SignInMethod] {
        let federated = Identity(
            key: identity,
            provider: "oidc.example",
            email: mail,
            assurance: .confirmed,
            displayName: Self.text,
            photoURL: Self.text,
            username: Self.text
        )
        let bare = Identity(key: Identity.Key(issuer: "", subject: ""), provider: .gitHub)
        let known = Identity(key: StoreScene.identity("known"), provider: .google, assurance: .authoritative)
        let kinds: [SignInMethod.Kind] = [
            .federated(federated), .password(PasswordHash(tagged: "$cheap$" + Self.text)), .phone(number), .emailLink,
            .federated(bare), .federated(known),
        ]
        var methods = kinds.enumerated().map { place, kind in
            SignInMethod(kind, addedAt: Self.odd, generation: UInt32.max - UInt32(place))
        }
        methods[0].coverage = [
            Evidence.Verification(.email(mail), at: Self.odd), Evidence.Verification(.phone(number), at: Self.early),
        ]
        methods[1].suspension = SignInMethod.Suspension(since: Self.early, reason: .methodIsSuspended)
        methods[2].seniorSince = Self.early
        return methods
    }

    private func factors() -> [SecondFactor] {
        let kinds: [SecondFactor.Kind] = [
            .phone(number), .totp(sealedSeed: Self.bytes, lastUsedStep: 1 << 60 | 1),
            .totp(sealedSeed: [], lastUsedStep: nil),
        ]
        var factors = kinds.enumerated().map { place, kind in
            SecondFactor(
                id: SecondFactor.ID(bits: factor.bits + UInt128(place)),
                kind: kind,
                displayName: place == 0 ? Self.text : nil,
                enrolledAt: Self.early,
                generation: .max
            )
        }
        factors[1].suspension = SignInMethod.Suspension(since: Self.odd, reason: .methodIsSuspended)
        return factors
    }

    func evidence() -> [Evidence] {
        var old = Evidence(.phone(number), .phoneCode, at: Self.early)
        old.lastAt = Self.odd
        old.count = 1 << 40 | 1
        old.staleSince = Self.odd
        let sources: [Evidence.Source] = [
            .mailboxCode, .provider(identity, .authoritative), .provider(identity, .claimed), .administrator,
            .imported(trusted: true), .imported(trusted: false),
        ]
        // The last two are the same.
        return sources.map { Evidence(.email(mail), $0, at: Self.odd) } + [old, old]
    }

    // MARK: Sessions, events and messages

    /// A session with nothing but what it must have.
    func bareSession(of account: AccountID, _ id: SessionID, at time: Timestamp = odd) -> Session {
        Session(
            id: id,
            account: account,
            sessionGeneration: 0,
            basis: .init(kind: .customToken, provider: .custom, generation: nil),
            at: time,
            device: nil,
            origin: nil,
            deviceName: nil
        )
    }

    func fullSession(of account: AccountID, _ id: SessionID) -> Session {
        var full = Session(
            id: id,
            account: account,
            sessionGeneration: .max,
            basis: Session.Basis(kind: .federated, provider: .google, generation: .max),
            at: Self.odd,
            device: device,
            origin: Self.text,
            deviceName: Self.text,
            refreshHash: Self.bytes
        )
        full.used = MethodKind.allCases.reversed().map { Session.Basis(kind: $0, provider: .gitHub, generation: 1) }
        full.verified = [
            Evidence.Verification(.phone(number), at: Self.odd), Evidence.Verification(.email(mail), at: Self.early),
        ]
        full.verifiedOnRequest = Evidence.Verification(.email(other), at: Self.odd)
        full.factor = SecondFactor.Use(factor: factor, kind: .totp, at: Self.early)
        full.authenticatedAt = Self.odd + .milliseconds(1)
        full.activeAt = Self.odd + .milliseconds(2)
        full.expiresAt = Self.odd + .milliseconds(3)
        full.rotation = .max
        full.voidedCount = .max
        full.refreshCount = .max
        full.claims = Self.claims
        return full
    }

    /// A session whose texts, lists and bytes are there and empty.
    func blankSession(of account: AccountID, _ id: SessionID) -> Session {
        Session(
            id: id,
            account: account,
            sessionGeneration: 0,
            basis: .init(kind: .customToken, provider: .custom, generation: nil),
            at: Self.odd,
            device: nil,
            origin: "",
            deviceName: "",
            refreshHash: []
        )
    }

    /// Events of every actor, with lists, with empty lists, and without any.
    func events(of account: AccountID) -> [IdentityEvent] {
        let actors: [IdentityEvent.Actor] = [
            .session(session), .mailbox(mail), .unauthenticated, .administrator, .system,
        ]
        let summaries = methods().map { SignInMethod.Summary($0) }
        return actors.enumerated().flatMap { place, actor in
            [
                IdentityEvent(
                    IdentityEvent.Kind(rawValue: "kindThatALaterVersionAdds\(place)"),
                    at: Self.odd,
                    account: account,
                    actor: actor,
                    reasons: [.tokenIsNotOurs, .accountIsGone] + (0..<20).map { Reason(rawValue: "reason\($0)") },
                    evidence: evidence(),
                    before: place == 0 ? [] : summaries,
                    after: place == 0 ? summaries : []
                ),
                IdentityEvent(.signedIn, at: Self.early, account: friend, actor: actor, reasons: []),
            ]
        }
    }

    /// Messages that are due at this time: one with everything, and others with nothing more than they must have, with
    /// empty texts, and with settings that say nothing.
    func messages(dueAt time: Timestamp, _ probe: inout StoreProbe) -> [OutboxEntry] {
        let settings = Message.Settings(continueURL: Self.text, handlesCodeInApp: true, language: Self.text)
        let full = OutboxEntry(
            id: OperationID(bits: probe.draw()),
            kind: .resetPassword,
            recipient: .email(mail),
            record: record,
            account: friend,
            settings: settings,
            createdAt: Self.odd,
            leasedUntil: time,
            expiresAt: Self.odd
        )
        let bare = OutboxEntry(
            id: OperationID(bits: probe.draw()),
            kind: .phoneCode,
            recipient: .phone(number),
            record: OneTimeRecordID(bits: 0),
            account: nil,
            settings: nil,
            createdAt: Self.early,
            leasedUntil: time,
            expiresAt: nil
        )
        let others = [Message.Settings(continueURL: "", handlesCodeInApp: false, language: ""), Message.Settings()].map
        {
            OutboxEntry(
                id: OperationID(bits: probe.draw()),
                kind: Message.Kind(rawValue: "kind that a later version adds, no. 2"),
                recipient: .email(mail),
                record: record,
                account: friend,
                settings: $0,
                createdAt: Self.odd,
                leasedUntil: time,
                expiresAt: Self.odd
            )
        }
        return [full, bare] + others
    }
}

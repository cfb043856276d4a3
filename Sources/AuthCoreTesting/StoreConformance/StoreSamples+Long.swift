import AuthCore

/// Values of which texts and bytes have more than a thousand bytes, and lists fifty elements, the first of them long.
extension StoreSamples {
    private static let count: UInt32 = 50
    private static let long = String(repeating: "long \u{1F511} ", count: 130)
    private static let texts = (0..<count).map { $0 == 0 ? long : "\($0)" }
    private static let longBytes = (0..<1200).map { UInt8(truncatingIfNeeded: $0) }
    private static let codes = (0..<count).map { SecondFactor.RecoveryCode(hash: $0 == 0 ? longBytes : [UInt8($0)]) }

    func longAccount(_ id: AccountID) -> Account {
        let devices = (0..<Self.count).map { DeviceKey(bits: UInt128($0)) }
        var account = Account(id: id, createdAt: Self.odd, knownDevices: devices)
        account.methods = (0..<Self.count).map { number in
            let text = number == 0 ? Self.long : "\(number)"
            let identity = Identity(
                key: Identity.Key(issuer: text, subject: text),
                provider: "oidc.example",
                displayName: text,
                photoURL: text,
                username: text
            )
            return SignInMethod(.federated(identity), addedAt: Self.odd, generation: number)
        }
        let coverage = Evidence.Verification(.email(mail), at: Self.odd)
        account.methods[0].coverage = Array(repeating: coverage, count: account.methods.count)
        account.methods.append(
            SignInMethod(.password(PasswordHash(tagged: Self.long)), addedAt: Self.odd, generation: Self.count)
        )
        account.factors = (0..<Self.count).map { number in
            SecondFactor(
                id: SecondFactor.ID(bits: UInt128(number)),
                kind: .totp(sealedSeed: number == 0 ? Self.longBytes : [7], lastUsedStep: nil),
                displayName: number == 0 ? Self.long : nil,
                enrolledAt: Self.odd,
                generation: number
            )
        }
        account.recoveryCodes = Self.codes
        account.evidence = Array(repeating: Evidence(.email(mail), .administrator, at: Self.odd), count: 50)
        account.reservations = Array(repeating: Account.Reservation(email: mail, until: Self.odd), count: 50)
        return account
    }

    func longSession(of account: AccountID, _ id: SessionID) -> Session {
        var session = Session(
            id: id,
            account: account,
            sessionGeneration: 0,
            basis: .anonymous,
            at: Self.odd,
            device: nil,
            origin: Self.long,
            deviceName: Self.long,
            refreshHash: Self.longBytes
        )
        session.used = (0..<Self.count).map { Session.Basis(kind: .federated, provider: .google, generation: $0) }
        session.verified = Array(repeating: Evidence.Verification(.email(mail), at: Self.odd), count: 50)
        return session
    }

    func longEvent(of account: Account) -> IdentityEvent {
        let summaries = account.methods.map { SignInMethod.Summary($0) }
        return IdentityEvent(
            .methodsChanged,
            at: Self.odd,
            account: account.id,
            actor: .system,
            reasons: Self.texts.map { Reason(rawValue: $0) },
            evidence: account.evidence,
            before: summaries,
            after: summaries
        )
    }

    func longContents(_ account: AccountID) -> [OneTimeRecord.Content] {
        let generations = Array(0..<Self.count)
        let ids = generations.map { SecondFactor.ID(bits: UInt128($0)) }
        let recovery = Store.EmailRecovery(
            restores: mail,
            replaced: nil,
            generation: 0,
            suspendsLaterMethods: false,
            recoveryCodes: Self.codes
        )
        let change = Store.ReversibleChange(methods: generations, factors: ids, recoveryCodes: Self.codes)
        let intent = Store.MergeIntent(
            source: friend,
            target: account,
            sourceSessionGeneration: 0,
            targetSessionGeneration: 0,
            phase: .prepared,
            prepared: Self.texts
        )
        let visit = Store.Authorization(
            intent: .signIn,
            provider: .gitHub,
            redirectURI: "https://app.example/" + Self.long,
            sealed: Self.longBytes
        )
        var assertion = ProviderAssertion(provider: .google, issuer: Self.long, subject: Self.long)
        assertion.authenticationMethods = Self.texts
        assertion.claims = ["a": .string(Self.long)]
        return [
            .recoverEmail(recovery), .changeReport(change), .mergeIntent(intent), .authorization(visit),
            .undo(
                Store.UndoRecord(source: bareAccount(friend), target: account, moved: generations, movedFactors: ids)
            ),
            .pendingIdentity(Store.PendingIdentity(assertion: assertion, target: nil)),
            .phoneCode(Store.PhoneCode(number: number, hash: Self.longBytes, use: .method)),
            .factorChallenge(
                Store.FactorChallenge(
                    purpose: .signIn,
                    proof: .newPassword(mail, PasswordHash(tagged: Self.long)),
                    verifiedAt: Self.odd,
                    completes: nil
                )
            ),
        ]
    }
}

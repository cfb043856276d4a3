import AuthCore

/// What one-time records contain, in every case and with every member.
extension StoreSamples {
    /// A record of every content about the account: every other has everything, the others only what they must have.
    func records(about account: AccountID, _ probe: inout StoreProbe) -> [OneTimeRecord] {
        contents(account).enumerated().map { place, content in
            let isFull = place % 2 == 0
            return OneTimeRecord(
                key: OneTimeRecordID(bits: probe.draw()),
                account: account,
                createdAt: isFull ? Self.odd : Self.early,
                expiresAt: isFull ? Self.odd + .milliseconds(1) : nil,
                device: isFull ? device : nil,
                sessionGeneration: isFull ? .max : nil,
                content: content
            )
        }
    }

    private func contents(_ account: AccountID) -> [OneTimeRecord.Content] {
        let recovery = Store.EmailRecovery(
            restores: mail,
            replaced: other,
            generation: .max,
            suspendsLaterMethods: true,
            recoveryCodes: [SecondFactor.RecoveryCode(hash: Self.bytes)]
        )
        let first = Store.EmailRecovery(restores: mail, replaced: nil, generation: 0, suspendsLaterMethods: false)
        var change = Store.ReversibleChange(methods: [.max, 4], factors: [factor], email: mail)
        change.recoveryCodes = [SecondFactor.RecoveryCode(hash: Self.bytes)]
        change.deletedUntil = Self.odd
        (change.notifiedAddress, change.ownedBefore) = (other, Self.early)
        change.merge = Merge.ID(bits: 1 << 127 | 9)
        var undo = Store.UndoRecord(
            source: fullAccount(friend),
            target: account,
            moved: [.max, 1],
            movedFactors: [factor]
        )
        (undo.sourceOldest, undo.targetOldest) = (Self.early, Self.odd)
        let plain: [OneTimeRecord.Content] = [
            .verifyEmail(mail, askedBy: session), .verifyEmail(mail),
            .changeEmail(from: mail, to: other, askedBy: session), .changeEmail(from: mail, to: other),
            .resetPassword(mail), .recoverEmail(recovery), .recoverEmail(first), .signInLink(mail),
            .phoneOwnership(number), .mailboxOwnership(mail), .totpSeed(Self.bytes), .usedAssertion,
            .tombstone(successor: friend), .tombstone(successor: nil), .undo(undo), .changeReport(change),
            .changeReport(Store.ReversibleChange()), .lostFactors, .provisionalSignUp, .mergePlan(plan()),
            .pendingIdentity(Store.PendingIdentity(assertion: assertion(), target: friend)),
            .pendingIdentity(Store.PendingIdentity(assertion: bareAssertion(), target: nil)),
        ]
        return plain + phoneCodes() + challenges() + intents() + visits()
    }

    private func phoneCodes() -> [OneTimeRecord.Content] {
        let uses: [Store.PhoneCode.Use] = [.method, .enrollment(friend), .challenge(record, factor)]
        return uses.map { .phoneCode(Store.PhoneCode(number: number, hash: Self.bytes, use: $0)) }
    }

    private func challenges() -> [OneTimeRecord.Content] {
        let proofs: [Store.StoredProof] = [
            .password(friend, mail, generation: .max, rehashed: PasswordHash(tagged: Self.text)),
            .mailbox(mail, record), .phone(number, record),
            .federated(assertion(), pending: record), .federated(bareAssertion(), pending: nil),
            .customToken(friend, Self.claims), .newPassword(mail, PasswordHash(tagged: Self.text)),
        ]
        let purposes: [Store.FactorChallenge.Purpose] = [
            .signIn, .reauthentication(session), .change(session),
            .replacement(session, of: .google, addsIfMissing: true),
            .replacement(session, of: .google, addsIfMissing: false), .merge,
        ]
        return proofs.enumerated().map { place, proof in
            var challenge = Store.FactorChallenge(
                purpose: purposes[place % purposes.count],
                proof: proof,
                verifiedAt: Self.odd,
                completes: place % 2 == 0 ? record : nil
            )
            if case .federated = proof { challenge.retained = proofs[0] }
            return .factorChallenge(challenge)
        }
    }

    private func intents() -> [OneTimeRecord.Content] {
        let phases: [Store.MergeIntent.Phase] = [.preparing, .prepared, .committed, .aborted, .undone]
        return phases.enumerated().map { place, phase in
            .mergeIntent(
                Store.MergeIntent(
                    source: friend,
                    target: friend,
                    sourceSessionGeneration: .max,
                    targetSessionGeneration: 1,
                    phase: phase,
                    prepared: place == 0 ? [] : ["photos", "orders", Self.text]
                )
            )
        }
    }

    private func visits() -> [OneTimeRecord.Content] {
        let intents: [Store.Authorization.Intent] = [.signIn, .link(session), .reauthentication(session)]
        return intents.flatMap { intent -> [OneTimeRecord.Content] in
            let visit = Store.Authorization(
                intent: intent,
                provider: .gitHub,
                redirectURI: "https://app.example/" + Self.text,
                sealed: Self.bytes
            )
            return [.authorization(visit), .nonce(intent)]
        }
    }

    private func bareAssertion() -> ProviderAssertion { ProviderAssertion(provider: .apple, subject: "") }

    private func assertion() -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .google, issuer: Self.text, subject: Self.text)
        assertion.email = " Ann@Example.com "
        assertion.isEmailVerified = false
        assertion.isEmailConfirmed = true
        assertion.hostedDomain = Self.text
        assertion.displayName = Self.text
        assertion.photoURL = Self.text
        assertion.username = Self.text
        assertion.claims = Self.claims
        assertion.authenticatedAt = Self.odd.date
        assertion.authenticationContext = Self.text
        assertion.authenticationMethods = ["pwd", "otp", Self.text]
        assertion.singleUse = ProviderAssertion.SingleUse(id: Self.text, expiresAt: Self.odd.date)
        return assertion
    }

    private func plan() -> Merge.Plan {
        let ways = MethodKind.allCases.map { kind in
            Merge.Plan.Method(
                kind: kind,
                provider: .google,
                identity: kind == .federated ? identity : nil,
                name: Self.text,
                generation: .max,
                isSuspended: kind == .phone
            )
        }
        let factors = [Merge.Plan.Factor(id: factor, name: Self.text)]
        var plan = Merge.Plan(source: friend, target: friend, identity: identity, choices: [.google, .apple])
        plan.sourceName = Self.text
        plan.targetName = Self.text
        plan.moves = ways
        plan.stays = Merge.Plan.Collision.allCases.map { Merge.Plan.Staying(thing: ways[0], why: $0) }
        plan.replaced = ways.reversed()
        plan.movedAddress = Self.text
        plan.releasedAddress = Self.text
        plan.factors = factors
        plan.stayingFactors = factors.map { Merge.Plan.Staying(thing: $0, why: .factorLimit) }
        plan.lostRecoveryCodes = 1 << 40
        plan.profile = Merge.Plan.ProfileField.allCases.reversed()
        plan.stayingClaims = ["role", Self.text]
        plan.opens = ways
        return plan
    }
}

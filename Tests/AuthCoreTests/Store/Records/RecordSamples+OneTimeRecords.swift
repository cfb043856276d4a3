@testable import AuthCore
import Foundation

extension RecordSamples {
    static func records() throws -> [OneTimeRecord] {
        var records = try contents().enumerated().map { index, content in
            OneTimeRecord(
                key: OneTimeRecordID(bits: UInt128(index)),
                account: nil,
                createdAt: noon,
                expiresAt: nil,
                content: content
            )
        }
        records.append(
            OneTimeRecord(
                key: key,
                account: ann,
                createdAt: noon,
                expiresAt: evening,
                device: DeviceKey(bits: 77),
                sessionGeneration: 3,
                content: .usedAssertion
            )
        )
        return try records + added()
    }

    /// What joined the format later, at the end, so that older lines of the fixtures stay as they are.
    private static func added() throws -> [OneTimeRecord] {
        let challenge = Store.FactorChallenge(
            purpose: .replacement(session, of: .phone, addsIfMissing: true),
            proof: .phone(try number("+15550100001"), key),
            verifiedAt: noon,
            completes: nil
        )
        var contested = Store.ReversibleChange(
            recoveryCodes: [SecondFactor.RecoveryCode(hash: bytes)],
            deletedUntil: evening
        )
        (contested.notifiedAddress, contested.ownedBefore) = (try email("ann@example.com"), noon)
        var merged = Store.ReversibleChange()
        merged.merge = Merge.ID(words: key.words)
        var retaining = Store.FactorChallenge(
            purpose: .signIn,
            proof: .federated(try assertion(), pending: nil),
            verifiedAt: evening,
            completes: nil
        )
        retaining.retained = .password(ann, try email("ann@example.com"), generation: 1, rehashed: nil)
        var undo = Store.UndoRecord(source: Account(id: ann, createdAt: noon), target: ben, moved: [], movedFactors: [])
        (undo.sourceOldest, undo.targetOldest) = (noon, evening)
        let contents: [OneTimeRecord.Content] =
            [.factorChallenge(challenge), .lostFactors, .provisionalSignUp] + (try merging()) + [
                .changeReport(contested), .verifyEmail(try email("ann@example.com"), askedBy: session),
                .changeEmail(from: try email("ann@example.com"), to: try email("new@example.com"), askedBy: session),
            ] + authorizations() + [.changeReport(merged), .undo(undo), .factorChallenge(retaining)]
        return contents.enumerated().map { index, content in
            OneTimeRecord(
                key: OneTimeRecordID(bits: UInt128(100 + index)),
                account: nil,
                createdAt: noon,
                expiresAt: nil,
                content: content
            )
        }
    }

    /// The purposes that the format began with.
    private static var firstPurposes: [OneTimeRecord.Purpose] {
        OneTimeRecord.Purpose.allCases.filter {
            ![.lostFactors, .provisionalSignUp, .mergePlan, .mailboxOwnership, .authorization, .nonce].contains($0)
        }
    }

    private static func contents() throws -> [OneTimeRecord.Content] {
        let mail = try email("ann@example.com")
        let recovery = Store.EmailRecovery(
            restores: mail,
            replaced: try email("new@example.com"),
            generation: 5,
            suspendsLaterMethods: true,
            recoveryCodes: [SecondFactor.RecoveryCode(hash: bytes)]
        )
        let contested = Store.ReversibleChange(methods: [4, 5], factors: [factor], email: mail)
        let undo = Store.UndoRecord(source: try fullAccount(), target: ben, moved: [1, 2], movedFactors: [factor])
        return [
            .verifyEmail(mail), .changeEmail(from: mail, to: try email("new@example.com")), .resetPassword(mail),
            .recoverEmail(recovery), .signInLink(mail), .phoneOwnership(try number("+15550100001")),
            .mailboxOwnership(mail),
            .pendingIdentity(Store.PendingIdentity(assertion: try assertion(), target: ann)), .totpSeed(bytes),
            .usedAssertion, .tombstone(successor: ben), .tombstone(successor: nil), .undo(undo),
            .changeReport(contested),
        ] + (try phoneCodes()) + (try challenges()) + intents()
    }

    private static func authorizations() -> [OneTimeRecord.Content] {
        let intents: [Store.Authorization.Intent] = [.signIn, .link(session), .reauthentication(session)]
        let authorizations = intents.map { intent in
            OneTimeRecord.Content.authorization(
                Store.Authorization(
                    intent: intent,
                    provider: .gitHub,
                    redirectURI: "https://app.example/done",
                    sealed: bytes
                )
            )
        }
        return authorizations + intents.map { .nonce($0) }
    }

    private static func phoneCodes() throws -> [OneTimeRecord.Content] {
        let number = try number("+15550100001")
        let uses: [Store.PhoneCode.Use] = [.method, .enrollment(ann), .challenge(key, factor)]
        return uses.map { .phoneCode(Store.PhoneCode(number: number, hash: bytes, use: $0)) }
    }

    private static func challenges() throws -> [OneTimeRecord.Content] {
        let mail = try email("ann@example.com")
        let proofs: [Store.StoredProof] = [
            .password(ann, mail, generation: 1, rehashed: nil), .mailbox(mail, key),
            .phone(try number("+15550100001"), key),
            .federated(try assertion(), pending: key), .federated(try assertion(), pending: nil),
            .customToken(ann, ["role": "guest"]),
            .newPassword(mail, PasswordHash(tagged: "$cheap$AAAA$BBBB")),
            .password(ann, mail, generation: 1, rehashed: PasswordHash(tagged: "$cheap$CCCC$DDDD")),
        ]
        let purposes: [Store.FactorChallenge.Purpose] = [.signIn, .reauthentication(session), .change(session)]
        return proofs.enumerated().map { index, proof in
            let challenge = Store.FactorChallenge(
                purpose: purposes[index % purposes.count],
                proof: proof,
                verifiedAt: noon,
                completes: index == 0 ? key : nil
            )
            return .factorChallenge(challenge)
        }
    }

    private static func intents() -> [OneTimeRecord.Content] {
        let phases: [MergeIntent.Phase] = [.preparing, .prepared, .committed, .aborted]
        return phases.map { phase in
            let intent = MergeIntent(
                source: ann,
                target: ben,
                sourceSessionGeneration: 3,
                targetSessionGeneration: 4,
                phase: phase,
                prepared: phase == .prepared ? ["orders", "photos"] : []
            )
            return .mergeIntent(intent)
        }
    }

    static func assertion() throws -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .google, issuer: "https://issuer.example", subject: "117")
        assertion.email = "Ann@Example.com"
        assertion.isEmailVerified = true
        assertion.isEmailConfirmed = true
        assertion.hostedDomain = "example.com"
        assertion.displayName = "Ann"
        assertion.photoURL = "https://example.com/ann.jpg"
        assertion.username = "ann"
        assertion.claims = ["iat": 1_767_268_800, "ratio": 0.5, "list": [true, .null, [:]]]
        assertion.authenticatedAt = noon.date
        assertion.authenticationContext = "urn:example:two"
        assertion.authenticationMethods = ["pwd", "otp"]
        assertion.singleUse = ProviderAssertion.SingleUse(id: "nonce", expiresAt: evening.date)
        return assertion
    }

    // MARK: Change sets

    static func changeSets() throws -> [ChangeSet] {
        let account = try fullAccount()
        let mail = try email("ann@example.com")
        var full = ChangeSet(operation: operation, at: noon)
        full.accounts = [.create(account), .update(account, expected: 40), .remove(ben, expected: 2)]
        full.reads = [Store.AccountRead(id: ben, version: 6)]
        full.keyRule = .mailbox
        full.keys = [
            KeyChange(.identity(identityKey), from: nil, to: ann), KeyChange(.primaryEmail(mail), from: ben, to: ann),
            KeyChange(.phone(try number("+15550100001")), from: ann, to: nil),
        ]
        full.references = EmailReference.Strength.allCases.map { strength in
            let reference = EmailReference(account: ann, createdAt: noon, strength: strength)
            return Store.EmailReferenceChange(email: mail, reference: reference, isReferenced: true)
        }
        full.referenceReads = [Store.EmailReferenceRead(email: mail, version: 17)]
        full.records = try [
            .put(records()[0]), .replace(records()[1]), .consume(key), .revoke(key),
            .revokeAll(ann, firstPurposes),
        ]
        full.sessions = [
            .put(try sessions()[0]), .update(try sessions()[1], refreshCount: 3), .end(session),
            .endAll(ann, except: session),
            .endAll(ben, except: nil), .endUnused(ann, keeping: 50, besides: session),
        ]
        full.signIns = [Store.SignInRecord(account: ann, at: evening)]
        full.events = try events()
        full.messages = try messages()
        var later = ChangeSet(operation: OperationID(bits: 1), at: evening)
        later.keyRule = .address
        later.records = [
            .revokeAll(
                ann,
                OneTimeRecord.Purpose.allCases.filter { ![.mergePlan, .authorization, .nonce].contains($0) }
            )
        ]
        var merging = ChangeSet(operation: OperationID(bits: 2), at: evening)
        merging.records = [.revokeAll(ann, [.mergePlan])]
        var visiting = ChangeSet(operation: OperationID(bits: 3), at: evening)
        visiting.records = [.revokeAll(ann, [.authorization, .nonce])]
        return [full, ChangeSet(operation: OperationID(bits: 0), at: evening), later, merging, visiting]
    }
}

extension RecordSamples {
    /// What merging added.
    private static func merging() throws -> [OneTimeRecord.Content] {
        let challenge = Store.FactorChallenge(
            purpose: .merge,
            proof: .mailbox(try email("ann@example.com"), key),
            verifiedAt: noon,
            completes: nil
        )
        let intent = MergeIntent(
            source: ann,
            target: ben,
            sourceSessionGeneration: 3,
            targetSessionGeneration: 4,
            phase: .undone,
            prepared: []
        )
        return [.factorChallenge(challenge), .mergeIntent(intent), .mergePlan(try plan())]
    }

    private static func plan() throws -> Merge.Plan {
        let source = try fullAccount()
        let ways = source.methods.map { Merge.Plan.Method($0, of: source) }
        let factors = source.factors.map { Merge.Plan.Factor($0) }
        let identity = Identity.Key(issuer: "https://accounts.google.com", subject: "104")
        var plan = Merge.Plan(source: ann, target: ben, identity: identity, choices: [.google])
        plan.sourceName = "ann@example.com"
        plan.targetName = "+15550100001"
        plan.moves = ways
        plan.stays = Merge.Plan.Collision.allCases.map { Merge.Plan.Staying(thing: ways[0], why: $0) }
        plan.replaced = ways
        plan.movedAddress = "ann@example.com"
        plan.releasedAddress = "old@example.com"
        plan.factors = factors
        plan.stayingFactors = factors.map { Merge.Plan.Staying(thing: $0, why: .factorLimit) }
        plan.lostRecoveryCodes = 1
        plan.profile = Merge.Plan.ProfileField.allCases
        plan.stayingClaims = ["role"]
        plan.opens = ways
        return plan
    }
}

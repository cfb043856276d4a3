@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// AT-27, AT-33 and S36: what is stored opens nothing, and what was made for one thing does nothing else.
final class StoredThingsAttackTests: LimitedTestCase {
    private var world = World(.standard)

    private let mail = "ann@example.com"

    /// A way to present a text, or the ID that it is.
    private struct Redeemer {
        let name: String
        /// The kinds of record that it is for.
        var opens: Set<OneTimeRecord.Purpose> = []
        /// The key under which it looks for a record; nil for one that looks for none.
        var key: (String) -> OneTimeRecordID? = { OneTimeRecordID($0) }
        let redeem: (Stage, String) async throws -> Void
    }

    /// Ann, signed in on her phone, and Eve on another device, who has what she presents and nothing else.
    private struct Stage {
        let world: World
        let ann: User
        let client: AuthClient

        /// What an ID would be if the service had handed it out.
        func conflict(_ text: String) throws -> Conflict {
            Conflict(
                provider: .gitHub,
                email: ann.email,
                displayName: "eve",
                existingProviders: [],
                pending: try pending(text),
                expiresAt: world.clock.now.addingTimeInterval(60)
            )
        }

        func pending(_ text: String) throws -> Conflict.PendingCredential {
            Conflict.PendingCredential(provider: .gitHub, id: try id(text))
        }

        func challenge(_ text: String) throws -> SecondFactor.Challenge {
            SecondFactor.Challenge(id: try id(text), hints: [], expiresAt: world.clock.now.addingTimeInterval(60))
        }

        func id(_ text: String) throws -> OneTimeRecordID {
            guard let id = OneTimeRecordID(text) else { throw NoID() }
            return id
        }
    }

    private struct NoID: Error {}

    private static let mailed: @Sendable (String) -> OneTimeRecordID? = { .mailCode($0) }
    private static let handedOut: @Sendable (String) -> OneTimeRecordID? = { OneTimeRecordID($0)?.keyOfHandedOut }
    private static let conflicting: Set<OneTimeRecord.Purpose> = [
        .pendingIdentity, .phoneOwnership, .mailboxOwnership,
    ]

    private var redeemers: [Redeemer] {
        let mail = mail
        return [
            Redeemer(
                name: "apply a code",
                opens: [.verifyEmail, .changeEmail, .recoverEmail],
                key: Self.mailed
            ) { stage, text in try await stage.client.applyActionCode(text) },
            Redeemer(
                name: "look at a code",
                opens: [.verifyEmail, .changeEmail, .recoverEmail, .resetPassword, .signInLink, .changeReport],
                key: Self.mailed
            ) { stage, text in _ = try await stage.client.checkActionCode(text) },
            Redeemer(name: "reset a password", opens: [.resetPassword], key: Self.mailed) { stage, text in
                try await stage.client.confirmPasswordReset(code: text, newPassword: "eves own word")
            },
            Redeemer(name: "report a change", opens: [.changeReport], key: Self.mailed) { stage, text in
                try await stage.client.reportUnauthorizedChange(code: text)
            },
            Redeemer(name: "sign in by a mailed link", opens: [.signInLink], key: Self.mailed) { stage, text in
                try await stage.client.signIn(with: .emailLink(email: mail, link: text))
            },
            Redeemer(name: "link a mailed link", opens: [.signInLink], key: Self.mailed) { stage, text in
                try await stage.ann.link(with: .emailLink(email: mail, link: text))
            },
            Redeemer(name: "recover from lost factors", opens: [.signInLink], key: Self.mailed) { stage, text in
                try await stage.client.recoverFromLostFactors(
                    with: AuthCredential.emailLink(email: mail, link: text).mailed
                )
            },
            Redeemer(name: "sign in by digits", opens: [.phoneCode]) { stage, text in
                try await stage.client.signIn(with: .phone(verificationID: text, code: "123456"))
            },
            Redeemer(name: "enroll a number", opens: [.phoneCode]) { stage, text in
                try await stage.ann.multiFactor.enroll(phoneVerificationID: text, code: "123456", displayName: nil)
            },
            Redeemer(name: "enroll an app", opens: [.totpSeed]) { stage, text in
                let seed = MultiFactor.TOTPEnrollment(
                    id: try stage.id(text),
                    seed: [1],
                    issuer: "Boats",
                    accountName: "ann"
                )
                try await stage.ann.multiFactor.enroll(seed, code: "123456")
            },
            Redeemer(name: "sign in by what is pending", opens: Self.conflicting, key: Self.handedOut) { stage, text in
                try await stage.client.signIn(with: .pending(try stage.pending(text)))
            },
            Redeemer(name: "link what is pending", opens: Self.conflicting, key: Self.handedOut) { stage, text in
                try await stage.ann.link(with: .pending(try stage.pending(text)))
            },
            Redeemer(name: "resolve a conflict", opens: Self.conflicting, key: Self.handedOut) { stage, text in
                try await stage.client.resolve(try stage.conflict(text), signingInWith: World.annsPassword)
            },
            Redeemer(name: "start a separate account", opens: Self.conflicting, key: Self.handedOut) { stage, text in
                try await stage.client.createSeparateAccount(from: try stage.conflict(text))
            },
            Redeemer(name: "answer a challenge", opens: [.factorChallenge], key: Self.handedOut) { stage, text in
                try await stage.client.resolve(try stage.challenge(text), with: .totp("123456"))
            },
            Redeemer(name: "ask for digits", opens: [.factorChallenge], key: Self.handedOut) { stage, text in
                _ = try await stage.client.sendPhoneCode(
                    for: try stage.challenge(text),
                    factor: SecondFactor.ID(bits: 1)
                )
            },
            Redeemer(name: "undo a merge", opens: [.undo, .mergePlan, .mergeIntent]) { stage, text in
                guard let id = Merge.ID(text) else { throw NoID() }
                let side = try await stage.client.verify(World.annsPassword)
                try await stage.client.undoMerge(id, verifiedBy: .verified(side))
            },
            Redeemer(name: "link by a nonce", opens: [.nonce], key: { Nonce.key("authcore." + $0) }) { stage, text in
                var token = SimulatedToken()
                token.nonce = "authcore." + text
                try await stage.ann.link(with: stage.world.google(.eve, token))
            },
            Redeemer(name: "present an ID token", key: { _ in nil }) { stage, text in
                _ = try await stage.client.user(forIDToken: text)
            },
            Redeemer(name: "present a refresh token", key: { _ in nil }) { stage, text in
                _ = try await stage.client.refresh(text)
            },
            Redeemer(name: "sign in by a password", key: { _ in nil }) { stage, text in
                try await stage.client.signIn(with: .password(email: mail, password: text))
            },
        ]
    }

    /// Ann with a password, a verified address and a number, who has just logged in.
    private func stage() async throws -> Stage {
        world.startOver(.weakened { $0.limits = nil })
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        return Stage(world: world, ann: ann, client: world.service.client("eve's"))
    }

    // MARK: AT-33

    private func content(_ purpose: OneTimeRecord.Purpose, _ ann: Account) throws -> OneTimeRecord.Content {
        let email = try XCTUnwrap(EmailAddress(mail))
        let other = try XCTUnwrap(EmailAddress("eve@example.com"))
        let number = try XCTUnwrap(PhoneNumber(world.number))
        switch purpose {
        case .verifyEmail: return .verifyEmail(email)
        case .changeEmail: return .changeEmail(from: email, to: other)
        case .resetPassword: return .resetPassword(email)
        case .recoverEmail:
            let recovery = Store.EmailRecovery(
                restores: email,
                replaced: other,
                generation: 0,
                suspendsLaterMethods: true
            )
            return .recoverEmail(recovery)
        case .signInLink: return .signInLink(email)
        case .phoneCode: return .phoneCode(Store.PhoneCode(number: number, hash: [], use: .method))
        case .phoneOwnership: return .phoneOwnership(number)
        case .mailboxOwnership: return .mailboxOwnership(email)
        case .pendingIdentity:
            let assertion = ProviderAssertion(provider: .gitHub, subject: "eve")
            return .pendingIdentity(Store.PendingIdentity(assertion: assertion, target: ann.id))
        case .factorChallenge:
            let proof = Store.StoredProof.password(ann.id, email, generation: 0, rehashed: nil)
            let at = ann.createdAt
            return .factorChallenge(
                Store.FactorChallenge(purpose: .signIn, proof: proof, verifiedAt: at, completes: nil)
            )
        case .totpSeed: return .totpSeed([1])
        case .usedAssertion: return .usedAssertion
        case .authorization:
            let visit = Store.Authorization(intent: .signIn, provider: .google, redirectURI: "", sealed: [1])
            return .authorization(visit)
        case .mergeIntent:
            let intent = MergeIntent(
                source: "gone",
                target: ann.id,
                sourceSessionGeneration: 0,
                targetSessionGeneration: ann.sessionGeneration,
                phase: .prepared,
                prepared: []
            )
            return .mergeIntent(intent)
        case .mergePlan: return .mergePlan(Merge.Plan(source: "gone", target: ann.id, identity: nil, choices: []))
        case .tombstone: return .tombstone(successor: ann.id)
        case .undo: return .undo(Store.UndoRecord(source: ann, target: ann.id, moved: [], movedFactors: []))
        case .changeReport: return .changeReport(Store.ReversibleChange(methods: [0], email: email))
        case .lostFactors: return .lostFactors
        case .provisionalSignUp: return .provisionalSignUp
        case .nonce: return .nonce(.signIn)
        }
    }

    func testAT33_EveryKindOfRecordIsForItsOwnUseOnly() async throws {
        var crossed = 0
        for purpose in OneTimeRecord.Purpose.allCases {
            let stage = try await stage()
            let before = try await world.account(stage.ann)
            for (number, redeemer) in redeemers.enumerated() where !redeemer.opens.contains(purpose) {
                let text = OneTimeRecordID(bits: UInt128(1000 + number)).text
                guard let key = redeemer.key(text) else { continue }
                let record = OneTimeRecord(
                    key: key,
                    account: before.id,
                    createdAt: world.clock.timestamp,
                    expiresAt: world.clock.timestamp + .minutes(10),
                    sessionGeneration: before.sessionGeneration,
                    content: try content(purpose, before)
                )
                var change = ChangeSet(operation: OperationID(bits: UInt128(number)), at: world.clock.timestamp)
                change.records = [.put(record)]
                _ = try await world.store.commit(change)
                await assertThrowsAnything("\(purpose), \(redeemer.name)") { try await redeemer.redeem(stage, text) }
                let kept = try await world.store.load([.record(key)]).record(key)
                XCTAssertEqual(kept, record, "\(purpose) is used up, \(redeemer.name)")
                let after = try await world.account(stage.ann)
                XCTAssertEqual(after, before, "\(purpose) changes the account, \(redeemer.name)")
                crossed += 1
            }
        }
        XCTAssertGreaterThan(crossed, 250)
    }

    // MARK: AT-27 and S36

    /// Everything that everyday flows store is read by Eve, who presents each key, ID and hash to whatever takes a
    /// text.
    func testAT27_NothingThatIsStoredOpensAnything() async throws {
        let store = WitnessStore()
        world = World(.weakened { $0.limits = nil }) { $0.store = store }
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        _ = try await ann.issueTokens()
        try await ann.link(with: world.digits(to: world.number, from: phone))
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        try await phone.sendPasswordReset(to: mail)
        try await phone.sendSignInLink(to: mail)
        _ = try await phone.sendPhoneCode(to: world.number)
        _ = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let tablet = world.device("tablet")
        _ = try await world.conflict { try await tablet.signIn(with: self.world.facebook()) }
        try await world.enrollTOTP(ann)
        _ = try await world.passwordChallenge(in: tablet)
        let before = try await world.account(ann)
        let texts = Set(store.changes.flatMap(\.presentable))
        XCTAssertGreaterThan(texts.count, 30)
        for device in ["eve's", "tablet", "phone"] as [DeviceID] {
            let stage = Stage(world: world, ann: ann, client: world.service.client(device))
            for redeemer in redeemers {
                for text in texts {
                    // What Ann presents in her own session is hers.
                    if redeemer.name.hasPrefix("link") || redeemer.name.hasPrefix("enroll") { continue }
                    await assertThrowsAnything("\(text) on \(device), \(redeemer.name)") {
                        try await redeemer.redeem(stage, text)
                    }
                }
            }
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after, before)
    }

    /// A mailed link that meets a conflict becomes a record of its own.
    func testS36_AMailboxThatMeetsAConflictIsPendingOnItsDeviceOnly() async throws {
        let eve = try await world.squat()
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device("ann's")
        let link = try await world.mailedLink(to: mail, from: auth)
        let conflict = try await world.conflict { try await auth.signIn(with: link) }
        let thief = world.device("thief")
        try await world.refusal(.deviceMismatch) { try await thief.signIn(with: .pending(conflict.pending)) }
        try await world.refusal(.deviceMismatch) { try await thief.createSeparateAccount(from: conflict) }
        // The link was replaced, so it opens nothing either.
        try await world.refusal(.invalidActionCode) { try await auth.signIn(with: link) }
        let ann = try await auth.createSeparateAccount(from: conflict).user
        XCTAssertEqual(ann.email, mail)
        XCTAssertNotEqual(ann.uid, eve.uid)
    }

    /// AT-4: whoever learns of a conflict on another device neither resolves it nor ends it by wrong answers.
    func testAT4_AConflictIsNotBurnedFromAnotherDevice() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let thief = world.device("thief")
        for _ in 0..<20 {
            try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
                try await thief.resolve(conflict, signingInWith: .password(email: self.mail, password: "a guess"))
            }
            try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
                try await thief.createSeparateAccount(from: conflict)
            }
        }
        try await auth.resolve(conflict, signingInWith: World.annsPassword)
    }

    private func assertThrowsAnything(
        _ message: String,
        line: UInt = #line,
        _ act: () async throws -> Void
    ) async {
        do {
            try await act()
            XCTFail("\(message) goes through", line: line)
        } catch {}
    }
}

extension ChangeSet {
    /// The keys, IDs and hashes that the change stores, as texts that somebody could present.
    fileprivate var presentable: [String] {
        var texts: [String] = []
        for change in records {
            guard case .put(let record) = change else { continue }
            texts.append(record.key.text)
            if case .phoneCode(let code) = record.content { texts += code.hash.texts }
            if case .totpSeed(let seed) = record.content { texts += seed.texts }
        }
        for change in sessions {
            switch change {
            case .put(let session), .update(let session, _):
                texts.append(session.id.text)
                texts += session.refreshHash?.texts ?? []
            default: break
            }
        }
        for message in messages { texts += [message.id.text, message.record.text] }
        for write in accounts {
            guard case .update(let account, _) = write else { continue }
            texts += account.methods.compactMap { method in
                guard case .password(let hash) = method.kind else { return nil }
                return hash.tagged
            }
        }
        return texts
    }
}

extension [UInt8] {
    fileprivate var texts: [String] { [Base64URL.encode(self), String(decoding: self, as: UTF8.self)] }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a sign-in writes besides the account, and the reasons that stand in the decision.
final class SignInChangeTests: WrittenChangeTestCase {
    func testASignInWithAPasswordAppendsItsReasonAndWritesNoAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let decision = try await signIn(World.annsPassword)
        XCTAssertEqual(decision.reasons, [.passwordMatches])
        XCTAssertEqual(decision.changes.accounts, [])
        XCTAssertEqual(decision.changes.reads.map(\.id), [ann.account.id])
        XCTAssertEqual(decision.changes.signIns.map(\.account), [ann.account.id])
        XCTAssertEqual(decision.changes.events.map(\.kind), [.signedIn])
    }

    func testASignInThatChangesNothingOfTheAccountDoesNotWriteIt() async throws {
        let unsure = SimulatedToken(address: .unverified)
        for (credential, verifies) in [(world.google(), "the address"), (world.google(.ann, unsure), "nothing")] {
            world.startOver(.standard)
            try await world.device().signIn(with: credential)
            let again = try await signIn(credential)
            XCTAssertEqual(again.changes.accounts, [], "of a sign-in that verifies \(verifies)")
            XCTAssertEqual(again.changes.reads.count, 1, "the sign-in depends on the account: it verifies \(verifies)")
        }
    }

    /// A change of the account, which is a condition of its own, needs no second one.
    func testASignInToAnAccountThatMayExpireChangesItAndOnlyThat() async throws {
        let auth = world.device()
        try await world.signUpAnn(auth)
        let decision = try await signIn(World.annsPassword)
        XCTAssertEqual(decision.changes.accounts.count, 1, "the accounts that are written")
        XCTAssertEqual(decision.changes.reads, [], "the accounts that are only read")
    }

    /// What a method is not covered by cannot be joined by, and is added to it by the next login that shows it.
    func testASignInByAKnownIdentityCoversItsMethod() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        var account = try await world.account(ann)
        XCTAssertEqual(account.methods.map(\.coverage.count), [1])
        account.methods[0].coverage = []
        account.version += 1
        var changes = ChangeSet(operation: OperationID(bits: 99), at: world.clock.timestamp)
        changes.accounts = [.update(account, expected: account.version - 1)]
        _ = try await world.service.store.commit(changes)
        try await world.device().signIn(with: world.google(.ann, world.work))
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.coverage.count), [1], "verified once more")
    }

    func testASignInTakesTheDeletionBackAndSaysWhy() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        let decision = try await signIn(World.annsPassword)
        XCTAssertEqual(decision.reasons, [.passwordMatches, .signInKeepsAccount])
        XCTAssertEqual(decision.changes.events.map(\.kind), [.deletionCanceled, .signedIn])
        XCTAssertNil(try updated(decision.changes).deletedUntil)
    }

    func testATokenForOneUseIsKeptAsUsedForAsLongAsItPasses() async throws {
        let credential = world.google(.ann, SimulatedToken(nonce: "a nonce of this app"))
        let verified = try await world.device().verify(credential)
        let use = try XCTUnwrap(verified.federated?.assertion.singleUse)
        let decision = try await signIn(credential)
        let kept = decision.changes.records.compactMap { change in
            if case .put(let record) = change { record } else { nil }
        }
        XCTAssertEqual(kept.map(\.content), [.usedAssertion])
        XCTAssertEqual(kept.first?.expiresAt, Timestamp(use.expiresAt), "a record without an end is never removed")
    }

    func testASessionThatVerifiesAnAddressAgainHasItOnce() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: address, from: auth)).user
        let subject = Evidence.Subject.email(try XCTUnwrap(EmailAddress(address)))
        let first = world.clock.timestamp
        XCTAssertEqual(ann.session.verified, [Evidence.Verification(subject, at: first)])
        world.clock.advance(by: .seconds(60))
        try await ann.reauthenticate(with: world.mailedLink(to: address, from: auth))
        XCTAssertEqual(ann.session.verified, [Evidence.Verification(subject, at: first + .seconds(60))])
        XCTAssertEqual(ann.session.used, [], "the method that the session rests on is not also one of the others")
    }

    func testAMailedLinkThatSuspendsWhatItDoesNotCoverSaysSo() async throws {
        var mixed = AuthPolicy.standard
        mixed.unverifiedEmailChange = .allowed
        world.startOver(mixed)
        let auth = world.device()
        let ann = try await auth.signIn(with: try await world.mailedLink(to: address, from: auth)).user
        try await ann.link(with: world.gitHub())
        try await ann.updateEmail(to: "new@example.com")
        // Where GitHub is disabled, mailed links are the only method.
        world.policy.disabledProviders = [.gitHub]
        world.restart()
        let decision = try await signIn(try await world.mailedLink(to: "new@example.com", from: auth))
        XCTAssertEqual(decision.reasons, [.mailboxIsVerified, .recoverySuspends])
        let account = try updated(decision.changes)
        XCTAssertEqual(account.methods.map(\.suspension?.reason), [nil, .recoverySuspends], "links, and GitHub")
        let codes: [OneTimeRecord.Purpose] = [
            .verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed,
        ]
        XCTAssertTrue(decision.changes.records.contains(.revokeAll(account.id, codes)), "what was begun without it")
    }

    func testUnverifiedMethodsAreRemovedWithAllThatWasRequested() async throws {
        for policy in [AuthPolicy.firebase, .standard] {
            world.startOver(policy)
            let squatter = try await world.signUpAnn(world.device("laptop"))
            try await squatter.updateProfile(
                displayName: .set("a squatter"),
                photoURL: .set("https://squatter.example")
            )
            let decision = try await signIn(world.google(.ann, world.work))
            XCTAssertTrue(decision.reasons.contains(.unverifiedMethodsAreRemoved), "\(decision.reasons)")
            let account = try updated(decision.changes)
            XCTAssertEqual(account.methods.map(\.kind.methodKind), [.federated])
            XCTAssertNil(account.firstEmail, "no code returns the account to an address of the squatter")
            XCTAssertNotEqual(account.displayName, "a squatter")
            XCTAssertNotEqual(account.photoURL, "https://squatter.example")
            XCTAssertEqual(account.sessionGeneration, squatter.account.sessionGeneration + 1)
            XCTAssertTrue(decision.changes.sessions.contains(.endAll(account.id, except: nil)))
            let revoked = decision.changes.records.flatMap { change -> [OneTimeRecord.Purpose] in
                if case .revokeAll(account.id, let purposes) = change { purposes } else { [] }
            }
            let all: Set<OneTimeRecord.Purpose> = [
                .verifyEmail, .changeEmail, .resetPassword, .recoverEmail, .factorChallenge, .totpSeed,
            ]
            XCTAssertTrue(all.isSubset(of: revoked), "\(all.subtracting(revoked)) still work")
        }
    }

    func testAnAddressFromBeforeGoesWithTheUnverifiedMethods() async throws {
        world.startOver(.firebase)
        let squatter = try await world.device("laptop").signUp(email: "evil@example.com", password: World.password).user
        try await squatter.updateEmail(to: address)
        let before = try await world.account(squatter)
        XCTAssertEqual(before.firstEmail?.text, "evil@example.com")
        let account = try updated(try await signIn(world.google(.ann, world.work)).changes)
        XCTAssertNil(account.firstEmail, "no code returns the account to an address of the squatter")
    }

    func testASeparateAccountHasItsReasonAndItsEvidence() async throws {
        let auth = world.device()
        let ann = try await world.signUp(address, linking: world.digits(to: world.number, from: auth), in: auth)
        world.clock.advance(by: .seconds(91 * 86400))
        let other = world.device("other")
        let digits = try await world.digits(to: world.number, from: other)
        let conflict = try await world.conflict { try await other.signIn(with: digits) }
        let user = try await other.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(user.uid, ann.uid)
        let created = try await world.service.events(limit: .max).events.filter { $0.kind == .accountCreated }.last
        XCTAssertEqual(created?.account, user.account.id)
        XCTAssertEqual(created?.reasons, [.separateAccountIsCreated])
        let account = try await world.account(user)
        XCTAssertEqual(account.evidence.map(\.source), [.phoneCode])
        XCTAssertEqual(account.evidence.map(\.lastAt), [world.clock.timestamp])
        let left = try await world.account(ann)
        XCTAssertNil(left.phoneNumber, "the number is at the new account only")
        await assertThrows(.invalidVerificationID, "the digits once more") { try await other.signIn(with: digits) }
        let pending = try await world.service.record(conflict.pending.key)
        XCTAssertNil(pending, "the number that met the conflict can be presented once more")
    }
}

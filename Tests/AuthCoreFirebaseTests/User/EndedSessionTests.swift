import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import XCTest

/// What a user can do whose session or account has ended elsewhere.
@MainActor
final class EndedSessionTests: LimitedTestCase {
    private let world = World()

    private let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")

    private func id(of user: AuthCoreFirebase.User) throws -> AccountID { try XCTUnwrap(AccountID(user.uid)) }

    func testWhoseAccountIsGoneIsAnotherUserForAReauthentication() async throws {
        let user = try await world.verifiedUser()
        try await world.service.deleteAccount(id(of: user))
        let error = await failure { try await user.reauthenticate(with: self.password) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userMismatch.rawValue)
    }

    func testAReauthenticationInASessionThatEndedSignsOut() async throws {
        let user = try await world.verifiedUser()
        try await world.service.revokeSessions(of: id(of: user))
        let error = await failure { try await user.reauthenticate(with: self.password) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(world.auth.currentUser, "the user of a session that ended")
    }

    func testAReauthenticationAfterAMergeOfTheAccountSignsOut() async throws {
        let user = try await world.auth.signIn(with: world.google()).user
        let client = world.service.client(for: DeviceID(named: "tablet"), origin: .local)
        try await client.signUp(email: "ben@example.com", password: "correct horse")
        let source = try await client.verify(.simulated(.google, .ann, at: world.clock.now))
        let target = try await client.verify(.password(email: "ben@example.com", password: "correct horse"))
        try await client.merge(.verified(source), into: .verified(target))
        let error = await failure { try await user.reauthenticate(with: self.world.google()) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(world.auth.currentUser, "the user whose account went into another one")
    }

    /// As in the original, where a refused re-authentication signs no one out.
    func testAReauthenticationToADisabledAccountLeavesTheUser() async throws {
        let user = try await world.verifiedUser()
        try await world.service.setDisabled(true, account: id(of: user))
        let error = await failure { try await user.reauthenticate(with: self.password) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userDisabled.rawValue)
        XCTAssertTrue(world.auth.currentUser === user, "who is signed in after the refusal")
    }

    func testACodeThatEndsTheSessionOfTheCurrentUserSignsOut() async throws {
        let world = World(.standard)
        let user = try await world.verifiedUser()
        try await user.sendEmailVerification(beforeUpdatingEmail: "new@example.com")
        try await world.auth.applyActionCode(XCTUnwrap(world.outbox.last(to: "new@example.com", .changeEmail)?.code))
        XCTAssertTrue(world.auth.currentUser === user, "a change that both mailboxes know of signs no one out")
        try await world.auth.applyActionCode(XCTUnwrap(world.outbox.last(to: "ann@example.com", .recoverEmail)?.code))
        XCTAssertNil(world.auth.currentUser, "the change was taken back, which ends every session")
    }

    func testACodeThatEndsTheSessionSignsOutThoughItsCallerIsCanceled() async throws {
        let (store, gate) = (FaultyStore(), Gate())
        let world = World(.standard, store: store)
        let (user, auth) = (try await world.verifiedUser(), world.auth)
        try await user.sendEmailVerification(beforeUpdatingEmail: "new@example.com")
        try await auth.applyActionCode(XCTUnwrap(world.outbox.last(to: "new@example.com", .changeEmail)?.code))
        let code = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        store.script(.commit, .waitsAfterwards(gate))
        let applying = Task { try await auth.applyActionCode(code) }
        await gate.waitForArrivals()
        applying.cancel()
        gate.open()
        _ = await applying.result
        XCTAssertNil(auth.currentUser, "the change was taken back, which ends every session")
    }

    func testACodeSignsNoOneOutWhereTheStoreFailsAfterIt() async throws {
        let store = FaultyStore()
        let world = World(store: store)
        let user = try await world.verifiedUser()
        let tablet = world.device("tablet")
        let ben = try await tablet.createUser(withEmail: "ben@example.com", password: "correct horse").user
        try await ben.sendEmailVerification()
        // Another person's code changes nothing in the account of the current user, which is read again to find out.
        let before = store.calls(of: .load)
        store.script(.load, [.succeeds, .succeeds], then: .failsBefore())
        try await world.auth.applyActionCode(world.newestCode)
        XCTAssertGreaterThan(store.calls(of: .load) - before, 2, "the test needs a read that fails")
        XCTAssertTrue(world.auth.currentUser === user, "who is signed in after the store failed")
        store.script(.load)
        try await ben.reload()
        XCTAssertTrue(ben.isEmailVerified, "the test needs a code that was applied")
    }

    func testWhoUnlinksTheOnlyMethodOfTheirSessionIsSignedOut() async throws {
        let world = World(.standard)
        let user = try await world.auth.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await user.link(with: world.facebook(.eve))
        try world.auth.signOut()
        let again = try await world.auth.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        var heard: [String?] = []
        let handle = world.auth.addStateDidChangeListener { heard.append($1?.uid) }
        await DispatchQueue.main.settle()
        _ = try await again.unlink(fromProvider: "google.com")
        XCTAssertNil(world.auth.currentUser, "the user of a session that rests on nothing any more")
        await DispatchQueue.main.settle()
        world.auth.removeStateDidChangeListener(handle)
        XCTAssertEqual(heard, [user.uid, nil], "the users that a listener finds")
    }

    @available(*, deprecated)
    func testWhateverIsDoneInASessionThatEndedSignsOut() async throws {
        let user = try await world.personWithFactor()
        let (auth, factors) = (world.auth, user.multiFactor)
        let (factor, session) = (try XCTUnwrap(factors.enrolledFactors.first), try await factors.session())
        let provider = PhoneAuthProvider.provider(auth: auth)
        let phone = try await world.phone("+15555550112", in: auth)
        let sent = try await provider.verifyPhoneNumber("+15555550113", multiFactorSession: session)
        let number = PhoneMultiFactorGenerator.assertion(
            with: provider.credential(withVerificationID: sent, verificationCode: world.newestCode)
        )
        let secret = try await TOTPMultiFactorGenerator.generateSecret(with: session)
        let app = TOTPMultiFactorGenerator.assertionForEnrollment(
            with: secret,
            oneTimePassword: try world.code(of: secret)
        )
        let request = user.createProfileChangeRequest()
        request.displayName = "Ann"
        let uses: [(String, () async throws -> Void)] = [
            ("a reload", { try await user.reload() }),
            ("a token", { _ = try await user.getIDToken(forcingRefresh: true) }),
            ("a new address", { try await user.updateEmail(to: "new@example.com") }),
            ("a new password", { try await user.updatePassword(to: "battery staple") }),
            ("a new number", { try await user.updatePhoneNumber(phone) }),
            ("a new name", { try await request.commitChanges() }),
            ("a mail", { try await user.sendEmailVerification() }),
            ("a mail to a new address", { try await user.sendEmailVerification(beforeUpdatingEmail: "n@example.com") }),
            ("a link", { try await user.link(with: self.world.gitHub()) }),
            ("an unlink", { _ = try await user.unlink(fromProvider: "password") }),
            (
                "a code for a factor",
                { _ = try await provider.verifyPhoneNumber("+15555550113", multiFactorSession: session) }
            ), ("a secret", { _ = try await TOTPMultiFactorGenerator.generateSecret(with: session) }),
            ("a number as factor", { try await factors.enroll(with: number, displayName: nil) }),
            ("an app as factor", { try await factors.enroll(with: app, displayName: nil) }),
            ("the removal of a factor", { try await factors.unenroll(with: factor) }),
            ("a deletion", { try await user.delete() }),
        ]
        try await world.service.revokeSessions(of: id(of: user))
        for (what, use) in uses {
            try await auth.updateCurrentUser(user)
            let error = await failure(use)
            let wanted = AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue
            XCTAssertEqual(error?.code, wanted, "the error of \(what)")
            XCTAssertNil(auth.currentUser, "who is signed in after \(what)")
        }
    }

    func testAProfileThatStaysAsItIsIsNotWritten() async throws {
        let user = try await world.verifiedUser()
        try await world.service.revokeSessions(of: id(of: user))
        // Whatever is asked of the service is refused now.
        try await user.createProfileChangeRequest().commitChanges()
        XCTAssertNotNil(world.auth.currentUser, "no request told that the session has ended")
    }
}

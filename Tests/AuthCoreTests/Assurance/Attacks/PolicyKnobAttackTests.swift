@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A choice of the policy asked in the place of another, at values of two choices that are rarely set together.
final class PolicyKnobAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    private func isThere(_ user: User) async throws -> Bool { try await world.storedAccount(user) != nil }

    /// A former owner whose address is reserved can still take the account back, so until then it is not taken over.
    func testAnAccountWhoseFormerAddressIsReservedIsNotTakenOver() async throws {
        for joining in [AuthPolicy.Joining.whenCovered, .whenVerified] {
            for byMail in [false, true] {
                world.startOver(.standard)
                world.policy.unverifiedOwner = .takenOver
                world.policy.unverifiedEmailChange = .allowed
                world.policy.joining = joining
                let ann = try await world.signUpVerifiedAnn()
                world.clock.advance(by: .seconds(8 * day))
                let thief = world.device("thief")
                let user = try await thief.signIn(with: World.annsPassword).user
                try await user.link(with: world.gitHub(.eve))
                try await user.unlink(.password)
                try await user.updateEmail(to: "eve@gmail.com")
                let eve = world.device("eve")
                let what = "joining \(joining), by mail: \(byMail)"
                let credential =
                    byMail ? try await world.mailedLink(to: "eve@gmail.com", from: eve) : world.eveAtGoogle
                let error = await authError { try await eve.signIn(with: credential) }
                XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential, what)
                try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
                let after = try await world.account(ann)
                XCTAssertEqual(after.email?.text, "ann@example.com", "the owner's address; \(what)")
            }
        }
    }

    /// The next holder of a mailbox that a provider took from Ann's identity.
    func testALinkToAnAddressThatIsNotVerifiedIsNoSideOfAMergeWhereVerifiedLinksSignIn() async throws {
        world.policy.joining = .whenVerified
        let gmail = SimulatedToken(email: .text("ann@gmail.com"))
        let phone = world.device()
        let ann = try await phone.signIn(with: world.google(.ann, gmail)).user
        try await ann.link(with: world.mailedLink(to: "ann@gmail.com", from: phone))
        try await world.device("tablet").signIn(
            with: world.google(.ann, SimulatedToken(email: .text("ann.new@gmail.com")))
        )
        world.clock.advance(by: .seconds(8 * day))
        let next = world.device("next")
        try await next.signInAnonymously()
        let side = Merge.Side.verified(
            try await next.verify(world.mailedLink(to: "ann@gmail.com", from: next))
        )
        try await world.refusal(.invalidCredential, .credentialSignsInToNothing) {
            try await next.mergeCurrentUser(into: side)
        }
    }

    /// A code keeps the rule under which it was mailed.
    func testACodeWhoseRightEndedStaysVoidUnderARuleThatAsksForLess() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for address in ["eve@evil.example", "eve2@evil.example"] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await world.device("eve").applyActionCode(world.code(.changeEmail, to: address))
            try await ann.reload()
        }
        let eves = try world.code(.recoverEmail, to: "eve@evil.example")
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        world.policy.emailRecovery = .firstAddress
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("eve").applyActionCode(eves)
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// A merge that another process finishes ends all sessions, and opens none.
    func testAnUnverifiedAccountIsKeptForItsLifetimeAfterAMergeThatWasResumed() async throws {
        world.addHooks("orders")
        let ben = try await world.device("ben").signUp(email: "ben@example.com", password: World.password).user
        for _ in 0..<60 {
            world.clock.advance(by: .seconds(day))
            try await ben.reload()
            try await world.service.sweep()
        }
        let guest = world.device("guest")
        try await guest.signInAnonymously()
        world.journal.fail("prepare orders", CancellationError())
        let side = Merge.Side.verified(
            try await guest.verify(.password(email: "ben@example.com", password: World.password))
        )
        await assertThrows(.outcomeUnknown) { try await guest.mergeCurrentUser(into: side) }
        world.clock.advance(by: .seconds(120))
        _ = try await world.service.resumeMerges()
        world.clock.advance(by: .seconds(day))
        try await world.service.sweep()
        let isKept = try await isThere(ben)
        XCTAssertTrue(isKept, "the account that was used two days ago")
    }

    /// What kept it until now was not its use: its lifetime begins when that ends.
    func testAnUnverifiedAccountIsKeptForItsLifetimeOnceAnAdministratorLetsItGo() async throws {
        for byClaims in [true, false] {
            world.startOver(.standard)
            world.policy.revokesSessionsOn.remove(.accountEnabled)
            let ann = try await world.signUpAnn()
            let id = ann.account.id
            if byClaims {
                try await world.service.setCustomClaims(["role": "editor"], account: id)
                try await ann.signOut()
            } else {
                try await world.service.setDisabled(true, account: id)
            }
            world.clock.advance(by: .seconds(70 * day))
            try await world.service.sweep()
            if byClaims {
                try await world.service.setCustomClaims([:], account: id)
            } else {
                try await world.service.setDisabled(false, account: id)
            }
            world.clock.advance(by: .seconds(29 * day))
            try await world.service.sweep()
            let isKept = try await isThere(ann)
            XCTAssertTrue(isKept, "the account after 29 days; by claims: \(byClaims)")
            world.clock.advance(by: .seconds(day))
            try await world.service.sweep()
            let isLeft = try await isThere(ann)
            XCTAssertFalse(isLeft, "the account after 30 days; by claims: \(byClaims)")
        }
    }

    /// The sessions that end with the enabling say nothing of its use.
    func testAnUnverifiedAccountThatIsEnabledAgainIsKeptForItsLifetime() async throws {
        let ann = try await world.signUpAnn()
        for _ in 0..<40 {
            world.clock.advance(by: .seconds(day))
            try await ann.reload()
            try await world.service.sweep()
        }
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.service.setDisabled(false, account: ann.account.id)
        world.clock.advance(by: .seconds(29 * day))
        try await world.service.sweep()
        let isKept = try await isThere(ann)
        XCTAssertTrue(isKept, "the account 29 days after it was enabled")
    }

    /// Each message has one try, however short its time is.
    func testMessagesWithoutAnyTimeAreSentOnce() async throws {
        world.policy.delivery.age = .zero
        world.policy.lifetimes.notice = .zero
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.device("mail").sendPasswordReset(to: "ann@example.com")
        try await ann.link(with: world.gitHub())
        for _ in 0..<2 {
            for kind in [Message.Kind.resetPassword, .methodAdded] {
                XCTAssertEqual(world.outbox.messages.count { $0.kind == kind }, 1, "how often \(kind) was sent")
            }
            world.clock.advance(by: .seconds(3600))
            try await world.service.deliverPendingMessages()
        }
    }

    /// A deletion that no sign-in cancels is permanent, however it is called.
    func testS23_ADeletionWithoutAGraceNeedsAMethodThatIsOldEnough() async throws {
        for grace: Duration? in [nil, .zero] {
            world.startOver(.standard)
            world.policy.deletionGrace = grace
            try await world.signUpVerifiedAnn()
            world.clock.advance(by: .seconds(30 * day))
            try await world.reset(to: "a word of the thief")
            let thief = try await world.device("thief").signIn(
                with: .password(email: "ann@example.com", password: "a word of the thief")
            ).user
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "\(String(describing: grace))") {
                try await thief.delete()
            }
        }
    }

    /// The owner meets a conflict where strangers used up what their origin may begin.
    func testS31_AKnownDeviceHasConflictsOfItsOwn() async throws {
        world.policy.limits?.visitsFromOrigin = 20
        let world = world
        let ann = try await world.signUpVerifiedAnn()
        let here = world.stranger(at: "192.0.2.9")
        let known = world.service.client(for: ann.device, origin: .address("192.0.2.9"))
        for _ in 0..<20 { _ = try await here.nonce(for: .signIn) }
        let over = await outcome { _ = try await here.nonce(for: .signIn) }
        XCTAssertEqual(over, .tooManyRequests, "a nonce more of the origin")
        let gitHub = AuthCredential.simulated(
            .gitHub,
            .ben,
            saying: SimulatedToken(email: .text("ann@example.com")),
            at: world.clock.now
        )
        let conflict = await outcome { try await known.signIn(with: gitHub) }
        XCTAssertEqual(conflict, .accountExistsWithDifferentCredential, "the conflict on the known device")
        let unknown = await outcome { try await here.signIn(with: gitHub) }
        XCTAssertEqual(unknown, .tooManyRequests, "the conflict on an unknown device")
    }

    /// As a mailed link does, whatever the policy does with methods at a reset.
    func testAResetAdoptsAnAccountThatWasNeverVerified() async throws {
        world.policy.passwordReset = .removesFederated
        try await world.squat()
        let eve = try await world.device("eve").signIn(
            with: .password(email: "ann@example.com", password: world.evesPassword)
        ).user
        try await eve.updateProfile(displayName: .set("Eve's shop"))
        try await world.reset(to: World.password)
        let after = try await world.account(eve)
        XCTAssertNil(after.displayName, "the name that the stranger set")
    }

    /// A password that only the stranger's device may use is no method of the person who asks.
    func testAMailAboutMethodsLeavesAProvisionalPasswordOut() async throws {
        world.policy.concealsSignUp = true
        try await world.squat()
        try await world.device("mail").sendSignInMethods(to: "ann@example.com")
        let message = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .signInMethods))
        XCTAssertFalse(
            message.signInMethods.contains(.password),
            "the methods that are mailed: \(message.signInMethods)"
        )
    }

    /// The limit is one for new passwords.
    func testAPasswordThatWasSetUnderAGreaterLimitGoesOnSigningIn() async throws {
        let long = String(repeating: "long words ", count: 20)
        let ann = try await world.device().signUp(email: "ann@example.com", password: long).user
        try await world.verifyAddress(of: ann)
        world.policy.passwordRule.maximumBytes = 72
        let again = try await world.device().signIn(with: .password(email: "ann@example.com", password: long)).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testANormalizedPasswordThatWasSetUnderAGreaterLimitGoesOnSigningIn() async throws {
        var world = World(.standard) { $0.normalizePassword = { $0.lowercased() } }
        let long = String(repeating: "Long Words ", count: 20)
        let ann = try await world.device().signUp(email: "ann@example.com", password: long).user
        try await world.verifyAddress(of: ann)
        world.policy.passwordRule.maximumBytes = 72
        let again = try await world.device().signIn(with: .password(email: "ann@example.com", password: long)).user
        XCTAssertEqual(again.uid, ann.uid, "whom the password signs in under a smaller limit")
    }

    func testALimitAboveTheUsualOneIsThatOfSignInsToo() async throws {
        world.policy.passwordRule.maximumBytes = 10_000
        let long = String(repeating: "long words ", count: 500)
        let ann = try await world.device().signUp(email: "ann@example.com", password: long).user
        let credential = AuthCredential.password(email: "ann@example.com", password: long)
        let again = try await world.device("tablet").signIn(with: credential).user
        XCTAssertEqual(again.uid, ann.uid, "whom a password of \(long.utf8.count) bytes signs in")
    }

    func testASessionThatIsUsedHasNoEndOnceThePolicySetsNone() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.policy.sessions = AuthPolicy.SessionLimits()
        let same = world.device()
        let user = try await same.signIn(with: World.annsPassword).user
        XCTAssertNil(user.session.expiresAt, "the end of a new session")
        world.clock.advance(by: .seconds(2 * 3600))
        let old = try await world.service.client(ann.device).user(forIDToken: ann.idToken())
        try await old.reload()
        XCTAssertNil(old.session.expiresAt, "the end of a session of the former policy")
    }
}

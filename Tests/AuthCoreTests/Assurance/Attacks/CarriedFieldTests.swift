@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What an operation does with one field of an account, as all others that change it do.
final class CarriedFieldTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0
    private let atGmail = SimulatedToken(email: .text("ann@gmail.com"))

    /// A guest with a cart signs in by number: the number is old, and was shown a moment ago.
    func testAGuestMergesIntoAnAccountThatHasAnOldNumberOnly() async throws {
        let number = "+15550001234"
        let target = try await world.device().signIn(with: world.digits(to: number)).user
        world.clock.advance(by: .seconds(91 * day))
        let auth = world.device()
        try await auth.signInAnonymously()
        let error = await authError { try await auth.currentUser?.link(with: world.digits(to: number, from: auth)) }
        let conflict = try XCTUnwrap(error?.conflict)
        _ = try await auth.mergeCurrentUser(into: conflict)
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
    }

    /// A number that was presented for the merge counts as one that was presented for a sign-in.
    func testANumberThatWasPresentedForAMergeSignsInAfterwards() async throws {
        let number = "+15550001234"
        let ben = try await world.device("ben").signIn(with: world.digits(to: number, from: world.device("ben"))).user
        try await world.device("old").signIn(with: world.gitHub())
        world.clock.advance(by: .seconds(91 * day))
        let auth = world.device("ben")
        let source = Merge.Side.verified(try await auth.verify(world.gitHub()))
        let target = Merge.Side.verified(try await auth.verify(world.digits(to: number, from: auth)))
        _ = try await auth.merge(source, into: target)
        let again = world.device("ben")
        let back = try await again.signIn(with: world.digits(to: number, from: again))
        XCTAssertEqual(back.user.uid, ben.uid, "the account of the number that was presented")
    }

    /// The provider ran the domain all the time, but that counts only since it is pinned.
    func testADomainThatIsPinnedLaterVerifiesTheAddressAtTheNextSignIn() async throws {
        let google = "https://accounts.google.com"
        world.policy.addressTrust = .authorities(.wellKnown.pinning(["other.example"], of: google))
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google(.ann, world.work))
        let before = try await world.account(ann)
        XCTAssertFalse(before.isEmailVerified(under: world.policy), "an address of a domain that is not pinned")
        world.policy.addressTrust = .authorities(.wellKnown.pinning(["example.com"], of: google))
        let back = try await world.device("tablet").signIn(with: world.google(.ann, world.work)).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertTrue(back.isEmailVerified, "the address once its domain is pinned")
    }

    /// The provider runs the mailbox, and says again that it is the person's.
    func testAKnownIdentityVerifiesItsAddressAgainAfterTheAccountLeftIt() async throws {
        for lifetime in [AuthPolicy.standard.evidenceLifetime, nil] {
            world.startOver(.standard)
            world.policy.evidenceLifetime = lifetime
            let what = "evidence of \(lifetime.map { "\($0)" } ?? "any age")"
            let auth = world.device()
            let ann = try await auth.signIn(with: world.google(.ann, atGmail)).user
            try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
            try await auth.applyActionCode(world.newestCode(to: "ann@example.com"))
            world.clock.advance(by: .seconds(30 * day))
            try await world.device("tablet").signIn(with: world.google(.ann, atGmail))
            let first = try await world.account(ann)
            let noticed = first.noticeAddresses(verifiedFrom: world.policy.minimumAssurance).map(\.text)
            XCTAssertEqual(noticed, ["ann@example.com", "ann@gmail.com"], what)
            world.clock.advance(by: .seconds(60))
            try await world.device("tablet").signIn(with: world.google(.ann, atGmail))
            let second = try await world.account(ann)
            XCTAssertEqual(first.version, second.version, "the next sign-in writes the account again; \(what)")
        }
    }

    func testAJoinThatNamesThePersonIsAChangeOfTheProfile() async throws {
        let ann = try await world.device().signUp(email: "ann@gmail.com", password: World.password).user
        try await world.verifyAddress(of: ann)
        world.clock.advance(by: .seconds(60))
        let joined = try await world.device("tablet").signIn(with: world.google(.ann, atGmail)).user
        XCTAssertEqual(joined.uid, ann.uid)
        let kinds = try await world.service.events(after: .start, limit: 100).events.suffix(3).map(\.kind)
        XCTAssertEqual(kinds, [.methodsChanged, .profileChanged, .signedIn])
    }

    /// As a sign-out does.
    func testAReusedRefreshTokenKeepsAnUnverifiedAccountForItsLifetime() async throws {
        let ann = try await world.signUpAnn()
        let first = try await ann.issueTokens()
        world.clock.advance(by: .seconds(29 * day))
        _ = try await world.service.client().refresh(first.refreshToken)
        await assertThrows(.userTokenExpired, "the token that comes back") {
            try await world.service.client().refresh(first.refreshToken)
        }
        world.clock.advance(by: .seconds(30 * day - 1))
        try await world.service.sweep()
        _ = try await world.account(ann)
        world.clock.advance(by: .seconds(1))
        try await world.service.sweep()
        await assertThrows(.userNotFound, "a month after the session ended") { try await world.account(ann) }
    }

    /// Whatever the app's server says of the login holds in the session that the merge opens.
    func testAMergeWithTheAccountOfACustomTokenKeepsItsClaimsAndItsTime() async throws {
        for hasHooks in [false, true] {
            world.startOver(.standard)
            if hasHooks { world.addHooks("orders") }
            let target = try XCTUnwrap(AccountID("ben"))
            let loginAt = world.clock.timestamp - .seconds(120)
            let token = try await world.service.makeCustomToken(
                for: target,
                claims: ["support": .bool(true)],
                authenticatedAt: loginAt.date
            )
            try await world.device().signIn(with: .customToken(token))
            try await world.signIn(.gitHub)
            let merged = try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.side(.customToken(token))
            )
            let session = merged.result.user.session
            XCTAssertEqual(session.claims["support"], .bool(true), "with hooks: \(hasHooks)")
            XCTAssertEqual(session.authenticatedAt.seconds, loginAt.seconds, "with hooks: \(hasHooks)")
        }
    }

    /// A thief with a stolen session shows nothing of the account by replacing its only method.
    func testReplacingTheOnlyMethodMakesNoDeviceKnown() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, atGmail)).user
        let before = try await world.account(ann).knownDevices
        let token = try await ann.idToken()
        let thief = try await world.service.client("thief").user(forIDToken: token)
        try await thief.replace(.google, with: world.google(.ben, SimulatedToken(email: .text("ben@gmail.com"))))
        let after = try await world.account(ann).knownDevices
        XCTAssertEqual(after, before, "the devices that the account knows")
    }

    func testAnUndoneMoveGivesAnIdentityItsAgeBack() async throws {
        let ann = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        try await world.signUp("ben@example.com")
        let age = try await world.account(ann).method(of: .gitHub)?.seniorSince
        world.clock.advance(by: .seconds(40 * day))
        let client = world.service.client(world.context)
        let moved = try await client.move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        world.clock.advance(by: .seconds(day))
        _ = try await client.undoMerge(moved.id, verifiedBy: world.passwordSide("ann@example.com"))
        let back = try await world.account(ann).method(of: .gitHub)
        XCTAssertEqual(back?.seniorSince, age, "since when the identity counts")
        XCTAssertEqual(back?.addedAt, world.clock.timestamp, "when it came back")
    }

    func testAConfirmedIdentityHasTheAddressThatItsProviderNowGives() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.google(.ann, atGmail))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        let again = try await world.device().signIn(with: World.annsPassword).user
        try await again.link(with: world.google(.ann, SimulatedToken(email: .text("ann.new@gmail.com"))))
        let after = try await world.account(ann)
        XCTAssertEqual(after.method(of: .google)?.isActive, true)
        XCTAssertEqual(after.method(of: .google)?.identity?.email?.text, "ann.new@gmail.com")
        XCTAssertEqual(
            after.noticeAddresses(verifiedFrom: world.policy.minimumAssurance).map(\.text),
            ["ann@example.com", "ann.new@gmail.com"]
        )
    }

    func testTheCodeForTheFormerAddressNamesTheOneThatAReplacementSet() async throws {
        let phone = world.device()
        let ann = try await world.signUpVerifiedAnn(phone)
        world.clock.advance(by: .seconds(60))
        try await ann.replace(.password, with: world.mailedLink(to: "ann@example.net", from: phone))
        let code = try world.code(.recoverEmail, to: "ann@example.com")
        let action = try await world.device("mail").checkActionCode(code)
        XCTAssertEqual(action.previousEmail, "ann@example.net")
    }

    /// Used or not, and however short the sessions are, the lifetime begins when the last one ends.
    func testAnUnverifiedAccountIsKeptForItsLifetimeAfterItsSessionEnded() async throws {
        for idle in [7, 30, 45] {
            world.startOver(.standard)
            world.policy.sessions.idle = .days(idle)
            let ann = try await world.signUpAnn()
            for _ in 0..<59 {
                world.clock.advance(by: .seconds(day))
                try await ann.reload()
                try await world.service.sweep()
            }
            try await assertIsKept(ann, for: idle + 30, "sessions of \(idle) days")
        }
    }

    /// Nor does a later sign-in shorten it, whose session is over before the account was to be looked at.
    func testALaterShortSessionKeepsAnUnverifiedAccountAsLong() async throws {
        for device in ["phone", "another"] {
            world.startOver(.standard)
            world.policy.sessions.idle = .days(7)
            let ann = try await world.signUpAnn()
            try await ann.signOut()
            world.clock.advance(by: .seconds(20 * day))
            let again = try await world.device(device).signIn(with: World.annsPassword).user
            world.clock.advance(by: .seconds(day))
            try await again.reload()
            try await assertIsKept(ann, for: 7 + 30, "signed in on \(device)")
        }
    }

    /// Nor does a sign-out of one session, while another goes on.
    func testASignOutBesideAnotherSessionKeepsAnUnverifiedAccountAsLong() async throws {
        let ann = try await world.signUpAnn()
        let tablet = try await world.device("tablet").signIn(with: World.annsPassword).user
        world.clock.advance(by: .seconds(28 * day))
        try await tablet.reload()
        world.clock.advance(by: .seconds(day))
        try await world.service.sweep()
        try await ann.signOut()
        try await assertIsKept(ann, for: 29 + 30, "a month after the other session ended")
    }

    /// Nor does it when the tablet's session is the shorter one.
    func testASignOutBesideAShorterSessionKeepsAnUnverifiedAccountAsLong() async throws {
        let ann = try await world.signUpAnn()
        let tablet = try await world.device("tablet").signIn(with: World.annsPassword).user
        for (days, user) in [(20, tablet), (8, ann)] {
            world.clock.advance(by: .seconds(Double(days) * day))
            try await user.reload()
        }
        for _ in 0..<3 {
            world.clock.advance(by: .seconds(day))
            try await world.service.sweep()
        }
        try await ann.signOut()
        // The tablet's session ends on day 50, and it is day 31.
        try await assertIsKept(ann, for: 19 + 30, "a month after the tablet's session ended")
    }

    /// Nor does a merge that is aborted while its session goes on.
    func testAMergeThatIsCalledOffKeepsAnUnverifiedAccountAsLong() async throws {
        world.addHooks("orders")
        let ben = try await world.device("ben").signUp(email: "ben@example.com", password: World.password).user
        world.clock.advance(by: .seconds(4 * day))
        try await ben.reload()
        world.clock.advance(by: .seconds(day))
        let guest = world.device("guest")
        try await guest.signInAnonymously()
        world.journal.fail("prepare orders")
        let password = AuthCredential.password(email: "ben@example.com", password: World.password)
        let side = Merge.Side.verified(try await guest.verify(password))
        await assertThrows(.mergeHookFailed) { try await guest.mergeCurrentUser(into: side) }
        // The session ends on day 34, and it is day 5.
        try await assertIsKept(ben, for: 29 + 30, "a month after its session ended")
    }

    /// Nor does a sweep that cannot read the accounts, or this one, when the session ends.
    func testASweepThatFailsKeepsAnUnverifiedAccountAsLong() async throws {
        for call in [StoreCall.accounts, .load] {
            world.startOver(.standard)
            let ann = try await world.signUpAnn()
            world.clock.advance(by: .seconds(29 * day))
            try await ann.reload()
            world.clock.advance(by: .seconds(day))
            try await world.service.sweep()
            world.clock.advance(by: .seconds(29 * day))
            world.store.script(call, .failsBefore())
            await assertThrows(.storeUnavailable, "a sweep in which \(call) fails") { try await world.service.sweep() }
            try await world.service.sweep()
            try await assertIsKept(ann, for: 30, "a month after its session ended; \(call) failed")
        }
    }

    /// Sweeps each day, and checks that the account goes on the last of them.
    private func assertIsKept(_ user: User, for days: Int, _ what: String, line: UInt = #line) async throws {
        for passed in 1..<days {
            world.clock.advance(by: .seconds(day))
            try await world.service.sweep()
            let isThere = try await world.storedAccount(user) != nil
            XCTAssertTrue(isThere, "\(what): gone after \(passed) of \(days) days", line: line)
        }
        world.clock.advance(by: .seconds(day))
        try await world.service.sweep()
        let isThere = try await world.storedAccount(user) != nil
        XCTAssertFalse(isThere, "\(what): kept for longer than \(days) days", line: line)
    }
}

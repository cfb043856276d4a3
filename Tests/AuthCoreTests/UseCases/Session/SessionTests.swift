@testable import AuthCore
import AuthCoreTesting
import XCTest

final class SessionTests: LimitedTestCase {
    private let world = World(.firebase)

    /// Its sessions go on where their method is removed, and so does the login; elsewhere what was shown is gone with
    /// it.
    func testALoginCountsThoughItsMethodIsUnlinkedOnlyWhereSessionsOutliveTheirMethods() async throws {
        for (policy, isRecent) in [(AuthPolicy.firebase, true), (.standard, false)] {
            let world = World(policy)
            let auth = world.device()
            let ann = try await world.signUpVerifiedAnn(auth)
            try await ann.link(with: world.gitHub(.ann))
            world.clock.advance(by: .seconds(8 * 86_400))
            try await ann.reauthenticate(with: world.gitHub(.ann))
            try await ann.unlink(.gitHub)
            if isRecent {
                try await ann.updatePassword(to: "another long word")
            } else {
                try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "a new password under .standard") {
                    try await ann.updatePassword(to: "another long word")
                }
            }
        }
    }

    /// A person recognizes a stranger's session in the list by it.
    func testASessionTellsFromWhereItWasSignedInTo() async throws {
        try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        let laptop = world.service.client(for: nil, origin: .address("192.0.2.7"))
        let user = try await laptop.signIn(with: World.annsPassword).user
        let sessions = try await user.sessions()
        XCTAssertEqual(sessions.map(\.origin), [nil, "192.0.2.7"], "the origins of both sessions")
    }

    func testALinkThatReauthenticatesIsUsedUp() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await ann.reauthenticate(with: link)
        let error = await authError { try await ann.reauthenticate(with: link) }
        XCTAssertEqual(error?.code, .invalidActionCode, "what the second use of the link meets")
    }

    /// Of a look that notes a use and a change of the account at once, the look has to be repeated.
    func testALookThatNotesAUseDependsOnTheAccount() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(86_400))
        let look = try await world.service.decision(of: Reload(handle: ann.acting))
        XCTAssertEqual(look.changes.sessions.count, 1, "the use is noted")
        XCTAssertEqual(look.changes.reads.map(\.id), [ann.account.id], "the account that must not have changed")
    }

    func testEverySignInIsASessionWithItsDeviceAndMethod() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(1))
        try await world.device("tablet").signIn(with: world.google())
        world.clock.advance(by: .seconds(1))
        try await world.device("laptop").signIn(with: World.annsPassword)
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.map(\.deviceName), ["phone", "tablet", "laptop"])
        XCTAssertEqual(sessions.map(\.provider), [.password, .google, .password])
        XCTAssertEqual(sessions.first?.id, ann.session.id)
        XCTAssertEqual(sessions.map(\.isCurrent), [true, false, false], "the session of the user who asked")
        XCTAssertEqual(sessions.last?.creationDate, world.clock.now)
    }

    func testAListedSessionSaysWhenItWasUsedAndHowThePersonAuthenticated() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let begun = world.clock.now
        world.clock.advance(by: .seconds(86_400))
        try await ann.reauthenticate(with: World.annsPassword)
        let authenticated = world.clock.now
        world.clock.advance(by: .seconds(2 * 86_400))
        try await ann.reload()
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions, [ann.sessionInfo], "the only session, and what its user says of it")
        let session = try XCTUnwrap(sessions.first)
        XCTAssertEqual(session.creationDate, begun, "when it began")
        XCTAssertEqual(session.authenticationDate, authenticated, "when the person last authenticated")
        XCTAssertEqual(session.lastActiveDate, world.clock.now, "when it was last used")
        XCTAssertEqual(session.expirationDate, ann.session.expiresAt?.date, "when it ends")
        XCTAssertNotNil(session.expirationDate, "the limits of the standard policy")
        XCTAssertNil(session.secondFactor, "a factor that was not presented")
    }

    func testAListedSessionNamesTheSecondFactorThatWasPresented() async throws {
        let world = World(.standard)
        let enrollment = try await world.enrollTOTP(try await world.signUpVerifiedAnn())
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let ann = try await auth.resolve(challenge, with: .totp(world.totp(enrollment))).user
        XCTAssertEqual(ann.sessionInfo.secondFactor, .totp, "what the user says of the session")
        let current = try await ann.sessions().first(where: \.isCurrent)
        XCTAssertEqual(current?.secondFactor, .totp, "the session in the list")
    }

    func testARevokedSessionIsOverAndTheOthersGoOn() async throws {
        let ann = try await world.signUpAnn()
        let tablet = try await world.device("tablet").signIn(with: World.annsPassword).user
        let laptop = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await ann.revokeSession(tablet.session.id)
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await tablet.reload() }
        try await laptop.reload()
        let left = try await ann.sessions()
        XCTAssertEqual(left.count, 2)
    }

    func testTheActingSessionMayBeEndedLikeAnotherWheneverItWasUsedLast() async throws {
        for hours in [0.0, 2] {
            let world = World(.standard)
            let auth = world.device()
            let ann = try await world.signUpVerifiedAnn(auth)
            world.clock.advance(by: .seconds(hours * 3600))
            try await ann.revokeSession(ann.session.id)
            XCTAssertNil(auth.currentUser, "the user of the session that ended")
            try await world.refusal(.userTokenExpired, .sessionIsOver, "after \(hours) hours") {
                try await ann.reload()
            }
        }
    }

    func testAllOthersMayBeEndedAtOnce() async throws {
        let ann = try await world.signUpAnn()
        let others = [
            try await world.device("tablet").signIn(with: World.annsPassword).user,
            try await world.device("laptop").signIn(with: World.annsPassword).user,
        ]
        try await ann.revokeOtherSessions()
        for other in others { try await world.refusal(.userTokenExpired) { try await other.reload() } }
        try await ann.reload()
        let left = try await ann.sessions()
        XCTAssertEqual(left.map(\.id), [ann.session.id])
    }

    func testNobodyEndsASessionOfAnotherAccount() async throws {
        let ann = try await world.signUpAnn()
        let ben = try await world.device("tablet").signIn(with: world.google(.ben)).user
        try await ann.revokeSession(ben.session.id)
        try await ben.reload()
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.map(\.id), [ann.session.id])
    }

    func testSigningOutEndsTheSessionAndLeavesNoUser() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await auth.signOut()
        XCTAssertNil(auth.currentUser)
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
        try await auth.signOut()
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.last, .signedOut)
    }

    func testClientsOfOneServiceSeeTheSameAccountsAndHoldTheirOwnPeople() async throws {
        let phone = world.device("phone")
        let tablet = world.device("tablet")
        try await world.signUpAnn(phone)
        XCTAssertNil(tablet.currentUser)
        try await tablet.signIn(with: world.google(.ben))
        XCTAssertEqual(phone.currentUser?.email, "ann@example.com")
        XCTAssertEqual(tablet.currentUser?.email, "ben@example.com")
    }

    func testAPersonWhoSignsOutByThemselvesIsNoLongerTheUser() async throws {
        let auth = world.device()
        try await world.signUpAnn(auth).signOut()
        XCTAssertNil(auth.currentUser)
    }

    func testNoEventReportsAnEndOfNothing() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let before = try await world.eventKinds()
        try await ann.revokeSession(SessionID(bits: 5))
        try await ann.multiFactor.cancelRecovery()
        let after = try await world.eventKinds()
        XCTAssertEqual(after, before)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

final class SessionTests: FlowTestCase {
    func testEverySignInIsASessionWithItsDeviceAndMethod() async throws {
        let ann = try await signUpProvenAnn(seat("phone"))
        clock.advance(by: 1)
        try await seat("tablet").signIn(with: google())
        clock.advance(by: 1)
        try await seat("laptop").signIn(with: Self.annsPassword)
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.map(\.device), ["phone", "tablet", "laptop"])
        XCTAssertEqual(sessions.map(\.basis.provider), [.password, .google, .password])
        XCTAssertEqual(sessions.first?.id, ann.session.id)
        XCTAssertEqual(sessions.last?.createdAt, clock.timestamp)
    }

    func testARevokedSessionIsOverAndTheOthersGoOn() async throws {
        let ann = try await signUpAnn()
        let tablet = try await seat("tablet").signIn(with: Self.annsPassword).user
        let laptop = try await seat("laptop").signIn(with: Self.annsPassword).user
        try await ann.revokeSession(tablet.session.id)
        try await refusal(.userTokenExpired, .sessionIsOver) { try await tablet.reload() }
        try await laptop.reload()
        let left = try await ann.sessions()
        XCTAssertEqual(left.count, 2)
    }

    func testAllOthersMayBeEndedAtOnce() async throws {
        let ann = try await signUpAnn()
        let others = [
            try await seat("tablet").signIn(with: Self.annsPassword).user,
            try await seat("laptop").signIn(with: Self.annsPassword).user,
        ]
        try await ann.revokeOtherSessions()
        for other in others { try await refusal(.userTokenExpired) { try await other.reload() } }
        try await ann.reload()
        let left = try await ann.sessions()
        XCTAssertEqual(left.map(\.id), [ann.session.id])
    }

    func testNobodyEndsASessionOfAnotherAccount() async throws {
        let ann = try await signUpAnn()
        let ben = try await seat("tablet").signIn(with: google(.ben)).user
        try await ann.revokeSession(ben.session.id)
        try await ben.reload()
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.map(\.account), [ann.account.id])
    }

    func testSigningOutEndsTheSessionAndEmptiesTheSeat() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await auth.signOut()
        XCTAssertNil(auth.currentUser)
        try await refusal(.userTokenExpired) { try await ann.reload() }
        try await auth.signOut()
        let kinds = try await eventKinds()
        XCTAssertEqual(kinds.last, .signedOut)
    }

    func testASeatTellsWhoSitsInItWheneverThatChanges() async throws {
        let auth = seat()
        var changes = auth.changes().makeAsyncIterator()
        let before = await changes.next()
        XCTAssertNotNil(before)
        XCTAssertNil(before?.user)
        let ann = try await signUpAnn(auth)
        let signedIn = await changes.next()
        XCTAssertTrue(signedIn?.user === ann)
        try await auth.signOut()
        let signedOut = await changes.next()
        XCTAssertNotNil(signedOut)
        XCTAssertNil(signedOut?.user)
    }

    func testSeatsOfOneServiceSeeTheSameAccountsAndHoldTheirOwnPeople() async throws {
        let phone = seat("phone")
        let tablet = seat("tablet")
        try await signUpAnn(phone)
        XCTAssertNil(tablet.currentUser)
        try await tablet.signIn(with: google(.ben))
        XCTAssertEqual(phone.currentUser?.email, "ann@example.com")
        XCTAssertEqual(tablet.currentUser?.email, "ben@example.com")
    }

    func testAPersonWhoSignsOutByThemselvesLeavesTheSeat() async throws {
        let auth = seat()
        try await signUpAnn(auth).signOut()
        XCTAssertNil(auth.currentUser)
    }
}

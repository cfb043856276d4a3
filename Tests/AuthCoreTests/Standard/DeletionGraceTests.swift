@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S23: a deletion can be taken back for a while, and what time asks for is done by whoever comes next.
final class DeletionGraceTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    func testADeletedAccountIsShutAndASignInTakesTheDeletionBack() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.delete()
        try await refusal(.userTokenExpired) { try await ann.reload() }
        try await refusal(.emailAlreadyInUse) {
            try await seat("x").signUp(email: "ann@example.com", password: "another word")
        }
        clock.advance(by: 7 * 86400 - 1)
        let back = try await seat("tablet").signIn(with: Self.annsPassword)
        XCTAssertEqual(back.user.uid, ann.uid)
        let kept = try await account(ann)
        XCTAssertNil(kept.deletedUntil)
        let kinds = try await eventKinds()
        XCTAssertTrue(kinds.contains(.deletionRequested))
        XCTAssertTrue(kinds.contains(.deletionTakenBack))
        clock.advance(by: 30 * 86400)
        try await back.user.reload()
    }

    func testAKnownIdentityTakesTheDeletionBackToo() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.delete()
        let back = try await seat("tablet").signIn(with: google())
        XCTAssertEqual(back.user.uid, ann.uid)
        let kept = try await account(ann)
        XCTAssertNil(kept.deletedUntil)
    }

    func testWhenTheTimeIsOverTheAccountIsGoneAndItsAddressFreeEvenBeforeASweep() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.delete()
        clock.advance(by: 7 * 86400)
        await assertThrows(.invalidCredential) { try await self.seat("x").signIn(with: Self.annsPassword) }
        let again = try await seat("y").signUp(email: "ann@example.com", password: Self.password)
        XCTAssertNotEqual(again.user.uid, ann.uid, "a name is never used again")
        let kinds = try await eventKinds()
        XCTAssertTrue(kinds.contains(.accountDeleted))
    }

    func testWhenTheTimeIsOverAnAddressThatWasOnlyShownStandsInNobodysWay() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        try await ann.delete()
        let auth = seat("x")
        let arrival = facebook(SimulatedPerson.eve.with(email: "ann@example.com"))
        try await refusal(.accountExistsWithDifferentCredential) { try await auth.signIn(with: arrival) }
        clock.advance(by: 7 * 86400)
        let later = AuthCredential.simulated(
            .facebook,
            SimulatedPerson.eve.with(email: "ann@example.com"),
            at: clock.now
        )
        let new = try await auth.signIn(with: later)
        XCTAssertTrue(new.isNewUser)
    }

    func testASweepFinishesDeletions() async throws {
        let ann = try await signUpProvenAnn()
        let ben = try await seat("b").signIn(with: google(.ben)).user
        try await ann.delete()
        clock.advance(by: 7 * 86400)
        let report = try await service.sweep()
        XCTAssertEqual(report.accounts, 1)
        let left = try await service.accounts(limit: .max).map(\.id.text)
        XCTAssertEqual(left, [ben.uid])
    }

    func testAFinalDeletionIsAtOnce() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.delete(permanently: true)
        let left = try await service.accounts(limit: .max)
        XCTAssertEqual(left.count, 0)
    }

    func testAnAnonymousAccountGoesAtOnceSinceNobodyCouldComeBack() async throws {
        let guest = try await seat().signInAnonymously().user
        try await guest.delete()
        let left = try await service.accounts(limit: .max)
        XCTAssertEqual(left.count, 0)
    }

    func testAYoungLoginDoesNotDeleteWhatIsOlder() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 60)
        try await ann.link(with: facebook(.ben))
        clock.advance(by: 86400)
        let thief = try await seat("thief").signIn(with: facebook(.ben)).user
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete() }
    }

    func testAYoungLoginDoesNotMoveTheAddress() async throws {
        policy.unprovenEmailChange = .allowed
        let ann = try await signUpProvenAnn()
        clock.advance(by: 60)
        try await ann.link(with: facebook(.ben))
        clock.advance(by: 86400)
        let thief = try await seat("thief").signIn(with: facebook(.ben)).user
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.updateEmail(to: "eve@example.com")
        }
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.sendEmailVerification(beforeUpdatingTo: "eve@example.com")
        }
    }
}

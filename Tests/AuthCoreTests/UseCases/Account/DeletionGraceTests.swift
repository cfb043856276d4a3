@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S23: a deletion can be taken back for a while, and what time asks for is done by whoever comes next.
final class DeletionGraceTests: LimitedTestCase {
    private var world = World(.standard)

    func testADeletedAccountIsShutAndASignInTakesTheDeletionBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
        try await world.refusal(.emailAlreadyInUse) {
            try await world.device("x").signUp(email: "ann@example.com", password: "another word")
        }
        world.clock.advance(by: .seconds(7 * 86400 - 1))
        let back = try await world.device("tablet").signIn(with: World.annsPassword)
        XCTAssertEqual(back.user.uid, ann.uid)
        let kept = try await world.account(ann)
        XCTAssertNil(kept.deletedUntil)
        let kinds = try await world.eventKinds()
        XCTAssertTrue(kinds.contains(.deletionRequested))
        XCTAssertTrue(kinds.contains(.deletionCanceled))
        world.clock.advance(by: .seconds(29 * 86400))
        try await back.user.reload()
    }

    /// A person who sets a new password by mail keeps the account, also before signing in with it.
    func testAResetTakesTheDeletionBackToo() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(3600))
        let again = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await again.delete()
        try await world.reset(to: "a fresh new word")
        let kept = try await world.account(ann)
        XCTAssertNil(kept.deletedUntil, "when the account is to be deleted after the reset")
        world.clock.advance(by: .seconds(30 * 86_400))
        try await world.service.sweep()
        let back = try await world.device().signIn(
            with: .password(email: "ann@example.com", password: "a fresh new word")
        )
        XCTAssertEqual(back.user.uid, ann.uid)
    }

    func testAKnownIdentityTakesTheDeletionBackToo() async throws {
        for device in ["tablet", "phone"] {
            world.startOver()
            let ann = try await world.device("phone").signIn(with: world.google()).user
            try await ann.delete()
            let back = try await world.device(device).signIn(with: world.google())
            XCTAssertEqual(back.user.uid, ann.uid, "signed in on the \(device)")
            let kept = try await world.account(ann)
            XCTAssertNil(kept.deletedUntil, "signed in on the \(device)")
        }
    }

    func testWhenTheTimeIsOverTheAccountIsGoneAndItsAddressFreeEvenBeforeASweep() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        world.clock.advance(by: .seconds(7 * 86400))
        await assertThrows(.invalidCredential) { try await self.world.device("x").signIn(with: World.annsPassword) }
        let again = try await world.device("y").signUp(email: "ann@example.com", password: World.password)
        XCTAssertNotEqual(again.user.uid, ann.uid, "a name is never used again")
        let kinds = try await world.eventKinds()
        XCTAssertTrue(kinds.contains(.accountDeleted))
    }

    func testWhenTheTimeIsOverAnAddressThatWasOnlyShownStandsInNobodysWay() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        try await ann.delete()
        let auth = world.device("x")
        let incoming = world.facebook(SimulatedPerson.eve.with(email: "ann@example.com"))
        try await world.refusal(.accountExistsWithDifferentCredential) { try await auth.signIn(with: incoming) }
        world.clock.advance(by: .seconds(7 * 86400))
        let later = AuthCredential.simulated(
            .facebook,
            SimulatedPerson.eve.with(email: "ann@example.com"),
            at: world.clock.now
        )
        let new = try await auth.signIn(with: later)
        XCTAssertTrue(new.isNewUser)
    }

    func testASweepFinishesDeletions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let ben = try await world.device("b").signIn(with: world.google(.ben)).user
        try await ann.delete()
        world.clock.advance(by: .seconds(7 * 86400))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 1)
        let left = try await world.service.accounts(limit: .max).map(\.id.text)
        XCTAssertEqual(left, [ben.uid])
        XCTAssertNil(world.outbox.last(to: "ann@example.com", .accountDeleted), "a second notice of one deletion")
    }

    func testAFinalDeletionIsAtOnce() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete(permanently: true)
        let left = try await world.service.accounts(limit: .max)
        XCTAssertEqual(left.count, 0)
    }

    func testAnAnonymousAccountGoesAtOnceSinceNobodyCouldComeBack() async throws {
        let guest = try await world.device().signInAnonymously().user
        try await guest.delete()
        let left = try await world.service.accounts(limit: .max)
        XCTAssertEqual(left.count, 0)
    }

    func testAYoungLoginDoesNotDeleteWhatIsOlder() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(86400))
        let thief = try await world.device("thief").signIn(with: world.facebook(.ben)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.delete() }
    }

    func testAYoungLoginDoesNotMoveTheAddress() async throws {
        world.policy.unverifiedEmailChange = .allowed
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(86400))
        let thief = try await world.device("thief").signIn(with: world.facebook(.ben)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.updateEmail(to: "eve@example.com")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.sendEmailVerification(beforeUpdatingTo: "eve@example.com")
        }
    }
}

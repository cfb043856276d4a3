@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Who owns an address, and what becomes of those who only occupy it.
final class ReservedAddressAttackTests: LimitedTestCase {
    private let world = World(.standard)

    func testAPasswordUnderAShownAddressWorks() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        XCTAssertEqual(ann.email, "ann@example.com")
        try await ann.link(with: World.annsPassword)
        let again = try await world.device("tablet").signIn(with: World.annsPassword).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAPasswordSetUnderAShownAddressWorks() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        try await ann.updatePassword(to: World.password)
        let again = try await world.device("tablet").signIn(with: World.annsPassword).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAPasswordUnderAShownAddressOfAnotherIsRefused() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        try await world.squat()
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await ann.link(with: World.annsPassword) }
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ann.updatePassword(to: World.password)
        }
    }

    func testAnAuthoritativeWordFromInsideMakesTheAddressTheAccountsOwn() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        try await ann.link(with: world.google(.ann, world.work))
        XCTAssertTrue(ann.isEmailVerified)
        try await world.refusal(.emailAlreadyInUse) { try await world.squat() }
    }

    func testAT19_AProofFromInsideTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        let eve = try await world.squat()
        try await ann.link(with: world.google(.ann, world.work))
        XCTAssertTrue(ann.isEmailVerified)
        try await world.refusal(.userTokenExpired) { try await eve.reload() }
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
        XCTAssertTrue(left.methods.isEmpty)
        let owner = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(owner?.id, ann.account.id)
    }

    func testAT19_AVerificationTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        let eve = try await world.squat()
        try await world.verifyAddress(of: ann)
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
    }

    func testAT19_AMoveToAVerifiedAddressTakesItFromWhoOnlyOccupiesIt() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let eve = try await world.squat("new@example.com")
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device().applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        try await ann.reload()
        XCTAssertEqual(ann.email, "new@example.com")
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
    }

    func testAT19_ALinkedMailboxTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.facebook()).user
        let eve = try await world.squat()
        try await ann.link(with: world.mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
    }

    func testWhoVerifiedTheAddressDoesNotGiveWay() async throws {
        let ben = try await world.device("ben").signIn(with: world.facebook(.ben)).user
        try await world.signUpVerifiedAnn()
        try await world.refusal(.emailAlreadyInUse) {
            try await ben.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        }
        try await world.refusal(.emailAlreadyInUse) { try await ben.link(with: world.google(.ann, world.work)) }
        let auth = world.device("ben")
        try await world.refusal(.emailAlreadyInUse) {
            try await ben.link(with: world.mailedLink(to: "ann@example.com", from: auth))
        }
    }

    /// An account that used an identity once is no empty shell, even when the identity is gone.
    func testAnAccountThatOnceHadAnIdentityIsNotAdopted() async throws {
        let ben = try await world.device("ben").signUp(email: "ann@example.com", password: "bens own word").user
        try await ben.link(with: world.gitHub(.ben))
        try await ben.unlink(.gitHub)
        try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh) {
            try await world.device().signIn(with: world.google(.ann, world.work))
        }
    }

    func testAMailedLoginFromInsideTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.facebook()).user
        let eve = try await world.squat()
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
        try await world.refusal(.userTokenExpired) { try await eve.reload() }
    }
}

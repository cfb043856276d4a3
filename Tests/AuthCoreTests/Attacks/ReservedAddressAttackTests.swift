@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Who owns an address, and what becomes of those who only occupy it.
final class ReservedAddressAttackTests: AttackTestCase {
    func testAPasswordUnderAShownAddressWorks() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        XCTAssertEqual(ann.email, "ann@example.com")
        try await ann.link(with: Self.annsPassword)
        let again = try await seat("tablet").signIn(with: Self.annsPassword).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAPasswordSetUnderAShownAddressWorks() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        try await ann.updatePassword(to: Self.password)
        let again = try await seat("tablet").signIn(with: Self.annsPassword).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAPasswordUnderAShownAddressOfAnotherIsRefused() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        try await squat()
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ann.link(with: Self.annsPassword) }
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ann.updatePassword(to: Self.password) }
    }

    func testAnAuthoritativeWordFromInsideMakesTheAddressTheAccountsOwn() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        try await ann.link(with: google(.ann, work))
        XCTAssertTrue(ann.isEmailVerified)
        try await refusal(.emailAlreadyInUse) { try await squat() }
    }

    func testAT19_AProofFromInsideTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        let eve = try await squat()
        try await ann.link(with: google(.ann, work))
        XCTAssertTrue(ann.isEmailVerified)
        try await refusal(.userTokenExpired) { try await eve.reload() }
        let left = try await account(eve)
        XCTAssertNil(left.email)
        XCTAssertTrue(left.methods.isEmpty)
        let owner = try await service.account(email: "ann@example.com")
        XCTAssertEqual(owner?.id, ann.account.id)
    }

    func testAT19_AVerificationTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        let eve = try await squat()
        try await proveAddress(of: ann)
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await account(eve)
        XCTAssertNil(left.email)
    }

    func testAT19_AMoveToAProvenAddressTakesItFromWhoOnlyOccupiesIt() async throws {
        let ann = try await signUpProvenAnn()
        let eve = try await squat("new@example.com")
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await seat().applyActionCode(code(.changeEmail, to: "new@example.com"))
        try await ann.reload()
        XCTAssertEqual(ann.email, "new@example.com")
        let left = try await account(eve)
        XCTAssertNil(left.email)
    }

    func testAT19_ALinkedMailboxTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: facebook()).user
        let eve = try await squat()
        try await ann.link(with: mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await account(eve)
        XCTAssertNil(left.email)
    }

    func testWhoProvedTheAddressDoesNotGiveWay() async throws {
        let ben = try await seat("ben").signIn(with: facebook(.ben)).user
        try await signUpProvenAnn()
        try await refusal(.emailAlreadyInUse) {
            try await ben.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        }
        try await refusal(.emailAlreadyInUse) { try await ben.link(with: google(.ann, work)) }
        let auth = seat("ben")
        try await refusal(.emailAlreadyInUse) {
            try await ben.link(with: mailedLink(to: "ann@example.com", from: auth))
        }
    }

    /// An account that used an identity once is no empty shell, even when the identity is gone.
    func testAnAccountThatOnceHadAnIdentityIsNotAdopted() async throws {
        let ben = try await seat("ben").signUp(email: "ann@example.com", password: "bens own word").user
        try await ben.link(with: gitHub(.ben))
        try await ben.unlink(.gitHub)
        try await refusal(.accountExistsWithDifferentCredential, .ownerProofIsNotFresh) {
            try await seat().signIn(with: google(.ann, work))
        }
    }

    func testAMailedLoginFromInsideTakesTheAddressFromWhoOnlyOccupiesIt() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: facebook()).user
        let eve = try await squat()
        try await ann.reauthenticate(with: mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(ann.isEmailVerified)
        let left = try await account(eve)
        XCTAssertNil(left.email)
        try await refusal(.userTokenExpired) { try await eve.reload() }
    }
}

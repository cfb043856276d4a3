@testable import AuthCore
import AuthCoreTesting
import XCTest

/// I6: what is suspended can do nothing, and comes back only when its owner confirms it from inside.
final class SuspendedMethodAttackTests: AttackTestCase {
    private func recoveredAnn(_ prepare: (User) async throws -> Void) async throws -> User {
        let eve = try await squat()
        try await prepare(eve)
        try await reset()
        return try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
    }

    func testPH3_ASuspendedNumberDoesNotSignIn() async throws {
        let ann = try await recoveredAnn { try await $0.link(with: digits(to: evesNumber, from: seat("eve"))) }
        let before = try await account(ann)
        try await refusal(.rejectedCredential, .methodIsSuspended) {
            try await seat("eve").signIn(with: digits(to: evesNumber, from: seat("eve")))
        }
        let after = try await account(ann)
        XCTAssertEqual(before, after)
    }

    func testPH3_ASuspendedIdentityDoesNotSignIn() async throws {
        _ = try await recoveredAnn { try await $0.link(with: gitHub(.eve)) }
        try await refusal(.rejectedCredential, .methodIsSuspended) { try await seat("eve").signIn(with: gitHub(.eve)) }
    }

    func testPH3_TheTrojanNumberStaysUnderFirebasesPolicy() async throws {
        startOver(.firebase)
        let ann = try await recoveredAnn { try await $0.link(with: digits(to: evesNumber, from: seat("eve"))) }
        let eve = try await seat("eve").signIn(with: digits(to: evesNumber, from: seat("eve"))).user
        XCTAssertEqual(eve.uid, ann.uid, "the attack bites")
    }

    func testASuspendedNumberIsNoProofOfWhoOneIs() async throws {
        let ann = try await recoveredAnn { try await $0.link(with: digits(to: evesNumber, from: seat("eve"))) }
        let auth = seat()
        try await refusal(.invalidCredential, .methodIsSuspended) {
            try await ann.reauthenticate(with: digits(to: evesNumber, from: auth))
        }
    }

    func testItsOwnerConfirmsASuspendedNumberFromInside() async throws {
        let ann = try await recoveredAnn { try await $0.link(with: digits(to: evesNumber, from: seat("eve"))) }
        try await ann.link(with: digits(to: evesNumber, from: seat()))
        let again = try await seat("phone").signIn(with: digits(to: evesNumber, from: seat("phone"))).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testItsOwnerConfirmsASuspendedIdentityFromInside() async throws {
        let ann = try await recoveredAnn { try await $0.link(with: gitHub(.eve)) }
        try await ann.link(with: gitHub(.eve))
        let again = try await seat("tablet").signIn(with: gitHub(.eve)).user
        XCTAssertEqual(again.uid, ann.uid)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// I6: what is suspended can do nothing, and comes back only when its owner confirms it from inside.
final class SuspendedMethodAttackTests: LimitedTestCase {
    private var world = World(.standard)

    private func recoveredAnn(_ prepare: (User) async throws -> Void) async throws -> User {
        let eve = try await world.squat()
        try await prepare(eve)
        try await world.reset()
        return try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
    }

    func testPH3_ASuspendedNumberDoesNotSignIn() async throws {
        let ann = try await recoveredAnn {
            try await $0.link(with: world.digits(to: world.evesNumber, from: world.device("eve")))
        }
        let before = try await world.account(ann)
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.digits(to: world.evesNumber, from: world.device("eve")))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(before, after)
    }

    func testPH3_ASuspendedIdentityDoesNotSignIn() async throws {
        _ = try await recoveredAnn { try await $0.link(with: world.gitHub(.eve)) }
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
    }

    func testPH3_TheTrojanNumberStaysUnderFirebasesPolicy() async throws {
        world.startOver(.firebase)
        let ann = try await recoveredAnn {
            try await $0.link(with: world.digits(to: world.evesNumber, from: world.device("eve")))
        }
        let eve = try await world.device("eve").signIn(
            with: world.digits(to: world.evesNumber, from: world.device("eve"))
        )
        .user
        XCTAssertEqual(eve.uid, ann.uid, "the attack bites")
    }

    func testASuspendedNumberIsNoProofOfWhoOneIs() async throws {
        let ann = try await recoveredAnn {
            try await $0.link(with: world.digits(to: world.evesNumber, from: world.device("eve")))
        }
        let auth = world.device()
        try await world.refusal(.invalidCredential, .methodIsSuspended) {
            try await ann.reauthenticate(with: world.digits(to: world.evesNumber, from: auth))
        }
    }

    func testItsOwnerConfirmsASuspendedNumberFromInside() async throws {
        let ann = try await recoveredAnn {
            try await $0.link(with: world.digits(to: world.evesNumber, from: world.device("eve")))
        }
        try await ann.link(with: world.digits(to: world.evesNumber, from: world.device()))
        let again = try await world.device("phone").signIn(
            with: world.digits(to: world.evesNumber, from: world.device("phone"))
        ).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testItsOwnerConfirmsASuspendedIdentityFromInside() async throws {
        let ann = try await recoveredAnn { try await $0.link(with: world.gitHub(.eve)) }
        try await ann.link(with: world.gitHub(.eve))
        let again = try await world.device("tablet").signIn(with: world.gitHub(.eve)).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testItsOwnerConfirmsASuspendedIdentityWhoseAddressIsAnotherAccounts() async throws {
        let ann = try await world.signUp("ann@work.test")
        try await ann.link(with: world.gitHub())
        try await world.signUp("ann@example.com")
        let phone = world.device("recovery")
        try await phone.sendPasswordReset(to: "ann@work.test")
        let code = try XCTUnwrap(world.outbox.last(to: "ann@work.test", .resetPassword)?.code)
        let report = try await phone.confirmPasswordReset(code: code, newPassword: "another good one")
        XCTAssertEqual(report.suspended.map(\.provider), [.gitHub])
        let again = try await phone.signIn(with: .password(email: "ann@work.test", password: "another good one")).user
        try await again.link(with: world.gitHub())
        let account = try await world.account(ann)
        XCTAssertTrue(account.methods.allSatisfy(\.isActive), "the identity is still suspended")
    }

    func testAfterAReportThatTookTheAddressItsOwnerLinksAnotherWithANewPassword() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        world.clock.advance(by: .seconds(30 * 86_400))
        // A thief plants an identity, and moves the address a week later.
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(8 * 86_400))
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await eve.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        try await eve.applyActionCode(world.code(.changeEmail, to: "eve@example.net"))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.addressChanged, to: "ann@gmail.com"))
        let back = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        let account = try await world.account(back)
        XCTAssertNil(account.email)
        let new = AuthCredential.password(email: "ann@example.org", password: "anns own word")
        let linked = try await back.link(with: new).user
        XCTAssertEqual(linked.email, "ann@example.org", "a suspended password without an address keeps its place")
    }
}

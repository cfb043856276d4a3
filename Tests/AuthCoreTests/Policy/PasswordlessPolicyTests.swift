@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Where passwords are disabled, mailed links still sign in.
final class PasswordlessPolicyTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    func testS18_AReportSuspendsAPlantedIdentityWherePasswordsAreOff() async throws {
        world.policy.disabledProviders = [.password]
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        world.clock.advance(by: .seconds(30 * day))
        let stolen = world.device("stolen")
        let thief = try await stolen.signIn(with: world.mailedLink(to: "ann@example.com", from: stolen)).user
        try await thief.link(with: world.eveAtGoogle)
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.provider), [.google])
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.eveAtGoogle)
        }
        let back = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        XCTAssertEqual(back.uid, ann.uid, "the owner signs in by mailed links")
    }

    func testS16_AMailedLinkIsLeftToSignInWherePasswordsAreOff() async throws {
        world.policy.disabledProviders = [.password]
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        try await ann.link(with: world.gitHub(.ann))
        try await ann.unlink(.gitHub)
        XCTAssertEqual(ann.providerData.map(\.provider), [.password], "what is left to sign in with")
    }

    func testS21_AFactorIsEnrolledWherePasswordsAreOff() async throws {
        world.policy.disabledProviders = [.password]
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        try await world.enrollTOTP(ann)
        XCTAssertEqual(ann.multiFactor.enrolledFactors.count, 1, "factors that are enrolled")
    }

    /// An app that goes over from passwords to mailed links.
    func testS9_WhoSignedUpWithAPasswordIsNotLockedOutWherePasswordsAreDisabled() async throws {
        let ann = try await world.signUpAnn(world.device("laptop"))
        try await ann.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.newestCode(to: "ann@example.com"))
        world.policy.disabledProviders = [.password]
        world.clock.advance(by: .seconds(day))
        let phone = world.device("phone")
        let back = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        XCTAssertEqual(back.uid, ann.uid)
        // What comes back is not what an attacker may have set.
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter { !$0.isActive }.map(\.kind.methodKind), [.password])
        XCTAssertEqual(after.knownDevices, Array(phone.device.keys.prefix(1)), "the device that signed up is known")
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
    }
}

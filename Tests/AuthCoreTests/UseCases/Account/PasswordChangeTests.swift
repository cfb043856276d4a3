@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordChangeTests: LimitedTestCase {
    private let world = World(.firebase)

    /// Another person may have planted the guest's session, and would know the password of the account.
    func testAGuestSetsNoPasswordBeforeAnAddressWhereTheFirstMethodEndsOtherSessions() async throws {
        for isEnded in [true, false] {
            var policy = AuthPolicy.firebase
            policy.revokesSessionsOn = isEnded ? [.firstMethod] : [.firstVerification]
            let world = World(policy)
            let guest = try await world.device().signInAnonymously().user
            let isAccepted = await world.succeeds { try await guest.updatePassword(to: World.password) }
            XCTAssertEqual(isAccepted, !isEnded, "where the first method ends other sessions: \(isEnded)")
        }
    }

    func testANewPasswordEndsTheOldOneAndTheOtherSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await ann.updatePassword(to: "battery staple")
        XCTAssertTrue(ann.isEmailVerified)
        try await ann.reload()
        try await world.refusal(.userTokenExpired) { try await other.reload() }
        try await world.refusal(.wrongPassword) { try await world.device().signIn(with: World.annsPassword) }
        try await world.device().signIn(with: .password(email: "ann@example.com", password: "battery staple"))
    }

    func testAProvidersAccountGainsAPasswordAndStaysVerified() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.updatePassword(to: World.password)
        XCTAssertEqual(ann.providerData.map(\.provider), [.google, .password])
        XCTAssertTrue(ann.isEmailVerified)
        XCTAssertEqual(ann.session.basis.kind, .password)
        try await world.device("tablet").signIn(with: World.annsPassword)
    }

    func testAWeakPasswordIsRefused() async throws {
        let ann = try await world.signUpAnn()
        try await world.refusal(.weakPassword, .passwordIsTooShort) { try await ann.updatePassword(to: "short") }
        try await world.device().signIn(with: World.annsPassword)
    }

    /// A guest's session may be another person's by the time that the guest links an address.
    func testAT26_APasswordNeedsAnAddress() async throws {
        let world = World(.standard)
        let auth = world.device()
        let user = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth)).user
        try await world.refusal(.missingEmail, .accountHasNoAddress) {
            try await user.updatePassword(to: World.password)
        }
        let guest = try await world.device("guest").signInAnonymously().user
        try await world.refusal(.missingEmail, .accountHasNoAddress) {
            try await guest.updatePassword(to: World.password)
        }
    }

    func testFirebaseStoresThePasswordOfAnAccountWithoutAnAddress() async throws {
        try await world.device("phone").signInAnonymously().user.updatePassword(to: World.password)
        let auth = world.device("other")
        let eve = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth)).user
        try await eve.updatePassword(to: World.password)
        XCTAssertTrue(eve.hasPassword, "the password was not stored")
        XCTAssertEqual(eve.providerData.map(\.provider), [.phone], "a password without an address is not listed")
    }
}

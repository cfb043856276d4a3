@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordChangeTests: FlowTestCase {
    func testANewPasswordEndsTheOldOneAndTheOtherSessions() async throws {
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await ann.updatePassword(to: "battery staple")
        XCTAssertTrue(ann.isEmailVerified)
        try await ann.reload()
        try await refusal(.userTokenExpired) { try await other.reload() }
        try await refusal(.wrongPassword) { try await seat().signIn(with: Self.annsPassword) }
        try await seat().signIn(with: .password(email: "ann@example.com", password: "battery staple"))
    }

    func testAProvidersAccountGainsAPasswordAndStaysVerified() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.updatePassword(to: Self.password)
        XCTAssertEqual(ann.providerData.map(\.provider), [.google, .password])
        XCTAssertTrue(ann.isEmailVerified)
        XCTAssertEqual(ann.session.basis.kind, .password)
        try await seat("tablet").signIn(with: Self.annsPassword)
    }

    func testAWeakPasswordIsRefused() async throws {
        let ann = try await signUpAnn()
        try await refusal(.weakPassword, .passwordIsTooShort) { try await ann.updatePassword(to: "short") }
        try await seat().signIn(with: Self.annsPassword)
    }

    func testAPasswordWithoutAnAddressIsKeptAndNotShown() async throws {
        let auth = seat()
        let user = try await auth.signIn(with: digits(to: "+15550001234", from: auth)).user
        try await user.updatePassword(to: Self.password)
        XCTAssertEqual(user.providerData.map(\.provider), [.phone])
        try await user.updateEmail(to: "ann@example.com")
        XCTAssertEqual(user.providerData.map(\.provider), [.phone, .password])
        try await seat("tablet").signIn(with: Self.annsPassword)
    }
}

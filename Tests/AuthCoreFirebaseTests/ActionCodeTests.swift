import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// Mailed codes, and the links that carry them.
final class ActionCodeTests: XCTestCase {
    private let world = World()

    func testAPasswordIsResetByAMailedCode() async throws {
        try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        try await world.auth.sendPasswordReset(withEmail: "ann@example.com")
        let code = world.newestCode
        let address = try await world.auth.verifyPasswordResetCode(code)
        XCTAssertEqual(address, "ann@example.com")
        let info = try await world.auth.checkActionCode(code)
        XCTAssertEqual(info.operation, .passwordReset)
        let weak = await failure { try await self.world.auth.confirmPasswordReset(withCode: code, newPassword: "") }
        XCTAssertEqual(weak?.code, AuthErrorCode.weakPassword.rawValue)
        try await world.auth.confirmPasswordReset(withCode: code, newPassword: "another horse")
        let used = await failure {
            try await self.world.auth.confirmPasswordReset(withCode: code, newPassword: "another horse")
        }
        XCTAssertEqual(used?.code, AuthErrorCode.invalidActionCode.rawValue)
        try await world.auth.signIn(withEmail: "ann@example.com", password: "another horse")
    }

    /// The session that opens the code verifies the methods that it used, so that a later identity can join them.
    func testACodeThatTheCurrentUserAppliesCoversThePassword() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await world.auth.applyActionCode(world.newestCode)
        let coverage = try await world.coverage(of: "ann@example.com")
        XCTAssertEqual(coverage, [1])
    }

    func testACodeForSomethingElseResetsNoPassword() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        let error = await failure { try await self.world.auth.verifyPasswordResetCode(self.world.newestCode) }
        XCTAssertEqual(error?.code, AuthErrorCode.invalidActionCode.rawValue)
    }

    func testAChangeOfAddressNamesBoth() async throws {
        let user = try await world.verifiedUser()
        try await user.sendEmailVerification(beforeUpdatingEmail: "new@example.com")
        let change = try await world.auth.checkActionCode(world.newestCode)
        XCTAssertEqual(change.operation, .verifyAndChangeEmail)
        XCTAssertEqual(change.email, "new@example.com")
        XCTAssertEqual(change.previousEmail, "ann@example.com")
        try await world.auth.applyActionCode(world.newestCode)
        try await user.reload()
        XCTAssertEqual(user.email, "new@example.com")
    }

    @available(*, deprecated)
    func testTakingAChangeOfAddressBackNamesBoth() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.updateEmail(to: "new@example.com")
        let back = try await world.auth.checkActionCode(world.newestCode)
        XCTAssertEqual(back.operation, .recoverEmail)
        XCTAssertEqual(back.email, "new@example.com", "the address after the change")
        XCTAssertEqual(back.previousEmail, "ann@example.com", "the address before the change")
    }

    func testLinksAreTakenApart() throws {
        let inner =
            "https://a.example/action?apiKey=k&mode=resetPassword&oobCode=c&lang=de&continueUrl=https://b.example"
        let escaped = try XCTUnwrap(inner.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        for link in [inner, "https://page.example/?link=\(escaped)"] {
            let url = try XCTUnwrap(ActionCodeURL(link: link))
            XCTAssertEqual(url.apiKey, "k")
            XCTAssertEqual(url.operation, .passwordReset)
            XCTAssertEqual(url.code, "c")
            XCTAssertEqual(url.languageCode, "de")
            XCTAssertEqual(url.continueURL?.host, "b.example")
        }
        XCTAssertNil(ActionCodeURL(link: "no link"))
        let two = "https://a.example/action?oobCode=first&oobCode=last"
        XCTAssertEqual(ActionCodeURL(link: two)?.code, "last", "of two codes the one that the service applies")
        let start = "https://a.example/action?apiKey=k&mode=resetPassword&oobCode=c&lang="
        let longest = start + String(repeating: "a", count: 16_384 - start.utf8.count)
        XCTAssertEqual(ActionCodeURL(link: longest)?.code, "c", "a link of 16,384 bytes")
        XCTAssertNil(ActionCodeURL(link: longest + "a"), "a link of 16,385 bytes")
    }

    func testASignInLinkIsMailedInTheLanguageOfTheDevice() async throws {
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/done")
        settings.handleCodeInApp = true
        world.auth.languageCode = "fr"
        try await world.auth.sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings)
        XCTAssertEqual(ActionCodeURL(link: world.newestLink)?.languageCode, "fr", "the language of the link")
    }

    func testAnEmptyPasswordIsWeakWhateverTheCode() async {
        let error = await failure { try await world.auth.confirmPasswordReset(withCode: "none", newPassword: "") }
        XCTAssertEqual(error?.code, AuthErrorCode.weakPassword.rawValue, "an empty password with a code that is none")
        let reason = error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        XCTAssertEqual(reason, "Missing password", "why the password is weak")
    }
}

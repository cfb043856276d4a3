@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordResetTests: FlowTestCase {
    private func resetCode(_ email: String = "ann@example.com") async throws -> String {
        try await seat("lost").sendPasswordReset(to: email)
        return try XCTUnwrap(outbox.last(to: email, .resetPassword)?.code)
    }

    func testAResetProvesTheAddressEndsEverySessionAndRemovesIdentities() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        try await ann.link(with: facebook(.eve))
        let code = try await resetCode()
        try await seat("lost").confirmPasswordReset(code: code, newPassword: "battery staple")
        try await refusal(.userTokenExpired) { try await ann.reload() }
        try await refusal(.wrongPassword) { try await auth.signIn(with: Self.annsPassword) }
        let back = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertTrue(back.isEmailVerified)
        XCTAssertEqual(back.providerData.map(\.provider).sorted(), [.password, .phone])
        let evesOwn = try await seat("eve").signIn(with: facebook(.eve)).user
        XCTAssertNotEqual(evesOwn.uid, ann.uid)
    }

    func testAnAccountWithoutAPasswordGetsOne() async throws {
        let ann = try await seat().signIn(with: google()).user
        let code = try await resetCode()
        try await seat().confirmPasswordReset(code: code, newPassword: Self.password)
        let back = try await seat().signIn(with: Self.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(back.providerData.map(\.provider), [.password])
    }

    func testACodeWorksOnceAndTakesTheOthersWithIt() async throws {
        try await signUpAnn()
        let first = try await resetCode()
        let second = try await resetCode()
        try await seat().confirmPasswordReset(code: first, newPassword: "battery staple")
        for code in [first, second] {
            try await refusal(.invalidActionCode, .codeIsUnknown) {
                try await seat().confirmPasswordReset(code: code, newPassword: "horse battery")
            }
        }
    }

    func testAWeakPasswordDoesNotUseTheCodeUp() async throws {
        try await signUpAnn()
        let code = try await resetCode()
        try await refusal(.weakPassword, .passwordIsTooShort) {
            try await seat().confirmPasswordReset(code: code, newPassword: "short")
        }
        try await seat().confirmPasswordReset(code: code, newPassword: "battery staple")
    }

    func testACodeDiesWithTimeWithTheAddressAndWithTheAccount() async throws {
        let ann = try await signUpAnn()
        let timely = try await resetCode()
        clock.advance(by: 3600)
        try await refusal(.expiredActionCode, .codeIsExpired) {
            try await seat().confirmPasswordReset(code: timely, newPassword: "battery staple")
        }
        try await ann.reauthenticate(with: Self.annsPassword)
        let bound = try await resetCode()
        try await ann.updateEmail(to: "new@example.com")
        try await refusal(.invalidActionCode, .codeIsOutdated) {
            try await seat().confirmPasswordReset(code: bound, newPassword: "battery staple")
        }
        let doomed = try await resetCode("new@example.com")
        try await ann.delete()
        try await seat().signUp(email: "new@example.com", password: Self.password)
        try await refusal(.invalidActionCode, .codeIsUnknown) {
            try await seat().confirmPasswordReset(code: doomed, newPassword: "battery staple")
        }
    }

    func testACodeForSomethingElseResetsNothingAndAResetCodeAppliesNothing() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification()
        let verification = try newestCode(to: "ann@example.com")
        try await refusal(.invalidActionCode, .codeIsForSomethingElse) {
            try await seat().confirmPasswordReset(code: verification, newPassword: "battery staple")
        }
        let reset = try await resetCode()
        try await refusal(.invalidActionCode, .codeIsForSomethingElse) { try await seat().applyActionCode(reset) }
        try await seat().confirmPasswordReset(code: reset, newPassword: "battery staple")
    }

    func testInspectingUsesNothingUpAndASignInLinkKeepsItsAddress() async throws {
        try await signUpAnn()
        let code = try await resetCode()
        for _ in 0..<3 {
            let action = try await seat().checkActionCode(code)
            XCTAssertEqual(action.kind, .resetPassword)
            XCTAssertEqual(action.email, "ann@example.com")
        }
        try await seat().confirmPasswordReset(code: code, newPassword: "battery staple")
        try await refusal(.invalidActionCode) { try await seat().checkActionCode(code) }
        try await seat().sendSignInLink(to: "ann@example.com")
        let link = try await seat().checkActionCode(try newestCode(to: "ann@example.com"))
        XCTAssertEqual(link.kind, .signInLink)
        XCTAssertNil(link.email)
    }

    func testNobodysAddressIsSaidToBeUnknown() async throws {
        try await refusal(.userNotFound, .addressIsUnknown) {
            try await seat().sendPasswordReset(to: "nobody@example.com")
        }
        XCTAssertTrue(outbox.messages.isEmpty)
    }

    func testADisabledAccountMayGetANewPasswordAndStaysDisabled() async throws {
        let ann = try await signUpAnn()
        try await service.setDisabled(true, account: ann.account.id)
        let code = try await resetCode()
        try await seat().confirmPasswordReset(code: code, newPassword: "battery staple")
        try await refusal(.userDisabled) {
            try await seat().signIn(with: .password(email: "ann@example.com", password: "battery staple"))
        }
    }
}

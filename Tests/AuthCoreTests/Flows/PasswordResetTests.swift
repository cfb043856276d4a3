@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordResetTests: XCTestCase {
    private let world = World(.firebase)

    private func resetCode(_ email: String = "ann@example.com") async throws -> String {
        try await world.seat("lost").sendPasswordReset(to: email)
        return try XCTUnwrap(world.outbox.last(to: email, .resetPassword)?.code)
    }

    func testAResetProvesTheAddressEndsEverySessionAndRemovesIdentities() async throws {
        let auth = world.seat()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.link(with: world.facebook(.eve))
        let code = try await resetCode()
        try await world.seat("lost").confirmPasswordReset(code: code, newPassword: "battery staple")
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
        try await world.refusal(.wrongPassword) { try await auth.signIn(with: World.annsPassword) }
        let back = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertTrue(back.isEmailVerified)
        XCTAssertEqual(back.providerData.map(\.provider).sorted(), [.password, .phone])
        let evesOwn = try await world.seat("eve").signIn(with: world.facebook(.eve)).user
        XCTAssertNotEqual(evesOwn.uid, ann.uid)
    }

    func testAnAccountWithoutAPasswordGetsOne() async throws {
        let ann = try await world.seat().signIn(with: world.google()).user
        let code = try await resetCode()
        try await world.seat().confirmPasswordReset(code: code, newPassword: World.password)
        let back = try await world.seat().signIn(with: World.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(back.providerData.map(\.provider), [.password])
    }

    func testACodeWorksOnceAndTakesTheOthersWithIt() async throws {
        try await world.signUpAnn()
        let first = try await resetCode()
        let second = try await resetCode()
        try await world.seat().confirmPasswordReset(code: first, newPassword: "battery staple")
        for code in [first, second] {
            try await world.refusal(.invalidActionCode, .codeIsUnknown) {
                try await world.seat().confirmPasswordReset(code: code, newPassword: "horse battery")
            }
        }
    }

    func testAWeakPasswordDoesNotUseTheCodeUp() async throws {
        try await world.signUpAnn()
        let code = try await resetCode()
        try await world.refusal(.weakPassword, .passwordIsTooShort) {
            try await world.seat().confirmPasswordReset(code: code, newPassword: "short")
        }
        try await world.seat().confirmPasswordReset(code: code, newPassword: "battery staple")
    }

    func testACodeDiesWithTimeWithTheAddressAndWithTheAccount() async throws {
        let ann = try await world.signUpAnn()
        let timely = try await resetCode()
        world.clock.advance(by: 3600)
        try await world.refusal(.expiredActionCode, .codeIsExpired) {
            try await world.seat().confirmPasswordReset(code: timely, newPassword: "battery staple")
        }
        try await ann.reauthenticate(with: World.annsPassword)
        let bound = try await resetCode()
        try await ann.updateEmail(to: "new@example.com")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.seat().confirmPasswordReset(code: bound, newPassword: "battery staple")
        }
        let doomed = try await resetCode("new@example.com")
        try await ann.delete()
        try await world.seat().signUp(email: "new@example.com", password: World.password)
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await world.seat().confirmPasswordReset(code: doomed, newPassword: "battery staple")
        }
    }

    func testACodeForSomethingElseResetsNothingAndAResetCodeAppliesNothing() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let verification = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.invalidActionCode, .codeIsForSomethingElse) {
            try await world.seat().confirmPasswordReset(code: verification, newPassword: "battery staple")
        }
        let reset = try await resetCode()
        try await world.refusal(.invalidActionCode, .codeIsForSomethingElse) {
            try await world.seat().applyActionCode(reset)
        }
        try await world.seat().confirmPasswordReset(code: reset, newPassword: "battery staple")
    }

    func testInspectingUsesNothingUpAndASignInLinkKeepsItsAddress() async throws {
        try await world.signUpAnn()
        let code = try await resetCode()
        for _ in 0..<3 {
            let action = try await world.seat().checkActionCode(code)
            XCTAssertEqual(action.kind, .resetPassword)
            XCTAssertEqual(action.email, "ann@example.com")
        }
        try await world.seat().confirmPasswordReset(code: code, newPassword: "battery staple")
        try await world.refusal(.invalidActionCode) { try await world.seat().checkActionCode(code) }
        try await world.seat().sendSignInLink(to: "ann@example.com")
        let link = try await world.seat().checkActionCode(try world.newestCode(to: "ann@example.com"))
        XCTAssertEqual(link.kind, .signInLink)
        XCTAssertNil(link.email)
    }

    func testNobodysAddressIsSaidToBeUnknown() async throws {
        try await world.refusal(.userNotFound, .addressIsUnknown) {
            try await world.seat().sendPasswordReset(to: "nobody@example.com")
        }
        XCTAssertTrue(world.outbox.messages.isEmpty)
    }

    func testADisabledAccountMayGetANewPasswordAndStaysDisabled() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        let code = try await resetCode()
        try await world.seat().confirmPasswordReset(code: code, newPassword: "battery staple")
        try await world.refusal(.userDisabled) {
            try await world.seat().signIn(with: .password(email: "ann@example.com", password: "battery staple"))
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordResetTests: LimitedTestCase {
    private let world = World(.firebase)

    private func resetCode(_ email: String = "ann@example.com") async throws -> String {
        try await world.device("lost").sendPasswordReset(to: email)
        return try XCTUnwrap(world.outbox.last(to: email, .resetPassword)?.code)
    }

    func testAResetProvesTheAddressEndsEverySessionAndRemovesIdentities() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.link(with: world.facebook(.eve))
        let code = try await resetCode()
        try await world.device("lost").confirmPasswordReset(code: code, newPassword: "battery staple")
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
        try await world.refusal(.wrongPassword) { try await auth.signIn(with: World.annsPassword) }
        let back = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertTrue(back.isEmailVerified)
        XCTAssertEqual(back.providerData.map(\.provider).sorted(), [.password, .phone])
        let evesOwn = try await world.device("eve").signIn(with: world.facebook(.eve)).user
        XCTAssertNotEqual(evesOwn.uid, ann.uid)
    }

    func testAResetNamesWhatItRemovesAndWhatItLeaves() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.facebook(.eve))
        try await ann.link(with: world.gitHub(.eve))
        let code = try await resetCode()
        let report = try await world.device("lost").confirmPasswordReset(code: code, newPassword: "battery staple")
        XCTAssertEqual(report.removed.map(\.provider), [.facebook, .gitHub])
        XCTAssertEqual(report.usable.map(\.kind), [.password])
        XCTAssertEqual(report.suspended.map(\.kind), [])
    }

    func testAnAccountWithoutAPasswordGetsOne() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        let code = try await resetCode()
        try await world.device().confirmPasswordReset(code: code, newPassword: World.password)
        let back = try await world.device().signIn(with: World.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid)
        XCTAssertEqual(back.providerData.map(\.provider), [.password])
    }

    func testACodeWorksOnceAndTakesTheOthersWithIt() async throws {
        try await world.signUpAnn()
        let first = try await resetCode()
        let second = try await resetCode()
        try await world.device().confirmPasswordReset(code: first, newPassword: "battery staple")
        for code in [first, second] {
            try await world.refusal(.invalidActionCode, .codeIsUnknown) {
                try await world.device().confirmPasswordReset(code: code, newPassword: "horse battery")
            }
        }
    }

    func testAWeakPasswordDoesNotUseTheCodeUp() async throws {
        try await world.signUpAnn()
        let code = try await resetCode()
        try await world.refusal(.weakPassword, .passwordIsTooShort) {
            try await world.device().confirmPasswordReset(code: code, newPassword: "short")
        }
        try await world.device().confirmPasswordReset(code: code, newPassword: "battery staple")
    }

    func testACodeDiesWithTimeWithTheAddressAndWithTheAccount() async throws {
        let ann = try await world.signUpAnn()
        let timely = try await resetCode()
        world.clock.advance(by: .seconds(3600))
        try await world.refusal(.expiredActionCode, .codeIsExpired) {
            try await world.device().confirmPasswordReset(code: timely, newPassword: "battery staple")
        }
        try await ann.reauthenticate(with: World.annsPassword)
        let bound = try await resetCode()
        try await ann.updateEmail(to: "new@example.com")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device().confirmPasswordReset(code: bound, newPassword: "battery staple")
        }
        let doomed = try await resetCode("new@example.com")
        try await ann.delete()
        try await world.device().signUp(email: "new@example.com", password: World.password)
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await world.device().confirmPasswordReset(code: doomed, newPassword: "battery staple")
        }
    }

    func testACodeForSomethingElseResetsNothingAndAResetCodeAppliesNothing() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let verification = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.invalidActionCode, .codeIsForSomethingElse) {
            try await world.device().confirmPasswordReset(code: verification, newPassword: "battery staple")
        }
        let reset = try await resetCode()
        try await world.refusal(.invalidActionCode, .codeIsForSomethingElse) {
            try await world.device().applyActionCode(reset)
        }
        try await world.device().confirmPasswordReset(code: reset, newPassword: "battery staple")
    }

    func testInspectingUsesNothingUpAndASignInLinkKeepsItsAddress() async throws {
        try await world.signUpAnn()
        let code = try await resetCode()
        for _ in 0..<3 {
            let action = try await world.device().checkActionCode(code)
            XCTAssertEqual(action.kind, .resetPassword)
            XCTAssertEqual(action.email, "ann@example.com")
        }
        try await world.device().confirmPasswordReset(code: code, newPassword: "battery staple")
        try await world.refusal(.invalidActionCode) { try await world.device().checkActionCode(code) }
        try await world.device().sendSignInLink(to: "ann@example.com")
        let link = try await world.device().checkActionCode(try world.newestCode(to: "ann@example.com"))
        XCTAssertEqual(link.kind, .signInLink)
        XCTAssertNil(link.email)
    }

    func testNobodysAddressIsSaidToBeUnknown() async throws {
        try await world.refusal(.userNotFound, .addressIsUnknown) {
            try await world.device().sendPasswordReset(to: "nobody@example.com")
        }
        XCTAssertTrue(world.outbox.messages.isEmpty)
    }

    func testADisabledAccountMayGetANewPasswordAndStaysDisabled() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        let code = try await resetCode()
        try await world.device().confirmPasswordReset(code: code, newPassword: "battery staple")
        try await world.refusal(.userDisabled) {
            try await world.device().signIn(with: .password(email: "ann@example.com", password: "battery staple"))
        }
    }
}

import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// Mailed codes, and the links that carry them.
final class ActionCodeTests: LimitedTestCase {
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

    func testAPasswordIsResetToExactlyWhatWasTyped() async throws {
        try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        try await world.auth.sendPasswordReset(withEmail: "ann@example.com")
        try await world.auth.confirmPasswordReset(withCode: world.newestCode, newPassword: " another horse ")
        let error = await failure {
            try await self.world.auth.signIn(withEmail: "ann@example.com", password: "another horse")
        }
        XCTAssertEqual(error?.code, AuthErrorCode.wrongPassword.rawValue, "the new password without its outer spaces")
        try await world.auth.signIn(withEmail: "ann@example.com", password: " another horse ")
    }

    /// The session that opens the code verifies the methods that it used, so that a later identity can join them.
    func testACodeThatTheCurrentUserAppliesCoversThePassword() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await world.auth.applyActionCode(world.newestCode)
        let coverage = try await world.coverage(of: "ann@example.com")
        XCTAssertEqual(coverage, [1])
    }

    func testACodeIsAppliedWhereNoOneIsSignedIn() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try world.auth.signOut()
        try await world.auth.applyActionCode(world.newestCode)
        let back = try await world.auth.signIn(withEmail: "ann@example.com", password: "correct horse").user
        XCTAssertTrue(back.isEmailVerified, "whether the code verified the address")
    }

    func testACodeForSomethingElseResetsNoPassword() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        let error = await failure { try await self.world.auth.verifyPasswordResetCode(self.world.newestCode) }
        XCTAssertEqual(error?.code, AuthErrorCode.invalidActionCode.rawValue)
        let told = await code { heard in world.auth.verifyPasswordResetCode(world.newestCode) { heard($1) } }
        XCTAssertEqual(told, AuthErrorCode.invalidActionCode.rawValue, "what the handler is told")
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

    func testACodeThatChangesNoAddressNamesNoEarlierOne() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let settings = ActionCodeSettings()
        settings.handleCodeInApp = true
        let mails: [(ActionCodeOperation, String, () async throws -> Void)] = [
            (.verifyEmail, "ann@example.com", { try await user.sendEmailVerification() }),
            // A sign-in link does not tell whose it is.
            (
                .emailLink, "",
                { try await self.world.auth.sendSignInLink(toEmail: "ann@example.com", actionCodeSettings: settings) }
            ),
        ]
        for (operation, email, mail) in mails {
            try await mail()
            let code = try XCTUnwrap(ActionCodeURL(link: world.newestLink)?.code)
            let info = try await world.auth.checkActionCode(code)
            XCTAssertEqual(info.operation, operation, "what the code is for")
            XCTAssertEqual(info.email, email, "the address of \(operation)")
            XCTAssertNil(info.previousEmail, "an earlier address of \(operation)")
        }
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
        let other = try XCTUnwrap(ActionCodeURL(link: "https://a.example/action?other=value"))
        XCTAssertEqual([other.apiKey, other.code, other.languageCode], [nil, nil, nil], "parts that a link lacks")
        XCTAssertNil(other.continueURL, "where the person continues after a link that does not say it")
        XCTAssertEqual(other.operation, .unknown, "what a link does that names no mode")
        let bare = ActionCodeURL(link: "https://a.example/action?oobCode=c&lang")
        XCTAssertEqual(bare?.languageCode, "", "a language that is named without a value")
        let two = "https://a.example/action?oobCode=first&oobCode=last"
        XCTAssertEqual(ActionCodeURL(link: two)?.code, "last", "of two codes the one that the service applies")
        let outer = "https://a.example/?oobCode=outer&link=https%3A%2F%2Fb.example%2F%3FoobCode%3Dinner"
        XCTAssertEqual(ActionCodeURL(link: outer)?.code, "outer", "the code of a link that has another link in it")
        let start = "https://a.example/action?apiKey=k&mode=resetPassword&oobCode=c&lang="
        let longest = start + String(repeating: "a", count: 16_384 - start.utf8.count)
        XCTAssertEqual(ActionCodeURL(link: longest)?.code, "c", "a link of 16,384 bytes")
        XCTAssertNil(ActionCodeURL(link: longest + "a"), "a link of 16,385 bytes")
    }

    func testEveryModeOfALinkIsAnOperation() {
        let operations: [(String, ActionCodeOperation)] = [
            ("resetPassword", .passwordReset), ("verifyEmail", .verifyEmail), ("recoverEmail", .recoverEmail),
            ("signIn", .emailLink), ("verifyAndChangeEmail", .verifyAndChangeEmail),
            ("revertSecondFactorAddition", .revertSecondFactorAddition), ("other", .unknown),
        ]
        for (mode, operation) in operations {
            let link = "https://a.example/action?mode=\(mode)&oobCode=c"
            XCTAssertEqual(ActionCodeURL(link: link)?.operation, operation, "the operation of the mode \(mode)")
        }
    }

    @available(*, deprecated)
    func testEveryMailedLinkHasItsSettingsAndTheLanguageOfTheApp() async throws {
        let (auth, email, new) = (world.auth, "ann@example.com", "new@example.com")
        let user = try await auth.createUser(withEmail: email, password: "correct horse").user
        let settings = ActionCodeSettings()
        settings.url = URL(string: "https://example.com/done")
        settings.handleCodeInApp = true
        auth.languageCode = "fr-CA"
        let mails: [(String, () async throws -> Void)] = [
            ("a reset", { try await auth.sendPasswordReset(withEmail: email, actionCodeSettings: settings) }),
            (
                "a reset, with a handler",
                {
                    try await self.done {
                        auth.sendPasswordReset(withEmail: email, actionCodeSettings: settings, completion: $0)
                    }
                }
            ), ("a sign-in", { try await auth.sendSignInLink(toEmail: email, actionCodeSettings: settings) }),
            (
                "a sign-in, with a handler",
                {
                    try await self.done {
                        auth.sendSignInLink(toEmail: email, actionCodeSettings: settings, completion: $0)
                    }
                }
            ), ("a verification", { try await user.sendEmailVerification(with: settings) }),
            (
                "a verification, with a handler",
                { try await self.done { user.sendEmailVerification(with: settings, completion: $0) } }
            ),
            (
                "a change",
                { try await user.sendEmailVerification(beforeUpdatingEmail: new, actionCodeSettings: settings) }
            ),
            (
                "a change, with a handler",
                {
                    try await self.done { heard in
                        user.sendEmailVerification(
                            beforeUpdatingEmail: new,
                            actionCodeSettings: settings,
                            completion: heard
                        )
                    }
                }
            ),
        ]
        for (what, mail) in mails {
            let before = world.newestLink
            try await mail()
            XCTAssertNotEqual(world.newestLink, before, "\(what) mails a link")
            let link = ActionCodeURL(link: world.newestLink)
            XCTAssertEqual(link?.continueURL, settings.url, "where the person continues after \(what)")
            XCTAssertEqual(link?.languageCode, "fr-CA", "the language of \(what)")
        }
        try await user.updateEmail(to: new)
        let offer = ActionCodeURL(link: world.newestLink)
        XCTAssertEqual(offer?.operation, .recoverEmail, "what the mail about a change offers")
        XCTAssertEqual(offer?.languageCode, "fr-CA", "the language of the offer to undo a change")
    }

    func testAnEmptyPasswordIsWeakWhateverTheCode() async {
        let error = await failure { try await world.auth.confirmPasswordReset(withCode: "none", newPassword: "") }
        XCTAssertEqual(error?.code, AuthErrorCode.weakPassword.rawValue, "an empty password with a code that is none")
        let reason = error?.userInfo[NSLocalizedFailureReasonErrorKey] as? String
        XCTAssertEqual(reason, "Missing password", "why the password is weak")
    }
}

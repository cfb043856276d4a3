@testable import AuthCore
import AuthCoreTesting
import XCTest

final class EmailLinkTests: FlowTestCase {
    func testALinkMakesAnAccountWhoseAddressIsProved() async throws {
        let auth = seat()
        let result = try await auth.signIn(with: mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(result.isNewUser)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.provider, .password)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.password])
        let methods = try await auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink"])
    }

    func testALinkSignsInToTheAccountThatProvedTheAddressAndKeepsItsMethods() async throws {
        let ann = try await signUpProvenAnn()
        let result = try await seat("tablet").signIn(with: mailedLink(to: "ann@example.com", from: seat()))
        XCTAssertFalse(result.isNewUser)
        XCTAssertEqual(result.user.uid, ann.uid)
        let methods = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink", "password"])
        try await ann.reload()
    }

    func testALinkToANeverProvenAccountTakesAwayWhatOthersPutThere() async throws {
        let eve = try await seat().signUp(email: "ann@example.com", password: "I wait here").user
        let ann = try await seat("tablet").signIn(with: mailedLink(to: "ann@example.com", from: seat("tablet"))).user
        XCTAssertEqual(ann.uid, eve.uid)
        XCTAssertTrue(ann.isEmailVerified)
        let methods = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink"])
        try await refusal(.userTokenExpired) { try await eve.reload() }
    }

    func testAProvidersAccountGainsTheLinkBesideIt() async throws {
        let ann = try await seat().signIn(with: google()).user
        let result = try await seat().signIn(with: mailedLink(to: "ann@example.com", from: seat()))
        XCTAssertEqual(result.user.uid, ann.uid)
        let methods = try await seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink", "google.com"])
    }

    func testALinkWorksOnceAndSeveralLinksWorkSideBySide() async throws {
        let first = try await mailedLink(to: "ann@example.com", from: seat())
        let second = try await mailedLink(to: "ann@example.com", from: seat())
        for credential in [first, second] { try await seat().signIn(with: credential) }
        for credential in [first, second] {
            try await refusal(.invalidActionCode, .codeIsUnknown) { try await seat().signIn(with: credential) }
        }
    }

    func testALinkLastsAnHourAndWorksInAnySeat() async throws {
        let credential = try await mailedLink(to: "ann@example.com", from: seat())
        let late = try await mailedLink(to: "ann@example.com", from: seat())
        clock.advance(by: 3599)
        try await seat("tablet").signIn(with: credential)
        clock.advance(by: 1)
        try await refusal(.expiredActionCode, .codeIsExpired) { try await seat().signIn(with: late) }
    }

    func testALinkWithAnotherAddressIsRefusedAndStaysGood() async throws {
        let auth = seat()
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try XCTUnwrap(outbox.last(to: "ann@example.com")?.link)
        try await refusal(.invalidEmail) {
            try await auth.signIn(with: .emailLink(email: "eve@example.com", link: link))
        }
        try await auth.signIn(with: .emailLink(email: "ANN@example.com", link: link))
    }

    func testACodeForSomethingElseSignsNobodyIn() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification()
        let code = try newestCode(to: "ann@example.com")
        try await refusal(.invalidActionCode) {
            try await seat().signIn(with: .emailLink(email: "ann@example.com", link: code))
        }
        try await seat().applyActionCode(code)
    }

    func testADisabledAccountIsRefusedAndTheLinkStaysGood() async throws {
        let ann = try await signUpProvenAnn()
        let credential = try await mailedLink(to: "ann@example.com", from: seat())
        try await service.setDisabled(true, account: ann.account.id)
        try await refusal(.userDisabled) { try await seat().signIn(with: credential) }
        try await service.setDisabled(false, account: ann.account.id)
        try await seat().signIn(with: credential)
    }

    func testTheLinkCarriesWhatTheAppAskedFor() async throws {
        let settings = MessageSettings(continueURL: "https://example.com/go?x=1&y=2", language: "de")
        try await seat().sendSignInLink(to: "ann@example.com", settings: settings)
        let message = try XCTUnwrap(outbox.last(to: "ann@example.com"))
        let link = try XCTUnwrap(message.link.flatMap { ActionLink($0) })
        XCTAssertEqual(link.mode, "signIn")
        XCTAssertEqual(link.code, message.code)
        XCTAssertEqual(link.continueURL, "https://example.com/go?x=1&y=2")
        XCTAssertEqual(link.languageCode, "de")
    }
}

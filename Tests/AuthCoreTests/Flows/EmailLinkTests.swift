@testable import AuthCore
import AuthCoreTesting
import XCTest

final class EmailLinkTests: XCTestCase {
    private let world = World(.firebase)

    func testALinkMakesAnAccountWhoseAddressIsProved() async throws {
        let auth = world.seat()
        let result = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(result.isNewUser)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.provider, .password)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.password])
        let methods = try await auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink"])
    }

    func testALinkSignsInToTheAccountThatProvedTheAddressAndKeepsItsMethods() async throws {
        let ann = try await world.signUpProvenAnn()
        let result = try await world.seat("tablet").signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.seat())
        )
        XCTAssertFalse(result.isNewUser)
        XCTAssertEqual(result.user.uid, ann.uid)
        let methods = try await world.seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink", "password"])
        try await ann.reload()
    }

    func testALinkToANeverProvenAccountTakesAwayWhatOthersPutThere() async throws {
        let eve = try await world.seat().signUp(email: "ann@example.com", password: "I wait here").user
        let ann = try await world.seat("tablet").signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.seat("tablet"))
        ).user
        XCTAssertEqual(ann.uid, eve.uid)
        XCTAssertTrue(ann.isEmailVerified)
        let methods = try await world.seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink"])
        try await world.refusal(.userTokenExpired) { try await eve.reload() }
    }

    func testAProvidersAccountGainsTheLinkBesideIt() async throws {
        let ann = try await world.seat().signIn(with: world.google()).user
        let result = try await world.seat().signIn(with: world.mailedLink(to: "ann@example.com", from: world.seat()))
        XCTAssertEqual(result.user.uid, ann.uid)
        let methods = try await world.seat().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink", "google.com"])
    }

    func testALinkWorksOnceAndSeveralLinksWorkSideBySide() async throws {
        let first = try await world.mailedLink(to: "ann@example.com", from: world.seat())
        let second = try await world.mailedLink(to: "ann@example.com", from: world.seat())
        for credential in [first, second] { try await world.seat().signIn(with: credential) }
        for credential in [first, second] {
            try await world.refusal(.invalidActionCode, .codeIsUnknown) {
                try await world.seat().signIn(with: credential)
            }
        }
    }

    func testALinkLastsAnHourAndWorksInAnySeat() async throws {
        let credential = try await world.mailedLink(to: "ann@example.com", from: world.seat())
        let late = try await world.mailedLink(to: "ann@example.com", from: world.seat())
        world.clock.advance(by: 3599)
        try await world.seat("tablet").signIn(with: credential)
        world.clock.advance(by: 1)
        try await world.refusal(.expiredActionCode, .codeIsExpired) { try await world.seat().signIn(with: late) }
    }

    func testALinkWithAnotherAddressIsRefusedAndStaysGood() async throws {
        let auth = world.seat()
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try XCTUnwrap(world.outbox.last(to: "ann@example.com")?.link)
        try await world.refusal(.invalidEmail) {
            try await auth.signIn(with: .emailLink(email: "eve@example.com", link: link))
        }
        try await auth.signIn(with: .emailLink(email: "ANN@example.com", link: link))
    }

    func testACodeForSomethingElseSignsNobodyIn() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let code = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.invalidActionCode) {
            try await world.seat().signIn(with: .emailLink(email: "ann@example.com", link: code))
        }
        try await world.seat().applyActionCode(code)
    }

    func testADisabledAccountIsRefusedAndTheLinkStaysGood() async throws {
        let ann = try await world.signUpProvenAnn()
        let credential = try await world.mailedLink(to: "ann@example.com", from: world.seat())
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled) { try await world.seat().signIn(with: credential) }
        try await world.service.setDisabled(false, account: ann.account.id)
        try await world.seat().signIn(with: credential)
    }

    func testTheLinkCarriesWhatTheAppAskedFor() async throws {
        let settings = MessageSettings(continueURL: "https://example.com/go?x=1&y=2", language: "de")
        try await world.seat().sendSignInLink(to: "ann@example.com", settings: settings)
        let message = try XCTUnwrap(world.outbox.last(to: "ann@example.com"))
        let link = try XCTUnwrap(message.link.flatMap { ActionLink($0) })
        XCTAssertEqual(link.mode, "signIn")
        XCTAssertEqual(link.code, message.code)
        XCTAssertEqual(link.continueURL, "https://example.com/go?x=1&y=2")
        XCTAssertEqual(link.languageCode, "de")
    }
}

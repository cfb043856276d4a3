@testable import AuthCore
import AuthCoreTesting
import XCTest

final class EmailLinkTests: LimitedTestCase {
    private let world = World(.firebase)

    func testALinkMakesAnAccountWhoseAddressIsVerified() async throws {
        let auth = world.device()
        let result = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        XCTAssertTrue(result.isNewUser)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertEqual(result.provider, .password)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.password])
        let methods = try await auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink"])
    }

    func testTheCodeOfALinkSignsInWithoutTheLinkAroundIt() async throws {
        let auth = world.device()
        _ = try await world.mailedLink(to: "ann@example.com", from: auth)
        let code = try world.code(.signInLink, to: "ann@example.com")
        let result = try await auth.signIn(with: .emailLink(email: "ann@example.com", link: code))
        XCTAssertEqual(result.user.email, "ann@example.com", "the address of who signs in with the bare code")
    }

    func testALinkMakesAnAccountBecauseTheAddressIsFree() async throws {
        let auth = world.device()
        try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        let events = try await world.service.events().events
        let made = try XCTUnwrap(events.first { $0.kind == .accountCreated })
        XCTAssertTrue(made.reasons.contains(.addressIsFree), "\(made.reasons)")
    }

    func testALinkSignsInToTheAccountThatVerifiedTheAddressAndKeepsItsMethods() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let result = try await world.device("tablet").signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.device())
        )
        XCTAssertFalse(result.isNewUser)
        XCTAssertEqual(result.user.uid, ann.uid)
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink", "password"])
        try await ann.reload()
    }

    func testALinkToANeverVerifiedAccountTakesAwayWhatOthersPutThere() async throws {
        let eve = try await world.device().signUp(email: "ann@example.com", password: "I wait here").user
        let ann = try await world.device("tablet").signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.device("tablet"))
        ).user
        XCTAssertEqual(ann.uid, eve.uid)
        XCTAssertTrue(ann.isEmailVerified)
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink"])
        try await world.refusal(.userTokenExpired) { try await eve.reload() }
    }

    func testAProvidersAccountGainsTheLinkBesideIt() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        let result = try await world.device().signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.device())
        )
        XCTAssertEqual(result.user.uid, ann.uid)
        let methods = try await world.device().fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["emailLink", "google.com"])
    }

    func testALinkWorksOnceAndSeveralLinksWorkSideBySide() async throws {
        let first = try await world.mailedLink(to: "ann@example.com", from: world.device())
        let second = try await world.mailedLink(to: "ann@example.com", from: world.device())
        for credential in [first, second] { try await world.device().signIn(with: credential) }
        for credential in [first, second] {
            try await world.refusal(.invalidActionCode, .codeIsUnknown) {
                try await world.device().signIn(with: credential)
            }
        }
    }

    func testALinkLastsAnHourAndWorksOnAnyDevice() async throws {
        let credential = try await world.mailedLink(to: "ann@example.com", from: world.device())
        let late = try await world.mailedLink(to: "ann@example.com", from: world.device())
        world.clock.advance(by: .seconds(3599))
        try await world.device("tablet").signIn(with: credential)
        world.clock.advance(by: .seconds(1))
        try await world.refusal(.expiredActionCode, .codeIsExpired) { try await world.device().signIn(with: late) }
    }

    func testALinkWithAnotherAddressIsRefusedAndStaysGood() async throws {
        let auth = world.device()
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try XCTUnwrap(world.outbox.last(to: "ann@example.com")?.link)
        let error = try await world.refusal(.invalidEmail, .linkIsForAnotherAddress) {
            try await auth.signIn(with: .emailLink(email: "eve@example.com", link: link))
        }
        XCTAssertEqual(error.message, "The link was mailed to another address; have the person enter that one.")
        try await auth.signIn(with: .emailLink(email: "ANN@example.com", link: link))
    }

    func testACodeForSomethingElseSignsNobodyIn() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let code = try world.newestCode(to: "ann@example.com")
        try await world.refusal(.invalidActionCode) {
            try await world.device().signIn(with: .emailLink(email: "ann@example.com", link: code))
        }
        try await world.device().applyActionCode(code)
    }

    func testADisabledAccountIsRefusedAndTheLinkStaysGood() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let credential = try await world.mailedLink(to: "ann@example.com", from: world.device())
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled) { try await world.device().signIn(with: credential) }
        try await world.service.setDisabled(false, account: ann.account.id)
        try await world.device().signIn(with: credential)
    }
}

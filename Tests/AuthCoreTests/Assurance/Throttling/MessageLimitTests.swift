import AuthCore
import AuthCoreTesting
import XCTest

/// S31: the rows of the table about mails, texts and new accounts.
final class MessageLimitTests: LimitedTestCase {
    private var world = World(.standard)

    func testS31_AnAddressGetsFiveMailsOfAKindAnHourForStrangers() async throws {
        try await world.signUpVerifiedAnn()
        let device = try await world.annsDevice()
        let kinds: [(String, @Sendable (AuthClient) async throws -> Void)] = [
            ("methods", { try await $0.sendSignInMethods(to: "ann@example.com") }),
            ("link", { try await $0.sendSignInLink(to: "ann@example.com") }),
            ("reset", { try await $0.sendPasswordReset(to: "ann@example.com") }),
        ]
        for (name, send) in kinds {
            var counts = await outcomes(of: 187) { try await send(self.world.stranger($0)) }
            XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 182], "\(name), strangers")
            counts = await outcomes(of: 6) { _ in try await send(device) }
            XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 1], "\(name), her own device")
        }
        world.clock.advance(by: .seconds(3600))
        for (_, send) in kinds { try await send(world.stranger(500)) }
    }

    func testEachDeviceThatTheAccountKnowsHasMailsOfItsOwn() async throws {
        try await world.signUpVerifiedAnn()
        let devices = [try await world.annsDevice(), try await world.annsDevice()]
        for (name, device) in zip(["first", "second"], devices) {
            let counts = await outcomes(of: 6) { _ in try await device.sendPasswordReset(to: "ann@example.com") }
            XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 1], "resets on her \(name) device")
        }
    }

    func testS31_AnAddressWithoutAnAccountIsCountedAlike() async throws {
        let counts = await outcomes(of: 8) {
            try await self.world.stranger($0).sendPasswordReset(to: "nobody@example.com")
        }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 3])
    }

    /// Otherwise guests could keep a person from a new address or number though no message arrives there.
    func testS31_AMessageThatTheRulesRefuseIsNotCounted() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for number in 0..<6 {
            let guest = try await world.stranger(number).signInAnonymously().user
            await assertThrows(.missingEmail, "a change of a guest's address") {
                try await guest.sendEmailVerification(beforeUpdatingTo: "new@example.com")
            }
            await assertThrows(.unsupportedFirstFactor, "a factor of a guest") {
                _ = try await guest.multiFactor.sendPhoneCode(to: world.number)
            }
        }
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        XCTAssertNotNil(world.outbox.last(to: "new@example.com", .changeEmail), "the mail after the refused ones")
        _ = try await world.stranger(7).sendPhoneCode(to: world.number)
        XCTAssertNotNil(world.outbox.last(to: world.number), "the text after the refused ones")
    }

    /// Numbers stay second factors where they do not sign in, and their owners need the texts.
    func testS31_ATextThatThePolicyDisablesIsNotCounted() async throws {
        world.policy.disabledProviders = [.phone]
        let world = world
        let ann = try await world.signUpVerifiedAnn()
        for number in 0..<6 {
            await assertThrows(.operationNotAllowed, "a text that signs in") {
                _ = try await world.stranger(number).sendPhoneCode(to: world.number)
            }
        }
        _ = try await ann.multiFactor.sendPhoneCode(to: world.number)
        XCTAssertNotNil(world.outbox.last(to: world.number), "the text of the enrollment")
    }

    func testS31_ASignUpThatThePolicyDisablesIsNotCounted() async throws {
        world.policy.disabledProviders = [.password]
        let world = world
        let here = world.stranger(at: "192.0.2.9")
        let most = try XCTUnwrap(world.policy.limits?.accountsFromOrigin)
        for number in 0..<most {
            await assertThrows(.operationNotAllowed, "a sign-up by password") {
                try await here.signUp(email: "p\(number)@example.com", password: World.password)
            }
        }
        _ = try await here.signInAnonymously()
    }

    func testAGuestThatThePolicyDisablesIsNotCounted() async throws {
        world.policy.disabledProviders = [.anonymous]
        let world = world
        let here = world.stranger(at: "192.0.2.9")
        let most = try XCTUnwrap(world.policy.limits?.accountsFromOrigin)
        let counts = await outcomes(of: most) { _ in try await here.signInAnonymously() }
        XCTAssertEqual(counts, [.adminRestrictedOperation: most], "guests where the policy has none")
        let code = await outcome { try await here.signUp(email: "p@example.com", password: World.password) }
        XCTAssertNil(code, "a sign-up after them")
    }

    /// Otherwise a stranger could keep a person from a reset though no link is in the mailbox that they could open.
    func testS31_AMailThatIsRefusedBeforeItIsSentIsNotCounted() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let foreign = Message.Settings(continueURL: "https://evil.example/")
        let long = String(repeating: "n", count: 3000)
        let named = world.service.client(for: nil, origin: .address("192.0.2.66"), deviceName: long)
        for number in 0..<6 {
            await assertThrows(.unauthorizedDomain) {
                try await world.stranger(number).sendPasswordReset(to: "ann@example.com", settings: foreign)
            }
            await assertThrows(.textTooLong) { try await named.sendPasswordReset(to: "ann@example.com") }
            await assertThrows(.textTooLong) { _ = try await named.sendPhoneCode(to: world.number) }
            await assertThrows(.unauthorizedDomain) { try await ann.sendEmailVerification(settings: foreign) }
            await assertThrows(.unauthorizedDomain) {
                try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com", settings: foreign)
            }
        }
        try await world.stranger(7).sendPasswordReset(to: "ann@example.com")
        try await ann.sendEmailVerification()
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        for (address, kind) in [
            ("ann@example.com", Message.Kind.resetPassword), ("ann@example.com", .verifyEmail),
            ("new@example.com", .changeEmail),
        ] {
            XCTAssertNotNil(world.outbox.last(to: address, kind), "\(kind) to \(address), after six that were refused")
        }
        let id = try await world.stranger(7).sendPhoneCode(to: world.number)
        XCTAssertFalse(id.isEmpty, "a text, after six that were refused")
    }

    func testTheNamesOfAMailboxShareItsMails() async throws {
        let names = ["ann@gmail.com", "ann@googlemail.com"]
        let counts = await outcomes(of: 8) { try await self.world.stranger($0).sendPasswordReset(to: names[$0 % 2]) }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 3], "mails to two names of one mailbox")
    }

    func testAT28_WhileAResetMustWaitTheNewestLinkOpensOnAnyDevice() async throws {
        try await world.signUpVerifiedAnn()
        for index in 0..<5 {
            try await world.stranger(index).sendPasswordReset(to: "ann@example.com")
            world.clock.advance(by: .seconds(600))
        }
        let code = try world.newestCode(to: "ann@example.com")
        var waited = 0
        while await outcome(of: { try await self.world.stranger(9).sendPasswordReset(to: "ann@example.com") }) != nil {
            world.clock.advance(by: .seconds(60))
            waited += 1
            XCTAssertLessThan(waited, 60, "a reset waits for more than an hour")
            if waited > 60 { return }
        }
        try await world.stranger(10).confirmPasswordReset(code: code, newPassword: "battery staple")
    }

    func testAResetAfterAReportOrARecoveryDoesNotWaitForTheLinksThatThoseEnded() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google())
        let report = try world.code(.methodAdded, to: "ann@example.com")
        for index in 0..<5 { try await world.stranger(index).sendPasswordReset(to: "ann@example.com") }
        try await world.device("desk").reportUnauthorizedChange(code: report)
        try await world.device("desk").sendPasswordReset(to: "ann@example.com")

        let eve = try await world.device("eve").signIn(with: World.annsPassword).user
        try await eve.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await eve.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        for index in 5..<9 { try await world.stranger(index).sendPasswordReset(to: "ann@example.com") }
        try await world.device("cafe").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await world.device("cafe").sendPasswordReset(to: "ann@example.com")
        try await world.device("cafe").confirmPasswordReset(
            code: world.newestCode(to: "ann@example.com"),
            newPassword: "a fresh new word"
        )
    }

    func testAReportForgetsNoAttemptsAtAnAddressThatTheAccountOnlyDisplays() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("eve")
        let token = SimulatedToken(email: .text("ann@example.com"), address: .unverified)
        let eve = try await auth.signIn(with: world.credential("oidc.example", .eve, saying: token)).user
        XCTAssertEqual(eve.email, "ann@example.com", "the address is displayed")
        XCTAssertFalse(eve.account.reservesEmail, "the address is only displayed")
        try await eve.link(with: world.google(SimulatedPerson.eve.with(email: "eve@gmail.com")))
        try await eve.link(with: world.digits(to: world.evesNumber, from: auth))
        for index in 0..<5 { try await world.stranger(index).sendPasswordReset(to: "ann@example.com") }
        try await auth.reportUnauthorizedChange(code: world.code(.methodAdded, to: "eve@gmail.com"))
        await assertThrows(.tooManyRequests, "a report by another account made room for more mails to Ann") {
            try await world.stranger(5).sendPasswordReset(to: "ann@example.com")
        }
    }

    func testS31_ResetsAreCountedNoLongerThanTheirLinksOpenAndOtherMailsForAnHour() async throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.mailCode = .seconds(600)
        let world = World(policy)
        try await world.signUpVerifiedAnn()
        for index in 0..<5 {
            try await world.stranger(index).sendPasswordReset(to: "ann@example.com")
            try await world.stranger(index).sendSignInLink(to: "ann@example.com")
        }
        world.clock.advance(by: .seconds(599))
        await assertThrows(.tooManyRequests, "a reset while the links of the others open") {
            try await world.stranger(5).sendPasswordReset(to: "ann@example.com")
        }
        world.clock.advance(by: .seconds(1))
        try await world.stranger(6).sendPasswordReset(to: "ann@example.com")
        world.clock.advance(by: .seconds(2999))
        await assertThrows(.tooManyRequests, "a link within the hour") {
            try await world.stranger(7).sendSignInLink(to: "ann@example.com")
        }
        world.clock.advance(by: .seconds(1))
        try await world.stranger(8).sendSignInLink(to: "ann@example.com")
    }

    func testResetsAreCountedForAnHourHoweverLongTheirLinksOpen() async throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.mailCode = .seconds(12 * 3600)
        let world = World(policy)
        try await world.signUpVerifiedAnn()
        let counts = await outcomes(of: 6) { try await world.stranger($0).sendPasswordReset(to: "ann@example.com") }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 1], "resets within an hour")
        world.clock.advance(by: .seconds(3600))
        let later = await outcome { try await world.stranger(6).sendPasswordReset(to: "ann@example.com") }
        XCTAssertNil(later, "a reset an hour later")
    }

    func testAT29_AnOriginGetsAHundredMailsAnHour() async throws {
        let client = world.stranger()
        var counts = await outcomes(inParallel: 500) { try await client.sendSignInLink(to: "p\($0)@example.com") }
        XCTAssertEqual(counts, [nil: 100, .tooManyRequests: 400])
        try await world.signUpVerifiedAnn()
        let known = try await world.annsDevice()
        let here = world.service.client(for: known.device, origin: .address("198.51.0.0"))
        try await here.sendPasswordReset(to: "ann@example.com")
        world.clock.advance(by: .seconds(3600))
        counts = await outcomes(of: 101) { try await client.sendSignInLink(to: "q\($0)@example.com") }
        XCTAssertEqual(counts, [nil: 100, .tooManyRequests: 1])
    }

    func testS31_ANumberGetsFiveTextsAnHourAndAKnownDeviceFiveOfItsOwn() async throws {
        let first = world.stranger(at: "192.0.2.77")
        let id = try await first.sendPhoneCode(to: world.number)
        let code = try world.newestCode(to: world.number)
        let device = try await first.signIn(with: .phone(verificationID: id, code: code)).device
        let known = world.service.client(for: device, origin: .address("192.0.2.77"))
        world.clock.advance(by: .seconds(3600))
        var counts = await outcomes(of: 187) { try await self.world.stranger($0).sendPhoneCode(to: self.world.number) }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 182], "strangers")
        counts = await outcomes(of: 6) { _ in try await known.sendPhoneCode(to: self.world.number) }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 1], "the person's own device")
    }

    func testTextsAndMailsHaveNumbersOfTheirOwn() async throws {
        for (texts, mails) in [(1, 9), (9, 1)] {
            world.startOver(.standard)
            world.policy.limits?.texts = texts
            world.policy.limits?.mails = mails
            let what = "\(texts) texts and \(mails) mails"
            let sent = await outcomes(of: 10) { try await world.stranger($0).sendPhoneCode(to: world.number) }
            XCTAssertEqual(sent, [nil: texts, .tooManyRequests: 10 - texts], "the texts of \(what)")
            let mailed = await outcomes(of: 10) { try await world.stranger($0).sendSignInLink(to: "ann@example.com") }
            XCTAssertEqual(mailed, [nil: mails, .tooManyRequests: 10 - mails], "the mails of \(what)")
        }
    }

    func testAT29_AnOriginGetsTwentyTextsAnHour() async throws {
        let client = world.stranger()
        let counts = await outcomes(inParallel: 500) { try await client.sendPhoneCode(to: "+1555\(5_550_000 + $0)") }
        XCTAssertEqual(counts, [nil: 20, .tooManyRequests: 480])
        let known = world.stranger(at: "192.0.2.77")
        let id = try await known.sendPhoneCode(to: world.number)
        let code = try world.newestCode(to: world.number)
        let device = try await known.signIn(with: .phone(verificationID: id, code: code)).device
        let here = world.service.client(for: device, origin: .address("198.51.0.0"))
        _ = try await here.sendPhoneCode(to: world.number)
    }

    func testS31_AnOriginMakesAHundredAccountsADay() async throws {
        let client = world.stranger()
        let guests = await outcomes(inParallel: 300) { _ in try await client.signInAnonymously() }
        XCTAssertEqual(guests, [nil: 100, .tooManyRequests: 200])
        await assertThrows(.tooManyRequests) {
            try await client.signUp(email: "new@example.com", password: "battery staple")
        }
        // A provider's people are not counted: it limits its own sign-ups.
        try await client.signIn(with: world.google())
        world.clock.advance(by: .seconds(86_400))
        let people = await outcomes(of: 101) {
            try await client.signUp(email: "p\($0)@example.com", password: "battery staple")
        }
        XCTAssertEqual(people, [nil: 100, .tooManyRequests: 1])
    }

    /// A device that signed up with an address that its user does not have gets no limit of its own for mails to it.
    func testS31_AnUnverifiedAddressHasNoMailsOfItsOwnOnTheDeviceThatSignedUp() async throws {
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        let world = World(policy)
        let phone = world.device()
        try await phone.signUp(email: "ann@example.com", password: "correct horse")
        for number in 0..<5 {
            try await world.device("stranger \(number)").sendSignInLink(to: "ann@example.com")
        }
        await assertThrows(.tooManyRequests, "a mail beyond those of all devices together") {
            try await phone.sendSignInLink(to: "ann@example.com")
        }
    }
}

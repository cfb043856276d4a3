import AuthCore
import AuthCoreTesting
import XCTest

/// S31: the rows of the table about second factors.
final class FactorLimitTests: LimitedTestCase {
    private var world = World(.standard)

    /// Ann with an authenticator app; a device that she has presented it on.
    private func ann() async throws -> (enrollment: MultiFactor.TOTPEnrollment, device: AuthClient) {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        return (enrollment, try await deviceOnWhichAnnPresented(enrollment))
    }

    private func deviceOnWhichAnnPresented(_ enrollment: MultiFactor.TOTPEnrollment) async throws -> AuthClient {
        let client = world.stranger(at: "192.0.2.77")
        let challenge = try await challenge(client)
        let device = try await client.resolve(challenge, with: .totp(world.totp(enrollment))).device
        world.clock.advance(by: .seconds(60))
        return world.service.client(for: device, origin: .address("192.0.2.77"))
    }

    /// A device that Ann's account knows, an hour after she presented a number as her factor there.
    private func deviceOnWhichAnnPresentedHerNumber() async throws -> AuthClient {
        let ann = try await world.signUpVerifiedAnn()
        let before = try await world.annsDevice()
        try await world.enrollPhone(ann)
        let challenge = try await challenge(before)
        let id = try await before.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let answer = SecondFactor.Assertion.phone(verificationID: id, code: try world.newestCode(to: world.number))
        let device = try await before.resolve(challenge, with: answer).device
        world.clock.advance(by: .seconds(3600))
        return world.service.client(for: device, origin: .address("192.0.2.77"))
    }

    private func challenge(_ client: AuthClient) async throws -> SecondFactor.Challenge {
        try await world.challenge { try await client.signIn(with: World.annsPassword) }
    }

    private func wrongAnswers(_ count: Int, _ enrollment: MultiFactor.TOTPEnrollment, _ client: AuthClient) async throws
        -> Int
    {
        let (challenge, wrong) = (try await challenge(client), try world.wrongTOTP(enrollment))
        let counts = await outcomes(of: count) { _ in try await client.resolve(challenge, with: .totp(wrong)) }
        return counts[.invalidVerificationCode] ?? 0
    }

    func testS31_AChallengeIsOverAfterFiveWrongAnswers() async throws {
        let (enrollment, device) = try await ann()
        let challenge = try await challenge(device)
        let wrong = try world.wrongTOTP(enrollment)
        _ = await outcomes(of: 5) { _ in try await device.resolve(challenge, with: .totp(wrong)) }
        await assertThrows(.tooManyRequests) {
            try await device.resolve(challenge, with: .totp(world.totp(enrollment)))
        }
        let next = try await self.challenge(device)
        try await device.resolve(next, with: .totp(world.totp(enrollment)))
    }

    func testS31_UnknownDevicesHaveTenAnswersADay() async throws {
        let (enrollment, device) = try await ann()
        var compared = 0
        for round in 0..<10 { compared += try await wrongAnswers(5, enrollment, world.stranger(round)) }
        XCTAssertEqual(compared, 10, "answers were compared in a day")
        let late = world.stranger(50)
        let right = try await challenge(late)
        await assertThrows(.tooManyRequests) {
            try await late.resolve(right, with: .totp(world.totp(enrollment)))
        }
        // Her own device is not stopped, and presenting the factor there opens it for others again.
        let own = try await challenge(device)
        try await device.resolve(own, with: .totp(world.totp(enrollment)))
        world.clock.advance(by: .seconds(60))
        let other = world.stranger(51)
        let again = try await challenge(other)
        try await other.resolve(again, with: .totp(world.totp(enrollment)))
    }

    func testS31_AfterAHundredAnswersOnUnknownDevicesOnlyAKnownOneOrANewPasswordOpens() async throws {
        let (enrollment, device) = try await ann()
        var compared = 0
        for day in 0..<15 {
            for round in 0..<2 { compared += try await wrongAnswers(5, enrollment, world.stranger(day * 2 + round)) }
            world.clock.advance(by: .seconds(86_400))
        }
        XCTAssertEqual(compared, 100, "answers were compared in fifteen days")
        try await device.sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
        let client = world.stranger(99)
        let challenge = try await world.challenge {
            try await client.signIn(with: .password(email: "ann@example.com", password: "battery staple"))
        }
        try await client.resolve(challenge, with: .totp(world.totp(enrollment)))
    }

    func testWrongAnswersAndWrongDigitsHaveNumbersOfTheirOwn() async throws {
        for (answers, digits) in [(2, 4), (4, 2)] {
            world.startOver(.standard)
            world.policy.limits?.factorAnswers = answers
            world.policy.limits?.digitsForNumber = digits
            let what = "\(answers) answers and \(digits) digits"
            let enrollment = try await world.enrollTOTP(world.signUpVerifiedAnn())
            let stranger = world.stranger()
            let compared = try await wrongAnswers(5, enrollment, stranger)
            XCTAssertEqual(compared, answers, "the answers to a factor that were compared, of \(what)")
            let id = try await stranger.sendPhoneCode(to: world.number)
            let wrong = AuthCredential.phone(verificationID: id, code: "no")
            let counts = await outcomes(of: 5) { _ in try await stranger.signIn(with: wrong) }
            XCTAssertEqual(counts[.invalidVerificationCode], digits, "the digits that were compared, of \(what)")
        }
    }

    func testS31_AKnownDeviceHasTwentyFreeAnswersThenWaits() async throws {
        let (enrollment, device) = try await ann()
        var compared = 0
        for _ in 0..<5 { compared += try await wrongAnswers(5, enrollment, device) }
        XCTAssertEqual(compared, 20, "answers were compared at once")
        world.clock.advance(by: .seconds(1))
        let challenge = try await challenge(device)
        try await device.resolve(challenge, with: .totp(world.totp(enrollment)))
    }

    func testEachKnownDeviceHasWrongAnswersOfItsOwn() async throws {
        let (enrollment, phone) = try await ann()
        let laptop = try await deviceOnWhichAnnPresented(enrollment)
        var compared = 0
        for _ in 0..<5 { compared += try await wrongAnswers(5, enrollment, phone) }
        XCTAssertEqual(compared, 20, "the free answers of one device")
        compared = try await wrongAnswers(5, enrollment, laptop)
        XCTAssertEqual(compared, 5, "those of another device are not used up by the first")
    }

    func testS31_TheFactorOnAKnownDeviceClearsWhatItAndUnknownDevicesCounted() async throws {
        let (enrollment, device) = try await ann()
        for day in 0..<15 {
            for round in 0..<2 { _ = try await wrongAnswers(5, enrollment, world.stranger(day * 2 + round)) }
            world.clock.advance(by: .seconds(86_400))
        }
        for _ in 0..<5 { _ = try await wrongAnswers(5, enrollment, device) }
        world.clock.advance(by: .seconds(1))
        let own = try await challenge(device)
        try await device.resolve(own, with: .totp(world.totp(enrollment)))
        var compared = 0
        for _ in 0..<5 { compared += try await wrongAnswers(5, enrollment, device) }
        XCTAssertEqual(compared, 20, "answers that the known device has again")
        compared = try await wrongAnswers(5, enrollment, world.stranger(99))
        XCTAssertEqual(compared, 5, "answers that an unknown device has again")
    }

    /// Who reads the mailbox has not presented the factor, so their device is one like any other to the factor's
    /// counters.
    func testAT14_ResetsByMailDoNotMakeGuessesAtTheFactorFree() async throws {
        let enrollment = try await world.enrollTOTP(world.signUpVerifiedAnn())
        world.clock.advance(by: .seconds(60))
        var thief = world.stranger()
        var compared = 0
        for round in 0..<5 {
            try await thief.sendPasswordReset(to: "ann@example.com")
            let code = try world.code(.resetPassword, to: "ann@example.com")
            let word = "the word of a thief \(round)"
            let report = try await thief.confirmPasswordReset(code: code, newPassword: word)
            thief = world.service.client(for: report.device, origin: .address("198.51.0.0"))
            // Strangers do not keep the person who reset the password from using it.
            _ = await outcomes(of: 20) { try await self.world.stranger($0).signIn(with: self.world.guess($0)) }
            for _ in 0..<4 {
                let challenge = try await world.challenge {
                    try await thief.signIn(with: .password(email: "ann@example.com", password: word))
                }
                let wrong = try world.wrongTOTP(enrollment)
                let counts = await outcomes(of: 5) { _ in try await thief.resolve(challenge, with: .totp(wrong)) }
                compared += counts[.invalidVerificationCode] ?? 0
            }
        }
        XCTAssertEqual(compared, 10, "answers to the factor were compared in a day")
        world.clock.advance(by: .seconds(86_400))
        let challenge = try await world.challenge {
            try await thief.signIn(with: .password(email: "ann@example.com", password: "the word of a thief 4"))
        }
        let known = try await thief.resolve(challenge, with: .totp(world.totp(enrollment))).device
        XCTAssertNotEqual(known, thief.device, "presenting the factor makes the device known")
    }

    /// A sign-in has the counters of numbers, which allow far more guesses than those of factors.
    func testS31_DigitsOfAFactorAreComparedForTheirChallengeOnly() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        let client = world.stranger()
        let challenge = try await challenge(client)
        let id = try await client.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let right = try world.newestCode(to: world.number)
        for digits in ["000000", right, "111111"] {
            await assertThrows(.invalidVerificationID, "digits that are \(digits == right ? "right" : "wrong")") {
                try await client.verify(.phone(verificationID: id, code: digits))
            }
        }
        try await client.resolve(challenge, with: .phone(verificationID: id, code: right))
    }

    /// An attacker's own account has a factor too, whose counters they can clear.
    func testS31_DigitsOfANumberAreNotComparedForAFactor() async throws {
        let eve = try await world.signUp("eve@example.org")
        try await world.enrollTOTP(eve)
        let client = world.stranger()
        let id = try await client.sendPhoneCode(to: world.number)
        let right = try world.newestCode(to: world.number)
        let challenge = try await world.challenge {
            try await client.signIn(with: .password(email: "eve@example.org", password: World.password))
        }
        for digits in ["000000", right, "111111"] {
            await assertThrows(.invalidVerificationID, "digits that are \(digits == right ? "right" : "wrong")") {
                try await client.resolve(challenge, with: .phone(verificationID: id, code: digits))
            }
        }
        try await client.signIn(with: .phone(verificationID: id, code: right))
    }

    func testS31_TextsToAFactorCountByTheOriginOfUnknownDevicesOnly() async throws {
        let known = try await deviceOnWhichAnnPresentedHerNumber()
        let counts = await outcomes(of: 30) {
            try await self.world.stranger($0, at: "192.0.2.77").sendPhoneCode(to: "+155500020\(10 + $0)")
        }
        XCTAssertEqual(counts[.tooManyRequests], 10, "texts that the origin was refused")
        let onKnown = try await challenge(known)
        let hint = try XCTUnwrap(onKnown.hints.first { $0.kind == .phone })
        _ = try await known.sendPhoneCode(for: onKnown, factor: hint.id)
        let unknown = world.stranger(1, at: "192.0.2.77")
        let onUnknown = try await challenge(unknown)
        await assertThrows(.tooManyRequests, "a text to the factor, on an unknown device") {
            try await unknown.sendPhoneCode(for: onUnknown, factor: hint.id)
        }
    }

    func testS31_WhoKnowsThePasswordUsesUpNoTextsOfTheOwnersDevice() async throws {
        let known = try await deviceOnWhichAnnPresentedHerNumber()
        let thief = world.stranger()
        let stolen = try await challenge(thief)
        let counts = await outcomes(of: 20) { _ in
            try await thief.sendPhoneCode(for: stolen, factor: stolen.hints[0].id)
        }
        XCTAssertEqual(counts[nil], 10, "texts that the thief had sent")
        let own = try await challenge(known)
        let text = try await known.sendPhoneCode(for: own, factor: own.hints[0].id)
        let digits = SecondFactor.Assertion.phone(verificationID: text, code: try world.newestCode(to: world.number))
        try await known.resolve(own, with: digits)
    }

    func testAT29_AFactorGetsTenTextsAnHour() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        world.clock.advance(by: .seconds(3600))
        var sent = 0
        for round in 0..<20 {
            let client = world.stranger(round)
            let challenge = try await challenge(client)
            let counts = await outcomes(of: 50) { _ in
                try await client.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
            }
            sent += counts[nil] ?? 0
        }
        XCTAssertEqual(sent, 10, "texts were sent to one factor")
        world.clock.advance(by: .seconds(3600))
        let client = world.stranger(99)
        let later = try await challenge(client)
        _ = try await client.sendPhoneCode(for: later, factor: later.hints[0].id)
    }
}

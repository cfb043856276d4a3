@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S31: what counts on a device that an account knew before its first factor, and knows for passwords and mails only
/// since then.
final class DeviceFromBeforeAFactorTests: LimitedTestCase {
    private var world = World(.standard)

    /// Ann, and a device that her account knows until she enrolls a factor on another one.
    private func annAndTheDevice() async throws -> (ann: User, device: AuthClient) {
        let ann = try await world.signUpVerifiedAnn()
        return (ann, try await world.annsDevice())
    }

    /// The same, where Ann signs in by a number, and has enrolled an authenticator app an hour ago.
    private func deviceOfAnnWithANumber() async throws -> AuthClient {
        let (ann, device) = try await annAndTheDevice()
        try await ann.link(with: world.digits(to: world.number))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(3600))
        return device
    }

    func testItHasMailsOfItsOwn() async throws {
        let (ann, device) = try await annAndTheDevice()
        try await world.enrollTOTP(ann)
        let counts = await outcomes(of: 6) { try await self.world.stranger($0).sendSignInLink(to: "ann@example.com") }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 1], "mails that strangers requested")
        let code = await outcome { try await device.sendSignInLink(to: "ann@example.com") }
        XCTAssertNil(code, "a mail that was requested on the device after them")
    }

    func testItHasNoTextsToAFactorOfItsOwn() async throws {
        let (ann, device) = try await annAndTheDevice()
        try await world.enrollPhone(ann)
        let thief = world.stranger()
        let stolen = try await world.challenge { try await thief.signIn(with: World.annsPassword) }
        let factor = try XCTUnwrap(stolen.hints.first?.id)
        let counts = await outcomes(of: 11) { _ in try await thief.sendPhoneCode(for: stolen, factor: factor) }
        XCTAssertEqual(counts, [nil: 10, .tooManyRequests: 1], "texts to the factor on an unknown device")
        let challenge = try await world.challenge { try await device.signIn(with: World.annsPassword) }
        await assertThrows(.tooManyRequests, "a text to the factor on the device after them") {
            try await device.sendPhoneCode(for: challenge, factor: factor)
        }
    }

    func testItHasNoTextsThatSignInOfItsOwn() async throws {
        let device = try await deviceOfAnnWithANumber()
        let counts = await outcomes(of: 6) { try await self.world.stranger($0).sendPhoneCode(to: self.world.number) }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 1], "texts that strangers requested")
        await assertThrows(.tooManyRequests, "a text that was requested on the device after them") {
            try await device.sendPhoneCode(to: world.number)
        }
    }

    func testItsDigitsCountForTheNumber() async throws {
        world.policy.limits?.digitsForNumber = 3
        let device = try await deviceOfAnnWithANumber()
        let stranger = world.stranger()
        let id = try await stranger.sendPhoneCode(to: world.number)
        let counts = await outcomes(of: 4) { _ in
            try await stranger.signIn(with: .phone(verificationID: id, code: "no digits"))
        }
        XCTAssertEqual(counts, [.invalidVerificationCode: 3, .tooManyRequests: 1], "wrong digits of a stranger")
        let own = try await device.sendPhoneCode(to: world.number)
        let right = try world.newestCode(to: world.number)
        await assertThrows(.tooManyRequests, "right digits on the device after them") {
            try await device.signIn(with: .phone(verificationID: own, code: right))
        }
    }

    func testItHasNoChallengesOfItsOwn() async throws {
        world.policy.limits?.visitsFromOrigin = 20
        let (ann, device) = try await annAndTheDevice()
        try await world.enrollTOTP(ann)
        let here = world.stranger(at: "192.0.2.77")
        let flood = await outcomes(of: 21) { _ in _ = try await here.nonce(for: .signIn) }
        XCTAssertEqual(flood, [nil: 20, .tooManyRequests: 1], "nonces of the device's origin")
        await assertThrows(.tooManyRequests, "a challenge on the device after them") {
            try await device.signIn(with: World.annsPassword)
        }
    }
}

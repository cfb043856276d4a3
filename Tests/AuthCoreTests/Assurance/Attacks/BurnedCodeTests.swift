import AuthCore
import AuthCoreTesting
import XCTest

/// AT-28: what waits on one device is not used up from another one.
final class BurnedCodeTests: LimitedTestCase {
    private let world = World(.standard)

    func testAT28_DigitsAreNotUsedUpFromAnotherDevice() async throws {
        let client = world.stranger()
        let id = try await client.sendPhoneCode(to: world.number)
        let code = try world.newestCode(to: world.number)
        for tried in ["000001", code] {
            let counts = await outcomes(of: 10) {
                try await self.world.stranger($0 + 1).signIn(with: .phone(verificationID: id, code: tried))
            }
            XCTAssertEqual(counts, [.deviceMismatch: 10], "the answer does not depend on the digits")
        }
        try await client.signIn(with: .phone(verificationID: id, code: code))
    }

    func testAT28_DigitsOfAFactorAreNotUsedUpFromAnotherDevice() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        let client = world.stranger()
        let challenge = try await world.challenge { try await client.signIn(with: World.annsPassword) }
        let id = try await client.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
        let code = try world.newestCode(to: world.number)
        // Somebody else who knows the password answers a challenge of their own by Ann's digits.
        let eve = world.stranger(1)
        let eves = try await world.challenge { try await eve.signIn(with: World.annsPassword) }
        let counts = await outcomes(of: 5) { _ in
            try await eve.resolve(eves, with: .phone(verificationID: id, code: "000001"))
        }
        XCTAssertEqual(counts, [.deviceMismatch: 5])
        try await client.resolve(challenge, with: .phone(verificationID: id, code: code))
    }

    /// A full table counts too much rather than too little, so what fills it must not stay longer than it is of use.
    func testAT28_AFloodOfWrongAnswersToAnAttackersOwnConflictsKeepsNobodyOutForLong() async throws {
        let world = World(.standard) { $0.attempts = InMemoryAttemptStore(capacity: 32) }
        let enrollment = try await world.enrollTOTP(world.signUpVerifiedAnn())
        world.clock.advance(by: .seconds(60))
        let phone = world.device()
        let before = try await world.passwordChallenge(in: phone)
        try await phone.resolve(before, with: .totp(world.totp(enrollment)))
        try await world.signUp("eve@example.org")
        let person = SimulatedPerson(name: "Eve Ellis", email: "eve@example.org")
        let eve = world.device("eve")
        var last: [AuthErrorCode?: Int] = [:]
        for _ in 0..<150 {
            let conflict = try await world.conflict { try await eve.signIn(with: world.credential(.gitHub, person)) }
            last = await outcomes(of: 5) { _ in
                try await eve.resolve(conflict, signingInWith: .emailLink(email: "eve@example.org", link: "no link"))
            }
        }
        XCTAssertEqual(last, [.tooManyRequests: 5], "the table is full, and a new conflict counts like the others")
        world.clock.advance(by: .seconds(600))
        let challenge = try await world.passwordChallenge(in: phone)
        try await phone.resolve(challenge, with: .totp(world.totp(enrollment)))
        let new = world.device("new phone")
        try await new.signIn(with: world.digits(to: world.number, from: new))
    }
}

import AuthCore
import AuthCoreTesting
import XCTest

/// AT-28: what waits on one device is not used up from another one.
final class BurnedCodeTests: XCTestCase {
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
}

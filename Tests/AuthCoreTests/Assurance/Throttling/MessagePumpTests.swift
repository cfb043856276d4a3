import AuthCore
import AuthCoreTesting
import XCTest

/// AT-29: texts to one number are few, however many devices and accounts of an attacker's own ask for them.
final class MessagePumpTests: LimitedTestCase {
    private let world = World(.standard)

    func testAT29_ANumberGetsTwentyTextsAnHourFromAllKnownDevicesTogether() async throws {
        let first = world.stranger(at: "203.0.113.1")
        let eve = try await first.signUp(email: "eve@example.com", password: World.password).user
        let id = try await first.sendPhoneCode(to: world.number)
        try await eve.link(with: .phone(verificationID: id, code: world.newestCode(to: world.number)))
        world.clock.advance(by: .seconds(3600))
        var sent = 0
        for _ in 0..<30 {
            let client = world.stranger(at: "203.0.113.1")
            let device = try await client.signIn(with: .password(email: "eve@example.com", password: World.password))
                .device
            let known = world.service.client(for: device, origin: .address("203.0.113.1"))
            sent += await outcomes(of: 5) { _ in try await known.sendPhoneCode(to: self.world.number) }[nil] ?? 0
        }
        XCTAssertEqual(sent, 20, "texts to one number in an hour")
    }

    func testAT29_TheFactorsOfAnAccountGetTenTextsAnHourTogether() async throws {
        let user = try await world.signUp("eve@example.com")
        for number in [world.number, world.evesNumber] { try await world.enrollPhone(user, number) }
        world.clock.advance(by: .seconds(3600))
        let client = world.service.client(for: user.device, origin: .address("203.0.113.1"))
        let challenge = try await world.challenge {
            try await client.signIn(with: .password(email: "eve@example.com", password: World.password))
        }
        let counts = await outcomes(of: 20) {
            try await client.sendPhoneCode(for: challenge, factor: challenge.hints[$0 % 2].id)
        }
        XCTAssertEqual(counts, [nil: 10, .tooManyRequests: 10], "texts to two factors of one account in an hour")
    }

    func testAT29_AFactorsNumberGetsTenTextsAnHourFromAllAccountsTogether() async throws {
        var accounts: [(email: String, device: DeviceID)] = []
        for index in 0..<5 {
            let user = try await world.signUp("eve\(index)@example.com")
            try await world.enrollPhone(user)
            accounts.append((user.email ?? "", user.device))
        }
        world.clock.advance(by: .seconds(3600))
        var sent = 0
        for account in accounts {
            let client = world.service.client(for: account.device, origin: .address("203.0.113.1"))
            let challenge = try await world.challenge {
                try await client.signIn(with: .password(email: account.email, password: World.password))
            }
            sent +=
                await outcomes(of: 10) { _ in
                    try await client.sendPhoneCode(for: challenge, factor: challenge.hints[0].id)
                }[nil] ?? 0
        }
        XCTAssertEqual(sent, 10, "texts to one factor's number in an hour")
    }
}

import AuthCore
import AuthCoreTesting
import XCTest

/// S31: the guesses of one origin.
final class OriginLimitTests: LimitedTestCase {
    private lazy var world = World(.standard)

    func testS31_AnOriginHasFiftyFreeGuessesAndWaitsAMinuteAtMost() async throws {
        let client = world.stranger()
        let counts = await outcomes(of: 51) {
            try await client.signIn(with: self.world.guess(0, "p\($0)@example.com"))
        }
        XCTAssertEqual(counts, [.invalidCredential: 50, .tooManyRequests: 1])
        for index in 0..<12 {
            world.clock.advance(by: .seconds(60))
            await assertThrows(.invalidCredential) {
                try await client.signIn(with: world.guess(0, "q\(index)@example.com"))
            }
        }
        await assertThrows(.tooManyRequests) { try await client.signIn(with: world.guess(0, "r@example.com")) }
    }

    func testS31_ASuccessDoesNotForgiveTheOrigin() async throws {
        try await world.signUp("eve@example.com")
        let client = world.stranger()
        for round in 0..<10 {
            _ = await outcomes(of: 5) {
                try await client.signIn(with: self.world.guess(0, "p\(round)-\($0)@example.com"))
            }
            if round == 9 { break }
            try await client.signIn(with: .password(email: "eve@example.com", password: World.password))
        }
        await assertThrows(.tooManyRequests, "fifty wrong ones between nine right ones") {
            try await client.signIn(with: world.guess(0, "q@example.com"))
        }
    }

    func testS31_IPv6CountsByItsFirstHalfAndTheAppItselfNotAtAll() async throws {
        let same = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::", "2001:0db8:0001:0002:aaaa:bbbb:cccc:dddd"]
        for index in 0..<50 {
            await assertThrows(.invalidCredential) {
                try await world.stranger(at: same[index % 3]).signIn(with: world.guess(0, "p\(index)@example.com"))
            }
        }
        for address in same {
            await assertThrows(.tooManyRequests, address) {
                try await world.stranger(at: address).signIn(with: world.guess(0, "q@example.com"))
            }
        }
        for address in ["2001:db8:1:3::1", "::ffff:192.0.2.1", "192.0.2.1", "::ffff:c000:20a", "no address"] {
            await assertThrows(.invalidCredential, address) {
                try await world.stranger(at: address).signIn(with: world.guess(0, "q@example.com"))
            }
            world.clock.advance(by: .seconds(60))
        }
        // An IPv4 address has two spellings within IPv6, and each is the one address.
        let spelled = ["::ffff:c000:0207", "::ffff:192.0.2.7", "192.0.2.7", "0:0:0:0:0:FFFF:C000:207"]
        for index in 0..<50 {
            await assertThrows(.invalidCredential) {
                try await world.stranger(at: spelled[index % 4]).signIn(with: world.guess(0, "s\(index)@example.com"))
            }
        }
        for address in spelled {
            await assertThrows(.tooManyRequests, address) {
                try await world.stranger(at: address).signIn(with: world.guess(0, "t@example.com"))
            }
        }
        await assertThrows(.invalidCredential, "another address") {
            try await world.stranger(at: "::ffff:c000:208").signIn(with: world.guess(0, "t@example.com"))
        }
        let local = world.service.client(for: nil, origin: .local)
        let counts = await outcomes(of: 200) {
            try await local.signIn(with: self.world.guess(0, "r\($0)@example.com"))
        }
        XCTAssertEqual(counts, [.invalidCredential: 200])
    }

    func testS31_AnOriginIsTheSameWhateverPortAProxyStatesWithIt() async throws {
        for (name, spelled) in [
            ("v4", ["192.0.2.9:4001", "192.0.2.9:4002", "192.0.2.9"]),
            ("v6", ["[2001:db8::9]:4001", "[2001:db8::1]:4002", "[2001:db8::a]", "2001:db8::9"]),
        ] {
            for index in 0..<50 {
                let client = world.stranger(at: spelled[index % spelled.count])
                await assertThrows(.invalidCredential, name) {
                    try await client.signIn(with: world.guess(0, "\(name)\(index)@example.com"))
                }
            }
            for address in spelled {
                await assertThrows(.tooManyRequests, address) {
                    try await world.stranger(at: address).signIn(with: world.guess(0, "\(name)@example.com"))
                }
            }
        }
    }

    func testS31_RequestsOfUnknownOriginShareAHundredTimesTheNumbers() async throws {
        var policy = AuthPolicy.standard
        policy.limits?.guessesFromOrigin = 2
        world.policy = policy
        let counts = await guessesOfUnknownOrigin(201)
        XCTAssertEqual(counts, [.invalidCredential: 200, .tooManyRequests: 1])
        for factor in [0, -1] {
            policy.limits?.unknownOriginFactor = factor
            world.startOver(policy)
            let counts = await guessesOfUnknownOrigin(3)
            XCTAssertEqual(counts, [.invalidCredential: 2, .tooManyRequests: 1], "a factor of \(factor) counts as one")
        }
    }

    func testALimitWhoseMultipleIsTooLargeForANumberRefusesNoRequestOfUnknownOrigin() async {
        world.policy.limits?.guessesFromOrigin = .max
        let counts = await guessesOfUnknownOrigin(3)
        XCTAssertEqual(counts, [.invalidCredential: 3], "guesses where any number is allowed")
    }

    /// The outcomes of so many guesses at different addresses.
    private func guessesOfUnknownOrigin(_ count: Int) async -> [AuthErrorCode?: Int] {
        await outcomes(of: count) {
            let client = world.service.client(for: nil, origin: .unknown)
            return try await client.signIn(with: world.guess(0, "p\($0)@example.com"))
        }
    }
}

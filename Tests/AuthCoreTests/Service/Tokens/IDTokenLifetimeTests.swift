@testable import AuthCore
import AuthCoreTesting
import XCTest

/// How long an ID token is valid, and how long it is kept.
final class IDTokenLifetimeTests: LimitedTestCase {
    func testATokenLastsAsLongAsThePolicySays() async throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.idToken = .seconds(600)
        let result = try await World(policy).device().signInAnonymously().user.idTokenResult()
        XCTAssertEqual(result.expirationDate.timeIntervalSince(result.issuedAtDate), 600, "what the result says")
        let issuedAt = result.claims["iat"]?.integerValue ?? 0
        XCTAssertEqual(result.claims["exp"], .integer(issuedAt + 600), "what the token says")
    }

    func testALifetimeThatIsNoTimeMakesATokenAllTheSame() async throws {
        for lifetime in [Duration.seconds(Int64.max), .days(1_000_000_000), .zero, .seconds(Int64.min)] {
            var policy = AuthPolicy.standard
            policy.lifetimes.idToken = lifetime
            let world = World(policy)
            let user = try await world.device().signInAnonymously().user
            let token = try await user.idToken()
            if lifetime > .zero {
                let again = try await world.service.client().user(forIDToken: token)
                XCTAssertEqual(again.uid, user.uid, "\(lifetime)")
            } else {
                await assertThrows(.userTokenExpired, "\(lifetime)") {
                    try await world.service.client().user(forIDToken: token)
                }
            }
        }
    }

    func testAnIDTokenExpiresWithItsSession() async throws {
        var policy = AuthPolicy.standard
        policy.sessions.absolute = .hours(3)
        let world = World(policy)
        let user = try await world.device().signIn(with: world.google()).user
        world.clock.advance(by: .seconds(2 * 3600 - 1))
        let early = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(early.expirationDate.timeIntervalSince(early.issuedAtDate), 3600, "the session lasts longer")
        world.clock.advance(by: .seconds(1801))
        let late = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(late.expirationDate.timeIntervalSince(late.issuedAtDate), 1800, "the session ends before that")
        XCTAssertEqual(late.claims["exp"]?.integerValue, Int64(late.expirationDate.timeIntervalSince1970))
    }

    /// A token that was kept until it expires would let the session end meanwhile.
    func testAskingForTokensKeepsASessionThatMayBeUnusedForHalfAnHour() async throws {
        var policy = AuthPolicy.standard
        policy.sessions.idle = .minutes(30)
        let world = World(policy)
        let user = try await world.device().signIn(with: world.google()).user
        for minute in stride(from: 10, through: 120, by: 10) {
            world.clock.advance(by: .seconds(600))
            do {
                let token = try await user.idToken()
                world.clock.advance(by: .seconds(1))
                let again = try await user.idToken()
                XCTAssertEqual(again, token, "asked again a second later, after \(minute) minutes")
            } catch {
                XCTFail("after \(minute) minutes: \(error)")
            }
        }
    }

    func testATokenIsKeptUntilItIsNearlyOverOrANewOneIsForced() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let first = try await user.idToken()
        world.clock.advance(by: .seconds(3200))
        let second = try await user.idToken()
        XCTAssertEqual(first, second)
        let forced = try await user.idToken(forcingRefresh: true)
        XCTAssertNotEqual(first, forced)
        world.clock.advance(by: .seconds(3301))
        let later = try await user.idToken()
        XCTAssertNotEqual(forced, later)
    }

    func testATokenThatIsForcedIsANewOneInTheSameSecondToo() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        var tokens: [String] = [try await user.idToken()]
        for _ in 0..<3 { tokens.append(try await user.idToken(forcingRefresh: true)) }
        XCTAssertEqual(Set(tokens).count, 4, "each forced token differs from those before")
        let kept = try await user.idToken()
        XCTAssertEqual(kept, tokens.last, "the newest token is kept")
    }

    func testATokenIsKeptWhileItIsValidForMoreThanFiveMinutes() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let first = try await user.idToken()
        world.clock.advance(by: .seconds(3299))
        let kept = try await user.idToken()
        XCTAssertEqual(kept, first, "five minutes and a second before the token expires")
        world.clock.advance(by: .seconds(1))
        let next = try await user.idToken()
        XCTAssertNotEqual(next, first, "five minutes before the token expires")
    }

    func testATokenIsValidUntilTheSecondInWhichItExpires() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let token = try await user.idToken()
        world.clock.advance(by: .seconds(3599))
        let again = try await world.service.client().user(forIDToken: token)
        XCTAssertEqual(again.uid, user.uid, "a second before the token expires")
        world.clock.advance(by: .seconds(1))
        await assertThrows(.userTokenExpired, "when the token expires") {
            try await world.service.client().user(forIDToken: token)
        }
    }

    /// Clocks of two servers may differ by a minute.
    func testATokenThatAClockIssuedWhichWasAheadIsNotGivenOnceMore() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        world.clock.advance(by: .seconds(86_400))
        _ = try await user.idToken()
        world.clock.advance(by: .seconds(-86_400))
        let again = try await world.service.client().user(forIDToken: user.idToken())
        XCTAssertEqual(again.uid, user.uid, "the token after the clock was corrected")
    }

    func testATokenMayBeIssuedAMinuteAheadOfThisClock() async throws {
        let store = InMemoryIdentityStore()
        let ahead = World { $0.store = store }
        let world = World { $0.store = store }
        ahead.clock.advance(by: .seconds(60))
        let user = try await ahead.device().signInAnonymously().user
        let token = try await user.idToken()
        let again = try await world.service.client().user(forIDToken: token)
        XCTAssertEqual(again.uid, user.uid, "issued 60 s ahead")
        ahead.clock.advance(by: .seconds(1))
        let later = try await user.idToken(forcingRefresh: true)
        await assertThrows(.invalidUserToken, "issued 61 s ahead") {
            try await world.service.client().user(forIDToken: later)
        }
    }
}

import AuthCoreTesting
import XCTest

@testable import AuthCore

/// When a session ends by the limits of a policy.
final class SessionLimitTests: LimitedTestCase, PlainAccount {
    func testASessionEndsAtTheFirstLimitThatThePolicyHas() {
        let (loginAt, activeAt) = (noon, later)
        for (idle, absolute, end) in [
            (nil, nil, nil), (Duration.days(3), nil, activeAt + .days(3)), (nil, .days(2), loginAt + .days(2)),
            (.days(1), .days(2), activeAt + .days(1)), (.days(3), .days(2), loginAt + .days(2)),
        ] as [(Duration?, Duration?, Timestamp?)] {
            var limits = AuthPolicy.SessionLimits()
            limits.idle = idle
            limits.absolute = absolute
            limits.guestIdle = .days(9)
            let found = limits.end(on: account(), activeAt: activeAt, loginAt: loginAt)
            XCTAssertEqual(found, end, "idle \(idle?.description ?? "-"), absolute \(absolute?.description ?? "-")")
            var guest = account()
            guest.isAnonymous = true
            let last = limits.end(on: guest, activeAt: activeAt, loginAt: loginAt)
            XCTAssertEqual(last, activeAt + .days(9), "a guest's session has a limit of its own")
        }
    }

    func testTheLastUseIsKnownToWithinATenthOfTheLimitAndAnHour() async throws {
        for (idle, step) in [(Duration.minutes(30), 3 * 60.0), (.days(30), 3600)] {
            var policy = AuthPolicy.standard
            policy.sessions.idle = idle
            let world = World(policy)
            let user = try await world.device().signIn(with: world.google()).user
            let began = world.clock.timestamp
            world.clock.advance(by: .seconds(step - 1))
            try await user.reload()
            XCTAssertEqual(user.session.activeAt, began, "a use before \(step) seconds are over")
            world.clock.advance(by: .seconds(1))
            try await user.reload()
            XCTAssertEqual(user.session.activeAt, world.clock.timestamp, "a use after \(step) seconds")
            XCTAssertEqual(user.session.expiresAt, world.clock.timestamp + idle, "when it ends then")
        }
    }

    func testASessionThatIsUsedDoesNotEndHoweverShortTheLimit() async throws {
        for idle in [Duration.seconds(1), .minutes(30), .minutes(90)] {
            var policy = AuthPolicy.standard
            (policy.sessions.idle, policy.sessions.guestIdle) = (idle, idle)
            for isGuest in [false, true] {
                let world = World(policy)
                let auth = world.device()
                let user = try await (isGuest ? auth.signInAnonymously() : auth.signIn(with: world.google())).user
                for use in 1...4 {
                    world.clock.advance(by: .seconds(idle / .seconds(1) * 0.7))
                    do { try await user.reload() } catch { XCTFail("use \(use) within \(idle): \(error)") }
                }
                world.clock.advance(by: .seconds(idle / .seconds(1)))
                await assertThrows(.userTokenExpired) { try await user.reload() }
            }
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class ManualEnvironmentTests: LimitedTestCase {
    func testTheClockStartsWithTheYear2026() {
        XCTAssertEqual(ManualClock().now.formatted(.iso8601), "2026-01-01T00:00:00Z")
    }

    func testTheClockMovesOnlyWhenTold() {
        let clock = ManualClock()
        let start = clock.now
        XCTAssertEqual(clock.now, start)
        clock.advance(by: .seconds(90))
        XCTAssertEqual(clock.now, start.addingTimeInterval(90))
        clock.advance(by: .seconds(-100))
        XCTAssertEqual(clock.now, start.addingTimeInterval(-10))
        clock.set(start)
        XCTAssertEqual(clock.now, start)
    }

    func testTheClockLosesNoStepOfAnyTask() async {
        let clock = ManualClock()
        let start = clock.now
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { clock.advance(by: .seconds(1)) } }
            }
        }
        XCTAssertEqual(clock.now, start.addingTimeInterval(4000))
    }

    func testTheGeneratorGivesThePublishedNumbers() {
        // The first numbers of SplitMix64 for this seed, as its reference implementation prints them.
        var generator = SeededGenerator(seed: 1_234_567)
        let numbers = (0..<5).map { _ in generator.next() }
        XCTAssertEqual(
            numbers,
            [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ]
        )
    }

    func testEnvironmentsOfOneSeedDrawTheSameOnTheirOwnClocks() {
        let first = AuthEnvironment.manual(ManualClock())
        let second = AuthEnvironment.manual(ManualClock())
        let other = AuthEnvironment.manual(ManualClock(), seed: 2)
        let drawn = first.randomBytes(64)
        XCTAssertEqual(drawn, second.randomBytes(64))
        XCTAssertNotEqual(drawn, other.randomBytes(64))
        XCTAssertEqual(first.randomBits(), second.randomBits())
        XCTAssertNotEqual(first.randomBytes(64), drawn)
    }

    func testTwoServicesOverOneStoreMakeTwoAccounts() async throws {
        let (store, clock) = (InMemoryIdentityStore(), ManualClock())
        var uids: [String] = []
        for email in ["ann@example.com", "ben@example.com"] {
            let configuration = AuthConfiguration(
                store: store,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock),
                secretKey: Array(repeating: 7, count: 32)
            )
            let auth = Auth(service: AuthService(configuration))
            uids.append(try await auth.signUp(email: email, password: "a horse and a boat").user.uid)
        }
        XCTAssertNotEqual(uids[0], uids[1], "two people have one account")
        let accounts = try await store.accounts(after: nil, limit: 10)
        XCTAssertEqual(Set(accounts.map(\.id.text)), Set(uids), "the accounts in the store")
    }

    func testTheEnvironmentFollowsTheClock() {
        let clock = ManualClock()
        let environment = AuthEnvironment.manual(clock)
        XCTAssertEqual(environment.now, clock.timestamp)
        clock.advance(by: .seconds(3600))
        XCTAssertEqual(environment.now, clock.timestamp)
    }
}

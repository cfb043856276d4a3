import AuthCore
import AuthCoreTesting
import XCTest

/// S31: the numbers for a time hold wherever that time begins.
final class WindowLimitTests: LimitedTestCase {
    private let world = World(.standard)

    private func ask(_ number: Int) async -> Bool {
        await outcome { try await self.world.stranger(number).sendSignInLink(to: "ann@example.com") } == nil
    }

    func testS31_NoHourHasMoreMailsThanTheNumberForAnHour() async throws {
        // One early and four at the end of the hour, then as many as possible for a day.
        var times: [Int] = []
        for second in [0, 3597, 3597, 3598, 3598] {
            world.clock.advance(by: .seconds(Double(second - (times.last ?? 0))))
            let isSent = await ask(second)
            XCTAssertTrue(isSent, "a mail after \(second) s")
            times.append(second)
        }
        for second in stride(from: 3600, to: 86_400, by: 60) {
            world.clock.advance(by: .seconds(Double(second - max(3598, second - 60))))
            if await ask(second) { times.append(second) }
        }
        for start in times {
            let count = times.count { (start..<start + 3600).contains($0) }
            XCTAssertLessThanOrEqual(count, 5, "mails in the hour after \(start) s")
        }
        XCTAssertGreaterThanOrEqual(times.count, 90, "mails in a day: a limit must not be much stricter than it says")
    }

    func testS31_AfterABurstTheFullNumberIsThereAnHourLater() async throws {
        for number in 0..<5 { _ = await ask(number) }
        world.clock.advance(by: .seconds(3599))
        let early = await ask(5)
        XCTAssertFalse(early)
        world.clock.advance(by: .seconds(1))
        for number in 0..<5 {
            let isSent = await ask(number)
            XCTAssertTrue(isSent, "mail \(number) of the next hour")
        }
    }

    func testS31_AClockThatWasAheadForAMomentStopsNobodyAfterwards() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(86_400 * 365))
        for number in 0..<6 {
            let isSent = await ask(number)
            XCTAssertEqual(isSent, number < 5, "mail \(number) while the clock is ahead")
            _ = await outcome { try await self.world.stranger(number).signIn(with: self.world.guess(number)) }
        }
        world.clock.advance(by: .seconds(-86_400 * 365))
        let isSent = await ask(9)
        XCTAssertTrue(isSent, "a mail after the clock was set right")
        let back = try await world.stranger(9).signIn(with: World.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid, "whom the password signs in after the clock was set right")
    }
}

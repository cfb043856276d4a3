import XCTest

@testable import AuthCore

/// What one key counts, at the borders of its rules.
final class AttemptRecordTests: LimitedTestCase {
    private let noon = Timestamp(seconds: 1_767_268_800)
    private let key = AttemptKey(purpose: .code, hash: 1)

    /// One free attempt, then waits that double between these numbers of seconds.
    private func waits(from first: Int, to longest: Int, halving: Int) -> Store.Allowance {
        .waits(free: 1, first: .seconds(first), longest: .seconds(longest), halving: .seconds(halving))
    }

    func testAnAttemptThatFailedAfterTheLongestFlightCountsFromWhenItWasTaken() {
        let allowance = Store.Allowance.number(1, each: .minutes(10))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon)
        record.keep(allowance, at: noon + .minutes(2))
        XCTAssertEqual(record.failedAt, noon, "when the attempt counts as failed")
        XCTAssertEqual(record.failures, 1, "it failed once")
        XCTAssertEqual(record.answer(allowance, at: noon + .minutes(10)), .taken, "a window after it was taken")
    }

    func testAnAttemptThatFailedByTheLongestFlightDoesNotMoveTheLastFailureBack() {
        let allowance = Store.Allowance.consecutive(2, then: .minutes(10))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon)
        record.take(Store.Take(key, allowance), at: noon + .seconds(1))
        record.keep(allowance, at: noon + .seconds(10))
        let answer = record.answer(allowance, at: noon + .seconds(62))
        let until = noon + .seconds(10) + .minutes(10)
        XCTAssertEqual(answer, .refused(until: until), "the pause begins with the last failure, which came at 10 s")
    }

    func testOnlyTheLastOfConsecutiveFailuresBeginsThePauseThatForgetsThem() {
        let allowance = Store.Allowance.consecutive(3, then: .minutes(10))
        var record = AttemptRecord()
        for _ in 0..<2 {
            record.take(Store.Take(key, allowance), at: noon)
            record.keep(allowance, at: noon)
        }
        let later = noon + .minutes(10)
        record.take(Store.Take(key, allowance), at: later)
        record.keep(allowance, at: later)
        XCTAssertEqual(record.failures, 3, "failures before there were too many are not forgotten")
        XCTAssertEqual(record.answer(allowance, at: later), .refused(until: later + .minutes(10)))
        record.take(Store.Take(key, allowance), at: later + .minutes(10))
        record.keep(allowance, at: later + .minutes(10))
        XCTAssertEqual(record.failures, 1, "after the pause, all of them are allowed again")
    }

    func testThereIsRoomAgainWhenFewerFailuresThanAreAllowedAreLeft() {
        let allowance = Store.Allowance.number(2, each: .minutes(60))
        var record = AttemptRecord()
        for minutes in [0, 20, 40] {
            record.take(Store.Take(key, allowance, isSettled: true), at: noon + .minutes(minutes))
        }
        let answer = record.answer(allowance, at: noon + .minutes(41))
        XCTAssertEqual(answer, .refused(until: noon + .minutes(80)), "an hour after the second of three failures")
    }

    func testFailuresWithinAQuarterOfTheWindowAfterAFirstOneAreOneStep() {
        let allowance = Store.Allowance.number(100, each: .minutes(60))
        var record = AttemptRecord()
        // The last one is by the clock of another server, which is half a minute behind.
        for seconds in [0, 600, 720, 1200, 1800, 1770] {
            record.take(Store.Take(key, allowance, isSettled: true), at: noon + .seconds(seconds))
        }
        XCTAssertEqual(record.steps.map(\.failures), [3, 3], "failures of the steps")
        XCTAssertEqual(record.steps.map(\.first), [0, 20].map { noon + .minutes($0) }, "when the steps began")
        XCTAssertEqual(record.steps.map(\.last), [12, 30].map { noon + .minutes($0) }, "when they ended")
    }

    func testAnAttemptForgetsWhatIsOlderThanItsWindow() {
        let allowance = Store.Allowance.number(3, each: .minutes(10))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance, isSettled: true), at: noon)
        record.take(Store.Take(key, allowance), at: noon + .minutes(11))
        XCTAssertEqual(record.failures, 0, "failures after the window of the first one")
        XCTAssertEqual(record.steps, [], "steps after the window of the first one")
        record.keep(allowance, at: noon + .minutes(11))
        XCTAssertEqual(record.failures, 1, "failures within the window")
        XCTAssertEqual(record.inFlight, 0, "attempts in flight")
    }

    func testAKeyWithoutAPlaceCountsWhatAnotherHadInFlightOnce() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        var former = AttemptRecord()
        for _ in 0..<2 { former.take(Store.Take(key, allowance), at: noon) }
        var floor = AttemptRecord()
        floor.take(Store.Take(key, allowance), at: noon)
        floor.raise(to: former)
        XCTAssertEqual(floor.failures, 2, "the larger of one and two in flight")
        XCTAssertEqual(floor.inFlight, 0, "what has failed is not in flight as well")
    }

    func testAKeyWithoutAPlaceCountsFromTheLatestAttemptOfAnother() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        var former = AttemptRecord()
        former.take(Store.Take(key, allowance), at: noon + .seconds(30))
        var floor = AttemptRecord()
        floor.take(Store.Take(key, allowance), at: noon)
        floor.raise(to: former)
        XCTAssertEqual(floor.failedAt, noon + .seconds(30), "what was in flight counts from then on")
    }

    func testAttemptsOfAClockThatIsAheadAsMuchAsClocksMayDifferStayInFlight() {
        let allowance = Store.Allowance.number(1, each: .hours(1))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon + AttemptRecord.longestSkew)
        XCTAssertEqual(record.answer(allowance, at: noon), .inFlight, "a minute ahead")
        XCTAssertEqual(record.answer(allowance, at: noon - .milliseconds(1)), .taken, "more than a minute ahead")
    }

    func testAFailureOfAClockThatIsAheadAsMuchAsClocksMayDifferIsWaitedFor() {
        let allowance = waits(from: 8, to: 8, halving: 86_400)
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon + .seconds(60))
        record.keep(allowance, at: noon + .seconds(60))
        let until = noon + .seconds(68)
        XCTAssertEqual(record.answer(allowance, at: noon), .refused(until: until), "a minute ahead")
        XCTAssertEqual(record.answer(allowance, at: noon - .milliseconds(1)), .taken, "more than a minute ahead")
    }

    func testConsecutiveFailuresOfAClockThatWasAheadAreForgiven() {
        let allowance = Store.Allowance.consecutive(2, then: .minutes(10))
        var record = AttemptRecord()
        for _ in 0..<2 {
            record.take(Store.Take(key, allowance), at: noon + .days(365))
            record.keep(allowance, at: noon + .days(365))
        }
        XCTAssertEqual(record.answer(allowance, at: noon), .taken, "after the clock was set right")
    }

    func testAnAttemptIsInFlightForAMinuteAndHasFailedAfterwards() {
        let allowance = Store.Allowance.number(1, each: .hours(1))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon)
        XCTAssertEqual(record.answer(allowance, at: noon + .seconds(60)), .inFlight, "after a minute")
        let until = Store.TakeAnswer.refused(until: noon + .hours(1))
        XCTAssertEqual(record.answer(allowance, at: noon + .milliseconds(60_001)), until, "after more than a minute")
    }

    func testAnAttemptThatHasFailedByItselfIsNotCountedAgain() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon)
        record.keep(allowance, at: noon + .seconds(61))
        XCTAssertEqual(record.failures, 1, "an attempt that was in flight for too long, and then failed")
        XCTAssertEqual(record.inFlight, 0, "attempts in flight")
        record.keep(allowance, at: noon + .seconds(62))
        XCTAssertEqual(record.failures, 1, "a failure of no attempt in flight")
        XCTAssertEqual(record.inFlight, 0, "attempts in flight after a failure of none")
    }

    func testANewAttemptKeepsNoOlderOneInFlight() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon)
        record.take(Store.Take(key, allowance), at: noon + .seconds(61))
        XCTAssertEqual(record.inFlight, 1, "the newer attempt alone is in flight")
        XCTAssertEqual(record.failures, 1, "the older attempt has failed")
    }

    func testAnAttemptThatEndsDoesNotEndAnotherThatIsInFlight() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        for isRight in [true, false] {
            var record = AttemptRecord()
            for seconds in [0, 30, 30] { record.take(Store.Take(key, allowance), at: noon + .seconds(seconds)) }
            let taken = noon + .seconds(30)
            if isRight { record.refund(takenAt: taken) } else { record.keep(allowance, takenAt: taken, at: taken) }
            XCTAssertEqual(record.flights, [noon, taken], "one of the two that were taken at 30 s has ended")
            record.refund()
            XCTAssertEqual(record.flights, [taken], "where no time is known, the oldest ends")
            record.refund(takenAt: noon)
            XCTAssertEqual(record.flights, [taken], "an attempt that is not in flight ends none")
        }
    }

    func testEachAttemptIsInFlightForAMinuteOfItsOwn() {
        let allowance = Store.Allowance.number(5, each: .hours(1))
        var record = AttemptRecord()
        for seconds in [0, 30, 61] { record.take(Store.Take(key, allowance), at: noon + .seconds(seconds)) }
        XCTAssertEqual(record.flights, [30, 61].map { noon + .seconds($0) }, "attempts in flight")
        XCTAssertEqual(record.failures, 1, "the oldest has failed")
        XCTAssertEqual(record.failedAt, noon, "it counts from when it was taken")
        record.keep(allowance, takenAt: noon, at: noon + .seconds(62))
        XCTAssertEqual(record.failures, 1, "it was counted before")
    }

    /// Nothing was in flight when the minute was over, so the wait counts from the failure.
    func testAWaitCountsFromTheFailureAndNotFromTheAttempt() {
        let allowance = waits(from: 100, to: 100, halving: 86_400)
        var record = AttemptRecord()
        record.take(Store.Take(key, allowance), at: noon)
        record.keep(allowance, at: noon + .seconds(30))
        let until = noon + .seconds(130)
        for seconds in [30, 100, 129] as [Int64] {
            let answer = record.answer(allowance, at: noon + .seconds(seconds))
            XCTAssertEqual(answer, .refused(until: until), "after \(seconds) s")
        }
        XCTAssertEqual(record.answer(allowance, at: until), .taken, "when the wait is over")
    }

    func testFailuresOfAQuarterOfAWindowAreOneStep() {
        let allowance = Store.Allowance.number(9, each: .hours(1))
        let take = Store.Take(key, allowance, isSettled: true)
        var record = AttemptRecord()
        for minutes in [0, 14] as [Int64] { record.take(take, at: noon + .seconds(60 * minutes)) }
        XCTAssertEqual(record.steps.map(\.failures), [2], "failures 14 minutes apart")
        record.take(take, at: noon + .seconds(900))
        XCTAssertEqual(record.steps.map(\.failures), [2, 1], "a quarter of an hour after the first")
        XCTAssertEqual(record.steps.first?.last, noon + .seconds(840), "the last failure of the first step")
    }

    func testTheFailuresOfAStepCountUntilAWindowAfterTheLastOfThem() {
        let allowance = Store.Allowance.number(2, each: .hours(1))
        let take = Store.Take(key, allowance, isSettled: true)
        var record = AttemptRecord()
        for minutes in [0, 14] { record.take(take, at: noon + .minutes(minutes)) }
        let answer = record.answer(allowance, at: noon + .minutes(60))
        XCTAssertEqual(answer, .refused(until: noon + .minutes(74)), "an hour after the first of two failures")
        XCTAssertEqual(record.answer(allowance, at: noon + .minutes(74)), .taken, "an hour after the last of them")
    }

    func testAWindowWithRoomForNoneHasRoomForOne() {
        for most in [-1, 0, 1] {
            let allowance = Store.Allowance.number(most, each: .hours(1))
            var record = AttemptRecord()
            XCTAssertEqual(record.answer(allowance, at: noon), .taken, "room for \(most)")
            record.take(Store.Take(key, allowance), at: noon)
            XCTAssertEqual(record.answer(allowance, at: noon), .inFlight, "room for \(most), with one in flight")
            record.keep(allowance, at: noon)
            let refusal = Store.TakeAnswer.refused(until: noon + .hours(1))
            XCTAssertEqual(record.answer(allowance, at: noon), refusal, "room for \(most), after a failure")
        }
    }

    func testWhereOneFailedAndOthersAreInFlightTheAnswerMayStillBeYes() {
        for (allowance, end) in [
            (Store.Allowance.number(3, each: .hours(1)), noon + .hours(1)), (.consecutive(3, then: nil), nil),
        ] {
            var record = AttemptRecord()
            for _ in 0..<3 { record.take(Store.Take(key, allowance), at: noon) }
            record.keep(allowance, at: noon)
            XCTAssertEqual(record.answer(allowance, at: noon), .inFlight, "one of three failed: \(allowance)")
            record.keep(allowance, at: noon)
            XCTAssertEqual(record.answer(allowance, at: noon), .inFlight, "two of three failed: \(allowance)")
            record.keep(allowance, at: noon)
            XCTAssertEqual(record.answer(allowance, at: noon), .refused(until: end), "all three failed: \(allowance)")
        }
    }

    func testACountHalvesWithTimeAndNotAtAllWithoutAHalvingTime() {
        func left(after milliseconds: Int64, halving: Duration = .seconds(10)) -> Double {
            AttemptRecord.wear(since: noon, noon + .milliseconds(milliseconds), halving: halving)
        }
        XCTAssertEqual(left(after: 0), 1, "at once")
        XCTAssertEqual(left(after: -5000), 1, "before it began")
        XCTAssertEqual(left(after: 5000), 0.75, "after half a halving time")
        XCTAssertEqual(left(after: 10_000), 0.5, "after one halving time")
        XCTAssertEqual(left(after: 15_000), 0.375, "after one and a half")
        XCTAssertEqual(left(after: 20_000), 0.25, "after two")
        XCTAssertLessThan(left(after: 10_000_000), 1e-18, "after a thousand")
        XCTAssertEqual(left(after: 10_000, halving: .zero), 1, "a halving time of nothing")
        XCTAssertEqual(left(after: 10_000, halving: .seconds(-1)), 1, "a halving time of less than nothing")
    }

    func testAWaitDoublesUpToTheLongest() {
        let allowance = waits(from: 1, to: 5, halving: 0)
        var record = AttemptRecord()
        for wait in [1, 2, 4, 5, 5] as [Int64] {
            record.take(Store.Take(key, allowance), at: noon)
            record.keep(allowance, at: noon)
            XCTAssertEqual(record.answer(allowance, at: noon), .refused(until: noon + .seconds(wait)), "\(wait) s")
        }
    }

    func testAWaitIsAsLongAsItWasAtTheLastFailureHoweverTheCountWearsAway() {
        let allowance = waits(from: 100, to: 1000, halving: 50)
        var record = AttemptRecord()
        for _ in 0..<3 {
            record.take(Store.Take(key, allowance), at: noon)
            record.keep(allowance, at: noon)
        }
        let answer = record.answer(allowance, at: noon + .seconds(60))
        XCTAssertEqual(answer, .refused(until: noon + .seconds(400)), "a minute later, when the count is a third")
    }

    func testARecordIsEmptyOnceItCountsNothing() {
        let allowance = waits(from: 1, to: 1, halving: 10)
        var record = AttemptRecord()
        XCTAssertTrue(record.isEmpty(allowance, at: noon), "a record of nothing")
        record.take(Store.Take(key, allowance), at: noon)
        XCTAssertFalse(record.isEmpty(allowance, at: noon), "an attempt in flight")
        record.keep(allowance, at: noon)
        XCTAssertFalse(record.isEmpty(allowance, at: noon + .seconds(60)), "a failure halved six times")
        XCTAssertTrue(record.isEmpty(allowance, at: noon + .seconds(61)), "a failure halved more than six times")
    }
}

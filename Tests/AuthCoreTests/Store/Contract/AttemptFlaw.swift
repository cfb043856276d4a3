@testable import AuthCore
import AuthCoreTesting
import Foundation

/// A habit of an attempt store that is a flaw, and the clause that finds it.
struct AttemptFlaw: Sendable {
    let name: String
    let clause: String
    let make: @Sendable () -> any AttemptStore

    private init(_ name: String, _ clause: String, _ spoil: @escaping @Sendable (inout PlainAttempts.Habits) -> Void) {
        self.name = name
        self.clause = clause
        make = {
            var habits = PlainAttempts.Habits()
            spoil(&habits)
            return PlainAttempts(habits)
        }
    }

    static let all = ends + otherEnds + answers + keys + numbers + times + lives + many + extremes

    private static let otherEnds = [
        AttemptFlaw("answers canceled ends as done", "an end that is canceled and answered has ended its attempt") {
            $0.skipsCanceledEnds = true
        },
        AttemptFlaw(
            "ends all attempts of one time with one failure",
            "of attempts that were taken at one time each ends alone"
        ) {
            $0.write = { before, after, _ in
                guard before.flights.count == after.flights.count + 1, before.steps != after.steps else { return after }
                let ended = before.flights.first { time in
                    before.flights.count { $0 == time } > after.flights.count { $0 == time }
                }
                return after.edited { members in
                    members["flights"] = after.flights.filter { $0 != ended }.map(\.milliseconds)
                }
            }
        },
        AttemptFlaw(
            "stops at the first attempt that is not in flight",
            "an attempt that is not in flight keeps no other from ending"
        ) { $0.stopsAtMissingOnes = true },
        AttemptFlaw(
            "counts the end of an attempt of an unknown key",
            "the end of an attempt that no key has counts nothing"
        ) { $0.failsUnknownKeys = true },
        AttemptFlaw("forgets a key after six hours, with a success", "a success forgets no failure of its window") {
            $0.write = { before, after, now in
                let isRefund = before.flights.count == after.flights.count + 1 && before.steps == after.steps
                let isOld = after.steps.allSatisfy { now - $0.last > .hours(6) }
                return isRefund && after.flights.isEmpty && isOld ? AttemptRecord() : after
            }
        },
    ]

    private static let ends = [
        AttemptFlaw("ends the attempt of the first key", "several keys are kept, given back and cleared together") {
            $0.ended = { Array($0.prefix(1)) }
        },
        AttemptFlaw("ends the attempt of the last key", "several keys are kept, given back and cleared together") {
            $0.ended = { $0.suffix(1) }
        },
        AttemptFlaw("keeps failures that count one after another", "a cleared key is free, whatever counted there") {
            $0.write = { before, after, _ in
                let isCleared = after.failures == 0 && after.steps.isEmpty && before.failures > 0
                return isCleared ? after.edited { $0["failures"] = before.failures } : after
            }
        },
        AttemptFlaw(
            "has no attempt in flight that began before the last one",
            "an attempt of a clock that is behind is in flight"
        ) {
            $0.write = { before, after, now in
                guard let last = before.flights.last, now < last else { return after }
                return after.flights.count > before.flights.count ? before : after
            }
        },
        AttemptFlaw("clears the first key", "several keys are kept, given back and cleared together") {
            $0.cleared = { Array($0.prefix(1)) }
        },
        AttemptFlaw("counts an end of nothing", "what ends and was not in flight counts nothing, and frees nothing") {
            $0.countsEveryEnd = true
        },
        AttemptFlaw("owes attempts", "what ends and was not in flight counts nothing, and frees nothing") {
            $0.write = { before, after, now in
                // A key that is as it was has been given back what it had not taken.
                let owed: [String: Any] = ["failures": -1, "first": now.milliseconds, "last": now.milliseconds]
                return before == after ? after.edited { $0["steps"] = [owed] } : after
            }
        },
        AttemptFlaw(
            "takes back a failure where nothing is in flight",
            "what ends and was not in flight counts nothing, and frees nothing"
        ) {
            $0.write = { before, after, _ in
                before == after ? after.edited { $0["failures"] = max(0, after.failures - 1) } : after
            }
        },
        AttemptFlaw(
            "forgets the time of a failure where nothing is in flight",
            "what ends and was not in flight counts nothing, and frees nothing"
        ) {
            $0.write = { before, after, _ in before == after ? after.edited { $0["failedAt"] = nil } : after }
        },
        AttemptFlaw(
            "times a failure by the beginning of its attempt",
            "a failure counts from its end, and a cleared key from nothing"
        ) {
            $0.write = { before, after, _ in
                let began = before.failures < after.failures && after.failedAt != nil ? before.flights.first : nil
                return began.map { time in after.edited { $0["failedAt"] = time.milliseconds } } ?? after
            }
        },
        AttemptFlaw("ends the oldest attempt", "a success ends the attempt that was taken at its time") {
            $0.ended = { takes in takes.map { Store.Take($0.key, $0.allowance) } }
        },
        AttemptFlaw("fails the oldest attempt", "a failure ends the attempt that was taken at its time") {
            $0.ended = { takes in takes.map { Store.Take($0.key, $0.allowance) } }
        },
        AttemptFlaw("ends no attempt that is named", "a success ends the attempt that was taken at its time") {
            $0.ended = { takes in takes.filter { $0.takenAt == nil } }
        },
        AttemptFlaw("looks at no time", "an end of another time ends no attempt") {
            $0.ended = { takes in takes.map { Store.Take($0.key, $0.allowance) } }
        },
        keeps("keeps the times of attempts in seconds", "a failure ends the attempt that was taken at its time") {
            $0["flights"] = ($0["flights"] as? [Int])?.map { $0 / 1000 * 1000 }
        },
        AttemptFlaw("ends side by side what it read", "of parallel ends each counts once") { $0.isSlow = true },
        keeps("keeps the last fifty attempts in flight", "all attempts in flight count, however many") {
            $0["flights"] = ($0["flights"] as? [Int])?.suffix(50).map { $0 }
        },
    ]

    private static let answers = [
        AttemptFlaw("keeps the first allowance of a key", "an attempt is judged by the allowance that it names") {
            $0.keepsAllowances = true
        },
        AttemptFlaw("answers for the first key", "of several refusals the one that lasts longest is answered") {
            $0.combine = { answers in answers.first { $0 != .taken } ?? .taken }
        },
        AttemptFlaw("answers for the last key", "of several refusals the one that lasts longest is answered") {
            $0.combine = { answers in answers.last { $0 != .taken } ?? .taken }
        },
        AttemptFlaw("answers the shortest refusal", "of several refusals the one that lasts longest is answered") {
            $0.combine = { answers in
                let all = Store.TakeAnswer(answers)
                guard case .refused = all else { return all }
                let times = answers.compactMap { if case .refused(let until) = $0 { until } else { nil } }
                return .refused(until: times.min())
            }
        },
        AttemptFlaw("knows a time where one is unknown", "of several refusals the one that lasts longest is answered") {
            $0.combine = { answers in
                let all = Store.TakeAnswer(answers)
                guard case .refused = all else { return all }
                let times = answers.compactMap { if case .refused(let until) = $0 { until } else { nil } }
                return .refused(until: times.max())
            }
        },
        AttemptFlaw(
            "takes flights for more than refusals",
            "of several refusals the one that lasts longest is answered"
        ) {
            $0.combine = { $0.contains(.inFlight) ? .inFlight : Store.TakeAnswer($0) }
        },
        AttemptFlaw("counts what it refuses", "what is refused changes nothing") { $0.countsRefusals = true },
    ]

    private static func folds(_ name: String, _ fold: @escaping @Sendable (UInt64) -> UInt64) -> AttemptFlaw {
        AttemptFlaw(name, "keys are compared whole") {
            $0.key = { Store.AttemptKey(purpose: $0.purpose, hash: fold($0.hash)) }
        }
    }

    private static let keys = [
        folds("compares 32 bits of keys") { $0 & 0xFFFF_FFFF }, folds("compares the high bits of keys") { $0 >> 1 },
        folds("compares 63 bits of keys") { $0 << 1 },
        folds("keeps keys as floating-point numbers") { UInt64(Double($0 >> 12)) },
        AttemptFlaw("clears a key of every purpose", "keys are compared whole") {
            $0.cleared = { keys in
                keys.flatMap { key in
                    Store.AttemptKey.Purpose.allCases.map { Store.AttemptKey(purpose: $0, hash: key.hash) }
                }
            }
        },
    ]

    private static func keeps(
        _ name: String,
        _ clause: String = "times are kept to the millisecond, and counts however broken or high",
        _ edit: @escaping @Sendable (inout [String: Any]) -> Void
    ) -> AttemptFlaw {
        AttemptFlaw(name, clause) { $0.write = { _, after, _ in after.edited(edit) } }
    }

    /// Keeps a time that is later than this as this.
    private static func narrows(_ name: String, to last: Int64) -> AttemptFlaw {
        keeps(name) { members in
            members["failedAt"] = (members["failedAt"] as? Int64).map { min($0, last * 1000) }
            members["steps"] = (members["steps"] as? [[String: Any]])?.map { step in
                step.mapValues { value in (value as? Int64).map { min($0, last * 1000) } ?? value }
            }
        }
    }

    private static let numbers = [
        narrows("keeps times in 31 bits of seconds", to: Int64(Int32.max)),
        narrows("keeps times in 32 bits of seconds", to: Int64(UInt32.max)),
        narrows("keeps times in years of four digits", to: 253_402_300_799),
        keeps("keeps whole counts") { $0["failures"] = (($0["failures"] as? Double) ?? 0).rounded(.down) },
        keeps("cuts times to seconds") { members in
            members["failedAt"] = (members["failedAt"] as? Int64).map { $0 / 1000 * 1000 }
            members["steps"] = (members["steps"] as? [[String: Any]])?.map { step in
                step.mapValues { value in (value as? Int64).map { $0 > 1000 ? $0 / 1000 * 1000 : $0 } ?? value }
            }
        },
        keeps("counts to 255") { members in
            members["steps"] = (members["steps"] as? [[String: Any]])?.map { step in
                step.merging(["failures": min(255, (step["failures"] as? Double) ?? 0)]) { $1 }
            }
        },
        keeps("keeps one step of a window", "what counts is kept as long as it counts") { members in
            members["steps"] = (members["steps"] as? [[String: Any]]).map { Array($0.suffix(1)) }
        },
        keeps("forgets when a key was last used", "a clock that is a little behind allows no more attempts") {
            members in
            members["failedAt"] = nil
        },
    ]

    private static func reads(
        _ name: String,
        _ clause: String,
        _ read: @escaping @Sendable (AttemptRecord, Timestamp) -> AttemptRecord
    ) -> AttemptFlaw {
        AttemptFlaw(name, clause) { $0.read = read }
    }

    private static let times = [
        reads("forgets a key after a day", "what counts is kept as long as it counts") { record, now in
            record.failedAt.map { now - $0 > .days(1) } ?? false ? AttemptRecord() : record
        },
        reads("forgets a key after a week", "what counts is kept as long as it counts") { record, now in
            record.failedAt.map { now - $0 > .days(7) } ?? false ? AttemptRecord() : record
        },
        reads("forgets what is later than its clock", "a clock that is a little behind allows no more attempts") {
            record,
            now in
            (record.flights.last ?? record.failedAt).map { $0 > now } ?? false ? AttemptRecord() : record
        },
        AttemptFlaw(
            "counts a failure from its beginning",
            "a failure counts from its end, and a cleared key from nothing"
        ) {
            $0.write = { before, after, _ in
                guard let takenAt = before.flights.first, after.failures > before.failures else { return after }
                return after.edited { members in
                    members["failedAt"] = takenAt.milliseconds
                    members["steps"] = (members["steps"] as? [[String: Any]])?.map { step in
                        step.merging(["last": takenAt.milliseconds, "first": takenAt.milliseconds]) { $1 }
                    }
                }
            }
        },
        AttemptFlaw("does not clear what waits", "a failure counts from its end, and a cleared key from nothing") {
            $0.write = { before, after, _ in
                before.steps.isEmpty && before.failures > 0 && after.failures == 0 ? before : after
            }
        },
    ]

    private static let lives = [
        AttemptFlaw(
            "forgets a count after its halving time",
            "a count is halved in its halving time, and not forgotten"
        ) {
            $0.life = { allowance, _ in
                if case .waits(_, _, let longest, let halving) = allowance { max(longest, halving) } else { nil }
            }
        },
        AttemptFlaw(
            "forgets failures after the pause",
            "consecutive failures count together however far apart they are"
        ) {
            $0.life = { allowance, _ in if case .consecutive(_, let pause) = allowance { pause } else { nil } }
        },
        AttemptFlaw(
            "forgets failures after a year where the pause is short",
            "consecutive failures count together however far apart they are"
        ) {
            $0.life = { allowance, _ in
                if case .consecutive(_, let pause?) = allowance, pause < .days(1) { .days(365) } else { nil }
            }
        },
        AttemptFlaw(
            "forgets a window after its last take",
            "a failure counts from its end, and a cleared key from nothing"
        ) {
            $0.life = { allowance, isTake in
                if isTake, case .number(_, let window) = allowance { window } else { nil }
            }
        },
        AttemptFlaw(
            "keeps the time of what is cleared",
            "a failure counts from its end, and a cleared key from nothing"
        ) {
            $0.write = { before, after, _ in
                guard after.failedAt == nil, let failedAt = before.failedAt else { return after }
                return after.edited { $0["failedAt"] = failedAt.milliseconds }
            }
        },
        reads("forgets what is only in flight", "an attempt in flight for over a minute has failed") { record, now in
            let isLost = record.flights.last.map { now - $0 > .seconds(60) } ?? false
            return isLost && record.failures == 0 ? AttemptRecord() : record
        },
        reads("forgets within minutes what is only in flight", "an attempt in flight for over a minute has failed") {
            record,
            now in
            let isLost = record.flights.last.map { now - $0 > .seconds(90) } ?? false
            return isLost && record.failures == 0 ? AttemptRecord() : record
        },
        AttemptFlaw("drops what is in flight for too long", "an attempt in flight for over a minute has failed") {
            $0.write = { _, after, now in
                after.edited { members in
                    let first = Int(now.milliseconds) - 60_000
                    members["flights"] = (members["flights"] as? [Int])?.filter { $0 >= first }
                }
            }
        },
    ]

    private static let many = [
        AttemptFlaw("judges 25 keys", "of many keys in one call none is left out") {
            $0.combine = { Store.TakeAnswer($0.prefix(25)) }
        },
        AttemptFlaw("clears 25 keys", "of many keys in one call none is left out") {
            $0.cleared = { Array($0.prefix(25)) }
        },
        AttemptFlaw("ends 25 attempts", "of many keys in one call none is left out") {
            $0.ended = { Array($0.prefix(25)) }
        },
        AttemptFlaw("ends beside attempts what it read", "of parallel attempts and ends each counts once") {
            $0.endsBesideTakes = true
        },
        AttemptFlaw(
            "removes beside attempts what it found empty",
            "a success that leaves no count loses no attempt beside it"
        ) {
            $0.removesBesideTakes = true
        },
        AttemptFlaw("clears beside attempts what it read", "a clearing loses no attempt that is taken meanwhile") {
            $0.clearsBesideTakes = true
        },
        AttemptFlaw(
            "settles side by side what it read",
            "of parallel attempts that count at once no more are taken than allowed"
        ) { $0.settlesSlowly = true },
        AttemptFlaw(
            "counts under each key in a step of its own",
            "of parallel attempts no more are taken than allowed"
        ) { $0.countsKeysApart = true },
        AttemptFlaw(
            "counts under the first keys of an attempt that is canceled",
            "an attempt that is canceled counts under every key or none"
        ) { $0.endsBetweenKeys = true },
    ]

    private static let large = "many failures and long pauses are kept"

    private static func takes(
        _ name: String,
        _ clause: String,
        _ edit: @escaping @Sendable (Store.Allowance) -> Store.Allowance
    ) -> AttemptFlaw {
        AttemptFlaw(name, clause) {
            $0.taken = { takes in
                takes.map { Store.Take($0.key, edit($0.allowance), isSettled: $0.isSettled, takenAt: $0.takenAt) }
            }
        }
    }

    private static func counts(_ name: String, _ edit: @escaping @Sendable (Int) -> Int) -> AttemptFlaw {
        takes(name, large) { allowance in
            if case .number(let most, let window) = allowance { .number(edit(most), each: window) } else { allowance }
        }
    }

    private static let extremes = [
        keeps("keeps three steps of a window", "attempts that are spread over a window all count") { members in
            members["steps"] = (members["steps"] as? [[String: Any]]).map { Array($0.suffix(3)) }
        },
        keeps("keeps failures in 8 bits", large) { $0["failures"] = min(255, ($0["failures"] as? Double) ?? 0) },
        counts("counts to 31 bits") { Int(Int32(truncatingIfNeeded: $0)) },
        counts("takes a negative number for many") { $0 < 0 ? 1000 : $0 },
        takes("pauses for at most a year", large) { allowance in
            guard case .consecutive(let most, let pause?) = allowance else { return allowance }
            return .consecutive(most, then: min(pause, .days(365)))
        },
        reads("forgets a key after ten years", large) { record, now in
            record.failedAt.map { now - $0 > .days(3650) } ?? false ? AttemptRecord() : record
        },
        keeps("keeps no times before 1970", "times before 1970 are times like others") { members in
            members["steps"] = (members["steps"] as? [[String: Any]])?.map { step in
                step.mapValues { value in (value as? Int64).map { max($0, 0) } ?? value }
            }
        },
        keeps("keeps the newest attempt first", "where no time is named the oldest attempt ends") { members in
            members["flights"] = (members["flights"] as? [Int])?.sorted(by: >)
        },
        AttemptFlaw("counts a key once in a call", "a key that is named twice in one call counts twice") {
            $0.taken = { takes in
                takes.indices.filter { place in !takes[..<place].contains { $0.key == takes[place].key } }
                    .map { takes[$0] }
            }
        },
        AttemptFlaw(
            "settles no attempt whose key waits",
            "a settled attempt counts at once, whatever its allowance"
        ) {
            $0.taken = { takes in
                takes.map { take in
                    if case .waits = take.allowance { Store.Take(take.key, take.allowance) } else { take }
                }
            }
        },
        AttemptFlaw(
            "does not note when a settled attempt failed",
            "a settled attempt counts at once, whatever its allowance"
        ) {
            $0.write = { before, after, _ in
                let isSettled = after.flights.count == before.flights.count && after.failures > before.failures
                return isSettled ? after.edited { $0["failedAt"] = before.failedAt?.milliseconds } : after
            }
        },
    ]
}

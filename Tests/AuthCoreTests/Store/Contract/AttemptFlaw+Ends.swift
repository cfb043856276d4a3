@testable import AuthCore
import AuthCoreTesting

/// Flaws of how an attempt ends.
extension AttemptFlaw {
    static let otherEnds = [
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

    static let ends = [
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
}

@testable import AuthCore
import AuthCoreTesting

/// Flaws of how long something counts, and from when on.
extension AttemptFlaw {
    static let times = [
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

    static let lives = [
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
}

@testable import AuthCore
import AuthCoreTesting

/// Flaws of what is large, early, named twice or settled at once.
extension AttemptFlaw {
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

    static let extremes = [
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

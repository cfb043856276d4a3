@testable import AuthCore
import AuthCoreTesting

/// Flaws of how times and counts are kept.
extension AttemptFlaw {
    /// Keeps a time that is later than this as this.
    private static func narrows(_ name: String, to last: Int64) -> AttemptFlaw {
        keeps(name) { members in
            members["failedAt"] = (members["failedAt"] as? Int64).map { min($0, last * 1000) }
            members["steps"] = (members["steps"] as? [[String: Any]])?.map { step in
                step.mapValues { value in (value as? Int64).map { min($0, last * 1000) } ?? value }
            }
        }
    }

    static let numbers = [
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
}

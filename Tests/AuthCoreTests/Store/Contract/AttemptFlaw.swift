@testable import AuthCore
import AuthCoreTesting

/// A habit of an attempt store that is a flaw, and the clause that finds it.
struct AttemptFlaw: Sendable {
    let name: String
    let clause: String
    let make: @Sendable () -> any AttemptStore

    init(_ name: String, _ clause: String, _ spoil: @escaping @Sendable (inout PlainAttempts.Habits) -> Void) {
        self.name = name
        self.clause = clause
        make = {
            var habits = PlainAttempts.Habits()
            spoil(&habits)
            return PlainAttempts(habits)
        }
    }

    static let all = ends + otherEnds + answers + keys + numbers + times + lives + many + extremes

    /// Changes what is kept under a key.
    static func keeps(
        _ name: String,
        _ clause: String = "times are kept to the millisecond, and counts however broken or high",
        _ edit: @escaping @Sendable (inout [String: Any]) -> Void
    ) -> AttemptFlaw {
        AttemptFlaw(name, clause) { $0.write = { _, after, _ in after.edited(edit) } }
    }

    /// Changes what is read of a key.
    static func reads(
        _ name: String,
        _ clause: String,
        _ read: @escaping @Sendable (AttemptRecord, Timestamp) -> AttemptRecord
    ) -> AttemptFlaw {
        AttemptFlaw(name, clause) { $0.read = read }
    }
}

@testable import AuthCore
import AuthCoreTesting

/// Flaws of stores that compare less than whole keys.
extension AttemptFlaw {
    private static func folds(_ name: String, _ fold: @escaping @Sendable (UInt64) -> UInt64) -> AttemptFlaw {
        AttemptFlaw(name, "keys are compared whole") {
            $0.key = { Store.AttemptKey(purpose: $0.purpose, hash: fold($0.hash)) }
        }
    }

    static let keys = [
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
}

@testable import AuthCore
import AuthCoreTesting

/// Flaws that show where a call names many keys, or where calls run side by side.
extension AttemptFlaw {
    static let many = [
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
}

@testable import AuthCore
import AuthCoreTesting

/// Flaws of what an attempt is answered with.
extension AttemptFlaw {
    static let answers = [
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
}

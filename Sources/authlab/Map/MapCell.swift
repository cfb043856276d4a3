internal import AuthCore

/// What happens when something arrives at an account: a cell of the decision map.
struct MapCell: Sendable, Hashable {
    enum Outcome: String, Sendable, Hashable, CaseIterable {
        case signsIn
        case newAccount
        case joins
        case adopts
        case conflict
        case secondFactor
        case refused

        /// At most eight letters.
        var word: String {
            switch self {
            case .signsIn: "sign in"
            case .newAccount: "new"
            case .joins: "join"
            case .adopts: "adopt"
            case .conflict: "conflict"
            case .secondFactor: "factor"
            case .refused: "refused"
            }
        }

        /// One letter, for where a word has no room.
        var letter: String {
            switch self {
            case .signsIn: "S"
            case .newAccount: "N"
            case .joins: "J"
            case .adopts: "A"
            case .conflict: "C"
            case .secondFactor: "F"
            case .refused: "R"
            }
        }

        var about: String {
            switch self {
            case .signsIn: "signs in to the account"
            case .newAccount: "makes a separate account"
            case .joins: "is linked to the account, and signs in"
            case .adopts: "takes over; unverified methods are removed"
            case .conflict: "nothing is written; three ways out"
            case .secondFactor: "the account's second factor is asked first"
            case .refused: "an error; nothing is written"
            }
        }
    }

    let outcome: Outcome
    /// The error; nil if the sign-in succeeds.
    var code: AuthErrorCode?
    let reasons: [Reason]
    var effects: [Preview.Effect] = []
    var remedies: [Remedy] = []

    init(_ preview: Preview) {
        reasons = preview.reasons
        effects = preview.effects
        remedies = preview.remedies
        switch preview.answer {
        case .succeeds:
            if effects.contains(.newAccount) {
                outcome = .newAccount
            } else if reasons.contains(.unverifiedMethodsAreRemoved) {
                outcome = .adopts
            } else if effects.contains(where: { if case .adds = $0 { true } else { false } }) {
                outcome = .joins
            } else {
                outcome = .signsIn
            }
        case .refused(let code):
            self.code = code
            switch code {
            case .accountExistsWithDifferentCredential: outcome = .conflict
            case .secondFactorRequired: outcome = .secondFactor
            default: outcome = .refused
            }
        }
    }

    /// A credential that is refused before any decision.
    init(_ error: AuthError) {
        outcome = .refused
        code = error.code
        reasons = error.trail + [error.reason].compactMap(\.self)
    }

    /// The providers whose methods are removed.
    var removed: [ProviderID] {
        effects.compactMap { if case .removes(let provider) = $0 { provider } else { nil } }
    }

    /// The outcome in one short word, and how many methods it removes.
    var word: String { outcome.word + (removed.isEmpty ? "" : " −\(removed.count)") }

    /// The reason that decided.
    var reason: Reason? { reasons.last }

    /// Everything there is to say, one sentence a line.
    var sentences: [String] {
        var lines: [String] = []
        if let code {
            lines.append("Is refused with \(code).")
        } else {
            lines.append("Goes through: \(outcome.about).")
        }
        lines += effects.map { "It \($0)." }
        lines += reasons.map { "Why: \($0.explanation)" }
        lines += remedies.map { "To change that: \($0.explanation)" }
        return lines
    }
}

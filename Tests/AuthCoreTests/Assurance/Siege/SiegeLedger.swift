@testable import AuthCore
import AuthCoreTesting

/// What attackers were given, counted again without the library's counters.
struct SiegeLedger {
    /// A thing that has a number in a time.
    struct Allowance: Hashable {
        let name: String
        let most: Int
        let seconds: Int64
    }

    private var times: [Allowance: [Int64]] = [:]

    /// Notes one, and returns what is wrong if it is one too many; a clock that is set back a little changes nothing.
    private mutating func note(_ allowance: Allowance, at now: Int64) -> String? {
        let recent = (times[allowance] ?? []).filter { now - $0 < allowance.seconds } + [now]
        times[allowance] = recent
        guard recent.count > allowance.most else { return nil }
        return "I11: \(allowance.name): \(recent.count) in \(allowance.seconds) s, at most \(allowance.most)"
    }

    /// Forgets what is counted under names that begin so.
    mutating func forget(_ prefix: String) { times = times.filter { !$0.key.name.hasPrefix(prefix) } }

    /// Notes an act of an attacker and what came of it.
    ///
    /// On a device that the account knows, for example one that the attacker made, other numbers hold.
    mutating func note(
        _ act: SiegeAct,
        _ outcome: SiegeOutcome,
        under limits: AuthPolicy.AttemptLimits,
        isStorming: Bool,
        at now: Int64
    ) -> [String] {
        guard let place = act.place else { return [] }
        if place.party == .ann {
            if case .answer = act, outcome != .nothing { forget("answers") }
            // A completed recovery by mail opens the passwords, and the next recovery.
            if case .reset(let place) = act, outcome == .done {
                forget("passwords")
                forget("mails with a reset to \(place.party.email)")
            }
            return []
        }
        let origin = place.origin
        var found: [String?] = []
        func add(_ name: String, _ most: Int, in seconds: Int64) {
            found.append(note(Allowance(name: name, most: most, seconds: seconds), at: now))
        }
        switch (act, outcome) {
        case (.password(_, let target, _), .refused(.invalidCredential)):
            // Five, then waits of 1 s, 2 s, … 900 s: sixteen in an hour, a few more as the count wears away.
            add("passwords of \(target.email), at once", limits.passwords + 1, in: 1)
            add("passwords of \(target.email)", limits.passwords + 15, in: 3600)
            add("guesses from \(origin), at once", limits.guessesFromOrigin + 1, in: 1)
        case (.digits(_, let other, false), .refused(.invalidVerificationCode)):
            add("digits of \(other)", limits.wrongCodes * limits.texts, in: 3600)
        case (.answer, .refused(.invalidVerificationCode)) where isStorming,
            (.recoveryCode, .refused(.invalidVerificationCode)) where isStorming:
            add("answers to a factor of the victim", limits.factorAnswersInDay, in: 86_400)
        case (.askReset(_, let target), .done): mail("reset", target)
        case (.askLink(_, let target), .done): mail("link", target)
        case (.askMethods(_, let target), .done): mail("methods", target)
        case (.askChange(_, let target), .done) where target == .ann: mail("change", target)
        case (.askDigits(_, let target), .done) where target == .ann:
            add("texts to \(target.number)", limits.texts, in: 3600)
            add("texts from \(origin)", limits.textsFromOrigin, in: 3600)
        case (.guest, .entered), (.plant, .done), (.signUp, .entered):
            add("accounts from \(origin)", limits.accountsFromOrigin, in: 86_400)
        default: break
        }
        func mail(_ kind: String, _ target: Party) {
            // An attacker's own mailbox is verified on a known device, which has a number of its own.
            guard target == .ann else { return }
            add("mails with a \(kind) to \(target.email)", limits.mails, in: 3600)
            add("mails from \(origin)", limits.mailsFromOrigin, in: 3600)
        }
        return found.compactMap(\.self)
    }
}

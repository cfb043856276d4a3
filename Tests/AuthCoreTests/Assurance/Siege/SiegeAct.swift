@testable import AuthCore
import AuthCoreTesting

/// Who takes part in a siege: the victim, and two attackers who know her address and her number.
enum Party: String, CaseIterable, Sendable {
    case ann, eve, mal

    var email: String { "\(self)@example.com" }

    var number: String {
        switch self {
        case .ann: "+15550001111"
        case .eve: "+15550006666"
        case .mal: "+15550007777"
        }
    }
}

/// A browser of one party, with the address from which its requests come; two of them share one with an attacker.
enum Place: String, CaseIterable, Sendable {
    case laptop, phone, tablet, kiosk
    case den, cafe
    case cellar, office

    var party: Party {
        switch self {
        case .laptop, .phone, .tablet, .kiosk: .ann
        case .den, .cafe: .eve
        case .cellar, .office: .mal
        }
    }

    var origin: String {
        switch self {
        case .laptop: "192.0.2.1"
        case .phone: "2001:db8:0:1::1"
        case .tablet, .kiosk, .cafe: "198.51.100.7"
        case .den, .cellar: "203.0.113.1"
        case .office: "2001:db8:0:2::9"
        }
    }
}

/// One thing that a party does in one of its browsers, that an operator does, or that time does.
enum SiegeAct: Hashable, Sendable {
    case signUp(Place, Party)
    case guest(Place)
    /// The party's own password, or a guess.
    case password(Place, Party, isOwn: Bool)
    case google(Place)
    /// A provider that checks nothing states this party's address.
    case claim(Place, Party)
    case askLink(Place, Party)
    case openLink(Place)
    case askReset(Place, Party)
    case reset(Place)
    case resetByGuess(Place)
    case askMethods(Place, Party)
    case askDigits(Place, Party)
    /// The digits that were asked for in this browser, or digits that were guessed, also for those of another browser.
    case digits(Place, of: Place, isRight: Bool)
    case linkPassword(Place, Party)
    case linkGoogle(Place)
    case linkDigits(Place)
    case unlink(Place, String)
    case newPassword(Place)
    case reauthenticate(Place)
    case enroll(Place)
    case unenroll(Place)
    case answer(Place, isRight: Bool)
    case recoveryCode(Place)
    case resolve(Place, isOwn: Bool)
    case askVerification(Place)
    case askChange(Place, Party)
    /// Opens the newest code that was mailed to the party for a change or a verification that it asked for.
    case open(Place)
    case report(Place)
    case tokens(Place)
    case refresh(Place)
    case replay(Place)
    /// Puts an attacker's guest session into the victim's browser.
    case plant
    case usePlanted
    case revokeOthers(Place)
    case signOut(Place)
    case delete(Place)
    case merge(Place)
    case wait(seconds: Int)
    case upkeep
}

extension SiegeAct {
    /// The place where it is done; nil for time and operators.
    var place: Place? {
        switch self {
        case .signUp(let place, _), .guest(let place), .password(let place, _, _), .google(let place),
            .claim(let place, _), .askLink(let place, _), .openLink(let place), .askReset(let place, _),
            .reset(let place), .resetByGuess(let place), .askMethods(let place, _), .askDigits(let place, _),
            .digits(let place, _, _), .linkPassword(let place, _), .linkGoogle(let place), .linkDigits(let place),
            .unlink(let place, _), .newPassword(let place), .reauthenticate(let place), .enroll(let place),
            .unenroll(let place), .answer(let place, _), .recoveryCode(let place), .resolve(let place, _),
            .askVerification(let place), .askChange(let place, _), .open(let place), .report(let place),
            .tokens(let place), .refresh(let place), .replay(let place), .revokeOthers(let place),
            .signOut(let place), .delete(let place), .merge(let place):
            place
        case .plant, .usePlanted: .cafe
        case .wait, .upkeep: nil
        }
    }

    /// Whether a refusal may end a session: a refresh token that was exchanged before does.
    var mayEndSession: Bool {
        switch self {
        case .replay, .refresh, .usePlanted: true
        default: false
        }
    }
}

/// Makes rounds of acts at random; attackers act oftener, and oftener against the victim.
struct SiegeGenerator {
    private var random: SplitMix
    private var next: [SiegeAct] = []

    init(seed: UInt64) { random = SplitMix(state: seed) }

    private mutating func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    /// Acts of an attacker that must not tell whether the victim has an account.
    mutating func strangersRound() -> [SiegeAct] {
        if chance(20) { return [.wait(seconds: pick([1, 30, 61, 600, 3600, 90_000]))] }
        let place = pick([Place.den, .cafe, .cellar, .office])
        let target = chance(80) ? Party.ann : place.party
        return [
            pick([
                .signUp(place, target), .guest(place), .password(place, target, isOwn: true),
                .password(place, target, isOwn: false), .claim(place, target), .askLink(place, target),
                .askReset(place, target), .resetByGuess(place), .askMethods(place, target), .askDigits(place, target),
                .digits(place, of: place, isRight: false), .linkPassword(place, target), .askVerification(place),
                .askChange(place, target), .newPassword(place), .reauthenticate(place), .google(place),
                .linkGoogle(place), .tokens(place), .enroll(place), .signOut(place), .delete(place),
            ])
        ]
    }

    /// What was there before: an account of the victim or of an attacker under her address, or none.
    mutating func prologue(isThere: Bool = false) -> [SiegeAct] {
        if !isThere, chance(15) { return [] }
        if !isThere, chance(20) { return [.signUp(.den, .ann), .askVerification(.den)] }
        var acts: [SiegeAct] = [.signUp(.laptop, .ann), .askVerification(.laptop), .open(.laptop)]
        if chance(50) { acts += [.linkGoogle(.laptop)] }
        if chance(50) { acts += [.linkDigits(.laptop)] }
        if chance(60) { acts += [.enroll(.laptop)] }
        acts += [.tokens(.laptop), .wait(seconds: pick([61, 3600, 800_000]))]
        if chance(50) { acts += [.google(.phone), .answer(.phone, isRight: true)] }
        return acts
    }

    /// One act, or several that are done at once.
    mutating func round() -> [SiegeAct] {
        if !next.isEmpty {
            defer { next = [] }
            return next
        }
        if chance(12) {
            return [.wait(seconds: pick([1, 2, 30, 30, 61, 61, 61, 600, 600, 1800, 3600, 40_000, 86_400, 700_000]))]
        }
        if chance(1) { return [.wait(seconds: -10)] }
        if chance(2) { return [.upkeep] }
        if chance(8) { return burst() }
        return (0..<(chance(60) ? 1 : Int.random(in: 2...6, using: &random))).map { _ in act() }
    }

    /// Many attempts at one thing at once, in the round after the one that makes them possible.
    private mutating func burst() -> [SiegeAct] {
        let place = pick([Place.den, .cafe, .cellar, .office])
        let count = Int.random(in: 8...16, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return Array(repeating: .password(place, .ann, isOwn: false), count: count)
        case 1: return Array(repeating: .askReset(place, .ann), count: count)
        case 2: return Array(repeating: .guest(place), count: count)
        case 3, 4:
            next = Array(repeating: .answer(place, isRight: false), count: count)
            return Array(repeating: .password(place, .ann, isOwn: false), count: 3)
        default:
            next = Array(repeating: .digits(place, of: place, isRight: false), count: count)
            return [.askDigits(place, .ann)]
        }
    }

    private mutating func act() -> SiegeAct {
        let party = pick([Party.ann, .eve, .eve, .mal])
        let place = pick(Place.allCases.filter { $0.party == party })
        let target = party == .ann ? .ann : pick([.ann, .ann, party])
        switch Int.random(in: 0..<40, using: &random) {
        case 0: return .signUp(place, target)
        case 1: return .guest(place)
        case 2: return .password(place, target, isOwn: true)
        case 3, 4: return party == .ann ? .password(place, .ann, isOwn: true) : .password(place, .ann, isOwn: false)
        case 5: return .google(place)
        case 6: return .claim(place, target)
        case 7: return .askLink(place, target)
        case 8, 9: return .openLink(place)
        case 10: return .askReset(place, target)
        case 11: return chance(50) ? .reset(place) : .resetByGuess(place)
        case 12: return .askMethods(place, target)
        case 13: return .askDigits(place, target)
        case 14, 15:
            let other = pick(Place.allCases)
            return party == .ann || chance(60)
                ? .digits(place, of: place, isRight: true) : .digits(place, of: other, isRight: false)
        case 16, 17: return .linkPassword(place, target)
        case 18: return .linkGoogle(place)
        case 19: return .linkDigits(place)
        case 20: return .unlink(place, pick(["password", "google.com", "phone"]))
        case 21: return .newPassword(place)
        case 22, 23: return .reauthenticate(place)
        case 24: return .enroll(place)
        case 25: return chance(30) ? .unenroll(place) : .enroll(place)
        case 26, 27: return .answer(place, isRight: party == .ann || chance(50))
        case 28: return .recoveryCode(place)
        case 29: return .resolve(place, isOwn: party == .ann || chance(50))
        case 30, 31: return .askVerification(place)
        case 32: return .askChange(place, target)
        case 33, 34: return .open(place)
        case 35: return chance(20) ? .report(place) : .tokens(place)
        case 36: return pick([.tokens(place), .refresh(place), .replay(place)])
        case 37: return chance(50) ? .plant : .usePlanted
        case 38: return pick([.signOut(place), .revokeOthers(place), .usePlanted])
        default: return chance(30) ? pick([.delete(place), .merge(place)]) : .open(place)
        }
    }
}

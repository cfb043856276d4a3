@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Plays rounds of acts, and checks after each round what must hold.
struct SiegeRun {
    let siege: Siege
    private var generator: SiegeGenerator
    private var ledger = SiegeLedger()
    private(set) var played: [[SiegeAct]] = []
    /// How often each act had each outcome.
    private(set) var reached: [String: Int] = [:]
    private var before: StoreView
    /// Tokens that were issued in former rounds, which end with a change of privileges.
    private var issued: [(token: String, session: SessionID, account: AccountID)] = []
    /// What the victim herself used of her known devices.
    private var own: [(place: Place, what: String, at: Int64)] = []

    init(seed: UInt64, spoiling spoil: Siege.Spoil = Siege.Spoil()) async throws {
        siege = Siege(seed: seed, spoiling: spoil)
        generator = SiegeGenerator(seed: seed)
        before = try await StoreView(of: siege.store)
    }

    var steps: Int { played.reduce(0) { $0 + $1.count } }

    /// What the victim or an attacker has done before the siege.
    mutating func prologue() async throws -> [String] {
        var wrong: [String] = []
        for act in generator.prologue() { wrong += try await play([act]) }
        siege.change { $0.isPasswordKnown = true }
        return wrong
    }

    /// Plays a round, and returns what does not hold after it.
    mutating func round() async throws -> [String] { try await play(generator.round()) }

    mutating func play(_ acts: [SiegeAct]) async throws -> [String] {
        played.append(acts)
        let (annsBefore, view) = (siege.seen.anns, before)
        let (known, stormed) = (try await knownPlaces(), siege.seen.stormed)
        let isVerified = try await siege.owner(of: .ann)?.isEmailVerified(under: siege.policy) ?? false
        let outcomes = await outcomes(of: acts)
        let now = siege.world.clock.timestamp.seconds
        var wrong: [String] = []
        for (act, outcome) in zip(acts, outcomes) {
            reached[act.words(outcome), default: 0] += 1
            if case .entered(let account) = outcome, act.place?.party != .ann, annsBefore.contains(account) {
                wrong.append("\(act): an attacker is in the victim's account \(account)")
            }
            if case .refused(.internalError) = outcome { wrong.append("\(act): an internal error") }
            if case .refused(.storeUnavailable) = outcome { wrong.append("\(act): a change that no store takes") }
            if let limits = siege.policy.limits, act.place.map({ $0.party == .ann || !known.contains($0) }) ?? false {
                let isStorming = act.place.map(stormed.contains) ?? false
                wrong += ledger.note(act, outcome, under: limits, isStorming: isStorming, at: now)
            }
            wrong += keptOut(act, outcome, known, isVerified: isVerified, at: now)
        }
        let after = try await StoreView(of: siege.store)
        if acts.count == 1, case .refused(let code) = outcomes[0], !acts[0].mayEndSession, after != view,
            !after.differsOnlyByTime(from: view)
        {
            wrong.append("I8: \(acts[0]) was refused with \(code) and changed something")
        }
        before = after
        wrong += try await Invariants(store: siege.store, policy: siege.policy).violations(in: after)
        wrong += intruders(in: after)
        wrong += await outdatedTokens(after: acts, outcomes)
        noteTokens()
        return wrong
    }

    private func outcomes(of acts: [SiegeAct]) async -> [SiegeOutcome] {
        if acts.count == 1 { return [await siege.play(acts[0])] }
        let box = Box(count: acts.count)
        let siege = siege
        await siege.schedule.run(
            acts.enumerated().map { index, act in { @Sendable in box.set(index, await siege.play(act)) } }
        )
        return box.outcomes
    }

    /// I4 and I6: no session and no known device of an attacker is in an account of the victim.
    private func intruders(in view: StoreView) -> [String] {
        let state = siege.seen
        var wrong: [String] = []
        for session in view.sessions where state.anns.contains(session.account) {
            if let maker = state.makers[session.id], maker != .ann {
                wrong.append("a session of \(maker) is in the victim's account \(session.account)")
            }
        }
        var devices = Place.allCases.filter { $0.party != .ann }.map { state.clients[$0]?.context.device }
        devices.append(state.planted?.device)
        for account in view.accounts where state.anns.contains(account.id) {
            if devices.contains(where: { account.key(of: $0) != nil }) {
                wrong.append("the victim's account \(account.id) knows a device of an attacker")
            }
        }
        return wrong
    }

    /// I13: on a device that the account knows, only the victim's own attempts make her wait.
    ///
    /// Mails to an address that is not verified count for all who request them, since any of them may have signed up
    /// with it.
    private mutating func keptOut(
        _ act: SiegeAct,
        _ outcome: SiegeOutcome,
        _ known: Set<Place>,
        isVerified: Bool,
        at now: Int64
    ) -> [String] {
        guard let place = act.place, place.party == .ann, known.contains(place) else { return [] }
        let what: String
        switch act {
        case .password, .answer, .resolve, .merge, .reauthenticate: what = "guess"
        case .askReset: what = "reset"
        case .askLink: what = "link"
        case .askMethods: what = "methods"
        case .askDigits: what = "text"
        case .askVerification: what = "verification"
        default: return []
        }
        let isRefused = outcome == .refused(.tooManyRequests)
        let recent = own.filter { $0.place == place && $0.what == what && now - $0.at < 7200 }
        if !isRefused { own.append((place, what, now)) }
        // A text counts by the account that has the number.
        if what == "text" { return [] }
        if !isVerified, ["reset", "link", "methods", "verification"].contains(what) { return [] }
        return isRefused && recent.count < 5 ? ["I13: \(act) waits, after \(recent.count) of her own"] : []
    }

    /// The browsers that the account knows which has the victim's address.
    private func knownPlaces() async throws -> Set<Place> {
        let state = siege.seen
        guard let owner = try await siege.owner(of: .ann) else { return [] }
        return Set(Place.allCases.filter { owner.key(of: state.clients[$0]?.context.device) != nil })
    }

    /// The browsers of the victim that her account knows, once its address is verified.
    private func annsKnownPlaces() async throws -> [Place] {
        guard let owner = try await siege.owner(of: .ann), siege.seen.anns.contains(owner.id),
            owner.isEmailVerified(under: siege.policy)
        else { return [] }
        return try await knownPlaces().filter { $0.party == .ann }.sorted { $0.rawValue < $1.rawValue }
    }

    /// I12: a change of privileges ends the tokens of its session; a new password or a recovery, those of all others
    /// too.
    private mutating func outdatedTokens(after acts: [SiegeAct], _ outcomes: [SiegeOutcome]) async -> [String] {
        var wrong: [String] = []
        for (act, outcome) in zip(acts, outcomes) where outcome == .done {
            guard let place = act.place else { continue }
            let ended: (SessionID, AccountID) -> Bool
            switch act {
            case .reauthenticate, .enroll:
                guard acts.count == 1, let session = siege.user(place)?.session.id else { continue }
                ended = { one, _ in one == session }
            case .newPassword:
                guard acts.count == 1, let account = siege.user(place)?.account.id else { continue }
                ended = { _, one in one == account }
            default: continue
            }
            for entry in issued where ended(entry.session, entry.account) {
                let bearer = try? await siege.client(place).user(forIDToken: entry.token)
                if bearer != nil { wrong.append("I12: a token from before \(act) is still good") }
            }
        }
        return wrong
    }

    private mutating func noteTokens() {
        let state = siege.seen
        for (place, tokens) in state.tokens where !issued.contains(where: { $0.token == tokens.idToken.token }) {
            guard let user = state.users[place], tokens.idToken.claims["sid"] == .string("\(user.session.id)") else {
                continue
            }
            issued.append((tokens.idToken.token, user.session.id, user.account.id))
        }
        if issued.count > 20 { issued.removeFirst(issued.count - 20) }
    }

    /// I13 at the end of a siege: on her own device the victim is still let in, and mail opens on a new one elsewhere.
    mutating func relief() async throws -> [String] {
        guard let place = try await annsKnownPlaces().first else { return [] }
        siege.world.clock.advance(by: .seconds(7200))
        var wrong = try await play([.password(place, .ann, isOwn: true)])
        let email = Party.ann.email
        let client = siege.world.service.client(for: nil, origin: .address("192.0.2.200"))
        let sent = await outcome { try await client.sendPasswordReset(to: email) }
        guard let code = siege.newest(.ann, [.resetPassword])?.code else {
            return wrong + ["I13: no mail for a new password, and none on its way: \(String(describing: sent))"]
        }
        let opened = await outcome { try await client.confirmPasswordReset(code: code, newPassword: "the last word") }
        if opened != nil {
            wrong.append("I13: a mailed code does not set a new password: \(String(describing: opened))")
        }
        return wrong
    }
}

/// Outcomes that several tasks write, each its own.
private final class Box: Sendable {
    private let state: Mutex<[SiegeOutcome]>

    init(count: Int) { state = Mutex(Array(repeating: .nothing, count: count)) }

    var outcomes: [SiegeOutcome] { state.withLock(\.self) }

    func set(_ index: Int, _ outcome: SiegeOutcome) { state.withLock { $0[index] = outcome } }
}

extension SiegeAct {
    fileprivate func words(_ outcome: SiegeOutcome) -> String {
        let name = "\(self)".prefix { $0 != "(" }
        let party = place.map { $0.party == .ann ? "ann" : "attacker" } ?? "time"
        return switch outcome {
        case .nothing: "\(party) \(name) nothing"
        case .done, .entered: "\(party) \(name) done"
        case .refused(let code): "\(party) \(name) \(code.name)"
        }
    }
}

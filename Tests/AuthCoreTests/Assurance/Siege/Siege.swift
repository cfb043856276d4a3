@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// A service with limits, and what each party has in its browsers and knows.
final class Siege: Sendable {
    let world: World
    let schedule: Schedule
    let store: ScheduledStore
    let policy: AuthPolicy
    let hasher = CountingHasher()
    private let state: Mutex<State>

    /// What a test makes worse, to see whether the checks notice.
    struct Spoil: Sendable {
        var policy: @Sendable (inout AuthPolicy) -> Void = { _ in }
        var countsAtomically = true
    }

    /// Digits that were sent.
    struct SentDigits: Sendable {
        let id: String
        let number: String
    }

    /// An authenticator app.
    struct App: Sendable {
        let id: SecondFactor.ID
        let enrollment: MultiFactor.TOTPEnrollment
    }

    /// A session that an attacker made and put into the victim's browser.
    struct Planted: Sendable {
        let device: DeviceID
        let tokens: Session.Tokens
    }

    /// What the parties have and know; every browser is used by its own party only.
    struct State: Sendable {
        var clients: [Place: AuthClient] = [:]
        var users: [Place: User] = [:]
        var challenges: [Place: SecondFactor.Challenge] = [:]
        var conflicts: [Place: Conflict] = [:]
        /// The ID of the digits that were asked for, and whose number they went to.
        var digits: [Place: SentDigits] = [:]
        var tokens: [Place: Session.Tokens] = [:]
        var formerRefreshToken: [Place: String] = [:]
        /// What an attacker keeps of a session that was put into the victim's browser.
        var planted: Planted?
        var passwords: [Party: String] = [:]
        /// Whether the attackers know the victim's password, as long as she has a second factor.
        var isPasswordKnown = false
        /// Where an attacker has a challenge for a factor of the victim.
        var stormed: Set<Place> = []
        var apps: [Party: [App]] = [:]
        /// The step of the last code of an app that was shown, since none is good twice.
        var lastStep: [Party: UInt64] = [:]
        /// The accounts that the victim has signed in to, or has verified as hers.
        var anns: Set<AccountID> = []
        /// Who made each session.
        var makers: [SessionID: Party] = [:]
        /// The mailed requests of each party, which it will open.
        var asked: Set<Store.OperationID> = []
        var number = 0
    }

    /// Sets it up; what is checked is the policy of this type, also where a test spoils the policy or the counting.
    init(seed: UInt64, spoiling spoil: Spoil = Spoil()) {
        let schedule = Schedule(seed: seed)
        let store = ScheduledStore(schedule: schedule)
        var policy = AuthPolicy.standard
        // Small numbers, so that short sequences reach them.
        policy.limits?.mailsFromOrigin = 12
        policy.limits?.textsFromOrigin = 8
        policy.limits?.accountsFromOrigin = 8
        policy.limits?.guessesFromOrigin = 20
        policy.limits?.visitsFromOrigin = 30
        self.policy = policy.pinningEmployers
        spoil.policy(&policy)
        let hasher = hasher
        world = World(policy) { configuration in
            configuration.store = store
            configuration.attempts = ScheduledAttempts(schedule: schedule, isAtomic: spoil.countsAtomically)
            configuration.passwordHasher = hasher
        }
        self.schedule = schedule
        self.store = store
        var state = State()
        for party in Party.allCases { state.passwords[party] = "the own word of \(party)" }
        for place in Place.allCases {
            state.clients[place] = world.service.client(for: nil, origin: .address(place.origin))
        }
        self.state = Mutex(state)
    }

    var seen: State { state.withLock(\.self) }

    func change<Answer: Sendable>(_ change: (inout sending State) -> sending Answer) -> Answer {
        state.withLock(change)
    }

    func client(_ place: Place) -> AuthClient { state.withLock { $0.clients[place] } ?? world.stranger() }

    func user(_ place: Place) -> User? { state.withLock { $0.users[place] } }

    func password(_ party: Party) -> String { state.withLock { $0.passwords[party] } ?? "" }

    /// A number that is drawn once.
    func next() -> Int {
        state.withLock { state in
            state.number += 1
            return state.number
        }
    }

    /// The newest message to the party that its own request caused, or that anybody's did.
    func newest(_ party: Party, _ kinds: [Message.Kind]) -> Message? {
        world.outbox.messages.last { message in
            guard case .email(let address) = message.recipient, address.text == party.email else { return false }
            return kinds.contains(message.kind)
        }
    }

    /// The account that has the party's address.
    func owner(of party: Party) async throws -> Account? {
        guard let email = EmailAddress(party.email) else { return nil }
        return try await store.whole.load([.owner(policy.key(for: email))]).owner(ofAddress: email, under: policy)
    }

    func google(_ party: Party, nonce: String? = nil) -> AuthCredential {
        let person = SimulatedPerson(name: "\(party)", email: party.email)
        return world.credential(.google, person, saying: SimulatedToken(hostedDomain: "example.com", nonce: nonce))
    }
}

extension Siege {
    /// Notes whose session and account it is by now.
    func entered(_ place: Place, _ result: AuthResult) {
        change { state in
            state.users[place] = result.user
            state.clients[place] = self.world.service.client(for: result.device, origin: .address(place.origin))
            state.challenges[place] = nil
            state.stormed.remove(place)
            state.makers[result.user.session.id] = place.party
            if place.party == .ann { state.anns.insert(result.user.account.id) }
        }
    }

    /// Notes that an act in the session went through.
    func acted(_ place: Place, _ user: User) {
        change { state in
            state.clients[place] = self.world.service.client(for: user.device, origin: .address(place.origin))
            state.challenges[place] = nil
            guard place.party == .ann, !user.isAnonymous else { return }
            state.anns.insert(user.account.id)
            state.makers[user.session.id] = .ann
        }
    }

    /// Notes what a refusal gave to go on with.
    func refused(_ act: SiegeAct, _ place: Place, _ error: AuthError) {
        change { state in
            if let challenge = error.secondFactor {
                state.challenges[place] = challenge
                state.stormed.remove(place)
                if case .password(_, .ann, false) = act { state.stormed.insert(place) }
            }
            if let conflict = error.conflict { state.conflicts[place] = conflict }
        }
    }
}

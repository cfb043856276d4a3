internal import AuthCore
internal import AuthCoreTesting

/// A service and the bare dictionaries beside it, both holding the same people.
final class Bench {
    /// How many events and refusals either side keeps; so few that the ring is full when measuring begins.
    static let eventLimit = 10_000

    let clock = BenchClock()
    let service: AuthService
    let client: AuthClient
    let bare = BareStore()
    let policy = AuthPolicy.standard
    let hasher = CheapPasswordHasher()
    private(set) var people = 0
    private(set) var factorPeople: [FactorPerson] = []
    /// Counts the addresses that were signed up, so that each is new.
    var newcomers = 0
    private var generator = SeededGenerator(seed: 7)
    private var serviceBytes: Int? = 0
    private var bareBytes: Int? = 0

    init() async throws {
        let clock = clock
        var configuration = AuthConfiguration(
            store: InMemoryIdentityStore(eventLimit: Self.eventLimit),
            policy: policy,
            providers: .simulated,
            passwordHasher: hasher,
            messageSender: DiscardingSender(),
            environment: AuthEnvironment(clock: { clock.now })
        )
        configuration.keptRefusals = Self.eventLimit
        service = AuthService(configuration)
        client = AuthClient(service: service)
        factorPeople = try await enrollFactorPeople(count: 32)
    }

    /// Everything about a population of this size, which begins with the people of the last one.
    func measure(accounts: Int, seconds: Double, only: String? = nil) async throws -> SizeReport {
        try await populate(accounts)
        let people = Double(max(1, people))
        var report = SizeReport(
            accounts: accounts,
            bytesPerAccount: serviceBytes.map { Double($0) / people },
            floorBytesPerAccount: bareBytes.map { Double($0) / people }
        )
        for measurement in try await measurements() where only == nil || only == measurement.name {
            report.operations.append(try await measurement.run(seconds: seconds))
        }
        if only != nil { return report }
        for tasks in Self.taskCounts { report.cores.append(try await signInsAtOnce(tasks: tasks, seconds: seconds)) }
        return report
    }

    /// People to act next, drawn from all of them, each only once.
    func draw(_ count: Int) -> [Int] {
        var drawn: Set<Int> = []
        while drawn.count < min(count, people) { drawn.insert(Int.random(in: 0..<people, using: &generator)) }
        return Array(drawn)
    }

    /// How many operations one batch has: long enough for the clock, and far shorter than the time after which the
    /// system lets others run, which would meet the longer batches of the service more often than those of the floor.
    var batchSize: Int { min(64, people / 2) }

    func populate(_ count: Int) async throws {
        let before = residentSize()
        for person in people..<count { try await arrive(person) }
        let between = residentSize()
        for person in people..<count { arriveBare(person) }
        let after = residentSize()
        if let before, let between, let after {
            serviceBytes = serviceBytes.map { $0 + between - before }
            bareBytes = bareBytes.map { $0 + after - between }
        } else {
            serviceBytes = nil
            bareBytes = nil
        }
        people = count
    }

    /// Signs a person in for the first time and links the second identity.
    private func arrive(_ person: Int) async throws {
        let user = try await client.signIn(with: verified(BenchPeople.google(person))).user
        try await user.link(with: verified(BenchPeople.gitHub(person)))
    }

    private func arriveBare(_ person: Int) {
        let now = clock.timestamp
        let first = verified(BenchPeople.google(person)).identity
        let second = verified(BenchPeople.gitHub(person)).identity
        bare.locked { tables in
            guard let first, let second, let email = first.email else { return }
            let id = AccountID(bits: UInt128(tables.name().high) << 64 | UInt128(person))
            guard let session = tables.signUp(email, first, nil, as: id, now) else { return }
            _ = tables.link(second, in: session, now)
        }
    }

    /// The credential as the service's own verification leaves it; none for an assertion that names nobody.
    func verified(_ assertion: ProviderAssertion) -> VerifiedCredential {
        let proof = FederatedProof(assertion, under: policy).map { Proof.federated($0) } ?? .anonymous
        return VerifiedCredential(proof: proof, additional: AdditionalUserInfo(assertion), verifiedAt: clock.timestamp)
    }
}

extension VerifiedCredential {
    /// What a provider asserted, if it is that kind of credential.
    var federated: FederatedProof? {
        guard case .identity(let proof) = proof.claim else { return nil }
        return proof
    }

    /// The identity that was asserted, if one was.
    var identity: Identity? { federated?.identity }
}

/// Sends nothing, so that what a message costs is what the service does for it.
struct DiscardingSender: MessageSender {
    var isImmediate: Bool { true }

    func send(_ message: Message) async throws {}
}

/// That a measured operation did not do what it measures.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String
}

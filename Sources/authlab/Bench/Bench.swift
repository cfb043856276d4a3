internal import AuthCore
internal import AuthCoreTesting

/// A service and the plain dictionaries beside it; both contain the same people.
final class Bench {
    /// How many events and refusals each side keeps.
    ///
    /// The number is small, so that the ring buffers are full when measuring begins.
    static let eventLimit = 10_000

    let clock = BenchClock()
    let service: AuthService
    let client: AuthClient
    let bare = BareStore()
    let policy = AuthPolicy.standard
    let hasher = CheapPasswordHasher()
    let progress: ProgressLog
    private(set) var people = 0
    private(set) var factorPeople: [FactorPerson] = []
    /// Counts the addresses that were signed up, so that each address is new.
    var newPeople = 0
    private var generator = SeededGenerator(seed: 7)
    private var growths: [Growth] = []

    init(_ progress: ProgressLog = .silent) async throws {
        self.progress = progress
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

    /// Everything measured with a population of this size, which includes the people of the smaller one.
    func measure(accounts: Int, seconds: Double, only: String? = nil) async throws -> SizeReport {
        try await populate(accounts)
        progress.begins("\(accounts) accounts: measuring the hashing")
        var report = SizeReport(
            accounts: accounts,
            bytesPerAccount: growths.bytesPerAccount(\.service),
            bytesPerAccountBesideLogs: growths.filter(\.areLogsFull).bytesPerAccount(\.service),
            floorBytesPerAccount: growths.bytesPerAccount(\.bare)
        )
        for measurement in try await measurements() where only == nil || only == measurement.name {
            progress.begins("\(accounts) accounts: measuring \(measurement.name)")
            report.operations.append(try await measurement.run(seconds: seconds))
        }
        if only != nil { return report }
        for tasks in Self.taskCounts {
            progress.begins("\(accounts) accounts: measuring known sign-ins, \(tasks) at once")
            report.cores.append(try await signInsAtOnce(tasks: tasks, seconds: seconds))
        }
        return report
    }

    /// The people who act next, chosen from all of them, each only once.
    func draw(_ count: Int) -> [Int] {
        var drawn: Set<Int> = []
        while drawn.count < min(count, people) { drawn.insert(Int.random(in: 0..<people, using: &generator)) }
        return Array(drawn)
    }

    /// How many operations one batch has.
    ///
    /// A batch is long enough for the clock, and much shorter than the time after which the system lets other processes
    /// run. Otherwise the batches of the service, which are longer, would be interrupted more often than those of the
    /// floor.
    var batchSize: Int { min(64, people / 2) }

    func populate(_ count: Int) async throws {
        if people < Growth.fillsLogs { try await grow(to: min(count, Growth.fillsLogs)) }
        if people < count { try await grow(to: count) }
    }

    private func grow(to count: Int) async throws {
        let before = residentSize()
        for person in people..<count {
            if person.isMultiple(of: 1000) { progress.begins("making account \(person) of \(count)") }
            try await arrive(person)
        }
        let between = residentSize()
        progress.begins("making \(count) accounts in the floor")
        for person in people..<count { arriveBare(person) }
        growths.append(Growth(from: people, to: count, sizes: [before, between, residentSize()]))
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

    /// The credential as the service's own verification leaves it; nil for an assertion without a subject.
    func verified(_ assertion: ProviderAssertion) -> VerifiedCredential {
        let proof = FederatedProof(assertion, under: policy).map { Proof.federated($0) } ?? .anonymous
        return VerifiedCredential(proof: proof, additional: AdditionalUserInfo(assertion), verifiedAt: clock.timestamp)
    }
}

extension VerifiedCredential {
    /// The identity that was asserted, if any.
    var identity: Identity? { federated?.identity }
}

/// Sends nothing, so that only the service's own work for a message is measured.
struct DiscardingSender: MessageSender {
    var isImmediate: Bool { true }

    func send(_ message: Message) async throws {}
}

/// A measured operation did not have the result that it is measured for.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String
}

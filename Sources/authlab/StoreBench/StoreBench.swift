internal import AuthCore
internal import AuthCoreSQL
internal import AuthCoreTesting
internal import Foundation

/// Measures a service on a durable store beside the statements that it sends, sent by hand.
///
/// A floor does to a copy of the database what was just asked of the store, step by step on one connection. So both do
/// the same to the same rows, in the same run.
final class StoreBench {
    /// How the measured store is copied, and what is done by hand on the copy.
    struct Subject {
        let store: any IdentityStore
        let attempts: any AttemptStore
        /// Copies the database, and returns what carries out steps on the copy: those of several tasks at once if the
        /// store can, those of one task one after the other.
        let makeFloor: () async throws -> ([StoreStep]) throws -> Void
        /// How many bytes the database has.
        let size: () async throws -> Int
        /// Removes everything.
        let empty: () async throws -> Void
    }

    static let operationNames = [
        "known sign-in", "sign-up", "link", "unlink", "sign-in with refresh", "95 % reads",
    ]
    static let taskCounts = [1, 2, 4, 8, 16, 32]

    private let subject: Subject
    private let store: RecordingStore
    private let service: AuthService
    private let client: AuthClient
    private let policy = AuthPolicy.standard
    private let clock = BenchClock()
    private let progress: ProgressLog
    private var people = 0
    private var newPeople = 0
    private var generator = SeededGenerator(seed: 7)

    init(_ subject: Subject, _ progress: ProgressLog = .silent) {
        self.subject = subject
        self.progress = progress
        store = RecordingStore(subject.store)
        let clock = clock
        var configuration = AuthConfiguration(
            store: store,
            policy: policy,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            messageSender: DiscardingSender(),
            environment: AuthEnvironment(clock: { clock.now }),
            secretKey: Array(repeating: 7, count: 32)
        )
        configuration.attempts = subject.attempts
        service = AuthService(configuration)
        client = AuthClient(service: service)
    }

    /// Everything measured at this size.
    func measure(
        accounts: Int,
        seconds: Double,
        only: String?,
        taskCounts: [Int] = StoreBench.taskCounts
    ) async throws -> StoreSizeReport {
        try await populate(accounts)
        progress.begins("\(accounts) accounts: measuring the coder")
        let records = try await measureRecords()
        progress.begins("\(accounts) accounts: copying the database, to send the statements by hand")
        let floor = try await subject.makeFloor()
        progress.begins("\(accounts) accounts: measuring the database's size")
        var report = StoreSizeReport(
            accounts: accounts,
            bytesPerAccount: Double(try await subject.size()) / Double(people),
            records: records
        )
        for name in Self.operationNames where only == nil || only == name {
            for tasks in taskCounts {
                progress.begins("\(accounts) accounts: measuring \(name), \(tasks) at once")
                let figures = try await measure(name, tasks: tasks, seconds: seconds, floor)
                report.operations.append(figures)
                let (rate, hundredths) = (Int(figures.perSecond.rounded()), (figures.ratio * 100).rounded() / 100)
                progress.finds(
                    "\(accounts) accounts: \(name), \(tasks) at once: \(rate) a second, ratio \(hundredths)"
                )
            }
        }
        return report
    }

    /// The coder alone, with the records of one person, beside a flat object of about as many bytes.
    private func measureRecords() async throws -> RecordReport {
        let user = try await client.signIn(with: verified(BenchPeople.google(0))).user
        let (account, session, coder, flat) = (user.account, user.session, RowCoder(), FlatRecord())
        let (first, second) = (try coder.encode(account), try coder.encode(session))
        let third = try coder.encode(plain: flat)
        return RecordReport(
            records: try figures(first.count + second.count) {
                _ = (try coder.encode(account), try coder.encode(session))
            } decode: {
                _ = (try coder.decode(Account.self, from: first), try coder.decode(Session.self, from: second))
            },
            flat: try figures(third.count) {
                _ = try coder.encode(plain: flat)
            } decode: {
                _ = try coder.decode(plain: FlatRecord.self, from: third)
            }
        )
    }

    private func figures(
        _ bytes: Int,
        encode: () throws -> Void,
        decode: () throws -> Void
    ) throws -> RecordReport.Figures {
        RecordReport.Figures(
            bytes: bytes,
            encodeMicroseconds: try best(encode),
            decodeMicroseconds: try best(decode),
            encodeAllocations: try Allocations.counted(encode),
            decodeAllocations: try Allocations.counted(decode)
        )
    }

    /// The shortest of many measurements, in microseconds: whatever else the machine does only adds to it.
    private func best(_ work: () throws -> Void) throws -> Double {
        var shortest = Double.infinity
        for _ in 0..<60 {
            shortest = min(shortest, try elapsed { for _ in 0..<20 { try work() } } / 20_000)
        }
        return shortest
    }

    private func measure(
        _ name: String,
        tasks: Int,
        seconds: Double,
        _ floor: ([StoreStep]) throws -> Void
    ) async throws -> StoreOperationReport {
        var (rates, floors): ([Double], [Double]) = ([], [])
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(seconds))
        // The first round only warms up.
        var isWarm = false
        repeat {
            let round = try await prepare(name, count: max(48, 8 * tasks))
            try floor(round.before)
            var time = 0.0
            let steps = try await store.recording { time = try await elapsed { try await run(round.work, tasks) } }
            let floorTime = try elapsed { try floor(steps) }
            try floor(try await store.recording(round.cleanUp))
            if isWarm {
                rates.append(Double(round.work.count) / time * 1e9)
                floors.append(Double(round.work.count) / floorTime * 1e9)
            }
            isWarm = true
        } while clock.now < end || rates.count < 9
        return StoreOperationReport(
            name: name,
            tasks: tasks,
            perSecond: Measurement.median(rates),
            floorPerSecond: Measurement.median(floors),
            ratio: Measurement.median(zip(rates, floors).map { $0 / $1 }),
            rounds: rates.count
        )
    }

    /// Does the work on so many tasks at once.
    private func run(_ work: [@Sendable () async throws -> Void], _ tasks: Int) async throws {
        try await withThrowingTaskGroup { group in
            for task in 0..<tasks {
                group.addTask {
                    try await RecordingStore.$task.withValue(task) {
                        for index in stride(from: task, to: work.count, by: tasks) { try await work[index]() }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// One round: what is asked before it, what is measured, and what makes the people as they were.
    private struct Round {
        var before: [StoreStep] = []
        var work: [@Sendable () async throws -> Void]
        var cleanUp: () async throws -> Void = {}
    }

    private func prepare(_ name: String, count: Int) async throws -> Round {
        let (client, drawn) = (client, draw(count))
        let credentials = drawn.map { verified(BenchPeople.google($0)) }
        if name == "known sign-in" {
            return Round(work: credentials.map { credential in { _ = try await client.signIn(with: credential) } })
        }
        if name == "sign-in with refresh" {
            return Round(
                work: credentials.map { credential in
                    {
                        let tokens = try await client.signIn(with: credential).user.issueTokens()
                        _ = try await client.refresh(tokens.refreshToken)
                    }
                }
            )
        }
        if name == "sign-up" {
            newPeople += count
            let new = (newPeople - count..<newPeople).map { verified(BenchPeople.google(1_000_000_000 + $0)) }
            return Round(work: new.map { credential in { _ = try await client.signIn(with: credential) } })
        }
        var users: [User] = []
        let isUnlinking = name == "unlink"
        let others = drawn.map { verified(BenchPeople.facebook($0, isEmailVerified: false)) }
        let before = try await store.recording {
            for (credential, other) in zip(credentials, others) {
                let user = try await client.signIn(with: credential).user
                if isUnlinking { try await user.link(with: other) }
                users.append(user)
            }
        }
        let signedIn = users
        var round = Round(before: before, work: [])
        switch name {
        case "link":
            round.work = zip(users, others).map { user, other in { try await user.link(with: other) } }
            round.cleanUp = { for user in signedIn { try await user.unlink(.facebook) } }
        case "unlink":
            round.work = users.map { user in { try await user.unlink(.facebook) } }
        default:
            var tokens: [String] = []
            round.before += try await store.recording {
                for user in signedIn { tokens.append(try await user.idTokenResult(forcingRefresh: true).token) }
            }
            round.work = zip(tokens, credentials).enumerated().map { index, pair in
                if index % 20 == 0 { return { _ = try await client.signIn(with: pair.1) } }
                return { _ = try await client.user(forIDToken: pair.0) }
            }
        }
        return round
    }

    /// Signs people up with two identities, many at once.
    private func populate(_ count: Int) async throws {
        let (client, lots) = (client, 32)
        while people < count {
            progress.begins("making account \(people) of \(count)")
            let part = people..<min(count, people + 4096)
            let credentials = part.map { (verified(BenchPeople.google($0)), verified(BenchPeople.gitHub($0))) }
            try await withThrowingTaskGroup { group in
                for lot in 0..<lots {
                    group.addTask {
                        for index in stride(from: lot, to: credentials.count, by: lots) {
                            let user = try await client.signIn(with: credentials[index].0).user
                            try await user.link(with: credentials[index].1)
                        }
                    }
                }
                try await group.waitForAll()
            }
            people = part.upperBound
        }
    }

    private func draw(_ count: Int) -> [Int] {
        var drawn: Set<Int> = []
        while drawn.count < min(count, people) { drawn.insert(Int.random(in: 0..<people, using: &generator)) }
        return Array(drawn)
    }

    private func verified(_ assertion: ProviderAssertion) -> VerifiedCredential {
        let proof = FederatedProof(assertion, under: policy).map { Proof.federated($0) } ?? .anonymous
        return VerifiedCredential(proof: proof, additional: AdditionalUserInfo(assertion), verifiedAt: clock.timestamp)
    }
}

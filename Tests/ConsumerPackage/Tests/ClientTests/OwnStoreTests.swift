import AuthCore
import AuthCoreTesting
import XCTest

/// An app's own stores, written outside the package by what is public alone.
final class OwnStoreTests: XCTestCase {
    func testAStoreOfTheAppsOwnKeepsTheContract() async {
        let report = await StoreConformance { StoreSubject(OwnStore()) }.report()
        XCTAssertEqual(report.violations, [])
        // It can be neither reopened nor interrupted, and its log keeps all events.
        XCTAssertEqual(
            report.skipped,
            [
                "the log keeps what the store says, and says what it removed",
                "what was committed is there after the store is opened again",
                "what is due and what was read is known after the store is opened again",
                "what was leased, settled, swept and ended is so after the store is opened again",
                "rows that no account shows are there after the store is opened again",
                "positions grow on after the store is opened again",
                "a commit that is interrupted is written whole or not at all",
                "a large commit that is interrupted is written whole or not at all",
                "a commit that is interrupted is whole or not there after the store is opened again",
            ]
        )
    }

    func testEveryValueThatTheStoreKeepsCanBeBuiltAndComesBackAsItWas() async throws {
        let samples = try XCTUnwrap(Samples())
        let store = OwnStore()
        var changes = Store.ChangeSet(operation: Store.OperationID(bits: 1), at: samples.now)
        changes.keyRule = .address
        changes.accounts = [.create(samples.account)]
        changes.keys = [Store.KeyChange(.identity(samples.identity), from: nil, to: samples.ann)]
        changes.sessions = [.put(samples.signedIn)]
        changes.records = samples.records.map { .put($0) }
        changes.events = [samples.event]
        changes.messages = [samples.message]
        let outcome = try await store.commit(changes)
        XCTAssertEqual(outcome, .committed)

        let lookups = Store.Lookups(
            [.owner(.identity(samples.identity)), .session(samples.session)] + samples.records.map { .record($0.key) }
        )
        let seen = try await store.load(lookups)
        XCTAssertEqual(seen.owner(of: .identity(samples.identity)), samples.account)
        XCTAssertEqual(seen.session(samples.session), samples.signedIn)
        XCTAssertEqual(samples.records.map { seen.record($0.key) }, samples.records)
        XCTAssertEqual(
            samples.records.map(\.purpose),
            Store.OneTimeRecord.Purpose.allCases,
            "purposes of which there is no sample"
        )
        let events = try await store.events(after: .start, limit: 10).events
        XCTAssertEqual(events, [samples.event.placed(at: try XCTUnwrap(events.first?.position))])
        let messages = try await store.leaseMessages(at: samples.later, until: samples.later, limit: 10)
        XCTAssertEqual(messages.map(\.entry), [samples.message])
    }

    func testPeopleSignUpLinkAndComeBackOverIt() async throws {
        let store = OwnStore()
        let auth = Auth(AuthConfiguration(store: store, providers: .simulated, passwordHasher: CheapPasswordHasher()))
        let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse").user
        try await ann.link(with: .simulated(.google, .ann))
        try await auth.signOut()
        let back = try await auth.signIn(with: .simulated(.google, .ann)).user
        XCTAssertEqual(back.uid, ann.uid)
        let events = try await store.events(after: .start, limit: 100).events
        XCTAssertEqual(events.map(\.position), events.map(\.position).sorted())
    }

    func testItsAttemptStoreKeepsEveryClause() async throws {
        let report = await AttemptStoreConformance { AttemptStoreSubject(OwnAttemptStore()) }.report()
        XCTAssertEqual(report.violations, [], "\(report)")
        XCTAssertEqual(report.skipped, ["what was counted counts after the store is opened again"], "\(report)")
    }

    func testAttemptsAreCountedByAStoreOfTheAppsOwn() async throws {
        let clock = ManualClock()
        var configuration = AuthConfiguration(passwordHasher: CheapPasswordHasher(), environment: .manual(clock))
        let attempts = OwnAttemptStore()
        configuration.attempts = attempts
        let auth = Auth(configuration)
        try await auth.signUp(email: "ann@example.com", password: "correct horse")
        try await auth.signOut()
        var codes: Set<AuthErrorCode> = []
        for _ in 0..<20 {
            do {
                try await auth.signIn(with: .password(email: "ann@example.com", password: "wrong"))
                XCTFail("a wrong password is refused")
            } catch {
                codes.insert(error.code)
            }
        }
        XCTAssertTrue(codes.contains(.tooManyRequests), "\(codes)")
        clock.advance(by: .seconds(86_400))
        try await auth.signIn(with: .password(email: "ann@example.com", password: "correct horse"))
        let count = await attempts.count
        XCTAssertGreaterThan(count, 0, "attempts were counted elsewhere")
    }
}

/// Counts under each key until the process ends.
private actor OwnAttemptStore: AttemptStore {
    private var records: [Store.AttemptKey: Store.AttemptRecord] = [:]
    /// How often attempts were to be counted.
    private(set) var count = 0

    func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
        count += 1
        let answer = Store.TakeAnswer(
            takes.map { (records[$0.key] ?? Store.AttemptRecord()).answer($0.allowance, at: now) }
        )
        if answer == .taken {
            for take in takes { records[take.key, default: Store.AttemptRecord()].take(take, at: now) }
        }
        return answer
    }

    func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
        for take in takes { records[take.key]?.keep(take.allowance, takenAt: take.takenAt, at: now) }
    }

    func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
        for take in takes { records[take.key]?.refund(takenAt: take.takenAt) }
        for key in keys { records[key]?.clear() }
    }
}

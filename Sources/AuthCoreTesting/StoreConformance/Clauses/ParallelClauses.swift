import AuthCore
import Synchronization

extension StoreClause {
    static let parallel = [
        StoreClause("of parallel claims to one key one wins", oneClaimWins),
        StoreClause("of parallel updates of one version one wins", oneUpdateWins),
        StoreClause("of parallel uses of one record one wins", oneUseWins),
        StoreClause("of parallel exchanges of one refresh token one wins", oneExchangeWins),
        StoreClause("one operation sent in parallel is written once", oneOperationIsWrittenOnce),
    ]

    private static let contenders = 32

    /// The outcomes of commits that all start at the same time.
    private static func race(_ changes: [ChangeSet], _ probe: StoreProbe) async throws -> [CommitOutcome] {
        let store = probe.store
        return try await withThrowingTaskGroup(of: CommitOutcome.self) { group in
            let start = StartingLine(runners: changes.count)
            for change in changes {
                group.addTask {
                    await start.arrive()
                    return try await store.commit(change)
                }
            }
            var outcomes: [CommitOutcome] = []
            for try await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }

    private static func expectOneWinner(
        among outcomes: [CommitOutcome],
        losers: Precondition,
        _ probe: inout StoreProbe
    ) {
        let won = outcomes.filter(\.isWritten).count
        probe.expect(won, is: 1, "how many won")
        let lost = outcomes.filter { $0 == .violated(losers) }.count
        probe.expect(lost, is: outcomes.count - 1, "how many were answered with the precondition")
    }

    private static func oneClaimWins(_ probe: inout StoreProbe) async throws {
        let keys: [UniqueKey] = [
            .identity(StoreScene.identity("wanted")), .phone(try StoreScene.number(of: "wanted")),
            .primaryEmail(try StoreScene.email("wanted@example.com")),
        ]
        for (round, key) in keys.enumerated() {
            let changes = try (0..<contenders).map { number in
                let account = try StoreScene.nobody("contender\(round)-\(number)", probe)
                var transaction = probe.transaction()
                transaction.insert(account)
                transaction.changes.keys.append(KeyChange(key, from: nil, to: account.id))
                transaction.event(.accountCreated, account.id, by: .unauthenticated)
                return transaction.changes
            }
            expectOneWinner(among: try await race(changes, probe), losers: .owner(key), &probe)
            let accounts = try await probe.store.accounts(after: nil, limit: 1000).map(\.id)
            probe.expect(accounts.count, is: round + 1, "how many accounts there are")
            let owner = try await probe.owner(of: key)
            probe.expect(owner.map(accounts.contains) == true, "the key belongs to an account that does not exist")
            let events = try await probe.store.events(after: .start, limit: 1000).events
            probe.expect(events.map(\.account).sorted(), is: accounts, "the accounts of the events")
        }
    }

    private static func oneUpdateWins(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let changes = (0..<contenders).map { number in
            var next = scene.ann
            next.displayName = "\(number)"
            var transaction = probe.transaction()
            transaction.replace(scene.ann, with: &next)
            return transaction.changes
        }
        expectOneWinner(among: try await race(changes, probe), losers: .version(scene.ann.id), &probe)
        probe.expect(try await probe.account(scene.ann.id)?.version, is: scene.ann.version + 1, "the version")
    }

    private static func oneUseWins(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let changes = (0..<contenders).map { _ in
            var transaction = probe.transaction()
            transaction.changes.records.append(.consume(scene.code.key))
            return transaction.changes
        }
        expectOneWinner(among: try await race(changes, probe), losers: .record(scene.code.key), &probe)
    }

    private static func oneExchangeWins(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let changes = (0..<contenders).map { number in
            var next = scene.session
            next.refreshCount += 1
            next.refreshHash = [UInt8(number)]
            var transaction = probe.transaction()
            transaction.changes.sessions.append(.update(next, refreshCount: scene.session.refreshCount))
            return transaction.changes
        }
        expectOneWinner(among: try await race(changes, probe), losers: .session(scene.session.id), &probe)
    }

    private static func oneOperationIsWrittenOnce(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let change = try scene.richChange(&probe)
        let outcomes = try await race(Array(repeating: change, count: contenders), probe)
        probe.expect(outcomes.count { $0 == .committed }, is: 1, "how many were committed")
        let duplicates = outcomes.count { $0 == .duplicate }
        probe.expect(duplicates, is: contenders - 1, "how many were answered as duplicates")
    }
}

/// Lets no task continue before all have arrived, so that the first is not finished before the last has started.
private final class StartingLine: Sendable {
    private let missing: Mutex<Int>

    init(runners: Int) {
        missing = Mutex(runners)
    }

    func arrive() async {
        missing.withLock { $0 -= 1 }
        while missing.withLock({ $0 }) > 0 { await Task.yield() }
    }
}

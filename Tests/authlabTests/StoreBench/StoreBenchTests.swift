@testable import AuthCore
import XCTest

@testable import authlab

/// What the bench of durable stores asks of a store, and of the floor beside it.
final class StoreBenchTests: LimitedTestCase {
    /// What the floor was asked in one round, with the numbers of the tasks.
    private func rounds(of operation: String, tasks: Int) async throws -> [[StoreStep]] {
        var rounds: [[StoreStep]] = []
        let store = InMemoryIdentityStore()
        let subject = StoreBench.Subject(store: store, attempts: InMemoryAttemptStore()) {
            { rounds.append($0) }
        } size: {
            0
        } empty: {
        }
        let bench = StoreBench(subject)
        _ = try await bench.measure(accounts: 100, seconds: 0.001, only: operation, taskCounts: [tasks])
        return rounds.filter { !$0.isEmpty }
    }

    func testASignInWithRefreshIsAKnownSignInAndTheRefreshOfItsTokens() async throws {
        let rounds = try await rounds(of: "sign-in with refresh", tasks: 3)
        XCTAssertFalse(rounds.isEmpty, "the floor repeated no round")
        for round in rounds {
            var (loads, commits) = (0, 0)
            var (begun, refreshed): ([SessionID: Int], [SessionID: Int]) = ([:], [:])
            for step in round {
                if case .load = step.kind { loads += 1 }
                guard case .commit(let changes) = step.kind else { continue }
                commits += 1
                for change in changes.accounts {
                    if case .create = change { XCTFail("an account was made: the sign-in was not a known one") }
                }
                for change in changes.sessions {
                    switch change {
                    case .put(let session): begun[session.id] = step.task
                    case .update(let session, _):
                        XCTAssertEqual(begun[session.id], step.task, "the floor's other task refreshes what it began")
                        refreshed[session.id, default: 0] += 1
                    default: break
                    }
                }
            }
            XCTAssertEqual(begun.count, 48, "sign-ins in a round")
            XCTAssertEqual([loads, commits], [3 * 48, 3 * 48], "loads and commits")
            XCTAssertEqual(Set(refreshed.keys), Set(begun.keys), "not every sign-in was followed by a refresh")
            XCTAssertEqual(Set(refreshed.values), [2], "tokens are issued once and refreshed once")
            XCTAssertEqual(Set(round.map(\.task)), [0, 1, 2], "the tasks whose steps the floor repeats")
        }
    }

    func testEveryOperationIsMeasured() async throws {
        XCTAssertEqual(
            StoreBench.operationNames,
            ["known sign-in", "sign-up", "link", "unlink", "sign-in with refresh", "95 % reads"]
        )
        for operation in StoreBench.operationNames {
            let rounds = try await rounds(of: operation, tasks: 2)
            XCTAssertGreaterThanOrEqual(rounds.count, 10, "\(operation): rounds that the floor repeated")
        }
    }
}

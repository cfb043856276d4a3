@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// A checker that sees nothing proves nothing: each invariant is broken once.
final class InvariantsTests: LimitedTestCase {
    private let world = World(.standard)

    private func stage() async throws -> Account {
        let user = try await world.verifiedUser(in: world.device())
        try await user.link(with: world.credential(.google))
        let violations = try await violations()
        XCTAssertEqual(violations, [])
        return try await world.service.account(user.account.id)
    }

    private func violations() async throws -> [String] {
        try await Invariants(store: world.store, policy: .pinned).violations()
    }

    /// Writes what no rule would write.
    private func force(_ edit: (inout ChangeSet) -> Void) async throws {
        var changes = ChangeSet(operation: OperationID(bits: 1 << 100), at: world.clock.timestamp)
        edit(&changes)
        guard case .committed = try await world.store.commit(changes) else { return XCTFail("not written") }
    }

    private func expect(_ words: String, line: UInt = #line) async throws {
        let violations = try await violations()
        XCTAssertTrue(violations.contains { $0.contains(words) }, "\(violations)", line: line)
    }

    func testAKeyThatTheStoreGaveAwayIsSeen() async throws {
        let account = try await stage()
        let key = account.ownedKeys(under: world.policy.keyRule)[1]
        try await force { $0.keys.append(KeyChange(key, from: account.id, to: nil)) }
        try await expect("and the store says -")
    }

    func testAnIdentityOfTwoAccountsIsSeen() async throws {
        let account = try await stage()
        var copy = Account(id: "copy", createdAt: world.clock.timestamp)
        copy.methods = account.methods
        copy.nextGeneration = account.nextGeneration
        try await force { $0.accounts.append(.create(copy)) }
        try await expect("and of")
    }

    func testAnAccountThatNothingOpensIsSeen() async throws {
        var account = try await stage()
        let version = account.version
        account.methods = []
        account.version += 1
        try await force { $0.accounts.append(.update(account, expected: version)) }
        try await expect("nothing opens")
        try await expect("rests on nothing")
        try await expect("end with other methods")
    }

    func testAnEventThatIsMissingIsSeen() async throws {
        let account = try await stage()
        try await force { changes in
            changes.events.append(
                IdentityEvent(
                    .methodsChanged,
                    at: changes.at,
                    account: account.id,
                    actor: .system,
                    reasons: [],
                    before: [],
                    after: account.methodSummaries
                )
            )
        }
        try await expect("does not begin where the last one ended")
    }

    func testAnAccountThatIsGoneWithoutATombstoneIsSeen() async throws {
        let account = try await stage()
        try await force { $0.accounts.append(.remove(account.id, expected: account.version)) }
        try await expect("neither here nor gone")
    }

    func testAGenerationThatOccursTwiceIsSeen() async throws {
        var account = try await stage()
        let version = account.version
        account.methods[1].generation = account.methods[0].generation
        account.version += 1
        try await force { $0.accounts.append(.update(account, expected: version)) }
        try await expect("counts a generation twice")
    }
}

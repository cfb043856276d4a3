@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is answered for an account that was merged, and which account it became a part of.
final class MergeSuccessorTests: LimitedTestCase {
    private var world = World(.standard)

    func testATombstoneAnswersEverywhereAndNeverGivesASession() async throws {
        let source = try await world.signIn(.gitHub)
        let token = try await source.idToken()
        let pair = try await source.issueTokens()
        let custom = try await world.service.makeCustomToken(for: source.account.id)
        let target = try await world.signUp("ben@example.com")
        _ = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        await assertThrows(.accountMerged, "custom token") {
            try await world.service.client().signIn(with: .customToken(custom))
        }
        await assertThrows(.accountMerged, "administrator") { try await world.service.account(source.account.id) }
        await assertThrows(.accountMerged, "refresh") { try await world.service.client().refresh(pair.refreshToken) }
        await assertThrows(.accountMerged, "token") { try await world.service.client().user(forIDToken: token) }
        let successor = try await world.service.successor(of: source.account.id)
        XCTAssertEqual(successor, target.account.id)
        let none = try await world.service.successor(of: target.account.id)
        XCTAssertNil(none)
    }

    func testTheSuccessorIsFoundThroughSeveralMerges() async throws {
        let first = try await world.signIn(.gitHub)
        let second = try await world.signIn(.facebook, .ben)
        let third = try await world.signUp("cem@example.com")
        _ = try await world.service.client(world.context).merge(world.side(.gitHub), into: world.side(.facebook, .ben))
        _ = try await world.service.client(world.context).merge(
            world.side(.facebook, .ben),
            into: world.passwordSide("cem@example.com")
        )
        for id in [first.account.id, second.account.id] {
            let successor = try await world.service.successor(of: id)
            XCTAssertEqual(successor, third.account.id)
        }
    }

    /// The number is no rule: it only ends the search in a store that names two accounts as each other's successors.
    func testSixtyFourMergesAreFollowed() async throws {
        let ids = (0...65).map { AccountID(bits: UInt128($0)) }
        var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
        for (id, successor) in zip(ids, ids.dropFirst()) {
            let tombstone = OneTimeRecord(
                key: .tombstone(of: id),
                account: nil,
                createdAt: world.clock.timestamp,
                expiresAt: nil,
                content: .tombstone(successor: successor)
            )
            changes.records.append(.put(tombstone))
        }
        let outcome = try await world.service.store.commit(changes)
        XCTAssertEqual(outcome, .committed)
        let found = try await world.service.successor(of: ids[0])
        XCTAssertEqual(found, ids[64])
        let last = try await world.service.successor(of: ids[1])
        XCTAssertEqual(last, ids[65])
    }
}

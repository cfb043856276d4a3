@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A store that cannot be read any more once a merge is written.
private final class FadingStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    private let hasMerged = Mutex(false)

    func load(_ lookups: Lookups) async throws -> Snapshot {
        if hasMerged.withLock(\.self) { throw StoreFailure() }
        return try await whole.load(lookups)
    }

    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
        let outcome = try await whole.commit(changes)
        if changes.events.contains(where: { $0.kind == .accountMerged }) { hasMerged.withLock { $0 = true } }
        return outcome
    }
}

/// What the hooks are asked of a merge that stops because of a hook or the store.
final class StoppedMergeTests: LimitedTestCase {
    private var world = World(.standard)

    /// Merges Ann, who has GitHub, into Ben.
    private func merge(in world: World) async throws -> Merge.Result {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        return try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
    }

    /// That the last hook has prepared is recorded only together with the end of all preparations.
    func testAHookThatPreparedAndIsTheLastOneNowPreparesOnceMore() async throws {
        world.addHooks("orders", "photos")
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown, "a merge whose second hook gives up") { try await merge(in: world) }
        world.clock.advance(by: .seconds(60))
        world.journal.clear()
        world.addHooks("orders")
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(Array(endings.values), [.merged], "the end of a merge one of whose hooks was removed")
        XCTAssertEqual(world.journal.lines, ["prepare orders", "commit orders"], "what the other hook is asked")
    }

    func testAStoreThatCannotBeReadKeepsNoHookFromBeingNotified() async throws {
        var world = World(.standard) { $0.store = FadingStore() }
        world.addHooks("orders", "photos")
        let merged = try await merge(in: world)
        XCTAssertFalse(merged.isFinished, "that the hooks were notified could not be written")
        XCTAssertEqual(
            world.journal.lines,
            ["prepare orders", "prepare photos", "commit orders", "commit photos"],
            "what the hooks are asked"
        )
    }
}

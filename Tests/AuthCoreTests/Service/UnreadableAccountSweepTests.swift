@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A store with an account one of whose rows cannot be read, as a database has after damage.
private final class DamagedStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    let damaged = Mutex<AccountID?>(nil)

    func load(_ lookups: Lookups) async throws -> Snapshot {
        if let id = damaged.withLock({ $0 }), lookups.contains(.sessions(of: .account(id))) { throw StoreFailure() }
        return try await whole.load(lookups)
    }
}

final class UnreadableAccountSweepTests: LimitedTestCase {
    func testAnAccountThatCannotBeReadKeepsNoOtherFromBeingDeleted() async throws {
        let store = DamagedStore()
        let world = World(.standard) { $0.store = store }
        var ids: [AccountID] = []
        for name in ["ann", "ben"] {
            let auth = world.device(name)
            let user = try await auth.signUp(email: "\(name)@example.com", password: World.password).user
            try await world.proveAddress(of: user)
            ids.append(user.accountID)
            try await user.delete()
            world.clock.advance(by: 1)
        }
        store.damaged.withLock { $0 = ids[0] }
        world.clock.advance(by: 60 * 86_400)
        await assertThrows(.storeUnavailable) { try await world.service.sweep() }
        let left = try await world.service.accounts().map(\.id)
        XCTAssertEqual(left, [ids[0]], "Ben asked for the deletion of his account, too")
    }
}

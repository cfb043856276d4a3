@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A store with an account one of whose rows cannot be read, as a database has after damage.
private final class DamagedStore: ForwardingStore {
    let whole: any IdentityStore = InMemoryIdentityStore()
    let damaged = Mutex<Set<AccountID>>([])
    /// Up to when rows were removed.
    let swept = Mutex<[Timestamp]>([])

    func load(_ lookups: Lookups) async throws -> Snapshot {
        for id in damaged.withLock(\.self) where lookups.contains(.sessions(of: .account(id))) { throw StoreFailure() }
        return try await whole.load(lookups)
    }

    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport {
        swept.withLock { $0.append(now) }
        return try await whole.sweep(at: now, limit: limit)
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
            try await world.verifyAddress(of: user)
            ids.append(user.accountID)
            try await user.delete()
            world.clock.advance(by: .seconds(1))
        }
        store.damaged.withLock { $0 = [ids[0]] }
        world.clock.advance(by: .seconds(60 * 86_400))
        await assertThrows(.storeUnavailable) { try await world.service.sweep() }
        let left = try await world.service.accounts().map(\.id)
        XCTAssertEqual(left, [ids[0]], "Ben asked for the deletion of his account, too")
    }

    /// The sessions say when an account was last used: those of the first damaged one stay, too.
    func testOfTwoAccountsThatCannotBeReadTheFirstOneDecidesWhatIsRemoved() async throws {
        let store = DamagedStore()
        let world = World(.standard) { $0.store = store }
        for name in ["ann", "ben"] {
            let user = try await world.device(name).signUp(email: "\(name)@example.com", password: World.password).user
            try await world.verifyAddress(of: user)
            store.damaged.withLock { _ = $0.insert(user.accountID) }
            try await user.delete()
            world.clock.advance(by: .seconds(86_400))
        }
        world.clock.advance(by: .seconds(10 * 86_400))
        await assertThrows(.storeUnavailable) { try await world.service.sweep() }
        let due = try await store.accounts(dueBy: .distantFuture, after: nil, limit: 9).compactMap(\.dueAt)
        let until = try XCTUnwrap(store.swept.withLock(\.self).last)
        XCTAssertLessThan(until, try XCTUnwrap(due.first), "up to when rows are removed")
    }

    func testASweepThatCannotReadTheAccountsKeepsTheSessionThatSaysWhenOneWasUsed() async throws {
        let world = World(.standard)
        let ann = try await world.signUpAnn()
        world.clock.advance(by: .seconds(25 * 86_400))
        try await ann.reload()
        world.clock.advance(by: .seconds(31 * 86_400))
        world.store.script(.accounts, .failsBefore())
        await assertThrows(.storeUnavailable, "a sweep that cannot read the accounts") {
            try await world.service.sweep()
        }
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 0, "an account that was used on day 25 is removed on day 56")
    }

    func testASweepThrowsTheFirstOfItsFailures() async throws {
        let later: [(String, StoreCall, [StoreFault])] = [
            ("another account", .load, [.succeeds, .failsBefore()]),
            ("the next page", .accounts, [.succeeds, .failsBefore()]),
            ("the rows", .sweep, [.failsBefore()]),
        ]
        for (what, call, faults) in later {
            let world = World(.standard)
            for name in ["ann", "ben"] {
                let email = "\(name)@example.com"
                try await world.device(name).signUp(email: email, password: World.password).user.delete()
            }
            world.clock.advance(by: .seconds(60 * 86_400))
            world.store.script(.commit, Array(repeating: .failsBefore(), count: 4))
            world.store.script(call, faults)
            await assertThrows(.outcomeUnknown, "the failure before that of \(what)") {
                try await world.service.sweep()
            }
        }
    }
}

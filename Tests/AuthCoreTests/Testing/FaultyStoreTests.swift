@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

final class FaultyStoreTests: LimitedTestCase {
    private let calls: [(kind: StoreCall, name: String, make: @Sendable (FaultyStore) async throws -> Void)] = {
        let (now, operation) = (Timestamp(seconds: 1_800_000_000), OperationID(bits: 1))
        return [
            (.load, "reading", { _ = try await $0.load([]) }),
            (.commit, "a change", { _ = try await $0.commit(ChangeSet(operation: operation, at: now)) }),
            (.accounts, "a page of accounts", { _ = try await $0.accounts(after: nil, limit: 1) }),
            (.accounts, "the accounts that are due", { _ = try await $0.accounts(dueBy: now, after: nil, limit: 1) }),
            (.events, "a page of events", { _ = try await $0.events(after: .start, limit: 1) }),
            (.leaseMessages, "a lease", { _ = try await $0.leaseMessages(at: now, until: now, limit: 1) }),
            (.endLease, "the end of a lease", { try await $0.endLease(of: operation, tries: 1, dueAt: nil) }),
            (.messages, "a page of messages", { _ = try await $0.messages(.waiting, after: nil, limit: 1) }),
            (.settleMessages, "a settlement", { try await $0.settleMessages([operation]) }),
            (.sweep, "a sweep", { _ = try await $0.sweep(at: now, limit: 1) }),
        ]
    }()

    func testACallOfEveryKindFollowsItsScriptAndIsCounted() async throws {
        XCTAssertEqual(Set(calls.map(\.kind)), Set(StoreCall.allCases), "a kind of call that is not tried")
        for (kind, name, make) in calls {
            let store = FaultyStore()
            store.script(kind, .failsBefore())
            do {
                try await make(store)
                XCTFail("\(name) does not do what the script says")
            } catch {
                XCTAssertTrue(error is StoreFailure, "\(name) throws something else: \(error)")
            }
            for call in StoreCall.allCases {
                XCTAssertEqual(store.calls(of: call), call == kind ? 1 : 0, "calls of \(call) after \(name)")
            }
            try await make(store)
            XCTAssertEqual(store.calls(of: kind), 2, "\(name) is not counted when it succeeds")
        }
    }

    func testAScriptReplacesWhatIsLeftOfAnEarlierOne() async {
        let store = FaultyStore()
        store.script(.load, [.failsBefore(), .failsBefore()], then: .failsBefore())
        store.script(.load)
        do {
            _ = try await store.load([])
        } catch {
            XCTFail("a fault of the earlier script is left: \(error)")
        }
    }

    func testCallsFromBeforeAScriptStayCounted() async throws {
        let store = FaultyStore()
        _ = try await store.load([])
        store.script(.load, .succeeds)
        XCTAssertEqual(store.calls(of: .load), 1, "the reading before the script")
    }

    func testAPreconditionThatDoesNotHoldAffectsCommitsOnly() async throws {
        for (kind, name, make) in calls where kind != .commit {
            let store = FaultyStore()
            store.script(kind, .violates(.absent("ann")))
            do { try await make(store) } catch { XCTFail("\(name) has no preconditions, and throws \(error)") }
        }
        let store = FaultyStore()
        store.script(.commit, .violates(.absent("ann")))
        let changes = ChangeSet(operation: OperationID(bits: 1), at: Timestamp(seconds: 1_800_000_000))
        let refused = try await store.commit(changes)
        XCTAssertEqual(refused, .violated(.absent("ann")), "the answer that the script asks for")
        let written = try await store.commit(changes)
        XCTAssertEqual(written, .committed, "the change that was refused has been written")
    }

    private final class Notice: Sendable {
        let isGiven = Atomic(false)
    }

    /// On the main actor, the task that waits is there before the first one passes.
    @MainActor
    func testAGateStillTellsOfTwoCallsAfterItSawOne() async {
        let (gate, notice) = (Gate(), Notice())
        gate.open()
        Task {
            await gate.waitForArrivals(2)
            notice.isGiven.store(true, ordering: .relaxed)
        }
        await Task.yield()
        await gate.pass()
        XCTAssertFalse(notice.isGiven.load(ordering: .relaxed), "the gate told of two calls after one")
        await gate.pass()
        for _ in 0..<100 where !notice.isGiven.load(ordering: .relaxed) { await Task.yield() }
        XCTAssertTrue(notice.isGiven.load(ordering: .relaxed), "the gate did not tell of the second call")
    }

    func testAnAnswerThatWaitsHeedsACancellationWhereItIsTo() async {
        for observesCancellation in [true, false] {
            let (store, gate) = (FaultyStore(), Gate())
            store.script(.load, .waitsAfterwards(gate, observesCancellation: observesCancellation))
            let reading = Task { _ = try await store.load([]) }
            await gate.waitForArrivals()
            reading.cancel()
            gate.open()
            var isCanceled = false
            do { try await reading.value } catch { isCanceled = error is CancellationError }
            XCTAssertEqual(isCanceled, observesCancellation, "whether a canceled task gets an answer that waited")
        }
    }
}

import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCore

/// What becomes of a message whose sending is canceled, over a store that does nothing for a canceled task.
final class CanceledDeliveryTests: LimitedTestCase {
    /// A store that refuses canceled tasks, as those in databases do.
    private struct HeedingStore: ForwardingStore {
        let whole: any IdentityStore = InMemoryIdentityStore()

        func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
            try Task.checkCancellation()
            return try await whole.commit(changes)
        }

        func settleMessages(_ ids: [OperationID]) async throws {
            try Task.checkCancellation()
            try await whole.settleMessages(ids)
        }
    }

    /// Holds each message until its gate is open; then the provider takes it, or the task is canceled.
    private struct HeldSender: MessageSender {
        let gate = Gate()
        let takes: Bool
        let taken = Count()

        func send(_ message: Message) async throws {
            await gate.pass()
            if takes { taken.add() } else { try Task.checkCancellation() }
        }
    }

    private final class Count: Sendable {
        private let number = Mutex(0)

        var value: Int { number.withLock { $0 } }
        func add() { number.withLock { $0 += 1 } }
    }

    private func world(_ sender: HeldSender, _ store: HeedingStore, _ policy: AuthPolicy = .firebase) -> World {
        World(policy) {
            $0.store = store
            $0.messageSender = sender
            $0.setSecretKey(Array(repeating: 7, count: 32))
        }
    }

    func testAMessageThatTheProviderTookIsNotSentAgainAfterAShutdown() async throws {
        let (store, sender) = (HeedingStore(), HeldSender(takes: true))
        let world = world(sender, store)
        try await cancelADelivery(of: world, sender, store)
        XCTAssertEqual(sender.taken.value, 1, "the provider took it")
        let waiting = try await store.messages(.waiting, after: nil, limit: 10)
        XCTAssertEqual(waiting, [], "what another process would send again")
    }

    func testAMessageWhoseSendingAShutdownStoppedIsSentLaterThoughItHasNoOtherTry() async throws {
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 1
        let (store, sender) = (HeedingStore(), HeldSender(takes: false))
        let world = world(sender, store, policy)
        try await cancelADelivery(of: world, sender, store)
        let failed = try await world.service.failedMessages()
        XCTAssertEqual(failed, [], "messages that were given up")
        let waiting = try await store.messages(.waiting, after: nil, limit: 10)
        XCTAssertEqual(waiting.count, 1, "messages that another process sends")
    }

    /// Puts a message into the store, and cancels its delivery while it is held.
    private func cancelADelivery(of world: World, _ sender: HeldSender, _ store: HeedingStore) async throws {
        var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
        changes.messages = [
            OutboxEntry(
                id: OperationID(bits: 2),
                kind: .accountDeleted,
                recipient: .email(.ascii("ann@example.com")),
                record: OneTimeRecordID(bits: 3),
                account: nil,
                settings: nil,
                createdAt: world.clock.timestamp,
                leasedUntil: world.clock.timestamp,
                expiresAt: nil
            )
        ]
        _ = try await store.commit(changes)
        let service = world.service
        let running = Task { try await service.deliverPendingMessages() }
        await sender.gate.waitForArrivals(1)
        running.cancel()
        sender.gate.open()
        _ = await running.result
    }

    func testACanceledRequestForAMessageLeavesNoCode() async throws {
        let (store, sender) = (HeedingStore(), HeldSender(takes: false))
        let world = world(sender, store)
        let client = world.service.client(for: nil, origin: .local)
        let user = try await client.signUp(email: "ann@example.com", password: World.password).user
        let asking = Task { try await user.sendEmailVerification() }
        await sender.gate.waitForArrivals(1)
        asking.cancel()
        sender.gate.open()
        let result = await asking.result
        XCTAssertThrowsError(try result.get(), "the request fails") { error in
            XCTAssertEqual((error as? AuthError)?.code, .canceled, "nothing failed: the caller went away")
        }
        let waiting = try await store.messages(.waiting, after: nil, limit: 10)
        XCTAssertEqual(waiting, [], "messages that are sent later")
        let account = Lookup.Reference.account(user.account.id)
        let left = try await store.load([.records(of: account, .verifyEmail)]).records(of: account, .verifyEmail)
        XCTAssertEqual(left, [], "codes that work")
    }
}

@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A store that cannot be reached is one error, whatever was asked of it.
final class UnavailableStoreTests: LimitedTestCase {
    private let store = FaultyStore()

    private func assertUnavailable<Value>(
        _ call: StoreCall,
        file: StaticString = #filePath,
        line: UInt = #line,
        from operation: () async throws -> Value
    ) async {
        store.script(call, .failsBefore())
        let error = await authError("\(call)", file: file, line: line, from: operation)
        XCTAssertEqual(error?.code, .storeUnavailable, "\(call)", file: file, line: line)
        XCTAssertEqual(error?.cause as? StoreFailure, StoreFailure(), "\(call)", file: file, line: line)
    }

    /// A store that says nothing about it is taken to outlive the process.
    func testAStoreThatSaysNothingNeedsASecretKey() async {
        let store = SilentStore()
        XCTAssertTrue(store.isDurable)
        let service = AuthService(AuthConfiguration(store: store))
        let error = await authError { try await service.client().signInAnonymously() }
        XCTAssertEqual(error?.code, .missingSecretKey)
    }

    func testReadingPagesSaysThatTheStoreIsUnavailable() async throws {
        let world = World { $0.store = store }
        try await world.device().signInAnonymously()
        await assertUnavailable(.accounts) { try await world.service.accounts() }
        await assertUnavailable(.events) { try await world.service.events() }
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts.count, 1)
    }

    func testASweepSaysThatTheStoreIsUnavailable() async throws {
        let world = World { $0.store = store }
        await assertUnavailable(.sweep) { try await world.service.sweep() }
        await assertUnavailable(.accounts) { try await world.service.sweep() }
    }

    func testSendingAgainSaysThatTheStoreIsUnavailable() async throws {
        let world = World { $0.store = store }
        await assertUnavailable(.leaseMessages) { try await world.service.deliverPendingMessages() }
    }

    func testACodeThatCouldNotBeSentNorTakenBackMayStillCome() async throws {
        struct Broken: MessageSender {
            struct Failure: Error {}

            func send(_ message: Message) async throws { throw Failure() }
        }
        let world = World {
            $0.store = store
            $0.messageSender = Broken()
        }
        let user = try await world.device().signUp(email: "ann@example.com", password: "correct horse").user
        store.script(.settleMessages, .failsBefore())
        let error = await authError { try await user.sendEmailVerification() }
        XCTAssertEqual(error?.code, .outcomeUnknown)
        XCTAssertEqual(
            error?.message,
            "Whether the message arrives is not known; wait for it before you ask for another."
        )
        XCTAssertTrue(error?.cause is Broken.Failure, "the cause is \(String(describing: error?.cause))")
        // The message is offered again later, and its code works then.
        let pending = try await store.pendingMessages(limit: 10)
        XCTAssertEqual(pending.map(\.kind), [.verifyEmail])
    }

    func testDigitsThatCouldNotBeSentNorTakenBackAreTheSameWhenTheyAreSentLater() async throws {
        final class Flaky: MessageSender {
            struct Failure: Error {}
            let sent = Mutex<[Message]>([])
            let isBroken = Mutex(true)

            func send(_ message: Message) async throws {
                if isBroken.withLock({ $0 }) { throw Failure() }
                sent.withLock { $0.append(message) }
            }
        }
        let sender = Flaky()
        let world = World {
            $0.store = store
            $0.messageSender = sender
        }
        let device = world.device()
        store.script(.settleMessages, .failsBefore())
        await assertThrows(.outcomeUnknown) { try await device.sendPhoneCode(to: "+15550001234") }
        let pending = try await store.pendingMessages(limit: 10)
        let key = try XCTUnwrap(pending.first?.record)
        sender.isBroken.withLock { $0 = false }
        world.clock.advance(by: .seconds(60))
        let count = try await world.service.deliverPendingMessages()
        XCTAssertEqual(count, 1)
        let message = try XCTUnwrap(sender.sent.withLock(\.first))
        let user = try await device.signIn(with: .phone(verificationID: key.text, code: message.code)).user
        XCTAssertEqual(user.phoneNumber, "+15550001234")
    }

    func testWhoeverAlwaysComesTooLateGivesUpWithNothingChanged() async throws {
        let world = World {
            $0.store = store
            $0.retries = 3
        }
        store.script(.commit, [], then: .violates(.absent(AccountID(bits: 1))))
        let error = await authError { try await world.device().signInAnonymously() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertNil(error?.cause)
        XCTAssertEqual(store.calls(of: .commit), 3)
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [])
    }

    func testListeningSaysThatTheStoreIsUnavailableAndWorksAgainLater() async throws {
        let world = World { $0.store = store }
        await assertUnavailable(.events) { _ = try await world.service.eventStream() }
        let stream = try await world.service.eventStream()
        await assertUnavailable(.events) { try await world.service.publishEvents() }
        try await world.device().signInAnonymously()
        try await inTime {
            var iterator = stream.makeAsyncIterator()
            guard case .event(let event)? = try await iterator.next() else { return XCTFail("nothing was told") }
            XCTAssertEqual(event.number, 1, "the first event that was told")
        }
    }
}

/// A store with nothing but what every store must have, and nothing in it.
private struct SilentStore: IdentityStore {
    let retention = Store.Retention(events: .all, operations: .days(1))

    func load(_ lookups: Lookups) async throws -> Snapshot { Snapshot(lookups) { _ in .nothing } }
    func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome { .committed }
    func accounts(after: AccountID?, limit: Int) async throws -> [Account] { [] }
    func accounts(dueBy now: Timestamp, after: Account?, limit: Int) async throws -> [Account] { [] }
    func events(after position: IdentityEvent.Position, limit: Int) async throws -> Store.EventPage {
        Store.EventPage(events: [], end: .start)
    }
    func leaseMessages(at now: Timestamp, until end: Timestamp, limit: Int) async throws -> [Store.QueuedMessage] { [] }
    func endLease(of id: OperationID, tries: Int, dueAt: Timestamp?) async throws {}
    func messages(
        _ status: Store.DeliveryStatus,
        after id: OperationID?,
        limit: Int
    ) async throws -> [Store.QueuedMessage] { [] }
    func settleMessages(_ ids: [OperationID]) async throws {}
    func sweep(at now: Timestamp, limit: Int) async throws -> Store.SweepReport { Store.SweepReport() }
}

import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCore

/// An operation runs on the thread of its caller: a change of threads takes longer than the rest of it.
@MainActor
final class CallerThreadTests: LimitedTestCase {
    /// The calls that were made on the main thread, and those that were not.
    private final class Calls: Sendable {
        private let state = Mutex((here: [String](), elsewhere: [String]()))
        var here: [String] { state.withLock { $0.here } }
        var elsewhere: [String] { state.withLock { $0.elsewhere } }

        func note(_ call: String) {
            let isHere = Thread.isMainThread
            state.withLock { if isHere { $0.here.append(call) } else { $0.elsewhere.append(call) } }
        }
    }

    private struct NotingStore: ForwardingStore {
        let calls: Calls
        let whole: any IdentityStore = InMemoryIdentityStore()

        func load(_ lookups: Lookups) async throws -> Snapshot {
            calls.note("load")
            return try await whole.load(lookups)
        }

        func commit(_ changes: ChangeSet) async throws -> Store.CommitOutcome {
            calls.note("commit")
            return try await whole.commit(changes)
        }

        func settleMessages(_ ids: [OperationID]) async throws {
            calls.note("settle")
            try await whole.settleMessages(ids)
        }
    }

    private struct NotingSender: MessageSender {
        let calls: Calls
        let outbox = Message.Outbox()
        var isImmediate: Bool { true }

        func send(_ message: Message) async throws {
            calls.note("send \(message.kind)")
            try await outbox.send(message)
        }
    }

    private struct NotingAttempts: AttemptStore {
        let calls: Calls
        let whole = InMemoryAttemptStore()

        func take(_ takes: [Store.Take], at now: Timestamp) async throws -> Store.TakeAnswer {
            calls.note("take")
            return try await whole.take(takes, at: now)
        }

        func keep(_ takes: [Store.Take], at now: Timestamp) async throws {
            calls.note("keep")
            try await whole.keep(takes, at: now)
        }

        func refund(_ takes: [Store.Take], clearing keys: [Store.AttemptKey], at now: Timestamp) async throws {
            calls.note("refund")
            try await whole.refund(takes, clearing: keys, at: now)
        }
    }

    func testEverydayOperationsStayOnTheThreadOfTheirCaller() async throws {
        let calls = Calls()
        let sender = NotingSender(calls: calls)
        let world = World(.standard) {
            $0.store = NotingStore(calls: calls)
            $0.messageSender = sender
            $0.attempts = NotingAttempts(calls: calls)
        }
        let client = world.service.client("phone")
        let user = try await client.signUp(email: "ann@example.com", password: World.password).user
        try await user.sendEmailVerification()
        try await user.applyActionCode(try XCTUnwrap(sender.outbox.last(to: "ann@example.com")?.code))
        try await user.link(with: world.gitHub())
        try await user.reauthenticate(with: world.gitHub())
        try await user.unlink(.gitHub)
        _ = try await client.user(forIDToken: user.idToken())
        _ = try await client.previewSignIn(with: client.verify(World.annsPassword))
        _ = try await world.refusal(.accountExistsWithDifferentCredential, .providerIsNotAuthoritative) {
            try await client.signIn(with: world.facebook())
        }
        _ = try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await client.signIn(with: .password(email: "ann@example.com", password: "not hers"))
        }
        try await user.signOut()
        XCTAssertEqual(calls.elsewhere, [], "calls that were made on another thread")
        let kinds = Set(calls.here)
        for kind in ["load", "commit", "take", "refund", "keep", "settle", "send methodAdded", "send methodRemoved"] {
            XCTAssertTrue(kinds.contains(kind), "no \(kind) was seen, only \(kinds.sorted())")
        }
    }
}

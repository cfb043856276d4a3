@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A provider that takes each message when its gate is open, whatever becomes of the caller.
private struct TakingSender: MessageSender {
    let gate: Gate
    let box = Message.Outbox()

    func send(_ message: Message) async throws {
        await gate.pass()
        try await box.send(message)
    }
}

/// A message that the provider took was sent, whatever happens afterwards.
final class SentMessageTests: LimitedTestCase {
    func testALinkThatWasSentWorksThoughTheStoreDidNotAnswerAfterwards() async throws {
        let gate = Gate()
        gate.open()
        let sender = TakingSender(gate: gate)
        let world = World(.firebase) { $0.messageSender = sender }
        let client = world.service.client(for: nil, origin: .local)
        let user = try await client.signUp(email: "ann@example.com", password: World.password).user
        world.store.script(.settleMessages, .failsBefore())
        let error = await outcome { try await user.sendEmailVerification() }
        let code = try XCTUnwrap(sender.box.last(to: "ann@example.com")?.code, "the provider took it")
        do { _ = try await client.checkActionCode(code) } catch {
            XCTFail("a mail with a dead link was sent: \(error.code)")
        }
        XCTAssertNil(error, "the mail was sent")
        world.clock.advance(by: .seconds(300))
        try await world.service.deliverPendingMessages()
        XCTAssertEqual(sender.box.messages.count, 2, "the store did not learn that it was sent")
        XCTAssertEqual(sender.box.last(to: "ann@example.com")?.code, code, "the code of the first mail")
    }

    /// The last try may be the one after which the store fails.
    func testAMessageThatWasSentIsNotGivenUpWhenTheStoreDoesNotLearnOfIt() async throws {
        let gate = Gate()
        gate.open()
        let sender = TakingSender(gate: gate)
        let world = World(.firebase) { configuration in
            configuration.messageSender = sender
            configuration.policy.delivery.tries = 2
        }
        let client = world.service.client(for: nil, origin: .local)
        let user = try await client.signUp(email: "ann@example.com", password: World.password).user
        for _ in 1...2 {
            world.store.script(.settleMessages, .failsBefore())
            if sender.box.messages.isEmpty {
                try await user.sendEmailVerification()
            } else {
                world.clock.advance(by: .seconds(300))
                await assertThrows(.storeUnavailable) { try await world.service.deliverPendingMessages() }
            }
        }
        let failed = try await world.service.failedMessages()
        XCTAssertEqual(failed.map(\.entry.kind), [], "what was sent counts as given up")
        world.clock.advance(by: .seconds(300))
        let sent = try await world.service.deliverPendingMessages()
        XCTAssertEqual(sent, 1, "it is sent again until the store learns of it")
    }

    /// The lease of the message is over by the time the commit is answered, and another process sends it.
    func testAMessageIsNotSentOnceMoreByACommitThatIsAnsweredAfterItsLease() async throws {
        var world = World(.standard)
        let (device, other, gate) = (world.device(), world.makeService(), Gate())
        world.store.script(.commit, .waitsAfterwards(gate))
        let asking = Task { try await device.sendSignInLink(to: "ann@example.com") }
        await gate.waitForArrivals(1)
        world.clock.advance(by: .seconds(300))
        let sent = try await other.deliverPendingMessages()
        XCTAssertEqual(sent, 1, "the message of the other process")
        gate.open()
        try await asking.value
        XCTAssertEqual(world.outbox.messages.count, 1, "messages to the address")
    }

    /// From the moment at which the lease ends, another process may be sending the message.
    func testACommitSendsItsMessageUntilTheMomentAtWhichTheLeaseEnds() async throws {
        let lease = AuthPolicy.standard.delivery.usableLease
        for (wait, isSent) in [(lease - .milliseconds(1), true), (lease, false)] {
            var world = World(.standard)
            let (device, other, gate) = (world.device(), world.makeService(), Gate())
            world.store.script(.commit, .waitsAfterwards(gate))
            let asking = Task { try await device.sendSignInLink(to: "ann@example.com") }
            await gate.waitForArrivals(1)
            world.clock.advance(by: wait)
            gate.open()
            try await asking.value
            XCTAssertEqual(world.outbox.messages.count, isSent ? 1 : 0, "messages of a commit answered after \(wait)")
            let left = try await other.deliverPendingMessages()
            XCTAssertEqual(left, isSent ? 0 : 1, "messages left to another process after \(wait)")
        }
    }

    func testALinkThatTheProviderTookWorksThoughItsCallerWentAway() async throws {
        let sender = TakingSender(gate: Gate())
        let hasTimerBegun = Mutex(false)
        let hasTimerEnded = Mutex(false)
        let world = World(.firebase) {
            $0.messageSender = sender
            $0.environment = AuthEnvironment(sleep: { _ in
                hasTimerBegun.withLock { $0 = true }
                defer { hasTimerEnded.withLock { $0 = true } }
                while !Task.isCancelled { await Task.yield() }
                throw CancellationError()
            })
        }
        let client = world.service.client(for: nil, origin: .local)
        let user = try await client.signUp(email: "ann@example.com", password: World.password).user
        let asking = Task { try await user.sendEmailVerification() }
        await sender.gate.waitForArrivals(1)
        await wait(for: "the timer of the try begins") { hasTimerBegun.withLock { $0 } }
        asking.cancel()
        // The timer of the try notices the cancellation before the provider answers.
        await wait(for: "the timer of the try ends") { hasTimerEnded.withLock { $0 } }
        for _ in 0..<2000 { await Task.yield() }
        sender.gate.open()
        let result = await asking.result
        XCTAssertNoThrow(try result.get(), "the mail was sent")
        let code = try XCTUnwrap(sender.box.last(to: "ann@example.com")?.code, "the provider took it")
        do { _ = try await client.checkActionCode(code) } catch {
            XCTFail("a mail with a dead link was sent: \(error.code)")
        }
    }

    /// The provider takes nothing and ends only when it is canceled.
    func testATryEndsAfterItsTimeThoughTheClockWasSetBackMeanwhile() async throws {
        struct HangingSender: MessageSender {
            func send(_ message: Message) async throws {
                while !Task.isCancelled { await Task.yield() }
                throw CancellationError()
            }
        }
        try await inTime {
            let start = Date(timeIntervalSince1970: 1_800_000_000)
            let waits = Mutex<[Duration]>([])
            let world = World(.standard) {
                $0.messageSender = HangingSender()
                $0.environment = AuthEnvironment(
                    clock: { start.addingTimeInterval(waits.withLock { $0.isEmpty } ? 0 : -3600) },
                    sleep: { duration in
                        let count = waits.withLock { waits in
                            waits.append(duration)
                            return waits.count
                        }
                        if count > 1 { throw CancellationError() }
                    }
                )
            }
            await assertThrows(.messageNotSent, "the digits are not sent") {
                try await world.service.client().sendPhoneCode(to: "+15550001111")
            }
            XCTAssertEqual(waits.withLock(\.self), [world.policy.delivery.timeOfTry], "how long it waited")
        }
    }
}

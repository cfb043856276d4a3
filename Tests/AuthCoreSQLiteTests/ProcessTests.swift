#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Processes that share limits and messages, and what is left of both when they are killed.
final class ProcessTests: LimitedTestCase {
    func testProcessesShareTheLimitOfGuessesAndAKilledOneTakesNothingOfItAway() async throws {
        let database = try TestDatabase()
        let store = try await database.open()
        let service = store.service(ManualClock())
        _ = try await service.client(for: nil, origin: .local)
            .signUp(email: "ann@example.com", password: "correct horse")
        let processes = try (0..<3).map { _ in try KilledProcess(on: database.path, called: "guesser") }
        for process in processes { process.read(lines: 1) }
        for process in processes { try process.say("go") }
        // The first is killed after its first guess, the others when they were refused for a while.
        processes[0].read(lines: 2)
        var lines = processes[0].kill()
        for process in processes.dropFirst() {
            process.read(lines: 20)
            lines += process.kill()
        }
        let wrong = lines.count { $0 == "guess \(AuthErrorCode.invalidCredential.name)" }
        let guesses = lines.filter { $0.hasPrefix("guess ") }
        XCTAssertEqual(
            Set(guesses).subtracting(["invalidCredential", "tooManyRequests"].map { "guess \($0)" }),
            [],
            "guesses have other answers"
        )
        // One that the killed process had begun was counted and not answered.
        XCTAssertTrue((4...5).contains(wrong), "\(wrong) passwords were compared where five are free: \(lines)")
        let here = await service.guess()
        XCTAssertEqual(here, .tooManyRequests, "a guess in this process")
        try await database.close()
        let later = await (try await database.open()).service(ManualClock()).guess()
        XCTAssertEqual(later, .tooManyRequests, "a guess after all processes have ended")
    }

    func testAMessageThatAKilledProcessHeldIsSentByAnother() async throws {
        let database = try TestDatabase()
        let (store, clock, outbox) = (try await database.open(), ManualClock(), Message.Outbox())
        let service = store.service(clock, sender: outbox)
        let ids = (0..<6).map { Store.OperationID(bits: UInt128($0)) }
        let ann = try XCTUnwrap(EmailAddress("ann@example.com"))
        for id in ids {
            var changes = Store.ChangeSet(operation: id, at: clock.timestamp)
            changes.messages = [
                Store.OutboxEntry(
                    id: id,
                    kind: .signInMethods,
                    recipient: .email(ann),
                    record: OneTimeRecordID(bits: 1),
                    account: nil,
                    settings: nil,
                    createdAt: clock.timestamp,
                    leasedUntil: clock.timestamp,
                    expiresAt: nil
                )
            ]
            _ = try await store.commit(changes)
        }
        let process = try KilledProcess(on: database.path, called: "sender")
        // All are begun at once: two are sent, and four wait for the mail server.
        process.read(lines: 6)
        let patience = ContinuousClock.now + .seconds(60)
        while try await store.messages(.waiting, after: nil, limit: 10).count > 4, ContinuousClock.now < patience {}
        let lines = process.kill()
        XCTAssertEqual(lines.sorted(), ids.map { "sending \($0)" })
        var sent = try await service.deliverPendingMessages()
        XCTAssertEqual(sent, 0, "a message was sent while another process could be sending it")
        clock.advance(by: .seconds(59.999))
        sent = try await service.deliverPendingMessages()
        XCTAssertEqual(sent, 0, "a message was sent before its lease was over")
        clock.advance(by: .seconds(0.001))
        sent = try await service.deliverPendingMessages()
        XCTAssertEqual(sent, 4, "messages that the killed process held are lost")
        XCTAssertEqual(Set(outbox.messages.map { "sending \($0.id)" }), Set(lines.dropFirst(2)), "what was sent")
        let left = try await store.messages(.waiting, after: nil, limit: 10)
        XCTAssertEqual(left, [], "messages that were sent are still there")
    }
}
#endif

#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Processes that share limits and messages, and what is left of both when they are killed.
final class PostgresProcessTests: LimitedTestCase {
    /// A service on this store, whose clock a test moves; that of the processes stands where this one begins.
    private func service(
        on store: PostgresStore,
        _ clock: ManualClock,
        sender: any MessageSender = Message.Outbox()
    ) -> AuthService {
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            messageSender: sender,
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        return AuthService(configuration)
    }

    func testProcessesShareTheLimitOfGuessesAndAKilledOneTakesNothingOfItAway() async throws {
        let database = try TestDatabase()
        let service = service(on: try await database.open(), ManualClock())
        let client = service.client(for: nil, origin: .local)
        _ = try await client.signUp(email: "ann@example.com", password: "correct horse")
        let processes = try (0..<3).map { _ in try ServiceProcess(on: database, called: "guesser") }
        for process in processes { process.read(steps: 1) }
        for process in processes { try process.say("go") }
        // The first is killed after its first guess, the others when they were refused for a while.
        processes[0].read(steps: 2)
        var lines = try processes[0].kill()
        for process in processes.dropFirst() {
            process.read(steps: 20)
            lines += try process.kill()
        }
        let wrong = lines.count { $0 == "guess \(AuthErrorCode.invalidCredential.name)" }
        // One that the killed process had begun was counted and not answered.
        XCTAssertTrue((4...5).contains(wrong), "\(wrong) passwords were compared where five are free: \(lines)")
        do {
            let guess = AuthCredential.password(email: "ann@example.com", password: "a wrong guess")
            _ = try await client.signIn(with: guess)
            XCTFail("a guess in this process is right")
        } catch {
            XCTAssertEqual(error.code, .tooManyRequests, "a guess in this process")
        }
    }

    func testAMessageThatAKilledProcessHeldIsSentByAnother() async throws {
        let database = try TestDatabase()
        let (store, clock, outbox) = (try await database.open(), ManualClock(), Message.Outbox())
        let service = service(on: store, clock, sender: outbox)
        let ids = (0..<6).map { Store.OperationID(bits: UInt128($0)) }
        for id in ids {
            var changes = Store.ChangeSet(operation: id, at: clock.timestamp)
            changes.messages = [
                Store.OutboxEntry(
                    id: id,
                    kind: .signInMethods,
                    recipient: .email(try XCTUnwrap(EmailAddress("ann@example.com"))),
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
        let process = try ServiceProcess(on: database, called: "sender")
        // All are begun at once: two are sent, and four wait for the mail server.
        process.read(steps: 6)
        let patience = ContinuousClock.now + .seconds(60)
        while try await store.messages(.waiting, after: nil, limit: 10).count > 4, ContinuousClock.now < patience {}
        let lines = try process.kill().map(String.init)
        XCTAssertEqual(lines.sorted(), ids.map { "sending \($0)" })
        clock.advance(by: .seconds(59.999))
        var sent = try await service.deliverPendingMessages()
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

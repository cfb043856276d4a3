#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Two processes on one file whose clocks differ: what was counted, ended or queued by one holds for the other.
final class ClockTests: LimitedTestCase {
    /// Two services, the clock of the second of which is ahead by this many seconds.
    private func services(
        on database: TestDatabase,
        ahead skew: Double,
        _ senders: [any MessageSender] = [Message.Outbox(), Message.Outbox()]
    ) async throws -> (services: [AuthService], stores: [SQLiteStore], clocks: [ManualClock]) {
        let clocks = [ManualClock(), ManualClock()]
        clocks[1].advance(by: .seconds(skew))
        let stores = [try await database.open(), try await database.open()]
        let services = (0..<2).map { stores[$0].service(clocks[$0], sender: senders[$0], seed: UInt64($0) + 1) }
        return (services, stores, clocks)
    }

    func testACountOfAttemptsHoldsWhereClocksDifferByAMinute() async throws {
        for first in 0..<2 {
            let (_, stores, clocks) = try await services(on: TestDatabase(), ahead: 60)
            let take = Store.Take(.init(purpose: .code, hash: 7), .number(3, each: .seconds(3600)), isSettled: true)
            var taken = 0
            for number in 0..<12 {
                let place = (first + number) % 2
                if try await stores[place].take([take], at: clocks[place].timestamp) == .taken { taken += 1 }
            }
            XCTAssertEqual(taken, 3, "attempts that were allowed, where process \(first) began")
        }
    }

    func testGuessesAreCountedWhereClocksDifferByAMinute() async throws {
        for first in 0..<2 {
            let (services, _, _) = try await services(on: TestDatabase(), ahead: 60)
            _ = try await services[0].client(for: nil, origin: .local)
                .signUp(email: "ann@example.com", password: "correct horse")
            var wrong = 0
            for number in 0..<20 {
                let answer = await services[(first + number) % 2].guess()
                if answer == .invalidCredential { wrong += 1 } else { XCTAssertEqual(answer, .tooManyRequests) }
            }
            // The wait of a second after the fifth is over by the clock that is ahead, once.
            XCTAssertTrue((5...6).contains(wrong), "\(wrong) passwords were compared where process \(first) began")
        }
    }

    func testASessionThatEndedIsOverWhereverItEnded() async throws {
        for (skew, ending) in [(600, 0), (600, 1), (3600, 0), (3600, 1)] as [(Double, Int)] {
            let (services, _, clocks) = try await services(on: TestDatabase(), ahead: skew)
            let other = 1 - ending
            let what = "\(skew) s, ended by process \(ending)"
            let result = try await services[other].client(for: nil, origin: .local)
                .signIn(with: .simulated(.google, .ann, at: clocks[other].now))
            let tokens = try await result.user.issueTokens()
            let here = services[ending].client(for: result.device, origin: .local)
            let there = services[other].client(for: result.device, origin: .local)
            let next = try await here.refresh(tokens.refreshToken)
            _ = try await there.refresh(next.refreshToken)
            let sessions = try await result.user.sessions()
            XCTAssertEqual(sessions.count, 1, what)
            try await services[ending].revokeSessions(of: result.user.account.id)
            for (name, client) in [("one", here), ("other", there)] {
                let error = await storeError("the \(name) process, \(what)") {
                    _ = try await client.refresh(next.refreshToken)
                }
                XCTAssertEqual(error?.code, .userTokenExpired, "the \(name) process, \(what)")
            }
            let error = await storeError("a look at the account, \(what)") { try await result.user.reload() }
            XCTAssertEqual(error?.code, .userTokenExpired, what)
        }
    }

    func testACodeIsUsedOnceWhereClocksDiffer() async throws {
        for issuing in 0..<2 {
            let outboxes = [Message.Outbox(), Message.Outbox()]
            let (services, _, _) = try await services(on: TestDatabase(), ahead: 600, outboxes)
            let client = services[issuing].client(for: nil, origin: .local)
            _ = try await client.signUp(email: "ann@example.com", password: "correct horse")
            try await client.sendPasswordReset(to: "ann@example.com")
            let code = try XCTUnwrap(outboxes[issuing].last(to: "ann@example.com", .resetPassword)?.code)
            let other = services[1 - issuing].client(for: nil, origin: .local)
            _ = try await other.confirmPasswordReset(code: code, newPassword: "a fresh new word")
            for (name, client) in [("one", client), ("other", other)] {
                let error = await storeError("a used code in the \(name) process") {
                    _ = try await client.confirmPasswordReset(code: code, newPassword: "another new word")
                }
                XCTAssertEqual(error?.code, .invalidActionCode, "a used code in the \(name) process")
            }
        }
    }

    /// The process that is ahead takes over what the other one is sending; that a message is sent twice is allowed.
    func testNoMessageIsLostWhereClocksDiffer() async throws {
        for skew in [600, 3600] as [Double] {
            let (_, stores, clocks) = try await services(on: TestDatabase(), ahead: skew)
            let lease = { (place: Int) in
                let now = clocks[place].timestamp
                return try await stores[place].leaseMessages(at: now, until: now + .seconds(60), limit: 10)
            }
            let id = Store.OperationID(bits: 1)
            var changes = Store.ChangeSet(operation: id, at: clocks[0].timestamp)
            changes.messages = [
                Store.OutboxEntry(
                    id: id,
                    kind: .signInMethods,
                    recipient: .email(try XCTUnwrap(EmailAddress("ann@example.com"))),
                    record: OneTimeRecordID(bits: 1),
                    account: nil,
                    settings: nil,
                    createdAt: clocks[0].timestamp,
                    leasedUntil: clocks[0].timestamp,
                    expiresAt: nil
                )
            ]
            _ = try await stores[0].commit(changes)
            // The try of the process that committed was the first.
            let behind = try await lease(0)
            let ahead = try await lease(1)
            XCTAssertEqual([behind, ahead].map { $0.map(\.tries) }, [[2], [3]], "\(skew) s: leases")
            // The one that is behind gives up, which says nothing about the try of the other.
            try await stores[0].endLease(of: id, tries: 2, dueAt: nil)
            var failed = try await stores[0].messages(.failed, after: nil, limit: 10)
            XCTAssertEqual(failed, [], "\(skew) s: a message is given up while another process sends it")
            // The one that is ahead dies; the other sends when it is due by its own clock, and not before.
            clocks[0].advance(by: .seconds(skew + 59))
            let early = try await lease(0)
            XCTAssertEqual(early, [], "\(skew) s: two processes send the message")
            clocks[0].advance(by: .seconds(1))
            let late = try await lease(0)
            XCTAssertEqual(late.map(\.tries), [4], "\(skew) s: the message is lost")
            try await stores[0].settleMessages([id])
            failed = try await stores[0].messages(.failed, after: nil, limit: 10)
            let waiting = try await stores[1].messages(.waiting, after: nil, limit: 10)
            XCTAssertEqual(failed + waiting, [], "\(skew) s: a message that was sent is still there")
        }
    }

    func testAnOperationIsKnownAgainWhereClocksDiffer() async throws {
        for committing in 0..<2 {
            let (_, stores, clocks) = try await services(on: TestDatabase(), ahead: 3600)
            let change = { (number: Int, place: Int) in
                var change = Store.ChangeSet(
                    operation: .init(bits: UInt128(number)),
                    at: clocks[place].timestamp
                )
                change.events = [IdentityEvent(.signedIn, at: change.at, account: "ann", actor: .system, reasons: [])]
                return change
            }
            let first = change(1, committing)
            _ = try await stores[committing].commit(first)
            for number in 2..<80 { _ = try await stores[1 - committing].commit(change(number, 1 - committing)) }
            for place in 0..<2 {
                let outcome = try await stores[place].commit(first)
                XCTAssertEqual(outcome, .duplicate, "process \(committing) committed, process \(place) sends again")
            }
        }
    }
}
#endif

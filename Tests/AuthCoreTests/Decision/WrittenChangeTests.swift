@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What every decision writes besides the account: its operation, its messages and its conditions.
final class WrittenChangeTests: WrittenChangeTestCase {
    /// A store's index of operations grows at its end.
    func testTheOperationOfALaterDecisionSortsLaterAndIsDifferentWithinAMillisecond() async throws {
        var operations: [OperationID] = []
        for _ in 0..<20 {
            let (first, second) = (
                try await signIn(world.google(.ann, world.work)).changes.operation,
                try await signIn(world.google(.ann, world.work)).changes.operation
            )
            XCTAssertNotEqual(first, second, "two decisions of one millisecond")
            operations.append(first)
            world.clock.advance(by: .seconds(1))
        }
        XCTAssertEqual(operations, operations.sorted(), "the IDs of later decisions are greater")
    }

    /// Where a notice is retracted, the next one does not get the number of one that stays.
    func testEveryMessageOfADecisionHasAnIDOfItsOwn() {
        let context = world.service.decisionContext()
        var transaction = Transaction(context)
        for name in ["ann", "ben"] as [AccountID] {
            var account = Account(id: name, createdAt: context.now)
            account.email = .ascii("\(name)@example.com")
            account.note(.email(.ascii("\(name)@example.com")), .mailboxCode, at: context.now)
            transaction.notify(account, of: .accountDeleted)
            if name == "ann" {
                transaction.notify(account, of: .deletionRequested)
                transaction.changes.messages.removeFirst()
            }
        }
        XCTAssertEqual(transaction.changes.messages.count, 2)
        XCTAssertEqual(Set(transaction.changes.messages.map(\.id)).count, 2, "the IDs of two messages")
    }

    /// The write of an account is a condition of its own, and says nothing of another account.
    func testAnAccountIsAConditionOnceWhateverElseIsWritten() {
        let context = world.service.decisionContext()
        let (ann, ben) = (Account(id: "ann", createdAt: context.now), Account(id: "ben", createdAt: context.now))
        var transaction = Transaction(context)
        transaction.insert(ann)
        transaction.read(ann)
        XCTAssertEqual(transaction.changes.reads, [], "what is read of an account that is written")
        transaction.read(ben)
        XCTAssertEqual(transaction.changes.reads.map(\.id), ["ben"], "what is read beside an account that is written")
    }

    func testAnImportedAccountBeginsWithItsFirstVersion() {
        var account = Account(id: AccountID(bits: 9), createdAt: world.clock.timestamp)
        account.version = 7
        XCTAssertEqual(ImportAccount(account).account.version, 0, "the version in this store")
    }

    func testAnAdministratorsEndOfSessionsHasItsEvent() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.revokeSessions(of: ann.account.id)
        let last = try await world.service.events(limit: .max).events.last
        XCTAssertEqual(last?.kind, .sessionsRevoked)
        XCTAssertEqual(last?.actor, .administrator)
    }
}

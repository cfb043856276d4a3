import XCTest

@testable import AuthCore

/// A change is empty if a store has nothing to write for it.
final class ChangeSetTests: LimitedTestCase {
    private let empty = ChangeSet(operation: RecordSamples.operation, at: RecordSamples.noon)

    func testAnythingToWriteMakesAChange() throws {
        XCTAssertTrue(empty.isEmpty, "a new change")
        let (ann, noon) = (RecordSamples.ann, RecordSamples.noon)
        let email = try RecordSamples.email("ann@example.com")
        let reference = EmailReference(account: ann, createdAt: noon, strength: .own)
        let session = try XCTUnwrap(RecordSamples.sessions().first)
        let event = try XCTUnwrap(RecordSamples.events().first)
        let message = try XCTUnwrap(RecordSamples.messages().first)
        let parts: [(String, (inout ChangeSet) -> Void)] = [
            ("an account", { $0.accounts = [.create(Account(id: ann, createdAt: noon))] }),
            ("a record", { $0.records = [.revoke(RecordSamples.key)] }),
            ("a session", { $0.sessions = [.put(session)] }),
            ("a sign-in", { $0.signIns = [Store.SignInRecord(account: ann, at: noon)] }),
            ("an event", { $0.events = [event] }),
            ("a message", { $0.messages = [message] }),
            ("a key", { $0.keys = [KeyChange(.primaryEmail(email), from: nil, to: ann)] }),
            (
                "a reference",
                { $0.references = [Store.EmailReferenceChange(email: email, reference: reference, isReferenced: true)] }
            ),
        ]
        for (what, add) in parts {
            var changes = empty
            add(&changes)
            XCTAssertFalse(changes.isEmpty, "a change with \(what)")
        }
        let preconditions: [(String, (inout ChangeSet) -> Void)] = [
            ("an account that was read", { $0.reads = [Store.AccountRead(id: ann, version: 1)] }),
            ("a rule of keys", { $0.keyRule = KeyRule.allCases.first }),
        ]
        for (what, add) in preconditions {
            var changes = empty
            add(&changes)
            XCTAssertTrue(changes.isEmpty, "a change with nothing but \(what)")
        }
    }
}

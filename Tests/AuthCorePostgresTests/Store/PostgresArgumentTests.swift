#if PostgreSQL
import AuthCore
import AuthCoreSQL
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// The order of the arguments of a commit, in which every commit locks its rows, and what is made of answers that
/// cannot be.
final class PostgresArgumentTests: LimitedTestCase {
    func testAccountsAreLockedInTheOrderOfTheirIDs() throws {
        var changes = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        changes.accounts = [
            .create(Samples.account("dan")), .remove("ben", expected: 0),
            .update(Samples.account("ann"), expected: 0),
        ]
        changes.reads = [Store.AccountRead(id: "eve", version: 0), Store.AccountRead(id: "cem", version: 0)]
        var accounts = AccountArguments()
        try accounts.append(changes, RowCoder())
        XCTAssertEqual(accounts.ids, ["ann", "ben", "cem", "dan", "eve"])
    }

    func testKeysAreLockedInTheOrderOfTheirBytes() throws {
        let emails = try ["cem@example.com", "ann@example.com", "ben@example.com"].map {
            try XCTUnwrap(EmailAddress($0))
        }
        var changes = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        changes.keys = emails.map { Store.KeyChange(.primaryEmail($0), from: nil, to: "ann") }
        let arguments = try CommitArguments(changes, RowCoder())
        let order = (0..<3).map { arguments.precondition("owner", at: $0) }
        XCTAssertEqual(order, [1, 2, 0].map { .owner(.primaryEmail(emails[$0])) }, "the keys in their order")
    }

    func testListsOfReferencesAreLockedInTheOrderOfTheirAddresses() throws {
        let emails = try (0..<20).map { try XCTUnwrap(EmailAddress("p\(10 + $0)@example.com")) }
        var changes = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        changes.references = emails.reversed().map {
            let reference = Store.EmailReference(account: "ann", createdAt: Samples.now, strength: .own)
            return Store.EmailReferenceChange(email: $0, reference: reference, isReferenced: true)
        }
        XCTAssertEqual(ListArguments(changes).emails, emails, "the addresses in their order")
    }

    func testAnAccountThatWasReadIsComparedBesideAWriteOfTheSameVersion() async throws {
        let store = try await TestDatabase().open()
        for name in ["ann", "ben"] { _ = try await store.commit(Samples.creation(name)) }
        var (ann, ben) = (Samples.account("ann"), Samples.account("ben"))
        (ann.version, ben.version) = (1, 1)
        var other = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        other.accounts = [.update(ben, expected: 0)]
        _ = try await store.commit(other)
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.accounts = [.update(ann, expected: 0)]
        change.reads = [Store.AccountRead(id: "ben", version: 0)]
        let outcome = try await store.commit(change)
        XCTAssertEqual(outcome, .violated(.version("ben")), "an account that another change has written since")
    }

    func testAnAccountThatWasReadInAnotherVersionThanItIsWrittenIsComparedToo() async throws {
        let store = try await TestDatabase().open()
        _ = try await store.commit(Samples.creation("ann"))
        var ann = Samples.account("ann")
        ann.version = 1
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        change.accounts = [.update(ann, expected: 0)]
        change.reads = [Store.AccountRead(id: "ann", version: 7)]
        let outcome = try await store.commit(change)
        XCTAssertEqual(outcome, .violated(.version("ann")), "what was read is not what is written over")
    }

    func testEachListOfReferencesGetsItsOwnChanges() async throws {
        let store = try await TestDatabase().open()
        let names: [AccountID] = ["ann", "ben", "cem"]
        for name in names { _ = try await store.commit(Samples.creation(name.text)) }
        let emails = try ["a@example.com", "b@example.com"].map { try XCTUnwrap(EmailAddress($0)) }
        var change = Store.ChangeSet(operation: Samples.random(), at: Samples.now)
        let reference = { Store.EmailReference(account: $0, createdAt: Samples.now, strength: .own) }
        // The second list has a change before and after that of the first.
        change.references = [(1, "ann"), (0, "ben"), (1, "cem")].map { place, account in
            Store.EmailReferenceChange(email: emails[place], reference: reference(account), isReferenced: true)
        }
        let outcome = try await store.commit(change)
        XCTAssertEqual(outcome, .committed)
        let seen = try await store.load([.referencing(emails[0]), .referencing(emails[1])])
        XCTAssertEqual(seen.accounts(referencing: emails[0]).map(\.id), ["ben"], "the first list")
        XCTAssertEqual(seen.accounts(referencing: emails[1]).map(\.id), ["ann", "cem"], "the second list")
    }

    func testACommitHasAsManyArgumentsAsItsFunctionTakes() throws {
        let schema = try XCTUnwrap(Schema(name: "accounts"))
        let call = try CommitCall(Samples.creation("ann"), schema, RowCoder())
        XCTAssertEqual(call.parameters.count, CommitArguments.count, "the arguments")
        let last = "$\(call.parameters.count))"
        XCTAssertTrue(call.statement.hasSuffix(last), "the places of the arguments: \(call.statement)")
    }

    func testAnAnswerThatIsNoneOfACommitIsAnError() throws {
        let schema = try XCTUnwrap(Schema(name: "accounts"))
        let call = try CommitCall(Samples.creation("ann"), schema, RowCoder())
        let place = (1 as Int64).bigEndianBytes
        XCTAssertEqual(try call.outcome(of: [[Array("absent".utf8), place]]), .violated(.absent("ann")), "the first")
        let none = (2 as Int64).bigEndianBytes
        for rows in [[], [[nil, place]], [[Array("yes".utf8), place]], [[Array("absent".utf8), none]]] as [[Row]] {
            XCTAssertThrowsError(try call.outcome(of: rows), "\(rows)") { error in
                XCTAssertEqual((error as? PostgresError)?.kind, .unexpected, "\(error)")
            }
        }
    }

    func testASweepWithoutAnAnswerIsNotComplete() async throws {
        let store = try await TestDatabase().open()
        let name = store.schema.name
        let whole = try await store.sweep(at: Samples.now, limit: 10)
        XCTAssertTrue(whole.isComplete, "of an empty database")
        try await store.execute(
            script: """
                ALTER FUNCTION \(name).sweep RENAME TO answering_sweep;
                CREATE FUNCTION \(name).sweep(bigint, bigint)
                    RETURNS TABLE (records bigint, sessions bigint, is_complete boolean)
                    LANGUAGE sql AS 'SELECT 0::bigint, 0::bigint, true WHERE false'
                """
        )
        let none = try await store.sweep(at: Samples.now, limit: 10)
        XCTAssertFalse(none.isComplete, "the server did not say what is left")
    }
}
#endif

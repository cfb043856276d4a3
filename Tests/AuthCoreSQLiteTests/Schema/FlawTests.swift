#if SQLite
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// Files whose tables have a flaw each, made by a trigger: the conformance suite rejects them.
final class FlawTests: LimitedTestCase {
    private struct Flaw {
        let name: String
        /// The clause that finds it.
        let clause: String
        /// When the trigger runs, and what it does.
        let trigger: String
    }

    private static let flaws = [
        Flaw(
            name: "the ID of an operation is not stored",
            clause: "an operation is written once",
            trigger: "AFTER INSERT ON operations BEGIN DELETE FROM operations WHERE id = NEW.id"
        ),
        Flaw(
            name: "keys are compared without regard to case",
            clause: "identities that only look alike are two",
            trigger: """
                AFTER INSERT ON unique_keys BEGIN DELETE FROM unique_keys WHERE key <> NEW.key
                AND lower(CAST(substr(key, 6) AS TEXT)) = lower(CAST(substr(NEW.key, 6) AS TEXT))
                """
        ),
        Flaw(
            name: "times are cut to seconds",
            clause: "times are kept to the millisecond",
            trigger: """
                AFTER INSERT ON sessions BEGIN UPDATE sessions SET record = json_set(record, '$.value[2]',
                json_extract(record, '$.value[2]') / 1000 * 1000) WHERE id = NEW.id
                """
        ),
        Flaw(
            name: "a session that ended is there again",
            clause: "a session ends alone",
            trigger: """
                AFTER DELETE ON sessions BEGIN INSERT INTO sessions VALUES (OLD.id, OLD.account, OLD.method,
                OLD.provider, OLD.device_name, OLD.created_at, OLD.active_at, OLD.expires_at, OLD.refresh_count,
                OLD.record)
                """
        ),
        Flaw(
            name: "a sign-in raises the version",
            clause: "recording a sign-in does not move the version",
            trigger: """
                AFTER UPDATE OF last_sign_in ON accounts BEGIN UPDATE accounts SET version = version + 1
                WHERE id = NEW.id
                """
        ),
        Flaw(
            name: "a list of references keeps its version",
            clause: "a list of references that was read is unchanged",
            trigger: """
                AFTER UPDATE ON email_lists BEGIN UPDATE email_lists SET version = OLD.version
                WHERE email = NEW.email
                """
        ),
        Flaw(
            name: "an owner is not replaced",
            clause: "a key moves from one account to another in one step",
            trigger:
                "AFTER UPDATE ON unique_keys BEGIN UPDATE unique_keys SET account = OLD.account WHERE key = NEW.key"
        ),
        Flaw(
            name: "a message is lost where another waits",
            clause: "messages are leased in the order in which they are due",
            trigger: """
                AFTER INSERT ON messages WHEN (SELECT count(*) FROM messages) > 2 BEGIN
                DELETE FROM messages WHERE number = NEW.number
                """
        ),
        Flaw(
            name: "tombstones are removed",
            clause: "a tombstone is found, and keeps its account's id from being used again",
            trigger: """
                AFTER INSERT ON one_time_records WHEN NEW.purpose = 'tombstone' BEGIN
                DELETE FROM one_time_records WHERE id = NEW.id
                """
        ),
        Flaw(
            name: "the second event of a commit comes first",
            clause: "what is written in an order is read in that order",
            trigger: """
                AFTER INSERT ON events BEGIN UPDATE events SET number = 1000000 - number WHERE number = NEW.number
                """
        ),
    ]

    func testTheSuiteRejectsEveryFlaw() async throws {
        for flaw in Self.flaws {
            let report = await Self.report(on: flaw.clause, "CREATE TRIGGER flaw \(flaw.trigger); END")
            XCTAssertEqual(report.checked, [flaw.clause], "the clause was not checked where \(flaw.name)")
            let unmade = report.violations.filter { $0.finding.hasPrefix("no store could be made") }
            XCTAssertEqual(unmade, [], "the flaw cannot be made: \(flaw.name)")
            XCTAssertFalse(report.violations.isEmpty, "the suite accepts a file in which \(flaw.name)")
        }
    }

    /// The clauses find the flaws and nothing else.
    func testTheSuiteAcceptsAFileWithATriggerThatDoesNothing() async throws {
        for clause in Set(Self.flaws.map(\.clause)).sorted() {
            let report = await Self.report(on: clause, "CREATE TRIGGER flaw AFTER INSERT ON events BEGIN SELECT 1; END")
            XCTAssertEqual(report.violations, [], "\(report)")
        }
    }

    /// Flaws that no trigger can make: stores that do everything but one thing as the store behind them.
    func testTheSuiteRejectsWhatAStoreDoesWrongBesideItsTables() async throws {
        let flaws: [(name: String, clause: String, spoil: @Sendable (inout FlawedStore) -> Void)] = [
            (
                "answers before the transaction is committed",
                "a commit that is interrupted is written whole or not at all",
                // Whatever happens at COMMIT, the answer is out.
                { $0.onCommit = { changes, whole in (try? await whole.commit(changes)) ?? .committed } }
            ),
            (
                "drops accounts from a scan", "lists are whole, however long",
                // The first account of each further page.
                {
                    $0.onAccounts = { after, limit, whole in
                        Array(try await whole.accounts(after: after, limit: limit).dropFirst(after == nil ? 0 : 1))
                    }
                }
            ),
        ]
        for flaw in flaws {
            let report = await Self.report(on: flaw.clause, spoiled: flaw.spoil)
            XCTAssertEqual(report.checked, [flaw.clause], "the clause was not checked on a store that \(flaw.name)")
            XCTAssertFalse(report.violations.isEmpty, "the suite accepts a store that \(flaw.name)")
            let sound = await Self.report(on: flaw.clause) { _ in }
            XCTAssertEqual(sound.violations, [], "the suite rejects a store without the flaw that it \(flaw.name)")
        }
    }

    /// No answer goes out before COMMIT: here every statement of a change succeeds, and COMMIT fails.
    func testAChangeThatFailsAtItsCommitIsNotAnswered() async throws {
        let store = try await TestDatabase().open()
        try await store.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE parents (id INTEGER PRIMARY KEY);
            CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED);
            CREATE TRIGGER flaw AFTER INSERT ON operations BEGIN INSERT INTO children VALUES (7); END
            """
        )
        let account = Account(id: "ann", createdAt: Timestamp(seconds: 1_800_000_000))
        var change = Store.ChangeSet(operation: .init(bits: 1), at: account.createdAt)
        change.accounts = [.create(account)]
        let failing = change
        let error = await storeError("a commit that the database refuses") { _ = try await store.commit(failing) }
        XCTAssertEqual(error?.code, .storeUnavailable)
        let none = try await store.load([.account("ann")])["ann"]
        XCTAssertNil(none, "something was written")
        try await store.execute("DROP TRIGGER flaw")
        let outcome = try await store.commit(failing)
        XCTAssertEqual(outcome, .committed, "the same change when nothing is in its way")
    }

    private static func report(
        on clause: String,
        spoiled spoil: @escaping @Sendable (inout FlawedStore) -> Void
    ) async -> StoreConformance.Report {
        await StoreConformance {
            try TestDatabase().subject {
                $0.synchronous = .normal
            } wrapped: { store in
                var flawed = FlawedStore(whole: store)
                spoil(&flawed)
                return flawed
            }
        }.report(onClause: clause)
    }

    private static func report(on clause: String, _ trigger: String) async -> StoreConformance.Report {
        await StoreConformance {
            let database = try TestDatabase()
            try await database.open().execute(trigger)
            return database.subject { $0.synchronous = .normal }
        }.report(onClause: clause)
    }
}
#endif

#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Databases whose tables or functions have a flaw each: the conformance suite rejects them.
final class PostgresFlawTests: LimitedTestCase {
    /// A flaw, made by statements after the migration, and a clause that finds it.
    private struct Flaw {
        let name: String
        let clause: String
        var sql: [String] = []
        /// What is replaced in the text of the function that commits, or that loads.
        var inCommit: [(String, String)] = []
        var inLoad: [(String, String)] = []
        /// What is added to the connection string.
        var connection = ""
        /// How often the clause may run until it meets the flaw, which needs two commits to meet.
        var runs = 1
    }

    private static let flaws = [
        Flaw(
            name: "identities have no unique index",
            clause: "a key has one owner",
            sql: ["ALTER TABLE keys DROP CONSTRAINT keys_pkey"]
        ),
        Flaw(
            name: "keys are compared without regard to case",
            clause: "identities that only look alike are two",
            sql: [fold("decode(lower(encode(_key, 'escape')), 'escape')")],
            inCommit: [("_keys[_i]", "fold(_keys[_i])")],
            inLoad: [("_keys[_i]", "fold(_keys[_i])")]
        ),
        Flaw(
            name: "the issuer of an identity is left out",
            clause: "identities of one subject at two issuers are two",
            sql: [
                fold("CASE get_byte(_key, 0) WHEN 1 THEN '\\x01' || substr(_key, 6 + get_byte(_key, 4)) ELSE _key END")
            ],
            inCommit: [("_keys[_i]", "fold(_keys[_i])")],
            inLoad: [("_keys[_i]", "fold(_keys[_i])")]
        ),
        Flaw(
            name: "the ID of an operation is not stored",
            clause: "an operation is written once",
            inCommit: [("INSERT INTO operations (id) VALUES (_operation) ON CONFLICT DO NOTHING;", "PERFORM 1;")]
        ),
        Flaw(
            name: "versions that were only read are not locked",
            clause: "of two changes that each read what the other writes one wins",
            inCommit: [("a.version = _account_expected[_i] FOR SHARE", "a.version = _account_expected[_i]")],
            runs: 30
        ),
        Flaw(
            name: "an update does not look at the version",
            clause: "precondition: an update names the version it saw",
            inCommit: [
                ("WHERE a.id = _account_ids[_i] AND a.version = _account_expected[_i]", "WHERE a.id = _account_ids[_i]")
            ]
        ),
        Flaw(
            name: "what was written before a violation stays",
            clause: "precondition: a session is put where none is",
            inCommit: [("RAISE SQLSTATE 'AC001'", "RETURN")]
        ),
        Flaw(
            name: "events of a refused change are written",
            clause: "precondition: a record is consumed where one is",
            inCommit: [
                (
                    "EXCEPTION WHEN SQLSTATE 'AC001' THEN",
                    """
                    EXCEPTION WHEN SQLSTATE 'AC001' THEN
                        FOR _i IN 1..coalesce(cardinality(_event_times), 0) LOOP
                            INSERT INTO events VALUES (0, pg_current_xact_id(), _i, _event_times[_i],
                                _event_accounts[_i], _event_kinds[_i], _event_records[_i]);
                        END LOOP;
                    """
                )
            ]
        ),
        Flaw(
            name: "readers of the log do not wait for older transactions",
            clause: "a reader of the log misses nothing that others write",
            sql: [
                """
                CREATE FUNCTION pg_snapshot_xmin(_snapshot pg_snapshot) RETURNS xid8 LANGUAGE sql
                AS 'SELECT pg_snapshot_xmax(_snapshot)'
                """
            ],
            connection: " options='-c search_path=SCHEMA,pg_catalog'",
            runs: 30
        ),
        Flaw(
            name: "times are cut to seconds",
            clause: "times are kept to the millisecond",
            sql: [
                """
                CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $cut$ BEGIN
                    NEW.record := regexp_replace(NEW.record, '(\\d{10})\\d{3}', '\\1000', 'g');
                    RETURN NEW;
                END $cut$
                """,
                "CREATE TRIGGER cut BEFORE INSERT OR UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION cut()",
            ]
        ),
        Flaw(
            name: "a list of references is not compared with what was read",
            clause: "a list of references that was read is unchanged",
            inCommit: [("IF _version <> _list_expected[_i] THEN", "IF false THEN")]
        ),
        Flaw(
            name: "a scan drops accounts",
            clause: "lists are whole, however long",
            sql: [
                """
                CREATE FUNCTION comes_after(_left text, _right text) RETURNS boolean LANGUAGE sql IMMUTABLE
                AS 'SELECT _left OPERATOR(pg_catalog.>) _right AND hashtext(_left) % 7 <> 0'
                """,
                "CREATE OPERATOR > (LEFTARG = text, RIGHTARG = text, FUNCTION = comes_after)",
            ],
            connection: " options='-c search_path=SCHEMA,pg_catalog'"
        ),
        Flaw(
            name: "a session that has ended is updated",
            clause: "a session that is updated while it ends stays ended",
            inCommit: [
                (
                    "AND s.refresh_count = _session_expected[_i] FOR UPDATE;",
                    "AND s.refresh_count = _session_expected[_i] FOR UPDATE; PERFORM 1;"
                ),
                (
                    "ELSIF _step = 'p' THEN",
                    "IF NOT FOUND THEN _step := 'p'; END IF; END IF; IF _step = 'p' THEN"
                ),
            ],
            runs: 30
        ),
        Flaw(
            name: "the tombstone of an account is not looked for",
            clause: "a tombstone is found, and keeps its account's id from being used again",
            inCommit: [("r.id = _account_tombstones[_i]", "false")]
        ),
        Flaw(
            name: "the events of a commit are in the reverse order",
            clause: "what is written in an order is read in that order",
            inCommit: [("pg_current_xact_id(), _i,", "pg_current_xact_id(), 1000 - _i,")]
        ),
        Flaw(
            name: "a list of references is cut",
            clause: "of many references the strongest are found, then those of the oldest accounts",
            inLoad: [("LIMIT 8", "LIMIT 4")]
        ),
    ]

    /// Only a server that was built with ICU has the order of a language.
    private static let orderOfALanguage = Flaw(
        name: "accounts are ordered as a language orders words",
        clause: "accounts are paged in the order of their ids, while others are added",
        sql: [
            "DROP VIEW readable_accounts",
            "ALTER TABLE accounts ALTER COLUMN id TYPE text COLLATE \"en-x-icu\"",
        ]
    )

    /// The function that makes what is compared of a key.
    private static func fold(_ expression: String) -> String {
        "CREATE FUNCTION fold(_key bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $fold$ SELECT \(expression) $fold$"
    }

    func testTheSuiteRejectsEveryFlaw() async throws {
        _ = try TestDatabase.server()
        for flaw in Self.flaws { await Self.expectRejection(of: flaw) }
    }

    func testTheSuiteRejectsTheOrderOfALanguage() async throws {
        let collation = "SELECT count(*) FROM pg_collation WHERE collname = 'en-x-icu'"
        let found = try await TestDatabase().open().run(collation, []).first?.number(0)
        if found == 0 { throw XCTSkip("needs a server with the collations of ICU") }
        await Self.expectRejection(of: Self.orderOfALanguage)
    }

    private static func expectRejection(of flaw: Flaw) async {
        var isFound = false
        for _ in 0..<flaw.runs where !isFound {
            let report = await StoreConformance { try await subject(flaw) }.report(onClause: flaw.clause)
            XCTAssertEqual(report.checked, [flaw.clause], "the clause was not checked where \(flaw.name)")
            let unmade = report.violations.filter { $0.finding.hasPrefix("no store could be made") }
            XCTAssertEqual(unmade, [], "the flaw cannot be made: \(flaw.name)")
            isFound = !report.violations.isEmpty
        }
        XCTAssertTrue(isFound, "the suite accepts a database in which \(flaw.name)")
    }

    /// An answer that goes out before COMMIT is given whether or not the change is written.
    func testTheSuiteRejectsAnAnswerBeforeTheCommit() async throws {
        _ = try TestDatabase.server()
        let clause = "a commit that is interrupted is written whole or not at all"
        for isFlawed in [true, false] {
            let report = await StoreConformance {
                let proxy = try LoopbackProxy(to: try TestDatabase.server())
                let database = try TestDatabase(proxy.connection) { $0.retries = 0 }
                let end = ProxyEnd(proxy)
                return StoreSubject {
                    var store = FlawedStore(whole: try await database.open())
                    if isFlawed { store.onCommit = { (try? await $1.commit($0)) ?? .committed } }
                    return store
                } interrupt: {
                    end.proxy.cutNextCommit($0 == 0 ? .before : nil)
                }
            }.report(onClause: clause)
            XCTAssertEqual(report.checked, [clause], "the clause was not checked")
            XCTAssertEqual(report.violations.isEmpty, !isFlawed, "\(report)")
        }
    }

    /// No answer is taken before COMMIT: here the function answers, and the transaction fails at its end.
    func testAChangeThatFailsAtItsCommitIsNotAnswered() async throws {
        let database = try TestDatabase()
        let (store, schema) = (try await database.open(), database.options.schema)
        try await store.execute(
            script: """
                CREATE FUNCTION \(schema).refuse() RETURNS trigger LANGUAGE plpgsql
                    AS $refuse$ BEGIN RAISE EXCEPTION 'not at the end'; END $refuse$;
                CREATE CONSTRAINT TRIGGER flaw AFTER INSERT ON \(schema).operations DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION \(schema).refuse()
                """
        )
        let change = Samples.creation("ann")
        do {
            let outcome = try await store.commit(change)
            XCTFail("the change was answered: \(outcome)")
        } catch let error as AuthError {
            XCTAssertEqual(error.code, .storeUnavailable)
        }
        let none = try await store.load([.account("ann")])["ann"]
        XCTAssertNil(none, "something was written")
        try await store.execute("DROP TRIGGER flaw ON \(schema).operations")
        let outcome = try await store.commit(change)
        XCTAssertEqual(outcome, .committed, "the same change when nothing is in its way")
    }

    /// The clauses find the flaws and nothing else: a database that was changed back is accepted.
    func testTheSuiteAcceptsTheSameDatabaseWithoutTheFlaw() async throws {
        _ = try TestDatabase.server()
        let clauses = Set(Self.flaws.map(\.clause))
        for clause in clauses.sorted() {
            let none = Flaw(name: "nothing is wrong", clause: clause)
            let report = await StoreConformance { try await Self.subject(none) }.report(onClause: clause)
            XCTAssertEqual(report.checked, [clause], "the clause was not checked")
            XCTAssertEqual(report.violations, [], "\(report)")
        }
    }

    private static func subject(_ flaw: Flaw) async throws -> StoreSubject {
        let database = try TestDatabase()
        let schema = database.options.schema
        let commit = replacing(flaw.inCommit, in: Schema.commit, flaw.name)
        let load = replacing(flaw.inLoad, in: Schema.load, flaw.name)
        let again = [commit, load].map { $0.replacing("CREATE FUNCTION", with: "CREATE OR REPLACE FUNCTION") }
        let statements = ["SET LOCAL search_path = \(schema), pg_catalog"] + flaw.sql + again
        try await database.open().execute(script: statements.joined(separator: ";\n"))
        let connection = database.connection + flaw.connection.replacing("SCHEMA", with: schema)
        let options = database.options
        return StoreSubject(open: { try await PostgresStore(connection, options: options) })
    }

    private static func replacing(_ pairs: [(String, String)], in text: String, _ name: String) -> String {
        pairs.reduce(text) { text, pair in
            let changed = text.replacing(pair.0, with: pair.1)
            XCTAssertNotEqual(changed, text, "there is no place for the flaw that \(name)")
            return changed
        }
    }
}
#endif

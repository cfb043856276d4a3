#if PostgreSQL
import AuthCore
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What each column of the readable views says: the value of the record, when it is made and when it changes.
final class PostgresViewTests: LimitedTestCase {
    private struct Views: ReadableViews {
        let store: PostgresStore

        /// Reads times in UTC.
        init() async throws {
            store = try await TestDatabase(try TestDatabase.server() + " options='-c timezone=UTC'").open()
        }

        func time(_ clock: String) -> String { "2027-01-15T\(clock)+00:00" }

        func truth(_ value: Bool) -> String { "\(value)" }

        func id(_ digit: Int) -> String { "00000000-0000-0000-0000-00000000000\(digit)" }

        func columns(of view: String, by order: String) async throws -> [String: [String]] {
            let rows = try await store.run(
                """
                SELECT c.key, coalesce(c.value, '-')
                FROM \(store.schema.name).\(view) v, json_each_text(row_to_json(v)) c ORDER BY v.\(order)
                """,
                []
            )
            return Dictionary(rows.map { ($0.text(0) ?? "", [$0.text(1) ?? ""]) }, uniquingKeysWith: +)
        }

        func ownColumnsOfTheEvent() async throws -> [String: [String]] {
            let position = try await store.events(1, after: .start).first?.position
            let transaction = try XCTUnwrap(position?.transaction)
            let record = try await store.run("SELECT record FROM \(store.schema.name).events", []).first?.text(0)
            return ["transaction": ["\(transaction)"], "record": [try XCTUnwrap(record)]]
        }
    }

    func testTheReadableAccountsAndMethodsHaveTheValuesOfTheRecord() async throws {
        try await Views().checkAccountsAndMethods()
    }

    func testTheReadableSessionsHaveTheValuesOfTheRecord() async throws {
        try await Views().checkSessions()
    }

    func testTheReadableMessagesHaveTheValuesOfTheRecordAndOfItsDelivery() async throws {
        try await Views().checkMessages()
    }

    func testATimeThatIsNotSetIsNull() async throws {
        try await Views().checkTimesThatAreNotSet()
    }

    func testTheReadableEventsAndAddressesHaveTheValuesOfTheRecord() async throws {
        try await Views().checkEventsAndAddresses()
    }
}
#endif

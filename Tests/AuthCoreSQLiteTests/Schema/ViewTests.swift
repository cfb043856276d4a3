#if SQLite
import AuthCore
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// What each column of the readable views says: the value of the record, when it is made and when it changes.
final class ViewTests: LimitedTestCase {
    private struct Views: ReadableViews {
        private let database: TestDatabase
        let store: SQLiteStore

        init() async throws {
            database = try TestDatabase()
            store = try await database.open()
        }

        func time(_ clock: String) -> String { "2027-01-15 \(clock)" }

        func truth(_ value: Bool) -> String { value ? "1" : "0" }

        func id(_ digit: Int) -> String { "0000000000000000000000000000000\(digit)" }

        func columns(of view: String, by order: String) async throws -> [String: [String]] {
            var columns: [String: [String]] = [:]
            for name in try await store.column("SELECT name FROM pragma_table_info('\(view)')") {
                columns[name] = try await store.column("SELECT coalesce(\(name), '-') FROM \(view) ORDER BY \(order)")
            }
            return columns
        }

        func ownColumnsOfTheEvent() async throws -> [String: [String]] {
            ["record": try await store.column("SELECT record FROM events")]
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

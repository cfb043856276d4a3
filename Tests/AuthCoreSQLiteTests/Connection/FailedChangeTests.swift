#if SQLite
import AuthCore
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// A change that cannot be written: one precise error, nothing half written, and service again afterwards.
final class FailedChangeTests: ChangeTestCase {
    func testAValueThatCouldNotBeReadBackIsRefusedAndNothingOfItsChangeIsWritten() async throws {
        let store = try await TestDatabase().open()
        var account = Account(id: "ann", createdAt: Timestamp(seconds: 1_800_000_000))
        account.customClaims = ["balance": .number(.nan)]
        var changes = change(1)
        changes.accounts = [.create(account)]
        let error = await storeError("a number that is none") { _ = try await store.commit(changes) }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message, "A value of the change cannot be written. Nothing was changed.")
        XCTAssertEqual(error?.cause as? Store.RecordError, .unrepresentable)
        let written = try await count(store)
        XCTAssertEqual(written, 0, "of the change that was refused")
        let outcome = try await store.commit(change(1))
        XCTAssertEqual(outcome, .committed, "the change without that account")
    }

    func testAFullDiskIsNamedAndServiceGoesOnWhenThereIsRoom() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("PRAGMA max_page_count = 60")
        var written = 0
        var error: AuthError?
        while error == nil, written < 1000 {
            do {
                _ = try await store.commit(change(written))
                written += 1
            } catch let failure as AuthError {
                error = failure
            }
        }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual((error?.cause as? SQLiteError)?.primaryCode, 13, "SQLITE_FULL")
        XCTAssertEqual(error?.message.hasPrefix("The disk is full"), true, error?.message ?? "")
        let kept = try await count(store)
        XCTAssertEqual(kept, written, "what was answered, and nothing else")
        try await store.execute("PRAGMA max_page_count = 1000000")
        let outcome = try await store.commit(change(written))
        XCTAssertEqual(outcome, .committed, "service did not go on")
    }

    func testOneChangeThatFailsTakesNoOtherWithIt() async throws {
        let store = try await TestDatabase().open()
        try await store.execute("PRAGMA max_page_count = 60")
        // The large ones do not fit; the small ones share transactions with them.
        let outcomes = await withTaskGroup(of: (Int, Store.CommitOutcome?).self) { group in
            for number in 0..<30 {
                var change = change(number)
                if number % 3 == 0 {
                    change.records = (0..<250).map { place in
                        .put(
                            Store.OneTimeRecord(
                                key: OneTimeRecordID(bits: UInt128(number) << 64 | UInt128(place)),
                                account: nil,
                                createdAt: change.at,
                                expiresAt: nil,
                                content: .totpSeed(Array(repeating: 7, count: 300))
                            )
                        )
                    }
                } else {
                    change.records = []
                    change.events = [
                        IdentityEvent(.signedIn, at: change.at, account: "ann", actor: .system, reasons: [])
                    ]
                }
                let mine = change
                group.addTask { (number, try? await store.commit(mine)) }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let expected = (0..<30).map { $0 % 3 == 0 ? nil : Store.CommitOutcome.committed }
        XCTAssertEqual((0..<30).map { outcomes[$0] ?? nil }, expected)
        let (records, events) = (try await count(store), try await store.events(after: .start, limit: 100).events.count)
        XCTAssertEqual([records, events], [0, 20], "a change was written in part, or taken along")
    }

    func testACanceledTaskWritesNothing() async throws {
        let store = try await TestDatabase().open()
        let change = change(1)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await store.commit(change)
        }
        task.cancel()
        let error = await storeError("a canceled commit") { try await task.value }
        XCTAssertEqual(error?.code, .canceled)
        let kept = try await count(store)
        XCTAssertEqual(kept, 0)
    }
}
#endif

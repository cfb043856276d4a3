import XCTest

@testable import AuthCore

final class AccountRowsTests: LimitedTestCase {
    private let kinds = [AccountRows.Kind.session] + Store.OneTimeRecord.Purpose.allCases.map { .record($0) }

    func testEachKindHasIDsOfItsOwn() {
        var rows = AccountRows()
        for (place, kind) in kinds.enumerated() {
            for number in 0...place { rows.insert(SessionID(bits: UInt128(number)), kind) }
        }
        for (place, kind) in kinds.enumerated() {
            let expected = (0...place).map { SessionID(bits: UInt128($0)) }
            XCTAssertEqual(rows.ids(kind), expected, "the IDs of kind \(place)")
        }
        XCTAssertEqual(Set(kinds.map { rows.ids($0) as [SessionID] }).count, kinds.count, "no two kinds share IDs")
    }

    func testMoreThanALimitAreCountedByKind() {
        var rows = AccountRows()
        for kind in kinds { for number in 0..<3 { rows.insert(SessionID(bits: UInt128(number)), kind) } }
        for kind in kinds {
            XCTAssertTrue(rows.hasMore(than: 2, kind), "three are more than two")
            XCTAssertFalse(rows.hasMore(than: 3, kind), "three are not more than three")
            XCTAssertFalse(rows.hasMore(than: .max, kind), "three are not more than all numbers")
        }
        XCTAssertFalse(AccountRows().hasMore(than: 0, .session), "an account without sessions")
    }

    func testRowsAreEmptyWithoutTheAccountAndWithoutWhatItHas() {
        var rows = AccountRows()
        XCTAssertTrue(rows.isEmpty, "nothing was stored")
        rows.insert(SessionID(bits: 1), .session)
        XCTAssertFalse(rows.isEmpty, "a session is left")
        rows.remove(SessionID(bits: 1), .record(.lostFactors))
        XCTAssertFalse(rows.isEmpty, "another kind was removed")
        rows.remove(SessionID(bits: 1), .session)
        XCTAssertTrue(rows.isEmpty, "the session was removed")
        rows.account = Snapshot.Row(Account(id: "ann", createdAt: Timestamp(seconds: 0)))
        XCTAssertFalse(rows.isEmpty, "the account is left")
    }
}

import XCTest

@testable import AuthCore

final class AccountRowsTests: LimitedTestCase {
    func testEachPurposeHasIDsOfItsOwn() {
        let purposes = Store.OneTimeRecord.Purpose.allCases
        var rows = AccountRows()
        for (place, purpose) in purposes.enumerated() {
            for number in 0...place { rows.insert(OneTimeRecordID(bits: UInt128(number)), purpose) }
        }
        for (place, purpose) in purposes.enumerated() {
            let expected = (0...place).map { OneTimeRecordID(bits: UInt128($0)) }
            XCTAssertEqual(rows.records[purpose]?.elements(limit: .max), expected, "the IDs of \(purpose)")
        }
        XCTAssertTrue(rows.sessions.isEmpty, "no record is a session")
    }

    func testRowsAreEmptyWithoutTheAccountAndWithoutWhatItHas() {
        var rows = AccountRows()
        XCTAssertTrue(rows.isEmpty, "nothing was stored")
        rows.sessions.insert(SessionID(bits: 1))
        XCTAssertFalse(rows.isEmpty, "a session is left")
        rows.remove(OneTimeRecordID(bits: 1), .lostFactors)
        XCTAssertFalse(rows.isEmpty, "a record was removed")
        rows.sessions.remove(SessionID(bits: 1))
        XCTAssertTrue(rows.isEmpty, "the session was removed")
        rows.insert(OneTimeRecordID(bits: 1), .lostFactors)
        rows.remove(OneTimeRecordID(bits: 1), .totpSeed)
        XCTAssertFalse(rows.isEmpty, "a record is left")
        rows.remove(OneTimeRecordID(bits: 1), .lostFactors)
        XCTAssertTrue(rows.isEmpty, "the record was removed")
        rows.account = Snapshot.Row(Account(id: "ann", createdAt: Timestamp(seconds: 0)))
        XCTAssertFalse(rows.isEmpty, "the account is left")
    }
}

@testable import AuthCore
import XCTest

final class RecordMigrationTests: XCTestCase {
    private let coder = RecordCoder()

    func testFlatAccountsBecomeAccountsWithMethods() throws {
        let old = try RecordFixtures.lines("format-0/account")
        let new = try RecordFixtures.lines("format-0/account-in-format-1")
        XCTAssertEqual(old.count, new.count)
        for (before, after) in zip(old, new) {
            let account = try coder.decode(Account.self, from: before)
            XCTAssertEqual(
                String(decoding: try coder.encode(account), as: UTF8.self),
                String(decoding: after, as: UTF8.self)
            )
        }
    }

    func testAVerifiedAddressBecomesTheEvidenceOfAnImport() throws {
        let account = try coder.decode(Account.self, from: RecordFixtures.lines("format-0/account")[0])
        let mail = try RecordSamples.email("ann@example.com")
        XCTAssertEqual(account.evidence, [Evidence(.email(mail), .imported(trusted: false), at: account.createdAt)])
        XCTAssertEqual(account.methods.map(\.kind.provider), [.password, .phone, .google, .gitHub])
        XCTAssertEqual(account.methods.map(\.generation), [0, 1, 2, 3])
        XCTAssertEqual(account.nextGeneration, 4)
        XCTAssertFalse(account.isAnonymous)
    }

    func testOnlyAccountsExistedInFormatZero() {
        let record = Array(#"{"format":0,"kind":"session","value":{}}"#.utf8)
        XCTAssertThrowsError(try coder.decode(Session.self, from: record)) {
            XCTAssertEqual($0 as? RecordError, .malformed)
        }
    }

    func testFlatAccountsWithoutNameOrTimeOrWithNonsenseAreMalformed() {
        let cases = [
            "null", "[]", "{}", #"{"uid":"ann"}"#, #"{"uid":1,"createdAt":1}"#, #"{"uid":"ann","createdAt":"1"}"#,
            #"{"uid":"ann","createdAt":1,"providers":"google.com"}"#,
            #"{"uid":"ann","createdAt":1,"providers":[{"id":"google.com"}]}"#,
            #"{"uid":"ann","createdAt":1,"providers":[7]}"#, #"{"uid":"ann","createdAt":1,"email":"nobody"}"#,
            #"{"uid":"ann","createdAt":1,"disabled":"yes"}"#,
        ]
        for value in cases {
            let record = Array(#"{"format":0,"kind":"account","value":\#(value)}"#.utf8)
            XCTAssertThrowsError(try coder.decode(Account.self, from: record), value) {
                XCTAssertEqual($0 as? RecordError, .malformed)
            }
        }
    }

    func testANewerFormatSaysWhichItIs() {
        for record in [
            #"{"format":2,"kind":"account","value":{}}"#, #"{"format":2}"#, #"{"format":2,"unheard":"of"}"#,
        ] {
            XCTAssertThrowsError(try coder.decode(Account.self, from: Array(record.utf8)), record) {
                XCTAssertEqual($0 as? RecordError, .newerFormat(2))
            }
        }
    }
}

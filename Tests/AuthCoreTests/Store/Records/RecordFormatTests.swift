@testable import AuthCore
import Foundation
import XCTest

final class RecordFormatTests: LimitedTestCase {
    private let coder = Store.RecordCoder()

    private func check<Record: StoredRecord & Equatable>(_ samples: [Record], line: UInt = #line) throws {
        if ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil { try RecordFixtures.write(samples) }
        let fixture = try RecordFixtures.lines("format-1/\(Record.recordKind.rawValue)")
        XCTAssertEqual(fixture.count, samples.count, line: line)
        for (bytes, sample) in zip(fixture, samples) {
            let text = String(decoding: bytes, as: UTF8.self)
            XCTAssertEqual(String(decoding: try coder.encode(sample), as: UTF8.self), text, line: line)
            let decoded = try coder.decode(Record.self, from: bytes)
            XCTAssertEqual(decoded, sample, line: line)
            XCTAssertEqual(try coder.encode(decoded), bytes, line: line)
        }
    }

    func testAccountsKeepTheirFormat() throws { try check(try RecordSamples.accounts()) }
    func testSessionsKeepTheirFormat() throws { try check(try RecordSamples.sessions()) }
    func testOneTimeRecordsKeepTheirFormat() throws { try check(try RecordSamples.records()) }
    func testEventsKeepTheirFormat() throws { try check(try RecordSamples.events()) }
    func testMessagesKeepTheirFormat() throws { try check(try RecordSamples.messages()) }
    func testChangeSetsKeepTheirFormat() throws { try check(try RecordSamples.changeSets()) }

    func testARecordHasThePurposeOfItsContent() throws {
        let records = try RecordSamples.records()
        for record in records {
            let name = Mirror(reflecting: record.content).children.first?.label ?? "\(record.content)"
            XCTAssertEqual(record.purpose.rawValue, name, "all records of a purpose are revoked together")
        }
        XCTAssertEqual(Set(records.map(\.purpose)), Set(OneTimeRecord.Purpose.allCases), "every purpose is among them")
    }

    func testTheArticleShowsAnAccountAsItIsWritten() throws {
        let article = try PackageFiles.text("Sources/AuthCore/AuthCore.docc/StoredFormats.md")
        let line = try XCTUnwrap(article.split(separator: "\n").first { $0.hasPrefix(#"["ann","#) })
        let record = Array(#"{"format":1,"kind":"account","value":\#(line)}"#.utf8)
        let account = try coder.decode(Account.self, from: record)
        XCTAssertEqual(account.methods.map(\.kind.provider), [.google])
        XCTAssertEqual(try coder.encode(account), record, "the article shows another form: \(line)")
    }

    func testANewerFormatSaysWhichItIs() {
        for record in [
            #"{"format":2,"kind":"account","value":{}}"#, #"{"format":2}"#, #"{"format":2,"unheard":"of"}"#,
        ] {
            XCTAssertThrowsError(try coder.decode(Account.self, from: Array(record.utf8)), record) {
                XCTAssertEqual($0 as? Store.RecordError, .newerFormat(2))
            }
        }
    }

    func testAFormatBelowTheFirstIsNone() throws {
        let text = String(
            decoding: try coder.encode(Account(id: "ann", createdAt: Timestamp(seconds: 0))),
            as: UTF8.self
        )
        XCTAssertTrue(text.contains(#""format":1"#), text)
        for format in ["0", "-1"] {
            let other = text.replacingOccurrences(of: #""format":1"#, with: #""format":"# + format)
            XCTAssertThrowsError(try coder.decode(Account.self, from: Array(other.utf8)), other) {
                XCTAssertEqual($0 as? Store.RecordError, .malformed, "format \(format)")
            }
        }
    }

    func testMomentsSurviveToTheMillisecond() throws {
        for milliseconds: Int64 in [0, 1, 999, -1, 1_767_268_800_001, 4_102_444_800_017, -62_135_596_799_999] {
            let moment = Timestamp(milliseconds: milliseconds)
            let account = Account(id: "ann", createdAt: moment)
            XCTAssertEqual(try coder.decode(Account.self, from: coder.encode(account)).createdAt, moment)
        }
    }

    func testAFlagOfAnAccountIsReadBackWhereItIsTheOnlyOne() throws {
        let flags: [(String, WritableKeyPath<Account, Bool>)] = [
            ("anonymous", \.isAnonymous), ("disabled", \.isDisabled), ("verified", \.wasEverVerified),
            ("custom tokens", \.acceptsCustomTokens), ("provisional", \.isProvisional),
            ("reserved", \.reservesEmail),
        ]
        for (name, flag) in flags {
            var account = Account(id: "ann", createdAt: RecordSamples.noon)
            account[keyPath: flag] = true
            XCTAssertEqual(try coder.decode(Account.self, from: coder.encode(account)), account, name)
        }
    }

    func testAMethodStaysAsSeniorAsItWas() throws {
        var account = Account(id: "ann", createdAt: RecordSamples.noon)
        for seconds in [0, -60, 60] {
            var method = SignInMethod(.emailLink, addedAt: RecordSamples.noon, generation: 1)
            method.seniorSince = RecordSamples.noon + .seconds(seconds)
            account.methods = [method]
            let read = try coder.decode(Account.self, from: coder.encode(account))
            XCTAssertEqual(read.methods.first?.seniorSince, method.seniorSince, "\(seconds) seconds from its addition")
        }
    }

    func testANumberThatWasReadStaysAsItIs() throws {
        for text in ["0", "-0.0", "1.0", "2.5", "1e2", "9007199254740993.0", "-9223372036854775808", "1e300", "5e-324"]
        {
            let plain = String(
                decoding: try coder.encode(Account(id: "ann", createdAt: RecordSamples.noon)),
                as: UTF8.self
            )
            let rest = #",null,null,null,null,null,null,{"customClaims":{"claim":\#(text)}}]}"#
            let record = plain.dropLast(2) + rest
            let account = try coder.decode(Account.self, from: Array(record.utf8))
            XCTAssertEqual(try coder.decode(Account.self, from: coder.encode(account)), account, text)
        }
    }

    func testSubjectsThatOnlyLookAlikeStayApart() throws {
        for subject in ["\u{E9}", "e\u{301}"] {
            let change = KeyChange(.identity(Identity.Key(issuer: "i", subject: subject)), from: nil, to: nil)
            var changes = ChangeSet(operation: RecordSamples.operation, at: RecordSamples.noon)
            changes.keys = [change]
            XCTAssertEqual(try coder.decode(ChangeSet.self, from: coder.encode(changes)).keys, [change])
        }
    }

    func testWhatCouldNotBeReadBackIsNotWritten() throws {
        var deep = ClaimValue.null
        for _ in 0..<80 { deep = [deep] }
        let claims: [ClaimValue] = [
            .number(.infinity), .number(.nan), deep, .object([String(repeating: "k", count: 513): 1]),
            .string(String(repeating: "x", count: Store.RecordCoder.sizeLimit)),
        ]
        for claim in claims {
            var account = Account(id: "ann", createdAt: RecordSamples.noon)
            account.customClaims = ["claim": claim]
            XCTAssertThrowsError(try coder.encode(account)) {
                XCTAssertEqual($0 as? Store.RecordError, .unrepresentable)
            }
        }
    }

    func testClaimsAsDeepAsATokenMayBringThemAreWritten() throws {
        var deep = ClaimValue.null
        for _ in 0..<31 { deep = [deep] }
        var assertion = try RecordSamples.assertion()
        assertion.claims = ["deep": deep]
        var changes = ChangeSet(operation: RecordSamples.operation, at: RecordSamples.noon)
        let record = OneTimeRecord(
            key: RecordSamples.key,
            account: nil,
            createdAt: RecordSamples.noon,
            expiresAt: nil,
            content: .factorChallenge(
                Store.FactorChallenge(
                    purpose: .signIn,
                    proof: .federated(assertion, pending: nil),
                    verifiedAt: RecordSamples.noon,
                    completes: nil
                )
            )
        )
        changes.records = [.put(record)]
        XCTAssertEqual(try coder.decode(ChangeSet.self, from: coder.encode(changes)), changes)
    }
}

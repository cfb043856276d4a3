@testable import AuthCore
import Foundation
import XCTest

final class EmailAddressTests: LimitedTestCase {
    func testOrdinaryAddressesAreReadAndLowercased() {
        let cases = [
            ("Ada@Example.COM", "ada@example.com"),
            ("first.last+tag@sub.example.co.uk", "first.last+tag@sub.example.co.uk"),
            ("!#$%&'*+-/=?^_`{|}~@example.org", "!#$%&'*+-/=?^_`{|}~@example.org"),
            ("a@b.c", "a@b.c"),
            ("1@1.x1", "1@1.x1"),
            ("user@XN--BCHER-KVA.example", "user@xn--bcher-kva.example"),
            ("user@a--b.example", "user@a--b.example"),
            (
                "abcdefghijklmnopqrstuvwxyz@zyxwvutsrqponmlkjihgfedcba.zz",
                "abcdefghijklmnopqrstuvwxyz@zyxwvutsrqponmlkjihgfedcba.zz"
            ),
            ("0123456789@9876543210.example", "0123456789@9876543210.example"),
        ]
        for (given, expected) in cases {
            XCTAssertEqual(EmailAddress(given)?.text, expected, given)
            XCTAssertEqual(EmailAddress(given)?.description, expected, given)
        }
    }

    func testMalformedAddressesAreRefused() {
        let cases = [
            "", "@", "a", "a@", "@b.c", "a@b", "a@@b.c", "a@b@c.d", "a b@c.d", " a@b.c", "a@b.c ", "a@b.c\n", "a\t@b.c",
            ".a@b.c", "a.@b.c", "a..b@c.d", "a@.b.c", "a@b..c", "a@b.c.", "a@-b.c", "a@b-.c", "a@b.-c", "a@b.c-",
            "\"a b\"@c.d", "\"a\"@c.d", "a(comment)@b.c", "a@[127.0.0.1]", "a@127.0.0.1", "a@example.123", "a@b_c.d",
            "a@b.c,d@e.f", "<a@b.c>", "Ada <a@b.c>", "a@b.c;", "a:b@c.d", "a\\b@c.d", "a@b!c.d", "a@b.c\r\nBcc: d@e.f",
        ]
        for text in cases {
            XCTAssertNil(EmailAddress(text), text)
        }
    }

    func testEveryControlCharacterAndDeleteIsRefused() {
        for code in Array(UInt8(0)...0x20) + [0x7F] {
            let character = String(decoding: [code], as: UTF8.self)
            XCTAssertNil(EmailAddress("a\(character)b@c.de"), "\(code) in the local part")
            XCTAssertNil(EmailAddress("ab@c\(character)d.de"), "\(code) in the domain")
            XCTAssertNil(EmailAddress("ab@c.de\(character)"), "\(code) at the end")
        }
    }

    func testLookAlikesOutsideASCIIAreRefused() {
        let lookAlikes = [
            "\u{212A}", "\u{0131}", "\u{017F}", "\u{0130}", "\u{FF41}", "\u{FF20}", "\u{E9}", "e\u{301}", "\u{430}",
            "\u{200B}", "\u{A0}", "\u{FEFF}", "\u{3002}", "\u{DF}", "\u{1F600}", "\u{80}", "\u{2024}", "\u{FE52}",
        ]
        for mark in lookAlikes {
            for text in ["mi\(mark)e@example.com", "mike@exa\(mark)ple.com", "mike@example.com\(mark)", "\(mark)@b.c"] {
                XCTAssertNil(
                    EmailAddress(text),
                    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
                )
            }
        }
        XCTAssertNil(EmailAddress("mike\u{FF20}example.com"))
    }

    func testLengthsAreBounded() {
        let label = String(repeating: "b", count: 63)
        let local = String(repeating: "a", count: 64)
        XCTAssertNotNil(EmailAddress("\(local)@example.com"))
        XCTAssertNil(EmailAddress("\(local)a@example.com"))
        XCTAssertNotNil(EmailAddress("a@\(label).com"))
        XCTAssertNil(EmailAddress("a@\(label)b.com"))
        let longest = "\(local)@\(label).\(label).\(String(repeating: "c", count: 61))"
        XCTAssertEqual(longest.utf8.count, 254)
        XCTAssertNotNil(EmailAddress(longest))
        XCTAssertNil(EmailAddress(longest + "c"))
    }

    func testTenMegabytesAreRefusedWithoutBeingRead() {
        XCTAssertNil(EmailAddress(String(repeating: "a", count: 10_000_000) + "@example.com"))
        XCTAssertNil(EmailAddress("a@" + String(repeating: "b.", count: 5_000_000) + "com"))
    }

    func testLetterCaseIsTheOnlyDifferenceIgnored() throws {
        let lower = try XCTUnwrap(EmailAddress("kim.s+i@example.com"))
        XCTAssertEqual(EmailAddress("KIM.S+I@EXAMPLE.COM"), lower)
        XCTAssertEqual(EmailAddress("KIM.S+I@EXAMPLE.COM")?.hashValue, lower.hashValue)
        for other in ["kims+i@example.com", "kim.s@example.com", "kim.s+i@example.org", "kim_s+i@example.com"] {
            XCTAssertNotEqual(EmailAddress(other), lower, other)
        }
    }

    func testNormalisingTwiceIsTheSameAsOnce() throws {
        var generator = SplitMix(state: 7)
        let alphabet = Array("abcXYZ019.+-_@{}~'/")
        var accepted = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 1...6, using: &generator)
            let local = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
            let text = "\(local)@Ex-\(length).cOm"
            guard let once = EmailAddress(text) else { continue }
            accepted += 1
            XCTAssertEqual(EmailAddress(once.text)?.text, once.text, text)
            XCTAssertEqual(EmailAddress(text.uppercased()), once, text)
            XCTAssertTrue(once.text.utf8.allSatisfy { $0 < 0x80 && !(0x41...0x5A).contains($0) }, text)
        }
        XCTAssertGreaterThan(accepted, 1000)
    }

    func testDomainIsThePartAfterTheAt() {
        XCTAssertEqual(EmailAddress("a.b@Sub.Example.com")?.domain, "sub.example.com")
    }

    func testGitHubPlaceholderAddressesReachNobody() {
        let cases = [
            ("1+ada@users.noreply.github.com", true), ("Ada@Users.NoReply.GitHub.com", true),
            ("noreply@noreply.github.com", true), ("ada@github.com", false), ("noreply@github.com", false),
            ("a@users.noreply.github.com.example.org", false), ("a@xusers.noreply.github.com", false),
        ]
        for (text, expected) in cases {
            XCTAssertEqual(EmailAddress(text)?.isRelayOfNoOne, expected, text)
        }
    }

    func testS5GmailAndGooglemailAreOneMailboxAndNoOtherDomainsAre() {
        XCTAssertEqual(EmailAddress("A.b+c@Gmail.com")?.mailbox.text, "a.b+c@gmail.com")
        XCTAssertEqual(EmailAddress("a.b+c@googlemail.com")?.mailbox.text, "a.b+c@gmail.com")
        for text in ["a@gmail.com", "a@googlemail.com"] { XCTAssertEqual(EmailAddress(text)?.isOfGmail, true, text) }
        let others = [
            "a@example.com", "a@mail.googlemail.com", "a@googlemail.com.example.org", "googlemail.com@example.com",
            "a.b@xgooglemail.com",
        ]
        for text in others {
            XCTAssertEqual(EmailAddress(text)?.mailbox.text, text)
            XCTAssertEqual(EmailAddress(text)?.isOfGmail, false, text)
        }
    }

    func testDecodingRefusesWhatReadingRefuses() throws {
        let address = try XCTUnwrap(EmailAddress("Ada@Example.com"))
        let encoded = try JSONEncoder().encode([address])
        XCTAssertEqual(String(decoding: encoded, as: UTF8.self), #"["ada@example.com"]"#)
        XCTAssertEqual(try JSONDecoder().decode([EmailAddress].self, from: encoded), [address])
        let shouted = Data(#"["ADA@EXAMPLE.COM"]"#.utf8)
        XCTAssertEqual(try JSONDecoder().decode([EmailAddress].self, from: shouted), [address])
        for text in [#"["ada"]"#, #"["ad\u0131@example.com"]"#, #"["a\u0000@example.com"]"#, "[1]", "[null]"] {
            XCTAssertThrowsError(try JSONDecoder().decode([EmailAddress].self, from: Data(text.utf8)), text)
        }
    }

    func testAddressesAreOrderedByTheirBytes() {
        let sorted = ["b@a.com", "a@b.com", "A@a.com", "a-b@a.com"].compactMap(EmailAddress.init).sorted()
        XCTAssertEqual(sorted.map(\.text), ["a-b@a.com", "a@a.com", "a@b.com", "b@a.com"])
    }
}

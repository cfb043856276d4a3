@testable import AuthCore
import XCTest

final class SecretTests: LimitedTestCase {
    private struct Envelope {
        let name = "envelope"
        let secret: Secret
        let spare: Secret?
    }

    func testEveryWayOfPrintingShowsOnlyTheMark() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        let printed = ["\(secret)", secret.description, secret.debugDescription, String(reflecting: secret), dumped]
        for text in printed {
            XCTAssertTrue(text.contains("‹secret›"), text)
            XCTAssertFalse(text.contains("hunter2"), text)
        }
        XCTAssertEqual("\(secret)", "‹secret›")
        XCTAssertEqual(String(reflecting: secret), "‹secret›")
    }

    func testDifferentSecretsHaveDifferentHashes() {
        func hash(_ texts: String...) -> Int {
            var hasher = Hasher()
            for text in texts { hasher.combine(Secret(text)) }
            return hasher.finalize()
        }
        XCTAssertEqual(Set((0..<100).map { hash("word \($0)") }).count, 100, "hashes of a hundred secrets")
        XCTAssertNotEqual(hash("ab", "c"), hash("a", "bc"), "where one secret ends has a part in the hash of two")
        XCTAssertNotEqual(hash("word"), hash("lord"), "the first letter")
    }

    func testSecretInsideOtherValuesStaysHidden() {
        let envelope = Envelope(secret: "hunter2", spare: "hunter2")
        var dumped = ""
        dump(envelope, to: &dumped)
        dump([AnyHashable(envelope.secret): [envelope.secret]], to: &dumped)
        dumped +=
            "\(envelope) \([envelope.secret]) \(String(describing: envelope.spare)) \(String(reflecting: envelope))"
        XCTAssertFalse(dumped.contains("hunter2"), dumped)
        XCTAssertTrue(dumped.contains("‹secret›"))
    }

    func testMirrorHasNoChildren() {
        let mirror = Mirror(reflecting: Secret("hunter2"))
        XCTAssertTrue(mirror.children.isEmpty)
        XCTAssertNil(mirror.superclassMirror)
        XCTAssertNil(mirror.descendant("revealed"))
    }

    func testSecretIsNotCodable() {
        let secret: Any = Secret("hunter2")
        XCTAssertFalse(secret is any Encodable)
        XCTAssertFalse(secret is any Decodable)
    }

    func testEqualityIsOverBytes() {
        XCTAssertEqual(Secret("correct horse"), "correct horse")
        XCTAssertNotEqual(Secret("correct horse"), "correct horsf")
        XCTAssertNotEqual(Secret("correct horse"), "dorrect horse")
        XCTAssertNotEqual(Secret("short"), "shorter")
        XCTAssertNotEqual(Secret("a\0b"), "a\0c")
        XCTAssertEqual(Secret(""), "")
    }

    func testCanonicallyEquivalentSpellingsAreDifferentSecrets() {
        let composed = "caf\u{E9}"
        let decomposed = "cafe\u{301}"
        XCTAssertEqual(composed, decomposed)
        XCTAssertNotEqual(Secret(composed), Secret(decomposed))
        XCTAssertNotEqual(Secret("\u{212A}"), Secret("K"))
        // Equivalent and of equal length: two marks in either order.
        XCTAssertEqual("a\u{323}\u{307}", "a\u{307}\u{323}")
        XCTAssertNotEqual(Secret("a\u{323}\u{307}"), Secret("a\u{307}\u{323}"))
        XCTAssertEqual(Set([Secret(composed), Secret(decomposed), Secret(composed)]).count, 2)
    }

    func testTheTextIsKeptByteForByte() {
        let text = "p\0\u{E9}e\u{301}🔑"
        let secret = Secret(text)
        XCTAssertEqual(Array(secret.revealed.utf8), Array(text.utf8))
        XCTAssertEqual(secret.utf8Count, text.utf8.count)
        XCTAssertFalse(secret.isEmpty)
        XCTAssertTrue(Secret("").isEmpty)
    }

    func testAMailedLinkAndSecretKeysPrintOnlyTheirTypes() {
        let link = AuthCredential.EmailLink(email: "ann@example.com", link: "hunter2")
        let key = SecretKeys(Array("hunter2".utf8))
        var dumped = ""
        dump(link, to: &dumped)
        dump(key, to: &dumped)
        dumped += "\(link) \(String(reflecting: link)) \(key) \(String(reflecting: key))"
        XCTAssertFalse(dumped.contains("hunter2"), dumped)
        XCTAssertFalse(dumped.contains("ann@example.com"), dumped)
        XCTAssertEqual("\(link) \(key)", "AuthCredential.EmailLink SecretKeys")
    }
}

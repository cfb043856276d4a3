@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

final class SimulatedHostileInputTests: LimitedTestCase {
    private let both: [SimulatedProvider] = [.google, .gitHub]

    func testACredentialWithoutTheProvidersTokenIsRefused() {
        for provider in both {
            let token = provider.token(for: .ann, at: simulatedNow)
            XCTAssertEqual(provider.refusal(of: provider.credential(carrying: "")), .missingToken)
            XCTAssertEqual(provider.refusal(of: .oauth(provider.provider)), .missingToken)
            let misplaced: AuthCredential =
                provider.form == .idToken
                ? .oauth(provider.provider, accessToken: token)
                : .oauth(provider.provider, idToken: token)
            XCTAssertEqual(provider.refusal(of: misplaced), .missingToken)
        }
    }

    func testTextThatIsNoTokenIsMalformed() {
        let texts = [
            ".", "..", "...", "a", "a.b.c", "a.b.c.d", "\u{0}", "\u{0}.\u{0}.\u{0}", " ", "{}", "null", "e30.e30.e30",
            "Bearer x", "\u{FEFF}", "\u{301}", "🙂.🙂.🙂", "AAAA", "____", "=", "%00", "é", "\r\n",
        ]
        for provider in both {
            for text in texts {
                let refusal = provider.refusal(of: provider.credential(carrying: text))
                XCTAssertEqual(refusal, .malformed, "\(provider.provider) \(text.debugDescription)")
            }
        }
    }

    func testTenMegabytesAreRefusedUnread() {
        for provider in both {
            for piece in ["A", ".", "\u{0}", "é", "{\"a\":["] {
                let text = String(repeating: piece, count: 10_000_000 / piece.utf8.count)
                XCTAssertEqual(provider.refusal(of: provider.credential(carrying: text)), .malformed, piece)
            }
        }
    }

    func testATokenOfEveryLengthUpToTheBoundIsReadOrRefused() {
        for provider in both {
            for length in [1, 63, 64, 65, 16_384, 16_385, 65_535, 65_536, 65_537] {
                for piece in ["A", ".", "e30."] {
                    let text = String(String(repeating: piece, count: length).prefix(length))
                    XCTAssertEqual(provider.refusal(of: provider.credential(carrying: text)), .malformed)
                }
            }
            let bound = 65_536
            func token(padding: Int) -> String {
                let padded = SimulatedToken(claims: ["padding": .string(String(repeating: "x", count: padding))])
                return provider.token(for: .ann, saying: padded, at: simulatedNow)
            }
            var padding = 0
            // Each layer of Base64 makes three bytes four.
            while token(padding: padding + 4).utf8.count <= bound {
                padding += max((bound - token(padding: padding).utf8.count) / 2, 4)
            }
            while token(padding: padding + 1).utf8.count <= bound { padding += 1 }
            let (whole, long) = (token(padding: padding), token(padding: padding + 1))
            XCTAssertGreaterThan(whole.utf8.count, bound - 4, "the longest token that is short enough")
            XCTAssertNil(provider.refusal(of: provider.credential(carrying: whole)), "\(whole.utf8.count) bytes")
            XCTAssertGreaterThan(long.utf8.count, bound, "the shortest token that is too long")
            XCTAssertEqual(
                provider.refusal(of: provider.credential(carrying: long)),
                .malformed,
                "\(long.utf8.count) bytes"
            )
        }
    }

    func testRandomBytesAreRefused() {
        var generator = SeededGenerator(seed: 11)
        for provider in both {
            for _ in 0..<300 {
                let length = Int.random(in: 1...200, using: &generator)
                let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let text = String(decoding: bytes, as: UTF8.self)
                XCTAssertEqual(provider.refusal(of: provider.credential(carrying: text)), .malformed)
                let encoded = Base64URL.encode(bytes)
                XCTAssertEqual(provider.refusal(of: provider.credential(carrying: encoded)), .malformed)
            }
        }
    }

    func testPeopleWithStrangeNamesAreAssertedByteForByte() throws {
        let names = ["", "\u{0}", "\"\\\u{1F}", "e\u{301}", "\u{E9}", "👩‍👩‍👧‍👦", "\u{2028}", "' OR 1=1 --"]
        for provider in both {
            for name in names {
                let person = SimulatedPerson(name: name, email: "x@example.com")
                let assertion = try provider.outcome(of: provider.credential(for: person, at: simulatedNow)).get()
                XCTAssertEqual(assertion.displayName.map { Array($0.utf8) }, Array(name.utf8))
            }
        }
    }
}

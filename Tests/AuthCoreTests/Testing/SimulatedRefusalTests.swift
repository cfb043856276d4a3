@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

final class SimulatedRefusalTests: LimitedTestCase {
    private let both: [SimulatedProvider] = [.google, .gitHub]

    func testNoByteOfATokenCanBeChanged() {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for provider in both {
            let token = Array(provider.token(for: .ann, at: simulatedNow).utf8)
            var generator = SeededGenerator(seed: 7)
            for position in token.indices {
                var changed = token
                // Every other character of the alphabet is a possible forgery; one at each position is enough.
                changed[position] = alphabet.filter { $0 != token[position] }.randomElement(using: &generator) ?? 0
                let text = String(decoding: changed, as: UTF8.self)
                let refusal = provider.refusal(of: provider.credential(carrying: text))
                XCTAssertTrue(
                    refusal == .wrongSignature || refusal == .malformed,
                    "\(provider.provider) \(position): \(String(describing: refusal))"
                )
            }
        }
    }

    func testNothingCanBeCutOffAddedOrSwapped() {
        for provider in both {
            let token = provider.token(for: .ann, at: simulatedNow)
            for length in 0..<token.utf8.count {
                let cut = provider.credential(carrying: String(token.prefix(length)))
                XCTAssertNotNil(provider.refusal(of: cut), "\(provider.provider) \(length)")
            }
            for addition in ["A", "AAAA", "=", " ", "\n", "\u{0}", "."] {
                for text in [token + addition, addition + token] {
                    let refusal = provider.refusal(of: provider.credential(carrying: text))
                    XCTAssertTrue(refusal == .malformed || refusal == .wrongSignature, addition.debugDescription)
                }
            }
        }
    }

    func testAPayloadCannotBorrowTheSignatureOfAnother() {
        let google = SimulatedProvider.google
        let ann = google.token(for: .ann, at: simulatedNow).split(separator: ".")
        let eve = google.token(for: .eve, at: simulatedNow).split(separator: ".")
        let forged = [eve[0], ann[1], eve[2]].joined(separator: ".")
        XCTAssertEqual(google.refusal(of: google.credential(carrying: forged)), .wrongSignature)
    }

    func testATokenThatCallsItselfUnsignedIsRefused() {
        let google = SimulatedProvider.google
        let parts = google.token(for: .ann, at: simulatedNow).split(separator: ".")
        let header = Base64URL.encode(Array(#"{"alg":"none","kid":"google.com#1","typ":"JWT"}"#.utf8))
        let forged = [Substring(header), parts[1], parts[2]].joined(separator: ".")
        XCTAssertEqual(google.refusal(of: google.credential(carrying: forged)), .wrongSignature)
        let unsigned = header + "." + parts[1] + "."
        XCTAssertEqual(google.refusal(of: google.credential(carrying: unsigned)), .malformed)
    }

    func testATokenLivesAsLongAsItSaysAndAMinute() {
        for provider in both {
            let credential = provider.credential(for: .ann, saying: SimulatedToken(lifetime: 600), at: simulatedNow)
            XCTAssertNil(provider.refusal(of: credential, at: simulatedNow.addingTimeInterval(600)))
            XCTAssertNil(provider.refusal(of: credential, at: simulatedNow.addingTimeInterval(659)))
            XCTAssertEqual(provider.refusal(of: credential, at: simulatedNow.addingTimeInterval(660)), .expired)
            XCTAssertEqual(provider.refusal(of: credential, at: .distantFuture), .expired)
        }
    }

    func testATokenFromTheFutureIsRefused() {
        for provider in both {
            let credential = provider.credential(for: .ann, at: simulatedNow)
            XCTAssertNil(provider.refusal(of: credential, at: simulatedNow.addingTimeInterval(-60)))
            XCTAssertEqual(
                provider.refusal(of: credential, at: simulatedNow.addingTimeInterval(-61)),
                VerificationFailure(.notYetValid)
            )
            XCTAssertEqual(provider.refusal(of: credential, at: .distantPast), VerificationFailure(.notYetValid))
        }
    }

    func testATimeThatIsNoTimeRefuses() {
        let google = SimulatedProvider.google
        let nowhere = Date(timeIntervalSince1970: .nan)
        XCTAssertEqual(google.refusal(of: google.credential(for: .ann, at: simulatedNow), at: nowhere), .expired)
        XCTAssertEqual(google.refusal(of: google.credential(for: .ann, at: nowhere)), .expired)
    }

    func testAnyLifetimeCanBeAskedFor() {
        let google = SimulatedProvider.google
        for (lifetime, expected) in [
            (Double.infinity, nil), (-.infinity, VerificationFailure.expired), (.nan, .expired),
        ] {
            let content = SimulatedToken(lifetime: lifetime)
            let credential = google.credential(for: .ann, saying: content, at: simulatedNow)
            XCTAssertEqual(google.refusal(of: credential), expected, "\(lifetime)")
        }
    }

    func testATokenForAnotherAppIsRefused() {
        for provider in both {
            let content = SimulatedToken(audience: "another-app")
            let credential = provider.credential(for: .ann, saying: content, at: simulatedNow)
            XCTAssertEqual(provider.refusal(of: credential), .wrongAudience)
            var other = provider
            other.audience = "another-app"
            XCTAssertNil(other.refusal(of: credential))
            XCTAssertEqual(other.refusal(of: provider.credential(for: .ann, at: simulatedNow)), .wrongAudience)
        }
    }

    func testOneOfSeveralAudiencesIsEnough() {
        let google = SimulatedProvider.google
        let content = SimulatedToken(claims: ["aud": ["another-app", .string(SimulatedProvider.audience)]])
        XCTAssertNil(google.refusal(of: google.credential(for: .ann, saying: content, at: simulatedNow)))
        let foreign = SimulatedToken(claims: ["aud": ["another-app"]])
        XCTAssertEqual(
            google.refusal(of: google.credential(for: .ann, saying: foreign, at: simulatedNow)),
            .wrongAudience
        )
    }

    func testTheTokenOfOneProviderIsWorthNothingAtAnother() {
        let providers: [SimulatedProvider] = [
            .google, .apple, .facebook, .gitHub, .twitter, .microsoft, .generic("oidc.one"), .generic("oidc.two"),
        ]
        for minting in providers {
            let token = minting.token(for: .ann, at: simulatedNow)
            for checking in providers where checking.provider != minting.provider {
                let expected = minting.form == checking.form ? VerificationFailure.wrongSignature : .malformed
                let refusal = checking.refusal(of: checking.credential(carrying: token))
                XCTAssertEqual(refusal, expected, "\(minting.provider) at \(checking.provider)")
                let credential = minting.credential(for: .ann, at: simulatedNow)
                XCTAssertEqual(checking.refusal(of: credential), .wrongIssuer)
            }
        }
    }

    func testAnotherKeyIsRefused() {
        for provider in both {
            let impostor = SimulatedProvider(provider.provider, seed: 2)
            let credential = impostor.credential(for: .ann, at: simulatedNow)
            XCTAssertEqual(provider.refusal(of: credential), .wrongSignature)
            XCTAssertNil(impostor.refusal(of: credential))
        }
    }

    func testAnotherIssuerIsRefusedThoughTheKeyIsRight() {
        for issuer in ["https://accounts.google.com/", "accounts.google.com", "https://appleid.apple.com", ""] {
            let google = SimulatedProvider.google
            let content = SimulatedToken(claims: ["iss": .string(issuer)])
            let credential = google.credential(for: .ann, saying: content, at: simulatedNow)
            XCTAssertEqual(google.refusal(of: credential), .wrongIssuer, issuer)
        }
    }

    func testTheNonceMustBeTheOneThatTheTokenNames() {
        for provider in both {
            let bound = provider.token(for: .ann, saying: SimulatedToken(nonce: "right"), at: simulatedNow)
            let free = provider.token(for: .ann, at: simulatedNow)
            func refusal(_ token: String, _ nonce: String?) -> VerificationFailure? {
                provider.refusal(of: provider.credential(carrying: token, nonce: nonce))
            }
            XCTAssertNil(refusal(bound, "right"))
            XCTAssertNil(refusal(free, nil))
            XCTAssertEqual(refusal(bound, "wrong"), .wrongNonce)
            XCTAssertEqual(refusal(bound, ""), .wrongNonce)
            XCTAssertEqual(refusal(bound, nil), .wrongNonce)
            XCTAssertEqual(refusal(free, "needless"), .wrongNonce)
            XCTAssertEqual(refusal(bound, String(repeating: "n", count: 10_000_000)), .wrongNonce)
        }
    }

    func testSignedClaimsOfTheWrongFormAreRefused() {
        let cases: [String: ClaimValue] = [
            "iss": 1, "sub": 42, "aud": ["simulated-app", 1], "iat": "now", "exp": "later", "nonce": true,
        ]
        let google = SimulatedProvider.google
        for (name, value) in cases {
            for value in [value, .null, .object([:])] {
                let content = SimulatedToken(claims: [name: value])
                let credential = google.credential(for: .ann, saying: content, at: simulatedNow)
                XCTAssertEqual(google.refusal(of: credential), .malformed, "\(name): \(value)")
            }
        }
        let nobody = google.credential(for: .ann, saying: SimulatedToken(subject: ""), at: simulatedNow)
        XCTAssertEqual(google.refusal(of: nobody), .malformed)
    }

    func testATokenThatStatesOneOfItsTimesIsNotIssuedWhenItIsVerified() {
        let google = SimulatedProvider.google
        for name in ["iat", "exp"] {
            let content = SimulatedToken(claims: [name: .integer(Int64(simulatedNow.timeIntervalSince1970))])
            let credential = google.credential(for: .ann, saying: content)
            XCTAssertEqual(google.refusal(of: credential), .malformed, "a token whose only time is \(name)")
        }
    }

    func testAVerifiedFlagThatIsNoBooleanCountsForNothing() throws {
        for value: ClaimValue in ["true", 1, .null, [true]] {
            let google = SimulatedProvider.google
            let content = SimulatedToken(claims: ["email_verified": value])
            let credential = google.credential(for: .ann, saying: content, at: simulatedNow)
            XCTAssertNil(try google.outcome(of: credential).get().isEmailVerified, "\(value)")
        }
    }

    func testANonceHasAtMost1024Bytes() {
        for provider in both {
            for (count, wanted) in [(1024, VerificationFailure.Kind?.none), (1025, .wrongNonce)] {
                let nonce = String(repeating: "n", count: count)
                let token = provider.token(for: .ann, saying: SimulatedToken(nonce: nonce), at: simulatedNow)
                let refusal = provider.refusal(of: provider.credential(carrying: token, nonce: nonce))
                XCTAssertEqual(refusal?.kind, wanted, "\(provider.provider): a nonce of \(count) bytes")
            }
        }
    }
}

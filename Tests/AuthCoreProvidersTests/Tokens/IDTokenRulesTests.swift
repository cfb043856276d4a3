import AuthCore
import AuthCoreCrypto
import XCTest

@testable import AuthCoreProviders

/// What an ID token must say, beyond its signature and its issuer.
final class IDTokenRulesTests: LimitedTestCase {
    private static let rules = IDTokenRules(clientIDs: ["my-app", "my-other-app"])

    private func refusal(
        _ more: [String: ClaimValue?],
        nonce: Secret? = nil,
        accessToken: Secret? = nil,
        by rules: IDTokenRules = rules
    ) -> VerificationFailure? {
        var credential = AuthCredential.Federated(provider: "oidc.example")
        (credential.nonce, credential.accessToken) = (nonce, accessToken)
        let claims = IDTokenClaims(fields: .object(TestProvider().claims(more)))
        do throws(VerificationFailure) {
            try rules.check(claims, credential, .rs256, at: testTime)
            return nil
        } catch {
            return error
        }
    }

    func testEveryClaimThatIsWrongHasItsOwnFailure() {
        let cases: [(String, [String: ClaimValue?], VerificationFailure.Kind, mention: String)] = [
            ("another app", ["aud": "other"], .wrongAudience, "my-app"),
            ("no audience", ["aud": nil], .wrongAudience, "aud"),
            ("an empty list", ["aud": []], .wrongAudience, "aud"),
            ("an app more", ["aud": ["my-app", "other"], "azp": "my-app"], .wrongAudience, "aud"),
            ("a list with a number", ["aud": ["my-app", 7]], .malformed, "aud"),
            ("two without azp", ["aud": ["my-app", "my-other-app"]], .wrongAuthorizedParty, "azp"),
            ("another party", ["azp": "other"], .wrongAuthorizedParty, "azp"),
            ("a party that is no text", ["azp": 7], .wrongAuthorizedParty, "azp"),
            ("no subject", ["sub": nil], .wrongSubject, "sub"),
            ("an empty subject", ["sub": ""], .wrongSubject, "sub"),
            ("a number as subject", ["sub": 7], .wrongSubject, "sub"),
            ("a long subject", ["sub": .string(String(repeating: "a", count: 256))], .wrongSubject, "sub"),
            ("expired", ["exp": 1_799_999_949], .expired, "exp"),
            ("expired just now", ["exp": 1_799_999_950], .expired, "exp"),
            ("an expiry in milliseconds", ["exp": 100_000_000_000], .malformed, "exp"),
            (
                "more audiences than there are apps",
                ["aud": .array(Array(repeating: "my-app", count: 101)), "azp": "my-app"], .malformed, "aud"
            ),
            ("no expiry", ["exp": nil], .malformed, "exp"),
            ("an expiry as text", ["exp": "1800003600"], .malformed, "exp"),
            ("an endless expiry", ["exp": 1e300], .malformed, "exp"),
            ("no time of issue", ["iat": nil], .malformed, "iat"),
            ("issued later", ["iat": 1_800_000_071], .notYetValid, "iat"),
            ("valid later", ["nbf": 1_800_000_071], .notYetValid, "nbf"),
            ("authenticated later", ["auth_time": 1_800_000_071], .notYetValid, "auth_time"),
            (
                "a logout token", ["events": ["http://schemas.openid.net/event/backchannel-logout": [:]]], .malformed,
                "logout"
            ),
        ]
        for (what, change, kind, mention) in cases {
            let failure = refusal(change)
            XCTAssertEqual(failure?.kind, kind, what)
            XCTAssertEqual(failure?.detail?.contains(mention), true, "\(what): \(failure?.detail ?? "accepted")")
        }
    }

    func testWithoutASettingClocksMayDifferByAMinute() {
        for change: [String: ClaimValue?] in [
            ["exp": 1_799_999_951], ["iat": 1_800_000_070], ["nbf": 1_800_000_070],
            ["auth_time": 1_800_000_070],
            ["exp": 1_800_000_000.5, "nbf": 1.8e9],
        ] {
            XCTAssertNil(refusal(change), "\(change)")
        }
    }

    func testListsTimesAndSubjectsAreReadUpToTheirLimits() {
        for (what, change): (String, [String: ClaimValue?]) in [
            ("a subject of 255 bytes", ["sub": .string(String(repeating: "a", count: 255))]),
            ("a list of a hundred", ["aud": .array(Array(repeating: "my-app", count: 100)), "azp": "my-app"]),
            ("the last second that is no time in milliseconds", ["exp": 99_999_999_999]),
            ("times that are null", ["nbf": .null, "auth_time": .null]),
            ("a nonce that is null", ["nonce": .null]),
            ("another event than a logout", ["events": ["https://events.example/login": [:]]]),
        ] {
            XCTAssertNil(refusal(change), what)
        }
    }

    func testOneOfSeveralAppsAndPartiesIsEnough() {
        for change: [String: ClaimValue?] in [
            ["aud": ["my-app"]], ["aud": "my-other-app"], ["aud": ["my-app", "my-other-app"], "azp": "my-other-app"],
            ["azp": "my-other-app"], ["azp": .null],
        ] {
            XCTAssertNil(refusal(change), "\(change)")
        }
    }

    /// The names are equal to Swift, and different clients to a provider.
    func testAClientIDThatOnlyLooksTheSameIsThatOfAnotherApp() {
        let rules = IDTokenRules(clientIDs: ["caf\u{e9}"])
        XCTAssertNil(refusal(["aud": "caf\u{e9}", "azp": "caf\u{e9}"], by: rules), "the app itself")
        let audience = refusal(["aud": "cafe\u{301}"], by: rules)
        XCTAssertEqual(audience?.kind, .wrongAudience, "the audience in other characters")
        let party = refusal(["aud": "caf\u{e9}", "azp": "cafe\u{301}"], by: rules)
        XCTAssertEqual(party?.kind, .wrongAuthorizedParty, "the authorized party in other characters")
    }

    func testTheNonceIsPlainOrHashed() {
        // SHA-256 of "n-0S6_WzA2Mj" in hexadecimal digits.
        let hashed = String(decoding: hexadecimal(SHA256.hash(Array("n-0S6_WzA2Mj".utf8))), as: UTF8.self)
        let longest = String(repeating: "a", count: 1024)
        for (claim, presented) in [
            ("n-0S6_WzA2Mj", "n-0S6_WzA2Mj"), (hashed, "n-0S6_WzA2Mj"), (longest, longest),
        ] {
            XCTAssertNil(refusal(["nonce": .string(claim)], nonce: Secret(presented)), "\(claim) for \(presented)")
        }
        let cases: [(ClaimValue?, String?)] = [
            ("other", "n-0S6_WzA2Mj"), (nil, "n-0S6_WzA2Mj"), ("n-0S6_WzA2Mj", nil), ("", ""), (.null, "n"), (7, "7"),
            (.string(hashed.uppercased()), "n-0S6_WzA2Mj"), (.string(hashed), .some(hashed.uppercased())),
            ("", nil), (.string(longest + "a"), longest + "a"),
        ]
        for (claim, presented) in cases {
            let failure = refusal(["nonce": claim], nonce: presented.map { Secret($0) })
            XCTAssertEqual(failure?.kind, .wrongNonce, "\(String(describing: claim)), \(presented ?? "nothing")")
        }
    }

    func testAnAppMaySayThatItDoesNotKnowTheNonce() {
        var lenient = Self.rules
        lenient.acceptsUnknownNonce = true
        XCTAssertNil(refusal(["nonce": "unknown"], by: lenient), "a nonce that the app does not know")
        let wrong = refusal(["nonce": "unknown"], nonce: "other", by: lenient)
        XCTAssertEqual(wrong?.kind, .wrongNonce, "a nonce that is presented must match all the same")
    }

    func testOnlyTheClaimOfAnAccessTokenThatIsThereIsCompared() {
        for claim: ClaimValue in ["AAAA", "", 7] {
            let failure = refusal(["at_hash": claim], accessToken: "another")
            XCTAssertEqual(failure?.kind, .wrongAccessToken, "\(claim)")
        }
        XCTAssertNil(refusal([:], accessToken: "anything"), "a token without the claim says nothing")
        XCTAssertNil(refusal(["at_hash": .null], accessToken: "another"), "a claim that is null says nothing")
        XCTAssertNil(refusal(["at_hash": "AAAA"]), "no access token")
        XCTAssertNil(refusal(["at_hash": "AAAA"], accessToken: ""), "an empty access token is none")
    }
}

#if OpenSSL
import AuthCoreCrypto
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What an ID token must say, and what of it reaches the policy.
final class OIDCVerifierTests: LimitedTestCase {
    private let provider = TestProvider()

    private func refusal(_ more: [String: ClaimValue?], nonce: String? = nil) async -> VerificationFailure? {
        await provider.verifier.refusal(of: provider.credential(more, nonce: nonce))
    }

    func testAnIDTokenSaysWhoThePersonIs() async throws {
        let assertion = try await provider.verifier.verify(
            provider.credential([
                "email": "ann@example.com", "email_verified": "true", "name": "Ann Archer", "preferred_username": "ann",
                "picture": "https://example.com/ann.jpg", "hd": "example.com", "acr": "urn:2", "amr": ["pwd", "otp"],
                "auth_time": 1_799_999_990, "is_private_email": "true", "xms_edov": 1, "groups": ["staff"],
            ])
        )
        XCTAssertEqual(assertion.provider, "oidc.example")
        XCTAssertEqual(assertion.issuer, TestProvider.issuer)
        XCTAssertEqual(assertion.subject, "248289761001")
        XCTAssertEqual(assertion.email, "ann@example.com")
        XCTAssertEqual(assertion.isEmailVerified, true)
        XCTAssertEqual(assertion.displayName, "Ann Archer")
        XCTAssertEqual(assertion.username, "ann")
        XCTAssertEqual(assertion.photoURL, "https://example.com/ann.jpg")
        XCTAssertEqual(assertion.hostedDomain, "example.com")
        XCTAssertEqual(assertion.authenticationContext, "urn:2")
        XCTAssertEqual(assertion.authenticationMethods, ["pwd", "otp"])
        XCTAssertEqual(assertion.authenticatedAt, Date(timeIntervalSince1970: 1_799_999_990))
        XCTAssertEqual(assertion.claims["is_private_email"], true, "the policy reads Booleans")
        XCTAssertEqual(assertion.claims["xms_edov"], true, "the policy reads Booleans")
        XCTAssertEqual(assertion.claims["groups"], ["staff"], "an app can read every claim")
        XCTAssertNil(assertion.singleUse, "a token without a nonce can be presented again")
    }

    func testAnAddressIsVerifiedOnlyIfTheProviderSaysSo() async throws {
        let cases: [(ClaimValue?, Bool?)] = [
            (true, true), ("true", true), (false, false), ("false", false), (nil, nil), (.null, nil), ("yes", nil),
            (["true"], nil),
        ]
        for (claim, expected) in cases {
            let credential = provider.credential(["email": "ann@example.com", "email_verified": claim])
            let assertion = try await provider.verifier.verify(credential)
            XCTAssertEqual(assertion.isEmailVerified, expected, "\(String(describing: claim))")
        }
        let without = try await provider.verifier.verify(provider.credential(["email_verified": true]))
        XCTAssertNil(without.isEmailVerified, "there is no address that could be verified")
        let empty = try await provider.verifier.verify(provider.credential(["email": "", "email_verified": true]))
        XCTAssertNil(empty.email, "an empty text is no address")
        XCTAssertNil(empty.isEmailVerified, "an empty text is no address")
    }

    func testEveryClaimThatIsWrongHasItsOwnFailure() async {
        let cases: [(String, [String: ClaimValue?], VerificationFailure.Kind, mention: String)] = [
            ("another issuer", ["iss": "https://evil.example"], .wrongIssuer, "iss"),
            ("a slash more", ["iss": "https://login.example.com/"], .wrongIssuer, "iss"),
            ("no issuer", ["iss": nil], .wrongIssuer, "iss"),
            ("an issuer that is no text", ["iss": ["https://login.example.com"]], .wrongIssuer, "iss"),
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
            ("methods that are no texts", ["amr": [1]], .malformed, "amr"),
            (
                "a logout token", ["events": ["http://schemas.openid.net/event/backchannel-logout": [:]]], .malformed,
                "logout"
            ),
        ]
        for (what, change, kind, mention) in cases {
            let failure = await refusal(change)
            XCTAssertEqual(failure?.kind, kind, what)
            XCTAssertEqual(failure?.detail?.contains(mention), true, "\(what): \(failure?.detail ?? "accepted")")
        }
    }

    func testClocksMayDifferByAMinute() async {
        for change: [String: ClaimValue?] in [
            ["exp": 1_799_999_951], ["iat": 1_800_000_070], ["nbf": 1_800_000_070],
            ["auth_time": 1_800_000_070],
            ["exp": 1_800_000_000.5, "nbf": 1.8e9],
        ] {
            let failure = await refusal(change)
            XCTAssertNil(failure, "\(change)")
        }
    }

    func testAnAppSetsHowFarClocksMayDiffer() async {
        var verifier = provider.verifier
        verifier.clockSkew = .seconds(5)
        let late = await verifier.refusal(of: provider.credential(["exp": 1_800_000_005]))
        XCTAssertEqual(late?.kind, .expired, "five seconds after its end")
        let early = await verifier.refusal(of: provider.credential(["iat": 1_800_000_016]))
        XCTAssertEqual(early?.kind, .notYetValid, "six seconds before it was issued")
        let close = await verifier.refusal(of: provider.credential(["exp": 1_800_000_006, "iat": 1_800_000_015]))
        XCTAssertNil(close, "within five seconds")
    }

    func testListsTimesAndSubjectsAreReadUpToTheirLimits() async {
        for (what, change): (String, [String: ClaimValue?]) in [
            ("a subject of 255 bytes", ["sub": .string(String(repeating: "a", count: 255))]),
            ("a list of a hundred", ["aud": .array(Array(repeating: "my-app", count: 100)), "azp": "my-app"]),
            ("the last second that is no time in milliseconds", ["exp": 99_999_999_999]),
            ("times and methods that are null", ["nbf": .null, "auth_time": .null, "amr": .null]),
            ("a nonce that is null", ["nonce": .null]),
        ] {
            let failure = await refusal(change)
            XCTAssertNil(failure, what)
        }
    }

    func testAnAppSetsHowLongKeysServeThroughAnOutage() async throws {
        var verifier = provider.verifier
        verifier.outageTolerance = .seconds(7200)
        _ = try await verifier.verify(provider.credential())
        provider.transport.goDown()
        let within = await verifier.refusal(of: provider.credential(["exp": 1_800_014_000]), after: 10_800)
        XCTAssertNil(within, "two hours after the hour that keys are kept")
        let beyond = await verifier.refusal(of: provider.credential(["exp": 1_800_014_000]), after: 10_801)
        XCTAssertEqual(beyond?.kind, .unreachable, "a second later")
    }

    func testOneOfSeveralAppsAndPartiesIsEnough() async {
        for change: [String: ClaimValue?] in [
            ["aud": ["my-app"]], ["aud": "my-other-app"], ["aud": ["my-app", "my-other-app"], "azp": "my-other-app"],
            ["azp": "my-other-app"], ["azp": .null],
        ] {
            let failure = await refusal(change)
            XCTAssertNil(failure, "\(change)")
        }
    }

    func testTheNonceIsPlainOrHashed() async throws {
        // SHA-256 of "n-0S6_WzA2Mj" in hexadecimal digits.
        let hashed = String(decoding: hexadecimal(SHA256.hash(Array("n-0S6_WzA2Mj".utf8))), as: UTF8.self)
        for claim in ["n-0S6_WzA2Mj", hashed] {
            let credential = provider.credential(["nonce": .string(claim)], nonce: "n-0S6_WzA2Mj")
            let assertion = try await provider.verifier.verify(credential)
            XCTAssertEqual(assertion.singleUse?.id, claim, "the nonce can be presented once")
            XCTAssertEqual(assertion.singleUse?.expiresAt, Date(timeIntervalSince1970: 1_800_003_660))
        }
        let longest = String(repeating: "a", count: 1024)
        let accepted = await refusal(["nonce": .string(longest)], nonce: longest)
        XCTAssertNil(accepted, "the longest nonce")
        let cases: [(ClaimValue?, String?)] = [
            ("other", "n-0S6_WzA2Mj"), (nil, "n-0S6_WzA2Mj"), ("n-0S6_WzA2Mj", nil), ("", ""), (.null, "n"), (7, "7"),
            (.string(hashed.uppercased()), "n-0S6_WzA2Mj"), (.string(hashed), .some(hashed.uppercased())),
            ("", nil), (.string(String(repeating: "a", count: 1025)), String(repeating: "a", count: 1025)),
        ]
        for (claim, presented) in cases {
            let failure = await refusal(["nonce": claim], nonce: presented)
            XCTAssertEqual(failure?.kind, .wrongNonce, "\(String(describing: claim)), \(presented ?? "nothing")")
        }
        var lenient = provider.verifier
        lenient.acceptsUnknownNonce = true
        let failure = await lenient.refusal(of: provider.credential(["nonce": "unknown"]))
        XCTAssertNil(failure, "an app may say that it does not know the nonce")
        let wrong = await lenient.refusal(of: provider.credential(["nonce": "unknown"], nonce: "other"))
        XCTAssertEqual(wrong?.kind, .wrongNonce, "a nonce that is presented must match all the same")
    }

    func testTheAccessTokenBesideItBelongsToTheIDToken() async {
        // The first is of OpenID Connect Core 1.0, appendix A.3; the others are of the same access token.
        let hashes: [(Signer, String)] = [
            (Signer(), "77QmUPtjPfzWtF2AnpK9RQ"),
            (Signer(key: .p384, algorithm: .es384), "jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs"),
            (Signer(key: .ed25519, algorithm: .edDSA), "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM"),
        ]
        for (signer, hash) in hashes {
            let fresh = TestProvider()
            fresh.publish(keys: [signer.webKey])
            func refusal(_ claim: ClaimValue?, _ accessToken: String?) async -> VerificationFailure? {
                let idToken = signer.token(fresh.claims(["at_hash": claim]))
                return await fresh.verifier.refusal(
                    of: .oauth("oidc.example", idToken: idToken, accessToken: accessToken)
                )
            }
            let own = await refusal(.string(hash), "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
            XCTAssertNil(own, "\(signer.algorithm)")
            let missing = await refusal(nil, "anything")
            XCTAssertNil(missing, "a token without the claim says nothing about the access token")
            let alone = await refusal(.string(hash), nil)
            XCTAssertNil(alone)
            let empty = await refusal(.string(hash), "")
            XCTAssertNil(empty, "an empty access token is none")
            let other = await refusal(.string(hash), "another")
            XCTAssertEqual(other?.kind, .wrongAccessToken)
            let null = await refusal(.null, "another")
            XCTAssertNil(null, "a claim that is null says nothing")
            let number = await refusal(7, "another")
            XCTAssertEqual(number?.kind, .wrongAccessToken)
        }
    }

    func testACredentialWithoutAnIDTokenIsRefused() async {
        for credential in [
            AuthCredential.oauth("oidc.example"), .oauth("oidc.example", idToken: ""),
            .oauth("oidc.example", accessToken: "a"),
        ] {
            let failure = await provider.verifier.refusal(of: credential)
            XCTAssertEqual(failure?.kind, .missingToken)
        }
        XCTAssertEqual(provider.transport.requests, [], "nothing is fetched for it")
    }

    func testAVerifierWithoutAClientIDAcceptsNothing() async {
        let verifier = OIDCVerifier(
            "oidc.example",
            issuer: TestProvider.issuer,
            clientIDs: [],
            transport: provider.transport
        )
        let failure = await verifier.refusal(of: provider.credential())
        XCTAssertEqual(failure?.kind, .misconfigured)
        var code = AuthCredential.Federated(provider: "oidc.example")
        code.authorizationCode = "c0de"
        let exchange = await verifier.refusal(of: .federated(code))
        XCTAssertEqual(exchange?.kind, .misconfigured)
        do {
            let page = try await verifier.authorizationPage(at: testTime)
            XCTFail("a person would be sent to \(page)")
        } catch {
            XCTAssertEqual((error as? VerificationFailure)?.kind, .misconfigured, "\(error)")
        }
        XCTAssertEqual(provider.transport.requests, [], "nothing is asked")
    }

    func testAPinnedDomainIsTheProvidersAndNoOther() async throws {
        for (domains, email, flag, isVerified) in [
            (["example.com"], "ann@example.com", true, true), (["Example.COM"], "ann@EXAMPLE.com", true, true),
            (["example.com"], "ann@example.com", false, false), (["example.com"], "ann@sub.example.com", true, false),
            ([], "ann@example.com", true, false),
        ] as [(Set<String>, String, Bool, Bool)] {
            let verifier = OIDCVerifier(
                "oidc.example",
                issuer: TestProvider.issuer,
                clientIDs: ["my-app"],
                domains: domains,
                transport: provider.transport
            )
            let environment = AuthEnvironment(clock: { testTime })
            let auth = Auth(AuthConfiguration(providers: [verifier], environment: environment))
            let credential = provider.credential(["email": .string(email), "email_verified": .bool(flag)])
            let user = try await auth.signIn(with: credential).user
            XCTAssertEqual(user.isEmailVerified, isVerified, "\(email) with \(domains)")
        }
    }

    func testTheServiceRepeatsWhatWasExpected() async throws {
        let service = Auth(providers: [provider.verifier])
        do {
            try await service.signIn(with: provider.credential(["iss": "https://evil.example"]))
            XCTFail("signed in with another issuer's token")
        } catch {
            XCTAssertEqual(error.code, .invalidCredential)
            XCTAssertTrue(error.message.contains("The claim iss must be https://login.example.com."), error.message)
            XCTAssertEqual((error.cause as? VerificationFailure)?.kind, .wrongIssuer)
        }
        provider.transport.goDown()
        do {
            try await Auth(providers: [provider.verifier]).signIn(with: provider.credential())
            XCTFail("signed in although the provider is down")
        } catch {
            XCTAssertEqual(error.code, .networkError)
            XCTAssertTrue(error.message.contains("Try again in 30 seconds."), error.message)
            XCTAssertEqual((error.cause as? VerificationFailure)?.retryAfter, .seconds(30))
        }
    }
}
#endif

#if OpenSSL
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What an app sets of a verifier, and what it learns from one.
final class OIDCVerifierTests: LimitedTestCase {
    private let provider = TestProvider()

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

    func testAnAppSetsWhetherItKnowsTheNonce() async {
        let unknown = provider.credential(["nonce": "unknown"])
        let refused = await provider.verifier.refusal(of: unknown)
        XCTAssertEqual(refused?.kind, .wrongNonce, "a nonce that the app does not present")
        var lenient = provider.verifier
        lenient.acceptsUnknownNonce = true
        let accepted = await lenient.refusal(of: unknown)
        XCTAssertNil(accepted, "an app may say that it does not know the nonce")
    }

    func testTheAccessTokenBesideItBelongsToTheIDToken() async {
        // The first is of OpenID Connect Core 1.0, appendix A.3; the others are of the same access token.
        let hashes: [(Signer, String)] = [
            (Signer(), "77QmUPtjPfzWtF2AnpK9RQ"),
            (Signer(key: .p384, algorithm: .es384), "jtAeDp945y1dDqU3nkIVGNZP1HjH_MFs"),
            (Signer(key: .ed25519, algorithm: .edDSA), "q7nS86GgvvFaZkzALLWqJYaJIKw2wCDAVfCAsm5CrBM"),
        ]
        for (signer, hash) in hashes {
            provider.publish(keys: [signer.webKey])
            let verifier = provider.verifier
            let idToken = signer.token(provider.claims(["at_hash": .string(hash)]))
            let own = await verifier.refusal(
                of: .oauth(
                    "oidc.example",
                    idToken: idToken,
                    accessToken: "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
                )
            )
            XCTAssertNil(own, "\(signer.algorithm)")
            let other = await verifier.refusal(of: .oauth("oidc.example", idToken: idToken, accessToken: "another"))
            XCTAssertEqual(other?.kind, .wrongAccessToken, "another access token, by \(signer.algorithm)")
        }
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

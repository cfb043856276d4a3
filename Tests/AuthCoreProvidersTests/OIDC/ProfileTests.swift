import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What the user endpoint of an OpenID provider adds to its ID token.
final class ProfileTests: LimitedTestCase {
    private let own: [String: ClaimValue] = ["sub": "ann", "locale": "en"]

    private func completed(
        _ more: [String: ClaimValue],
        with profile: [String: ClaimValue]
    ) throws -> IDTokenClaims {
        try IDTokenClaims(fields: .object(own.merging(more) { _, new in new })).completed(with: profile)
    }

    func testTheUserEndpointSaysNothingThatOnlyASignedTokenMaySay() throws {
        var profile: [String: ClaimValue] = ["sub": "ann", "locale": "de", "department": "7"]
        for name in [
            "iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "acr", "amr", "auth_time", "tid", "hd",
            "xms_edov",
        ] {
            profile[name] = 1
        }
        let claims = try completed([:], with: profile)
        XCTAssertEqual(claims.fields, ["sub": "ann", "locale": "en", "department": "7"])
    }

    func testTheUserEndpointCannotVerifyTheAddressOfTheToken() throws {
        let profile: [String: ClaimValue] = ["sub": "ann", "email": "eve@example.com", "email_verified": true]
        let address = try completed(["email": "ann@example.com"], with: profile)
        XCTAssertEqual(address.text("email"), "ann@example.com", "the address of the token")
        XCTAssertNil(address.flag("email_verified"), "the endpoint's word for the address of the token")
        for claim in ["email_verified", "xms_edov"] {
            let claims = try completed([claim: true], with: profile)
            XCTAssertNil(claims.text("email"), "the token's \(claim) is about no address of the endpoint")
        }
    }

    func testAClaimThatIsNullIsLeftToTheUserEndpoint() throws {
        let claims = try completed(
            ["name": .null, "email": .null],
            with: ["sub": "ann", "name": "Ann Archer", "email": "ann@example.com", "email_verified": true]
        )
        XCTAssertEqual(claims.text("name"), "Ann Archer", "the name")
        XCTAssertEqual(claims.text("email"), "ann@example.com", "the address")
        XCTAssertEqual(claims.flag("email_verified"), true, "the endpoint's word about its address")
    }

    func testTheUserEndpointSpeaksOfTheSamePerson() throws {
        // The last one is equal to Swift, and another person to a provider.
        for (subject, named) in [
            ("ann", ["sub": "eve"]), ("ann", ["name": "Ann"]), ("ann", ["sub": 7]), ("\u{e9}", ["sub": "e\u{301}"]),
        ] as [(String, [String: ClaimValue])] {
            XCTAssertThrowsError(try completed(["sub": .string(subject)], with: named), "\(named)") {
                XCTAssertEqual(($0 as? VerificationFailure)?.kind, .wrongSubject, "\(named)")
            }
        }
        XCTAssertEqual(try completed([:], with: [:]).fields, .object(own), "a provider that says nothing")
    }

    func testThePersonIsAskedForWithTheAccessToken() async throws {
        let provider = TestProvider()
        let endpoint = ClaimValue.string(TestProvider.issuer + "/me")
        let configuration = TestProvider.configuration(["userinfo_endpoint": endpoint])
        provider.transport.answer(TestProvider.configurationPath, configuration)
        provider.transport.answer("/me", ["sub": "ann"])
        let profile = try await provider.core().profile(for: "at", at: testTime)
        XCTAssertEqual(profile, ["sub": "ann"], "what the endpoint says")
        let request = try XCTUnwrap(provider.transport.requests.last)
        XCTAssertEqual(request.headers["authorization"], "Bearer at", "the token that the endpoint takes")
        XCTAssertEqual(request.headers["accept"], "application/json", "what the endpoint is asked for")
        let nothing = try await provider.core().profile(for: nil, at: testTime)
        XCTAssertEqual(nothing, [:], "no access token")
        for (answer, status, kind) in [
            ([], 200, .unreachable), (["sub": "ann"], 500, .unreachable), ("eyJ.e30.AA", 200, .unreachable),
            ([:], 401, .rejected), ([:], 403, .rejected), ([:], 408, .unreachable), ([:], 429, .unreachable),
        ] as [(ClaimValue, Int, VerificationFailure.Kind)] {
            provider.transport.answer("/me", answer, status: status)
            let failure = await verificationFailure { try await provider.core().profile(for: "at", at: testTime) }
            XCTAssertEqual(failure?.kind, kind, "\(answer) with the status \(status)")
        }
    }
}

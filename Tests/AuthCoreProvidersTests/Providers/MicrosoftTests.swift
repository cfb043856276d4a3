#if OpenSSL
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Microsoft's tenants: the issuer contains the tenant, and a key may be for one of them only.
final class MicrosoftTests: LimitedTestCase {
    private static let host = "https://login.microsoftonline.com/"
    private static let contoso = "1a111111-2222-3333-4444-5555555555bb"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private func issuer(_ tenant: String) -> String { Self.host + tenant + "/v2.0" }

    private func refusal(
        _ tenant: String,
        published: String? = nil,
        key: [String: ClaimValue] = [:],
        _ claims: [String: ClaimValue?]
    ) async -> VerificationFailure.Kind? {
        let transport = ScriptedTransport()
        transport.answer(
            "/\(tenant.lowercased())/v2.0/.well-known/openid-configuration",
            ["issuer": .string(published ?? issuer("{tenantid}")), "jwks_uri": .string(Self.host + "keys")]
        )
        transport.answer("/keys", ["keys": [Signer().webKey(key)]])
        let verifier: OIDCVerifier = .microsoft(tenant: tenant, clientIDs: ["my-app"], transport: transport)
        let token = Signer().token(TestProvider().claims(claims))
        return await verifier.refusal(of: .oauth(.microsoft, idToken: token))?.kind
    }

    private func claims(_ tenant: String) -> [String: ClaimValue?] {
        ["iss": .string(issuer(tenant)), "tid": .string(tenant)]
    }

    func testEveryTenantMaySignInWhereAllMay() async {
        for tenant in [Self.contoso, Self.personal] {
            let kind = await refusal("common", claims(tenant))
            XCTAssertNil(kind, tenant)
        }
    }

    func testIssuerAndTenantBelongTogether() async {
        let cases: [[String: ClaimValue?]] = [
            ["iss": .string(issuer(Self.contoso)), "tid": .string(Self.personal)],
            ["iss": .string(issuer("{tenantid}")), "tid": "{tenantid}"], ["iss": .string(issuer(Self.contoso))],
            ["iss": "https://evil.example/v2.0", "tid": .string(Self.contoso)],
            ["iss": .string(issuer("evil.example")), "tid": "evil.example"],
            ["iss": .string(issuer(Self.contoso.uppercased())), "tid": .string(Self.contoso)],
            ["iss": .string("https://sts.windows.net/\(Self.contoso)/"), "tid": .string(Self.contoso)],
            ["iss": .string(issuer("..")), "tid": ".."], ["iss": .string(issuer("1a11")), "tid": "1a11"],
            [
                "iss": .string(issuer("1a111111-2222-3333-4444-5555555555bg")),
                "tid": "1a111111-2222-3333-4444-5555555555bg",
            ],
        ]
        for claims in cases {
            let kind = await refusal("common", claims)
            XCTAssertEqual(kind, .wrongIssuer, "\(claims)")
        }
    }

    func testOneTenantIsOneTenant() async {
        var kind = await refusal(Self.contoso, published: issuer(Self.contoso), claims(Self.contoso))
        XCTAssertNil(kind)
        kind = await refusal(Self.contoso.uppercased(), published: issuer(Self.contoso), claims(Self.contoso))
        XCTAssertNil(kind, "the ID of the tenant in capitals")
        kind = await refusal(Self.contoso, published: issuer(Self.contoso), claims(Self.personal))
        XCTAssertEqual(kind, .wrongIssuer)
        kind = await refusal(Self.contoso, published: issuer(Self.personal), claims(Self.personal))
        XCTAssertEqual(kind, .unreachable, "the configuration is of another tenant")
        kind = await refusal("contoso.example", published: issuer(Self.contoso), claims(Self.contoso))
        XCTAssertNil(kind, "the configuration says which tenant has the domain")
        kind = await refusal("contoso.example", published: issuer(Self.contoso), claims(Self.personal))
        XCTAssertEqual(kind, .wrongIssuer)
        kind = await refusal("contoso.example", published: issuer("{tenantid}"), claims(Self.contoso))
        XCTAssertEqual(kind, .unreachable)
        kind = await refusal("consumers", published: issuer(Self.personal), claims(Self.personal))
        XCTAssertNil(kind)
        kind = await refusal("consumers", published: issuer(Self.personal), claims(Self.contoso))
        XCTAssertEqual(kind, .wrongIssuer)
    }

    func testTheIssuersAreOneTenantOrAllOfThem() {
        for (tenant, issuer) in [
            (Self.contoso, issuer(Self.contoso)), (Self.contoso.uppercased(), issuer(Self.contoso)),
            ("consumers", issuer(Self.personal)), ("common", issuer("{tenantid}")),
            ("organizations", issuer("{tenantid}")), ("contoso.example", issuer("{tenantid}")),
        ] {
            let verifier: OIDCVerifier = .microsoft(tenant: tenant, clientIDs: ["my-app"])
            XCTAssertEqual(verifier.issuers, [issuer], tenant)
        }
    }

    func testTheConfigurationOfADomainNamesOneTenantOfMicrosofts() {
        let tenant = MicrosoftTenant("contoso.example")
        XCTAssertTrue(tenant.accepts(published: issuer(Self.contoso)))
        for other in [
            "https://login.microsoftonline.xyz/\(Self.contoso)/v2.0", Self.host + Self.contoso + "/v1.0",
            Self.host + Self.contoso, issuer(Self.contoso.uppercased()), issuer("{tenantid}"), "",
        ] {
            XCTAssertFalse(tenant.accepts(published: other), other)
        }
    }

    func testTheNameOfATenantIsOnePartOfThePath() {
        XCTAssertEqual(MicrosoftTenant("a/../b?c").discoveryBase, issuer("a%2F..%2Fb%3Fc"))
    }

    /// The tenant of a person is not known before the ID token is.
    func testOnlyAVerifierOfOneTenantKnowsTheIssuerOfAnswers() async throws {
        for (tenant, published, name) in [
            ("common", issuer("{tenantid}"), nil), (Self.contoso, issuer(Self.contoso), issuer(Self.contoso)),
        ] {
            let transport = ScriptedTransport()
            transport.answer(
                "/\(tenant)/v2.0/.well-known/openid-configuration",
                ["issuer": .string(published), "jwks_uri": .string(Self.host + "keys")]
            )
            let verifier: OIDCVerifier = .microsoft(tenant: tenant, clientIDs: ["my-app"], transport: transport)
            let answer = try await verifier.answerIssuer(at: testTime)
            XCTAssertEqual(answer.name, name, tenant)
        }
    }

    func testOrganizationsAreNotPersonalAccounts() async {
        var kind = await refusal("organizations", claims(Self.contoso))
        XCTAssertNil(kind)
        kind = await refusal("organizations", claims(Self.personal))
        XCTAssertEqual(kind, .wrongIssuer)
    }

    func testAKeyOfOneIssuerSignsForNoOther() async {
        var kind = await refusal("common", key: ["issuer": .string(issuer("{tenantid}"))], claims(Self.contoso))
        XCTAssertNil(kind)
        kind = await refusal("common", key: ["issuer": .string(issuer(Self.personal))], claims(Self.personal))
        XCTAssertNil(kind)
        kind = await refusal("common", key: ["issuer": .string(issuer(Self.personal))], claims(Self.contoso))
        XCTAssertEqual(kind, .wrongKey)
    }
}
#endif

import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Microsoft's tenants: the issuer contains the tenant, and a key may be for one of them only.
final class MicrosoftTests: LimitedTestCase {
    private static let host = "https://login.microsoftonline.com/"
    private static let contoso = "1a111111-2222-3333-4444-5555555555bb"
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"

    private func issuer(_ tenant: String) -> String { Self.host + tenant + "/v2.0" }

    /// Why a token with these claims is refused, where the configuration names this issuer; nil if it is not.
    private func refusal(
        _ tenant: String,
        published: String? = nil,
        key: [String: ClaimValue] = [:],
        _ claims: [String: ClaimValue]
    ) throws -> VerificationFailure.Kind? {
        let (rule, key) = (IssuerRule.microsoft(MicrosoftTenant(tenant)), try JSONWebKey(TestKey.ed25519.webKey(key)))
        let claims = IDTokenClaims(fields: .object(claims))
        do throws(VerificationFailure) {
            let issuer = try rule.issuer(of: claims, published: published ?? issuer("{tenantid}"), signedBy: key)
            XCTAssertEqual(issuer, claims.text("iss"), "the issuer of the identity")
            return nil
        } catch {
            return error.kind
        }
    }

    private func claims(_ tenant: String) -> [String: ClaimValue] {
        ["iss": .string(issuer(tenant)), "tid": .string(tenant)]
    }

    func testEveryTenantMaySignInWhereAllMay() throws {
        for tenant in [Self.contoso, Self.personal] { XCTAssertNil(try refusal("common", claims(tenant)), tenant) }
    }

    func testIssuerAndTenantBelongTogether() throws {
        let cases: [[String: ClaimValue]] = [
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
        for claims in cases { XCTAssertEqual(try refusal("common", claims), .wrongIssuer, "\(claims)") }
    }

    func testOneTenantIsOneTenant() throws {
        for (name, tenant, other) in [
            (Self.contoso, Self.contoso, Self.personal), (Self.contoso.uppercased(), Self.contoso, Self.personal),
            ("contoso.example", Self.contoso, Self.personal), ("consumers", Self.personal, Self.contoso),
        ] {
            let published = issuer(tenant)
            XCTAssertTrue(MicrosoftTenant(name).accepts(published: published), "the configuration of \(name)")
            XCTAssertFalse(MicrosoftTenant(name).accepts(published: issuer("{tenantid}")), "one for all, of \(name)")
            XCTAssertNil(try refusal(name, published: published, claims(tenant)), "the tenant of \(name)")
            XCTAssertEqual(try refusal(name, published: published, claims(other)), .wrongIssuer, "another than \(name)")
        }
        let contoso = MicrosoftTenant(Self.contoso)
        XCTAssertFalse(contoso.accepts(published: issuer(Self.personal)), "the configuration of another tenant")
    }

    func testTheConfigurationForSeveralTenantsNamesNoneOfThem() {
        for name in ["common", "organizations"] {
            let tenant = MicrosoftTenant(name)
            XCTAssertTrue(tenant.accepts(published: issuer("{tenantid}")), name)
            XCTAssertFalse(tenant.accepts(published: issuer(Self.contoso)), "one tenant, of \(name)")
        }
    }

    func testTheIssuersAreOneTenantOrAllOfThem() {
        for (tenant, issuer) in [
            (Self.contoso, issuer(Self.contoso)), (Self.contoso.uppercased(), issuer(Self.contoso)),
            ("consumers", issuer(Self.personal)), ("common", issuer("{tenantid}")),
            ("organizations", issuer("{tenantid}")), ("contoso.example", issuer("{tenantid}")),
        ] {
            XCTAssertEqual(IssuerRule.microsoft(MicrosoftTenant(tenant)).issuers, [issuer], tenant)
            #if OpenSSL
            let verifier = OIDCVerifier.microsoft(tenant: tenant, clientIDs: ["my-app"])
            XCTAssertEqual(verifier.issuers, [issuer], "the verifier of \(tenant)")
            #endif
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
    func testOnlyWhereOneTenantMaySignInIsTheIssuerOfAnswersKnown() async throws {
        for (tenant, published, name) in [
            ("common", issuer("{tenantid}"), nil), (Self.contoso, issuer(Self.contoso), issuer(Self.contoso)),
        ] {
            let transport = ScriptedTransport()
            transport.answer(
                "/\(tenant)/v2.0/.well-known/openid-configuration",
                ["issuer": .string(published), "jwks_uri": .string(Self.host + "keys")]
            )
            let rule = IssuerRule.microsoft(MicrosoftTenant(tenant))
            let core = OIDCCore(.microsoft, rule, clientIDs: ["my-app"], transport: transport)
            let answer = try await core.answerIssuer(at: testTime)
            XCTAssertEqual(answer.name, name, tenant)
        }
    }

    func testOrganizationsAreNotPersonalAccounts() throws {
        XCTAssertNil(try refusal("organizations", claims(Self.contoso)), "an organization")
        XCTAssertEqual(try refusal("organizations", claims(Self.personal)), .wrongIssuer, "a personal account")
    }

    func testAKeyOfOneIssuerSignsForNoOther() throws {
        for (owner, tenant, kind) in [
            ("{tenantid}", Self.contoso, nil), (Self.personal, Self.personal, nil),
            (Self.personal, Self.contoso, .wrongKey),
        ] as [(String, String, VerificationFailure.Kind?)] {
            let refusal = try refusal("common", key: ["issuer": .string(issuer(owner))], claims(tenant))
            XCTAssertEqual(refusal, kind, "a key of \(owner) for \(tenant)")
        }
    }

    #if OpenSSL
    func testAVerifierOfMicrosoftChecksTenantsAndTheirKeys() async {
        for (key, tenant, kind) in [
            ("{tenantid}", Self.contoso, nil), ("{tenantid}", Self.personal, .wrongIssuer),
            (Self.personal, Self.contoso, .wrongKey),
        ] as [(String, String, VerificationFailure.Kind?)] {
            let transport = ScriptedTransport()
            transport.answer(
                "/organizations/v2.0/.well-known/openid-configuration",
                ["issuer": .string(issuer("{tenantid}")), "jwks_uri": .string(Self.host + "keys")]
            )
            transport.answer("/keys", ["keys": [Signer().webKey(["issuer": .string(issuer(key))])]])
            let verifier: OIDCVerifier = .microsoft(
                tenant: "Organizations",
                clientIDs: ["my-app"],
                transport: transport
            )
            let token = Signer().token(TestProvider().claims(claims(tenant)))
            let failure = await verifier.refusal(of: .oauth(.microsoft, idToken: token))
            XCTAssertEqual(failure?.kind, kind, "a key of \(key) for \(tenant)")
        }
    }
    #endif
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

final class AuthProvidersTests: LimitedTestCase {
    private func audience(of provider: ProviderID, in providers: AuthProviders) -> String? {
        (providers[provider] as? SimulatedProvider)?.audience
    }

    func testAProviderWithoutAVerifierHasNone() {
        XCTAssertNil(AuthProviders.empty[.google])
        XCTAssertNil(AuthProviders.simulated["oidc.example"])
        let few: AuthProviders = [SimulatedProvider.google]
        XCTAssertNotNil(few[.google])
        XCTAssertNil(few[.apple])
    }

    func testTheSimulatedOnesAreTheSixKnownProviders() {
        for id in [ProviderID.google, .apple, .facebook, .gitHub, .twitter, .microsoft] {
            XCTAssertEqual(AuthProviders.simulated[id]?.provider, id)
        }
    }

    func testGenericOnesAreAddedByName() {
        let providers = AuthProviders.simulated(and: ["oidc.one", "oidc.two"])
        XCTAssertEqual(providers["oidc.one"]?.provider, "oidc.one")
        XCTAssertEqual(providers["oidc.two"]?.provider, "oidc.two")
        XCTAssertNotNil(providers[.gitHub])
        XCTAssertNil(providers["oidc.three"])
    }

    func testOfTwoVerifiersOfAProviderTheLaterCounts() {
        let providers: AuthProviders = [
            SimulatedProvider(.google, audience: "first"), SimulatedProvider(.google, audience: "second"),
        ]
        XCTAssertEqual(audience(of: .google, in: providers), "second")
    }

    func testTheDomainsThatTwoVerifiersPinForOneIssuerAllCount() {
        struct Organization: CredentialVerifier {
            let provider: ProviderID
            let domain: String
            var pinnedDomains: [String: Set<String>] { ["https://login.example.com": [domain]] }

            func verify(
                _ credential: AuthCredential.Federated,
                in context: VerificationContext
            ) async throws -> ProviderAssertion {
                throw CancellationError()
            }
        }
        let providers: AuthProviders = [
            Organization(provider: "oidc.one", domain: "one.example"),
            Organization(provider: "oidc.two", domain: "two.example"),
        ]
        XCTAssertEqual(
            providers.pinnedDomains,
            ["https://login.example.com": ["one.example", "two.example"]],
            "the domains of either verifier"
        )
    }

    func testACredentialForAnAddressIsOfTheProviderThatListsIt() {
        let credentials: [AuthCredential] = [
            .password(email: "ann@example.com", password: World.password),
            .emailLink(email: "ann@example.com", link: "https://app.example/?oobCode=1"),
        ]
        for credential in credentials {
            XCTAssertEqual(credential.provider, .password, "the provider of \(credential)")
        }
    }

    func testSimulatedCredentialsPassTheSimulatedProviders() async throws {
        let providers = AuthProviders.simulated(and: ["oidc.example"])
        for id in [ProviderID.google, .apple, .facebook, .gitHub, .twitter, .microsoft, "oidc.example"] {
            let credential = AuthCredential.simulated(id, .ben, at: simulatedNow)
            XCTAssertEqual(credential.provider, id)
            guard case .federated(let federated) = credential.content else { return XCTFail("\(id)") }
            let verifier = try XCTUnwrap(providers[id])
            let assertion = try await verifier.verify(federated, in: VerificationContext(now: simulatedNow))
            XCTAssertEqual(assertion.subject, SimulatedPerson.ben.subject(at: id))
        }
    }
}

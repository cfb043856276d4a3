import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// A verifier speaks only for the issuers that it declares.
final class VerifierIssuerTests: LimitedTestCase {
    /// A verifier whose declarations can change, as when a tenant is disabled.
    private final class TenantVerifier: CredentialVerifier {
        let provider: ProviderID = "oidc.acme"
        private let state: Mutex<(declared: Set<String>, asserted: String)>

        init(_ declared: Set<String>, asserting issuer: String) { state = Mutex((declared, issuer)) }

        var issuers: Set<String> { state.withLock { $0.declared } }

        func declare(_ issuers: Set<String>) { state.withLock { $0.declared = issuers } }

        func verify(
            _ credential: AuthCredential.Federated,
            in context: VerificationContext
        ) async throws -> ProviderAssertion {
            var assertion = ProviderAssertion(provider: provider, issuer: state.withLock { $0.asserted }, subject: "1")
            assertion.email = "ann@example.com"
            assertion.isEmailVerified = true
            return assertion
        }
    }

    private func signIn(declaring issuers: Set<String>, asserting issuer: String) async throws {
        let world = World(.standard, providers: [TenantVerifier(issuers, asserting: issuer)])
        try await world.device().signIn(with: .oauth("oidc.acme", idToken: "x"))
    }

    func testAnUndeclaredIssuerIsRefusedPrecisely() async throws {
        for issuer in ["https://accounts.google.com", "https://id.acme.example/", "https://ID.acme.example", ""] {
            let error = await authError(issuer) {
                try await signIn(declaring: ["https://id.acme.example"], asserting: issuer)
            }
            XCTAssertEqual(error?.code, .invalidCredential, issuer)
            XCTAssertEqual(error?.cause as? VerificationFailure, .wrongIssuer, issuer)
            XCTAssertEqual(
                error?.message,
                "The verifier of oidc.acme does not declare the issuer that the assertion names.",
                issuer
            )
        }
        try await signIn(declaring: ["https://id.acme.example"], asserting: "https://id.acme.example")
    }

    func testWithoutADeclarationOnlyTheProvidersIDIsAnIssuer() async throws {
        struct Plain: CredentialVerifier {
            let provider: ProviderID = "oidc.acme"
            let issuer: String

            func verify(
                _ credential: AuthCredential.Federated,
                in context: VerificationContext
            ) async throws -> ProviderAssertion { ProviderAssertion(provider: provider, issuer: issuer, subject: "1") }
        }
        let own = World(providers: [Plain(issuer: "oidc.acme")])
        try await own.device().signIn(with: .oauth("oidc.acme", idToken: "x"))
        let other = World(providers: [Plain(issuer: "https://accounts.google.com")])
        await assertThrows(.invalidCredential) {
            try await other.device().signIn(with: .oauth("oidc.acme", idToken: "x"))
        }
    }

    func testATenantStandsInTheTemplateAndNothingElseDoes() async throws {
        let template: Set = ["https://login.microsoftonline.com/{tenantid}/v2.0"]
        try await signIn(
            declaring: template,
            asserting: "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
        )
        for issuer in [
            "https://login.microsoftonline.com//v2.0", "https://login.microsoftonline.com/v2.0",
            "https://login.microsoftonline.com/a/b/v2.0", "https://login.microsoftonline.com/a/v2.0/",
            "https://login.microsoftonline.com/a.b/v2.0", "https://login.microsoftonline.com/ä/v2.0",
            "https://login.microsoftonline.com/ú/v2.0",
            "https://evil.example/a/v2.0", "https://login.microsoftonline.evi/a/v2.0",
            "https://login.microsoftonline.com/a/v1.0",
        ] {
            await assertThrows(.invalidCredential, issuer) { try await signIn(declaring: template, asserting: issuer) }
        }
    }

    func testAT34_ATenantThatIsDisabledEndsThePendingIdentityToo() async throws {
        let issuer = "https://id.acme.example"
        let verifier = TenantVerifier([issuer], asserting: issuer)
        let world = World(.standard, providers: [verifier])
        let owner = try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: .oauth("oidc.acme", idToken: "x")) }
        verifier.declare([])
        await assertThrows(.invalidCredential) {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
        let providers = try await world.providers(owner)
        XCTAssertEqual(providers, [.password])
    }

    func testAT34_ATenantThatIsDisabledEndsTheWaitingChallengeToo() async throws {
        let issuer = "https://id.acme.example"
        let verifier = TenantVerifier([issuer], asserting: issuer)
        let world = World(.standard, providers: [verifier])
        let owner = try await world.signUpVerifiedAnn()
        try await owner.link(with: .oauth("oidc.acme", idToken: "x"))
        let phone = try await world.enrollPhone(owner)
        let app = try await world.enrollTOTP(owner)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.challenge { try await auth.signIn(with: .oauth("oidc.acme", idToken: "x")) }
        verifier.declare([])
        await assertThrows(.invalidCredential, "digits for what the tenant said") {
            try await auth.sendPhoneCode(for: challenge, factor: phone)
        }
        await assertThrows(.invalidCredential) { try await auth.resolve(challenge, with: .totp(world.totp(app))) }
        XCTAssertNil(auth.currentUser)
        verifier.declare([issuer])
        try await auth.resolve(challenge, with: .totp(world.totp(app)))
    }

    func testAVerifierSpeaksOfItsOwnProviderOnly() async throws {
        let world = World(.standard, providers: [BoastfulVerifier()])
        await assertThrows(.invalidCredential, "an identity of Google that another verifier asserts") {
            try await world.device().signIn(with: .oauth("oidc.acme", idToken: "x"))
        }
    }
}

/// The verifier of one provider, which asserts identities of another.
private struct BoastfulVerifier: CredentialVerifier {
    let provider: ProviderID = "oidc.acme"
    var issuers: Set<String> { ["https://id.acme.example"] }

    func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        ProviderAssertion(provider: .google, issuer: "https://id.acme.example", subject: "1")
    }
}

#if OpenSSL
import AuthCore
import XCTest

@testable import AuthCoreProviders

/// A provider that its own authors wrote: discovery, keys without `use`, tokens without `kid`, codes, the user
/// endpoint.
final class RealProviderTests: LimitedTestCase {
    private func provider() throws -> MockProvider {
        let provider = try MockProvider()
        addTeardownBlock { provider.stop() }
        return provider
    }

    private func code(_ provider: MockProvider, nonce: String, scope: String = "openid email profile") async throws
        -> String
    {
        let fields = [
            (name: "response_type", value: "code"), (name: "client_id", value: "my-app"),
            (name: "redirect_uri", value: "https://app.example/done"), (name: "scope", value: scope),
            (name: "state", value: "s"), (name: "nonce", value: nonce),
        ]
        let page = try XCTUnwrap(URL(string: provider.issuer + "/oauth2/authorize")?.adding(fields))
        let callback = try await provider.approve(page, as: "ann")
        let items = URLComponents(url: callback, resolvingAgainstBaseURL: false)?.queryItems ?? []
        return try XCTUnwrap(items.first { $0.name == "code" }?.value)
    }

    private func credential(_ code: String, nonce: String?) -> AuthCredential {
        var credential = AuthCredential.Federated(provider: "oidc.mock")
        credential.authorizationCode = Secret(code)
        credential.redirectURI = "https://app.example/done"
        credential.nonce = nonce.map { Secret($0) }
        return .federated(credential)
    }

    private func verifier(_ provider: MockProvider, clientID: String = "my-app") -> OIDCVerifier {
        OIDCVerifier("oidc.mock", issuer: provider.issuer, clientIDs: [clientID], clientSecret: "s3cret")
    }

    func testACodeOfARealProviderSignsIn() async throws {
        let provider = try provider()
        try await provider.setUser(
            "ann",
            claims: #"{"email":"ann@example.com","email_verified":true,"name":"Ann Archer"}"#
        )
        let auth = Auth(providers: [verifier(provider)])
        let result = try await auth.signIn(with: credential(code(provider, nonce: "n1"), nonce: "n1"))
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertEqual(result.user.displayName, "Ann Archer")
        XCTAssertEqual(result.additionalUserInfo?.profile["sub"], "ann")
        let again = try await auth.signIn(with: credential(code(provider, nonce: "n2"), nonce: "n2"))
        XCTAssertEqual(again.user.uid, result.user.uid)
    }

    func testWhatDoesNotBelongToTheCodeIsRefused() async throws {
        let provider = try provider()
        let auth = Auth(providers: [verifier(provider)])
        let used = try await code(provider, nonce: "n1")
        try await auth.signIn(with: credential(used, nonce: "n1"))
        let cases: [(AuthCredential, VerificationFailure.Kind)] = [
            (credential(used, nonce: "n1"), .rejected), (credential("unknown", nonce: "n1"), .rejected),
            (credential(try await code(provider, nonce: "n2"), nonce: "n3"), .wrongNonce),
            (credential(try await code(provider, nonce: "n4"), nonce: nil), .wrongNonce),
        ]
        for (credential, kind) in cases {
            do {
                try await auth.signIn(with: credential)
                XCTFail("signed in instead of \(kind)")
            } catch {
                XCTAssertEqual((error.cause as? VerificationFailure)?.kind, kind, error.message)
            }
        }
        let foreign = try await code(provider, nonce: "n5")
        let failure = await verifier(provider, clientID: "other").refusal(of: credential(foreign, nonce: "n5"))
        XCTAssertEqual(failure?.kind, .rejected, "the code is another app's")
    }

    func testAPresentedIDTokenOfARealProviderIsVerified() async throws {
        let provider = try provider()
        let verifier = verifier(provider)
        var federated = AuthCredential.Federated(provider: "oidc.mock")
        federated.authorizationCode = Secret(try await code(provider, nonce: "n1"))
        federated.redirectURI = "https://app.example/done"
        let tokens = try await verifier.core.exchange(federated, at: Date())
        let idToken = try XCTUnwrap(tokens.idToken)
        let auth = Auth(providers: [verifier])
        let user = try await auth.signIn(
            with: .oauth(
                "oidc.mock",
                idToken: idToken.revealed,
                accessToken: tokens.accessToken?.revealed,
                nonce: "n1"
            )
        ).user
        XCTAssertEqual(user.providerData.map(\.uid), ["ann"])
        var other = OIDCVerifier("oidc.mock", issuer: provider.issuer, clientIDs: ["other"])
        other.clockSkew = .zero
        let failure = await other.refusal(of: .oauth("oidc.mock", idToken: idToken.revealed, nonce: "n1"))
        XCTAssertEqual(failure?.kind, .wrongAudience)
    }
}
#endif

#if OpenSSL
import AuthCore
import AuthCoreFirebase
import AuthCoreFirebaseApp
import AuthCoreProviders
import AuthCoreTesting
import XCTest

/// An app that uses FirebaseAuth's face sends the person to the page of a real OpenID provider.
final class FirebasePageTests: LimitedTestCase {
    /// Signs Ann in at the page.
    private struct Browser: FederatedSignInPresenter {
        let approve: @Sendable (URL) async throws -> String

        func present(_ request: FederatedSignInRequest) async throws -> FederatedSignInAnswer {
            XCTAssertEqual(request.parameters["code_challenge_method"], "S256")
            XCTAssertNotNil(request.parameters["nonce"])
            let callback = try await approve(try XCTUnwrap(request.url))
            return FederatedSignInAnswer(callbackURL: try XCTUnwrap(URL(string: callback)))
        }
    }

    func testTheProfileIsWhatTheUserEndpointReturned() async throws {
        let provider = try StrictProvider()
        addTeardownBlock { provider.stop() }
        let verifier = OIDCVerifier(
            "oidc.strict",
            issuer: provider.issuer,
            clientIDs: ["my-app"],
            clientSecret: Secret(StrictProvider.clientSecret)
        )
        FirebaseApp.configure(name: "page", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "page"))
        let service = AuthService(
            AuthConfiguration(policy: .firebase, providers: [verifier], passwordHasher: CheapPasswordHasher())
        )
        app.useAuth(service, presenter: Browser { try await StrictProvider.approve($0) })
        let auth = AuthCoreFirebase.Auth.auth(app: app)
        auth.customAuthDomain = "app.example"

        let page = OAuthProvider(providerID: "oidc.strict", auth: auth)
        page.scopes = ["email", "profile"]
        let result = try await auth.signIn(with: page, uiDelegate: nil)
        XCTAssertEqual(result.user.email, "ann@example.com")
        XCTAssertEqual(result.additionalUserInfo?.profile?["name"] as? String, "Ann Archer")
        XCTAssertEqual(result.additionalUserInfo?.profile?["email_verified"] as? Bool, true)
        XCTAssertFalse(result.credential?.accessToken?.isEmpty ?? true, "the app gets the provider's token")
        XCTAssertFalse(result.credential?.idToken?.isEmpty ?? true)
        try await result.user.reauthenticate(with: page, uiDelegate: nil)

        let guest = try await auth.signInAnonymously().user
        do {
            try await guest.link(with: page, uiDelegate: nil)
            XCTFail("the identity is another account's")
        } catch {
            XCTAssertEqual((error as NSError).code, AuthCoreFirebase.AuthErrorCode.credentialAlreadyInUse.rawValue)
            let updated = (error as NSError).userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
            let same = try await auth.signIn(with: try XCTUnwrap(updated)).user
            XCTAssertEqual(same.uid, result.user.uid)
        }
    }
}
#endif

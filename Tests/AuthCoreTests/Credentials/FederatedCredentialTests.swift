import XCTest

@testable import AuthCore

/// A credential of a provider has what it was made with, and nothing else.
final class FederatedCredentialTests: LimitedTestCase {
    private func federated(_ credential: AuthCredential, line: UInt = #line) -> AuthCredential.Federated {
        guard case .federated(let federated) = credential.content else {
            XCTFail("not a credential of a provider", line: line)
            return AuthCredential.Federated(provider: "none")
        }
        return federated
    }

    func testACredentialNamesItsProvider() {
        let cases: [(AuthCredential, ProviderID)] = [
            (.password(email: "a@example.com", password: "p"), .password), (.customToken("t"), .custom),
            (.phone(verificationID: "i", code: "c"), .phone), (.anonymous, .anonymous),
            (.gitHub(accessToken: "a"), .gitHub),
        ]
        for (credential, provider) in cases { XCTAssertEqual(credential.provider, provider, "\(credential)") }
    }

    func testACredentialOfAnyProviderHasItsTokens() {
        let made = federated(
            .oauth("oidc.boats", idToken: "id", accessToken: "access", secret: "secret", nonce: "nonce")
        )
        XCTAssertEqual(made.provider, "oidc.boats")
        XCTAssertEqual(made.idToken, "id", "the ID token")
        XCTAssertEqual(made.accessToken, "access", "the access token")
        XCTAssertEqual(made.tokenSecret, "secret", "the secret of the access token")
        XCTAssertEqual(made.nonce, "nonce", "the nonce")
        XCTAssertNil(made.fullName, "a name")
        let bare = federated(.oauth("oidc.boats"))
        let values = [bare.idToken, bare.accessToken, bare.tokenSecret, bare.nonce]
        XCTAssertEqual(values, [nil, nil, nil, nil], "what a credential has that was made with nothing")
    }

    func testTheCredentialsOfKnownProvidersHaveTheirTokens() {
        let apple = federated(.apple(idToken: "id", nonce: "nonce", fullName: "Ann Boat"))
        XCTAssertEqual(apple.provider, .apple)
        XCTAssertEqual(apple.idToken, "id", "the ID token of Apple")
        XCTAssertEqual(apple.nonce, "nonce", "the nonce of Apple")
        XCTAssertEqual(apple.fullName, "Ann Boat", "the name that Apple tells the app")
        let google = federated(.google(idToken: "id", accessToken: "access", nonce: "nonce"))
        XCTAssertEqual(google.provider, .google)
        XCTAssertEqual([google.idToken, google.accessToken, google.nonce], ["id", "access", "nonce"], "Google")
        for (provider, credential) in [
            (ProviderID.facebook, AuthCredential.facebook(accessToken: "access")),
            (.gitHub, .gitHub(accessToken: "access")),
        ] {
            let made = federated(credential)
            XCTAssertEqual(made.provider, provider)
            XCTAssertEqual(made.accessToken, "access", "the access token of \(provider)")
            XCTAssertNil(made.idToken, "an ID token of \(provider)")
        }
    }
}

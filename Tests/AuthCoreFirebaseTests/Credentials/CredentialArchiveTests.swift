@testable import AuthCore
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// Credentials of every kind work after they were archived, and a result is whole again.
final class CredentialArchiveTests: LimitedTestCase {
    private let world = World()

    private func copy<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
    }

    func testAPasswordALinkAndATokenAreKept() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let word = try copy(XCTUnwrap(password as? EmailAuthCredential))
        let back = try await world.auth.signIn(with: word).user
        XCTAssertEqual(back.uid, user.uid)
        let link = EmailAuthProvider.credential(withEmail: "ann@example.com", link: "https://example.com/link")
        XCTAssertEqual(link.provider, "password", "the provider of a mailed link")
        let mailed = try copy(XCTUnwrap(link as? EmailAuthCredential))
        guard case .link("https://example.com/link") = mailed.kind else { return XCTFail("\(mailed.kind)") }
        XCTAssertEqual(mailed.email, "ann@example.com", "the address of the link")
        let facebook = try copy(XCTUnwrap(world.facebook() as? ProviderCredential))
        XCTAssertEqual(facebook.provider, "facebook.com")
        try await back.link(with: facebook)
        XCTAssertEqual(back.providerData.map(\.providerID), ["password", "facebook.com"])
    }

    func testTheTokensAndTheNonceAreKept() throws {
        let credential = OAuthProvider.credential(
            providerID: .apple,
            idToken: "id token",
            rawNonce: "nonce",
            accessToken: "access token"
        )
        let apple = try copy(credential)
        XCTAssertEqual(apple.idToken, "id token", "the ID token")
        XCTAssertEqual(apple.accessToken, "access token", "the access token")
        guard case .federated(let form)? = apple.presented.first?.content else { return XCTFail("no tokens") }
        XCTAssertEqual(form.nonce?.revealed, "nonce", "the nonce")
        let twitter = TwitterAuthProvider.credential(withToken: "token", secret: "secret")
        let again = try copy(XCTUnwrap(twitter as? ProviderCredential))
        XCTAssertEqual(again.tokens.accessToken, "token", "the token")
        XCTAssertEqual(again.tokens.secret, "secret", "the secret")
    }

    func testTheServiceIsShownAllThatACredentialIsMadeOf() throws {
        var name = PersonNameComponents()
        name.givenName = "Ann"
        let credentials: [(AuthCoreFirebase.AuthCredential, [String?])] = [
            (
                GoogleAuthProvider.credential(withIDToken: "i", accessToken: "a"),
                ["google.com", "i", "a", nil, nil, nil]
            ),
            (FacebookAuthProvider.credential(withAccessToken: "a"), ["facebook.com", nil, "a", nil, nil, nil]),
            (GitHubAuthProvider.credential(withToken: "a"), ["github.com", nil, "a", nil, nil, nil]),
            (TwitterAuthProvider.credential(withToken: "a", secret: "s"), ["twitter.com", nil, "a", "s", nil, nil]),
            (
                OAuthProvider.credential(providerID: .apple, idToken: "i", rawNonce: "n", accessToken: "a"),
                ["apple.com", "i", "a", nil, "n", nil]
            ),
            (
                OAuthCredential(provider: "twitter.com", tokens: ProviderTokens(accessToken: "a", secret: "s")),
                ["twitter.com", nil, "a", "s", nil, nil]
            ),
            (
                OAuthProvider.appleCredential(withIDToken: "i", rawNonce: "n", fullName: name),
                ["apple.com", "i", nil, nil, "n", "Ann"]
            ),
            (
                OAuthProvider.appleCredential(withIDToken: "i", rawNonce: nil, fullName: PersonNameComponents()),
                ["apple.com", "i", nil, nil, nil, nil]
            ),
        ]
        for (credential, parts) in credentials {
            XCTAssertEqual(shown(by: credential), parts, "what a credential of \(credential.provider) shows")
            let kept: AuthCoreFirebase.AuthCredential =
                if let oauth = credential as? OAuthCredential {
                    try copy(oauth)
                } else {
                    try copy(XCTUnwrap(credential as? ProviderCredential))
                }
            XCTAssertEqual(shown(by: kept), parts, "what the credential shows after it was archived")
        }
    }

    /// The provider, the ID token, the access token, its secret, the nonce and the name that the service is shown.
    private func shown(by credential: AuthCoreFirebase.AuthCredential) -> [String?]? {
        guard case .federated(let form)? = credential.presented.first?.content else { return nil }
        return [
            form.provider.rawValue, form.idToken?.revealed, form.accessToken?.revealed, form.tokenSecret?.revealed,
            form.nonce?.revealed, form.fullName,
        ]
    }

    func testAResultIsWholeAgain() async throws {
        FirebaseApp.configure(name: "result", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "result"))
        app.useAuth(world.service)
        let result = try await AuthCoreFirebase.Auth.auth(app: app).signIn(with: world.gitHub())
        let again = try copy(result)
        XCTAssertEqual(again.user.uid, result.user.uid)
        XCTAssertEqual(again.additionalUserInfo?.username, "ann")
        XCTAssertEqual(again.credential?.accessToken, result.credential?.accessToken)
        XCTAssertNotNil(again.credential?.accessToken)
        await app.delete()
        let data = try NSKeyedArchiver.archivedData(withRootObject: result, requiringSecureCoding: true)
        let orphan = try? NSKeyedUnarchiver.unarchivedObject(ofClass: AuthDataResult.self, from: data)
        XCTAssertNil(orphan, "a person of an app that is gone")
    }

    func testATokenKeepsClaimsOfEveryKind() async throws {
        let user = try await world.auth.signInAnonymously().user
        let claims: [String: ClaimValue] = [
            "null": .null, "bool": true, "integer": 7, "number": 1.5, "string": "a", "array": ["b"],
            "object": ["c": "d"],
        ]
        try await world.service.setCustomClaims(claims, account: XCTUnwrap(AccountID(user.uid)))
        let token = try await user.getIDTokenResult(forcingRefresh: true)
        for (what, claims) in [("the token", token.claims), ("the copy", try copy(token).claims)] {
            XCTAssertTrue(claims["null"] is NSNull, "null in \(what)")
            XCTAssertEqual(claims["bool"] as? Bool, true, what)
            XCTAssertEqual(claims["integer"] as? Int, 7, what)
            XCTAssertEqual(claims["number"] as? Double, 1.5, what)
            XCTAssertEqual(claims["string"] as? String, "a", what)
            XCTAssertEqual(claims["array"] as? [String], ["b"], what)
            XCTAssertEqual(claims["object"] as? [String: String], ["c": "d"], what)
        }
    }

    func testACredentialOfASecondConflictAsksForTheFirstOneNoMore() async throws {
        try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse")
        try world.auth.signOut()
        var credential = world.facebook()
        for number in 1...2 {
            let error = await failure { try await world.auth.signIn(with: credential) }
            let updated = error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey]
            credential = try XCTUnwrap(updated as? AuthCoreFirebase.AuthCredential)
            XCTAssertEqual(credential.presented.count, 2, "what is tried after conflict \(number)")
        }
    }

    func testACredentialOfAPageKeepsItsNonce() throws {
        var federated = AuthCore.AuthCredential.Federated(provider: .google)
        federated.idToken = "id token"
        federated.nonce = "nonce"
        let kept = try copy(OAuthCredential(federated))
        guard case .federated(let form)? = kept.presented.first?.content else { return XCTFail("no tokens") }
        XCTAssertEqual(form.idToken?.revealed, "id token", "the ID token")
        XCTAssertEqual(form.nonce?.revealed, "nonce", "the nonce")
    }
}

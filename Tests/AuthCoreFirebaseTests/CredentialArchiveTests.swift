@testable import AuthCore
import AuthCoreFirebaseApp
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// Credentials of every kind work after they were archived, and a result is whole again.
final class CredentialArchiveTests: XCTestCase {
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
        let mailed = try copy(XCTUnwrap(link as? EmailAuthCredential))
        guard case .link("https://example.com/link") = mailed.kind else { return XCTFail("\(mailed.kind)") }
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

import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// The spellings that some pages of the documentation still show.
final class OlderSpellingTests: LimitedTestCase {
    private let world = World()

    @available(*, deprecated)
    func testTheyDoWhatTheirSuccessorsDo() async throws {
        let signedIn = expectation(description: "signed in")
        world.auth.signInAndRetrieveData(with: world.google()) { result, error in
            XCTAssertNil(error)
            XCTAssertEqual(result?.user.email, "ann@example.com")
            signedIn.fulfill()
        }
        await fulfillment(of: [signedIn], timeout: 10)
        let linked = expectation(description: "linked")
        world.auth.currentUser?
            .linkAndRetrieveData(with: world.gitHub()) { result, error in
                XCTAssertNil(error)
                XCTAssertEqual(result?.user.providerData.count, 2)
                linked.fulfill()
            }
        await fulfillment(of: [linked], timeout: 10)
        let listed = expectation(description: "listed")
        world.auth.fetchProviders(forEmail: "ann@example.com") { methods, error in
            XCTAssertNil(error)
            XCTAssertEqual(methods?.sorted(), ["github.com", "google.com"])
            listed.fulfill()
        }
        await fulfillment(of: [listed], timeout: 10)
        let current = try await world.auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(current.sorted(), ["github.com", "google.com"])
    }

    @available(*, deprecated)
    func testTheOlderCredentialsAreTheNewerOnes() async throws {
        let nonce = OAuthProvider.credential(withProviderID: "apple.com", idToken: "token", rawNonce: "nonce")
        XCTAssertEqual(nonce.provider, "apple.com")
        XCTAssertEqual(nonce.idToken, "token")
        let both = OAuthProvider.credential(
            withProviderID: "oidc.a",
            idToken: "token",
            rawNonce: "nonce",
            accessToken: "access"
        )
        XCTAssertEqual(both.accessToken, "access", "the access token beside a nonce")
        let idToken = OAuthProvider.credential(withProviderID: "oidc.a", idToken: "token", accessToken: "access")
        XCTAssertEqual(idToken.accessToken, "access")
        let accessToken = OAuthProvider.credential(
            withProviderID: GitHubAuthProviderID,
            accessToken: SimulatedProvider.gitHub.token(for: .ann, at: world.clock.now)
        )
        let user = try await world.auth.signIn(with: accessToken).user
        XCTAssertEqual(user.providerData.map(\.providerID), ["github.com"])
        let again = expectation(description: "re-authenticated")
        user.reauthenticateAndRetrieveData(with: world.gitHub()) { result, error in
            XCTAssertNil(error)
            XCTAssertEqual(result?.user.uid, user.uid)
            again.fulfill()
        }
        await fulfillment(of: [again], timeout: 10)
        let settings = ActionCodeSettings()
        settings.dynamicLinkDomain = "example.page.link"
        XCTAssertEqual(settings.linkDomain, "example.page.link")
        XCTAssertEqual(settings.dynamicLinkDomain, "example.page.link")
        settings.dynamicLinkDomain = nil
        XCTAssertNil(settings.linkDomain, "the domain after nil was set by the older name")
        XCTAssertNil(settings.dynamicLinkDomain, "the domain by the older name after nil was set")
    }

    @available(*, deprecated)
    func testTheNonceOfAnOlderCredentialIsChecked() async throws {
        let token = SimulatedProvider.apple.token(
            for: .ann,
            saying: SimulatedToken(nonce: "nonce"),
            at: world.clock.now
        )
        for (nonce, isRight) in [("other", false), ("nonce", true)] {
            let credential = OAuthProvider.credential(withProviderID: "apple.com", idToken: token, rawNonce: nonce)
            if isRight {
                let result = try await world.auth.signIn(with: credential)
                XCTAssertEqual(result.credential?.provider, "apple.com", "the nonce \(nonce)")
            } else {
                let error = await failure { try await world.auth.signIn(with: credential) }
                let code = AuthCoreFirebase.AuthErrorCode.missingOrInvalidNonce.rawValue
                XCTAssertEqual(error?.code, code, "the nonce \(nonce)")
            }
        }
    }
}

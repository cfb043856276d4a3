import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

// What stands between the marks stands in README.md, letter for letter; `ReadmeTests` compares them and runs them.

func signInWithGitHubAndResolve() async throws -> Auth {
    // README.md begins
    let auth = Auth(providers: .simulated)
    let ann = try await auth.signIn(with: .simulated(.google, .ann)).user
    try await auth.signOut()

    do {
        try await auth.signIn(with: .simulated(.gitHub, .ann))
    } catch {
        guard let conflict = error.conflict else { throw error }
        print(conflict.provider, conflict.displayName, "meets an account; its owner signs in to link it")
        try await auth.resolve(conflict, signingInWith: .simulated(.google, .ann))
    }
    print(auth.currentUser?.uid == ann.uid, auth.currentUser?.providerData.map(\.provider) ?? [])
    // README.md ends
    return auth
}

enum App {
    // README.md begins
    static func signIn(_ auth: Auth, with credential: AuthCredential, digits: () -> String) async throws {
        do {
            try await auth.signIn(with: credential)
        } catch {
            switch error.detail {
            case .conflict(let conflict):
                print("Please sign in as you did before to link", conflict.provider, conflict.displayName)
            case .secondFactor(let challenge):
                try await auth.resolve(challenge, with: .totp(digits()))
            case nil:
                print(error.code, error.message)
                throw error
            }
        }
    }
    // README.md ends
}

enum Explanation {
    // README.md begins
    static func explainLink(of credential: AuthCredential, on auth: Auth) async throws -> String {
        guard let user = auth.currentUser else { return "No user is signed in." }
        return try await user.previewLink(with: auth.verify(credential)).description
    }
    // README.md ends
}

enum Server {
    // README.md begins
    static func signIn(
        _ service: AuthService,
        with credential: AuthCredential,
        cookie: String?,
        address: String
    ) async throws -> (token: String, cookie: String) {
        let device = cookie.flatMap(DeviceID.init)
        let client = service.client(for: device, origin: .address(address), deviceName: "a browser")
        let result = try await client.signIn(with: credential)
        return (try await result.user.idToken(), result.device.rawValue)
    }

    static func link(_ credential: AuthCredential, toBearerOf token: String, on client: AuthClient) async throws {
        try await client.user(forIDToken: token).link(with: credential)
    }
    // README.md ends
}

// README.md begins
final class BasketTests: XCTestCase {
    func testAGuestKeepsTheBasketWhenTheySignUp() async throws {
        let clock = ManualClock()
        let outbox = Message.Outbox()
        let auth = Auth(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
        let guest = try await auth.signInAnonymously().user
        try await guest.link(with: .simulated(.apple, .ben))
        XCTAssertEqual(auth.currentUser?.uid, guest.uid)
        XCTAssertFalse(guest.isAnonymous)

        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try outbox.signInLink(to: "ann@example.com")
        clock.advance(by: .seconds(600))
        do {
            try await auth.signIn(with: .emailLink(link))
            XCTFail("a link is good for ten minutes")
        } catch {
            XCTAssertEqual(error.code, .expiredActionCode)
        }
    }
}
// README.md ends

func deviceWithAPolicyOfItsOwn() -> Auth {
    // README.md begins
    var policy = AuthPolicy.standard
    policy.recency.interval = .seconds(600)
    policy.lifetimes.mailCode = .seconds(900)
    policy.passwordRule.minimumLength = 10
    policy.disabledProviders = [.anonymous]
    let auth = Auth(providers: .simulated, policy: policy)
    // README.md ends
    return auth
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// What the simulated providers make of a whole service.
final class SimulatedSignInTests: LimitedTestCase {
    private let clock = ManualClock()

    private func makeAuth(_ providers: AuthProviders = .simulated) -> Auth {
        Auth(AuthConfiguration(policy: .firebase, providers: providers, environment: .manual(clock)))
    }

    private func error(
        signingIn auth: Auth,
        with credential: AuthCredential,
        line: UInt = #line
    ) async -> AuthError? {
        do {
            try await auth.signIn(with: credential)
            XCTFail("signed in", line: line)
            return nil
        } catch {
            return error
        }
    }

    func testEveryProviderSignsAPersonInAndKnowsThemAgain() async throws {
        let auth = makeAuth(.simulated(and: ["oidc.example"]))
        for id in [ProviderID.google, .apple, .facebook, .gitHub, .twitter, .microsoft, "oidc.example"] {
            let person = SimulatedPerson(name: "Somebody", email: "\(id)@example.com")
            let first = try await auth.signIn(with: .simulated(id, person, at: clock.now))
            XCTAssertTrue(first.isNewUser, "\(id)")
            let moved = person.with(email: "elsewhere-\(id)@example.com")
            let second = try await auth.signIn(with: .simulated(id, moved, at: clock.now))
            XCTAssertFalse(second.isNewUser, "\(id)")
            XCTAssertEqual(first.user.uid, second.user.uid, "\(id)")
        }
    }

    func testGitHubMeetsTheConflictThatItsDocumentationDescribes() async throws {
        let auth = makeAuth()
        let google = AuthCredential.simulated(.google, .ann, at: clock.now)
        let uid = try await auth.signIn(with: google).user.uid
        let refused = await error(signingIn: auth, with: .simulated(.gitHub, .ann, at: clock.now))
        XCTAssertEqual(refused?.code, .accountExistsWithDifferentCredential)
        let conflict = try XCTUnwrap(refused?.conflict)
        XCTAssertEqual(conflict.email, "ann@example.com")
        let resolved = try await auth.resolve(conflict, signingInWith: google)
        XCTAssertEqual(resolved.user.uid, uid)
        let known = try await auth.signIn(with: .simulated(.gitHub, .ann, at: clock.now))
        XCTAssertEqual(known.user.uid, uid)
    }

    func testANonceIsGoodForOneSignInAsLongAsTheTokenPasses() async throws {
        let auth = makeAuth()
        let content = SimulatedToken(nonce: "once", lifetime: 600)
        for id in [ProviderID.google, .apple] {
            let credential = AuthCredential.simulated(id, .ann, saying: content, at: clock.now)
            try await auth.signIn(with: credential)
            for wait in [0.0, 590, 60] {
                clock.advance(by: .seconds(wait))
                let refused = await error(signingIn: auth, with: credential)
                XCTAssertEqual(refused?.code, .invalidCredential, "\(id) \(wait)")
                XCTAssertEqual(refused?.reasons, [.assertionWasUsed], "\(id) \(wait)")
            }
            clock.advance(by: .seconds(60))
            let over = await error(signingIn: auth, with: credential)
            XCTAssertEqual(over?.cause as? VerificationFailure, .expired)
        }
    }

    func testRefusedTokensChangeNothing() async throws {
        let auth = makeAuth()
        let token = SimulatedProvider.google.token(for: .ann, at: clock.now)
        let foreign = SimulatedProvider.google.token(
            for: .ann,
            saying: SimulatedToken(audience: "another-app"),
            at: clock.now
        )
        let cases: [(AuthCredential, VerificationFailure)] = [
            (.google(idToken: token, nonce: "needless"), .wrongNonce),
            (.google(idToken: token + "A"), .wrongSignature),
            (.google(idToken: foreign), .wrongAudience),
            (.apple(idToken: token, nonce: nil), .wrongSignature),
            (.gitHub(accessToken: token), .malformed),
            (.google(idToken: ""), .missingToken),
        ]
        for (credential, failure) in cases {
            let refused = await error(signingIn: auth, with: credential)
            XCTAssertEqual(refused?.cause as? VerificationFailure, failure)
            XCTAssertNil(auth.currentUser)
        }
        let result = try await auth.signIn(with: .google(idToken: token))
        XCTAssertTrue(result.isNewUser)
    }

    func testAProviderWithoutAVerifierIsRefused() async {
        let credential = AuthCredential.simulated("oidc.example", .ann, at: clock.now)
        for providers in [AuthProviders.empty, .simulated] {
            let refused = await error(signingIn: makeAuth(providers), with: credential)
            XCTAssertEqual(refused?.code, .operationNotAllowed)
        }
    }

    func testNoProviderMaySpeakForAMethodOfOurOwn() async {
        let ids: [ProviderID] = [.password, .phone, .anonymous, .custom, "firebase", "emailLink", "", "no spaces"]
        let auth = makeAuth(AuthProviders(ids.map { SimulatedProvider($0) }))
        for id in ids {
            let refused = await error(signingIn: auth, with: .simulated(id, .ann, at: clock.now))
            XCTAssertEqual(refused?.code, .invalidProviderID, "\(id)")
        }
    }
}

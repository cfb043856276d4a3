import AuthCore
import AuthCoreTesting
import XCTest

/// What an app meets by default, without a word about addresses or times.
final class SimulatedConflictTests: LimitedTestCase {
    private func makeAuth(_ policy: AuthPolicy, clock: ManualClock) -> Auth {
        let hasher = CheapPasswordHasher()
        return Auth(
            AuthConfiguration(
                policy: policy,
                providers: .simulated,
                passwordHasher: hasher,
                environment: .manual(clock)
            )
        )
    }

    func testGitHubAndFacebookMeetTheConflictOfTheDocumentationUnderEveryPreset() async throws {
        for policy in [AuthPolicy.standard, .firebase, .firebaseProtected] {
            for provider in [ProviderID.gitHub, .facebook] {
                let auth = makeAuth(policy, clock: ManualClock())
                let google = try await auth.signIn(with: .simulated(.google, .ann)).user
                try await auth.signOut()
                do {
                    try await auth.signIn(with: .simulated(provider, .ann))
                    XCTFail("\(provider) signed in beside Google")
                } catch {
                    XCTAssertEqual(error.code, .accountExistsWithDifferentCredential)
                    let conflict = try XCTUnwrap(error.conflict, "\(error)")
                    try await auth.resolve(conflict, signingInWith: .simulated(.google, .ann))
                }
                XCTAssertEqual(auth.currentUser?.uid, google.uid, "\(provider) is linked to Google's account")
            }
        }
    }

    func testAPasswordMeetsTheConflictToo() async throws {
        for policy in [AuthPolicy.standard, .firebase] {
            let auth = makeAuth(policy, clock: ManualClock())
            let user = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
            try await auth.signOut()
            do {
                try await auth.signIn(with: .simulated(.gitHub, .ann))
                XCTFail("GitHub signed in beside the password")
            } catch {
                let conflict = try XCTUnwrap(error.conflict, "\(error)")
                try await auth.resolve(
                    conflict,
                    signingInWith: .password(email: "ann@example.com", password: "correct horse battery")
                )
            }
            XCTAssertEqual(auth.currentUser?.uid, user.uid)
        }
    }

    func testACredentialWithoutATimeIsIssuedWhenTheServiceSeesIt() async throws {
        let clock = ManualClock()
        let auth = makeAuth(.standard, clock: clock)
        let credential = AuthCredential.simulated(.google, .ann)
        let user = try await auth.signIn(with: credential).user
        clock.advance(by: .seconds(86_400 * 365))
        let again = try await auth.signIn(with: credential).user
        XCTAssertEqual(again.uid, user.uid)
    }

    func testItStillExpiresAndItsNonceIsStillUsedUp() async throws {
        let clock = ManualClock()
        let auth = makeAuth(.standard, clock: clock)
        let once = AuthCredential.simulated(.google, .ann, saying: SimulatedToken(nonce: "once", lifetime: 600))
        try await auth.signIn(with: once)
        let over = AuthCredential.simulated(.apple, .ben, saying: SimulatedToken(lifetime: -60))
        for (credential, expected) in [(once, nil), (over, VerificationFailure.expired)] {
            do {
                try await auth.signIn(with: credential)
                XCTFail("signed in")
            } catch {
                XCTAssertEqual(error.code, .invalidCredential)
                XCTAssertEqual(error.cause as? VerificationFailure, expected)
            }
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Ways of signing in that the policy switches off.
final class DisabledProvidersTests: FlowTestCase {
    func testPasswordsOpenNothingAndAreNotSet() async throws {
        policy.disabledProviders = [.password]
        let ann = try await seat().signIn(with: google()).user
        let attempts: [(String, () async throws -> Void)] = [
            ("sign up", { try await self.signUpAnn(self.seat("tablet")) }),
            ("sign in", { try await self.seat().signIn(with: Self.annsPassword) }),
            ("link", { try await ann.link(with: Self.annsPassword) }),
            ("change", { try await ann.updatePassword(to: Self.password) }),
            ("reset", { try await self.seat().sendPasswordReset(to: "ann@example.com") }),
            ("re-authenticate", { try await ann.reauthenticate(with: Self.annsPassword) }),
        ]
        for (name, attempt) in attempts {
            try await refusal(.operationNotAllowed, .providerIsSwitchedOff, name) { try await attempt() }
        }
        // Mailed links have a switch of their own.
        try await seat().signIn(with: mailedLink(to: "ben@example.com", from: seat()))
    }

    func testMailedLinksAreNeitherSentNorTaken() async throws {
        policy.disabledProviders = [.emailLink]
        try await refusal(.operationNotAllowed, .providerIsSwitchedOff) {
            try await seat().sendSignInLink(to: "ann@example.com")
        }
        try await signUpAnn()
    }

    func testNumbersAreNeitherSentToNorTaken() async throws {
        policy.disabledProviders = [.phone]
        try await refusal(.operationNotAllowed, .providerIsSwitchedOff) {
            try await seat().sendPhoneCode(to: "+15550001234")
        }
    }

    func testAProviderIsRefusedForItsOwnPeopleToo() async throws {
        policy.disabledProviders = [.google, .gitHub]
        let ann = try await signUpAnn()
        for credential in [google(), gitHub()] {
            try await refusal(.operationNotAllowed, .providerIsSwitchedOff) {
                try await seat("tablet").signIn(with: credential)
            }
            try await refusal(.operationNotAllowed, .providerIsSwitchedOff) { try await ann.link(with: credential) }
        }
        try await ann.link(with: facebook())
    }

    func testNobodyVouchesForAProviderWithoutAVerifier() async throws {
        let credential = AuthCredential.simulated("oidc.unknown", .ann, at: clock.now)
        try await refusal(.operationNotAllowed, .providerHasNoVerifier) { try await seat().signIn(with: credential) }
    }

    func testAnonymousAccountsAreForAdministrators() async throws {
        policy.disabledProviders = [.anonymous]
        try await refusal(.adminRestrictedOperation, .providerIsSwitchedOff) { try await seat().signInAnonymously() }
    }

    func testAMethodThatIsSwitchedOffLaterCanStillBeUnlinked() async throws {
        try await signUpAnn().link(with: google())
        var later = policy
        later.disabledProviders = [.google]
        let service = AuthService(
            AuthConfiguration(
                store: service.configuration.store,
                policy: later,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock, seed: 2)
            )
        )
        let auth = Auth(service: service, seat: "later")
        try await refusal(.operationNotAllowed) { try await auth.signIn(with: google()) }
        let ann = try await auth.signIn(with: Self.annsPassword).user
        try await ann.unlink(.google)
        XCTAssertEqual(ann.providerData.map(\.provider), [.password])
    }

    func testWhoIsSignedInByAProviderThatIsSwitchedOffStaysSo() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        let tokens = try await before.seat().signIn(with: before.credential(.google)).user.issueTokens()
        var policy = AuthPolicy.standard
        policy.disabledProviders = [.google]
        let after = World(policy) { $0.store = store }
        _ = try await after.service.client().refresh(tokens.refreshToken)
        await assertThrows(.operationNotAllowed) { try await after.seat().signIn(with: after.credential(.google)) }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Ways of signing in that the policy disables.
final class DisabledProvidersTests: LimitedTestCase {
    private var world = World(.firebase)

    func testPasswordsOpenNothingAndAreNotSet() async throws {
        world.policy.disabledProviders = [.password]
        let ann = try await world.device().signIn(with: world.google()).user
        let attempts: [(String, () async throws -> Void)] = [
            ("sign up", { try await self.world.signUpAnn(self.world.device("tablet")) }),
            ("sign in", { try await self.world.device().signIn(with: World.annsPassword) }),
            ("link", { try await ann.link(with: World.annsPassword) }),
            ("change", { try await ann.updatePassword(to: World.password) }),
            ("reset", { try await self.world.device().sendPasswordReset(to: "ann@example.com") }),
            ("re-authenticate", { try await ann.reauthenticate(with: World.annsPassword) }),
        ]
        for (name, attempt) in attempts {
            try await world.refusal(.operationNotAllowed, .providerIsDisabled, name) { try await attempt() }
        }
        // Mailed links have a switch of their own.
        try await world.device().signIn(with: world.mailedLink(to: "ben@example.com", from: world.device()))
    }

    func testMailedLinksAreNeitherSentNorTaken() async throws {
        let link = try await world.mailedLink(to: "ann@example.com", from: world.device())
        world.policy.disabledProviders = [.emailLink]
        try await world.refusal(.operationNotAllowed, .providerIsDisabled, "a link from before") {
            try await world.device().signIn(with: link)
        }
        try await world.refusal(.operationNotAllowed, .providerIsDisabled, "asking for a link") {
            try await world.device().sendSignInLink(to: "ann@example.com")
        }
        try await world.signUpAnn()
    }

    func testNumbersAreNeitherSentToNorTaken() async throws {
        let digits = try await world.digits(to: "+15550001234")
        world.policy.disabledProviders = [.phone]
        try await world.refusal(.operationNotAllowed, .providerIsDisabled, "digits from before") {
            try await world.device().signIn(with: digits)
        }
        try await world.refusal(.operationNotAllowed, .providerIsDisabled, "asking for digits") {
            try await world.device().sendPhoneCode(to: "+15550001234")
        }
    }

    func testAProviderIsRefusedForItsOwnPeopleToo() async throws {
        world.policy.disabledProviders = [.google, .gitHub]
        let ann = try await world.signUpAnn()
        for credential in [world.google(), world.gitHub()] {
            try await world.refusal(.operationNotAllowed, .providerIsDisabled, "verifying alone") {
                try await ann.client.verify(credential)
            }
            try await world.refusal(.operationNotAllowed, .providerIsDisabled) {
                try await world.device("tablet").signIn(with: credential)
            }
            try await world.refusal(.operationNotAllowed, .providerIsDisabled) {
                try await ann.link(with: credential)
            }
        }
        try await ann.link(with: world.facebook())
    }

    func testNobodyVouchesForAProviderWithoutAVerifier() async throws {
        let credential = AuthCredential.simulated("oidc.unknown", .ann, at: world.clock.now)
        try await world.refusal(.operationNotAllowed, .providerHasNoVerifier) {
            try await world.device().signIn(with: credential)
        }
    }

    func testAnIdentityWithoutAVerifierIsNoMethodThatAnAccountCanKeepAlone() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.gitHub())
        let account = try await world.service.account(ann.account.id)
        let all = world.service.sharedPolicy.policy
        XCTAssertEqual(account.usableMethods(under: all).map(\.kind.provider), [.password, .gitHub], "with a verifier")
        let fewer = World(providers: AuthProviders([SimulatedProvider(.google)])).service.sharedPolicy.policy
        XCTAssertEqual(account.usableMethods(under: fewer).map(\.kind.provider), [.password], "without one")
    }

    func testAnonymousAccountsAreForAdministrators() async throws {
        world.policy.disabledProviders = [.anonymous]
        try await world.refusal(.adminRestrictedOperation, .providerIsDisabled) {
            try await world.device().signInAnonymously()
        }
    }

    func testAMethodThatIsDisabledLaterCanStillBeUnlinked() async throws {
        try await world.signUpAnn().link(with: world.google())
        var later = world.policy
        later.disabledProviders = [.google]
        let service = AuthService(
            AuthConfiguration(
                store: world.service.configuration.store,
                policy: later,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(world.clock, seed: 2)
            )
        )
        let auth = Auth(service: service, device: "later")
        try await world.refusal(.operationNotAllowed) { try await auth.signIn(with: world.google()) }
        let ann = try await auth.signIn(with: World.annsPassword).user
        try await ann.unlink(.google)
        XCTAssertEqual(ann.providerData.map(\.provider), [.password])
    }

    func testDisablingAnyMethodEndsTheSessionsThatRestOnItAndNoOthersOfTheAccount() async throws {
        world.startOver(.standard)
        let phone = world.device()
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.gitHub())
        try await ann.link(with: world.digits(to: "+15550001234", from: phone))
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        let mail = world.device("mail")
        let credentials: [(ProviderID, AuthCredential)] = [
            (.custom, .customToken(token)), (.emailLink, try await world.mailedLink(to: "ann@example.com", from: mail)),
            (.phone, try await world.digits(to: "+15550001234", from: phone)), (.password, World.annsPassword),
            (.gitHub, world.gitHub()),
        ]
        var sessions: [(ProviderID, String)] = []
        for (provider, credential) in credentials {
            let auth = provider == .emailLink ? mail : provider == .phone ? phone : world.device(provider.rawValue)
            let user = try await auth.signIn(with: credential).user
            XCTAssertEqual(user.uid, ann.uid, "the account that \(provider) signs in to")
            sessions.append((provider, try await user.idToken()))
        }
        try await assertEndedOnly(sessions, ofEach: sessions.map(\.0))
    }

    /// Under the standard policy a guest's session ends with the first other sign-in, so none is left to go on.
    func testDisablingAnonymousAccountsEndsTheSessionsOfGuests() async throws {
        world.startOver(AuthPolicy.weakened { $0.revokesSessionsOn.remove(.firstMethod) })
        let guest = try await world.device().signInAnonymously().user
        let token = try await world.service.makeCustomToken(for: guest.account.id)
        let vouched = try await world.device("server").signIn(with: .customToken(token)).user
        XCTAssertEqual(vouched.uid, guest.uid, "the account that the server vouches for")
        let sessions: [(ProviderID, String)] = [
            (.anonymous, try await guest.idToken()), (.custom, try await vouched.idToken()),
        ]
        try await assertEndedOnly(sessions, ofEach: [.anonymous])
    }

    /// Disables each provider alone, and asserts that only the sessions end that rest on it.
    private func assertEndedOnly(_ sessions: [(ProviderID, String)], ofEach providers: [ProviderID]) async throws {
        for disabled in providers {
            world.policy.disabledProviders = [disabled]
            let client = world.service.client()
            for (provider, token) in sessions {
                let what = "a session by \(provider) where \(disabled) is disabled"
                if provider == disabled {
                    let error = await authError(what) { try await client.user(forIDToken: token) }
                    XCTAssertEqual(error?.code, .userTokenExpired, what)
                    XCTAssertEqual(error?.reasons.last, .providerIsDisabled, what)
                } else {
                    let goesOn = await world.succeeds { try await client.user(forIDToken: token) }
                    XCTAssertTrue(goesOn, what)
                }
            }
        }
    }

    func testWhoIsSignedInByAProviderThatIsDisabledStaysSoOnlyWhereThePolicyKeepsSessions() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        let tokens = try await before.device().signIn(with: before.credential(.google)).user.issueTokens()
        var policy = AuthPolicy.standard
        policy.disabledProviders = [.google]
        let after = World(policy) { $0.store = store }
        await assertThrows(.userTokenExpired) { try await after.service.client().refresh(tokens.refreshToken) }
        policy.removedMethod = .keepsItsSessions
        let lenient = World(policy) { $0.store = store }
        _ = try await lenient.service.client().refresh(tokens.refreshToken)
        await assertThrows(.operationNotAllowed) { try await after.device().signIn(with: after.credential(.google)) }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-4, AT-6 and S40: an ID token that was got elsewhere is neither linked nor counted as a login.
final class NonceAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// A server's client of this device.
    private func server(_ device: DeviceID = "anns") -> AuthClient {
        world.service.client(for: device, origin: .address("192.0.2.1"))
    }

    private func google(_ nonce: String?, _ person: SimulatedPerson = .ann) -> AuthCredential {
        var token = world.work
        token.nonce = nonce
        return world.google(person, token)
    }

    /// Ann, who has a password, on a server that got her ID token.
    private func signedIn(_ device: DeviceID = "anns") async throws -> User {
        try await server(device).signIn(with: World.annsPassword).user
    }

    func testAT4_AnIDTokenThatWasGotElsewhereIsNotLinkedOnAServer() async throws {
        try await world.signUpVerifiedAnn()
        let ann = try await signedIn()
        // Eve's token for this app, with no nonce, with a nonce of her own, and with one that she got for herself.
        let eves = try await world.service.client(for: "eves", origin: .unknown).nonce(for: .signIn)
        for nonce in [nil, "a nonce of eve", eves] {
            let credential = google(nonce, .eve)
            try await world.refusal(.missingOrInvalidNonce, nonce == eves ? .nonceIsOver : .nonceIsMissing) {
                try await ann.link(with: credential)
            }
            try await world.refusal(.missingOrInvalidNonce) { try await ann.reauthenticate(with: credential) }
            try await world.refusal(.missingOrInvalidNonce) {
                try await ann.replace(.password, with: credential)
            }
            let preview = try await ann.previewLink(with: server().verify(credential))
            guard case .refused(.missingOrInvalidNonce) = preview.answer else { return XCTFail("\(preview.answer)") }
        }
        // A token that can carry no nonce needs the code flow.
        try await world.refusal(.missingOrInvalidNonce, .nonceIsMissing) {
            try await ann.link(with: self.world.gitHub())
        }
        let nonce = try await ann.nonce(for: .link)
        try await ann.link(with: google(nonce))
        let linked = try await world.providers(ann)
        XCTAssertEqual(linked, [.password, .google])
    }

    /// A nonce is good on its device, in its session and account, and for what it was made for; elsewhere it stays
    /// unused.
    func testAT4_ANonceIsForOneIntentOfOneSessionOnOneDevice() async throws {
        try await world.signUpVerifiedAnn()
        try await world.signUp("ben@example.com")
        let ann = try await signedIn()
        let other = try await signedIn("other")
        let again = try await signedIn()
        let ben = try await server().signIn(with: .password(email: "ben@example.com", password: World.password)).user
        let nonce = try await ann.nonce(for: .link)
        let credential = google(nonce)
        let wrong: [(String, () async throws -> Any)] = [
            ("another device", { try await other.link(with: credential) }),
            ("another session", { try await again.link(with: credential) }),
            ("another account", { try await ben.link(with: credential) }),
            ("another intent", { try await ann.reauthenticate(with: credential) }),
            ("a sign-in", { try await self.server().signIn(with: credential) }),
            ("a sign-in elsewhere", { try await self.server("eves").signIn(with: credential) }),
        ]
        for (name, act) in wrong {
            try await world.refusal(.missingOrInvalidNonce, .nonceIsOver, name, act)
        }
        try await ann.link(with: credential)
        try await ann.unlink(.google)
        try await world.refusal(.invalidCredential, .assertionWasUsed, "a second time") {
            try await ann.link(with: credential)
        }
        // The same nonce in a token of another time is used up as well.
        world.clock.advance(by: .seconds(1))
        try await world.refusal(.invalidCredential) { try await ann.link(with: self.google(nonce)) }
    }

    /// A verifier that overlooks the nonce of its token shows nothing of it.
    func testANonceThatTheTokenDoesNotNameIsRefused() async throws {
        struct Careless: CredentialVerifier {
            let provider = ProviderID.google
            let claim: String?

            func verify(
                _ credential: AuthCredential.Federated,
                in context: VerificationContext
            ) async throws -> ProviderAssertion {
                var assertion = ProviderAssertion(provider: provider, subject: "ann")
                assertion.singleUse = claim.map {
                    ProviderAssertion.SingleUse(id: $0, expiresAt: context.now + 3600)
                }
                return assertion
            }
        }
        for claim in [nil, "the nonce of another token"] {
            let world = World(.standard, providers: [Careless(claim: claim)])
            let client = world.service.client(for: "anns", origin: .address("192.0.2.1"))
            let nonce = try await client.nonce(for: .signIn)
            try await world.refusal(.missingOrInvalidNonce, .nonceIsMissing, claim ?? "no nonce") {
                try await client.signIn(with: .google(idToken: "token", nonce: nonce))
            }
        }
    }

    func testS40_ANonceForALoginIsNoneForALinkAndExpires() async throws {
        try await world.signUpVerifiedAnn()
        let ann = try await signedIn()
        let nonce = try await ann.nonce(for: .link)
        try await ann.link(with: google(nonce))
        let login = try await ann.nonce(for: .reauthenticate)
        try await ann.reauthenticate(with: google(login))
        let late = try await ann.nonce(for: .reauthenticate)
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.missingOrInvalidNonce, .nonceIsOver) {
            try await ann.reauthenticate(with: self.google(late))
        }
    }

    /// At a sign-in an app may have nonces of its own; one of the service is good once, where it was made.
    func testS40_ANonceForASignInIsGoodOnceOnItsDevice() async throws {
        let nonce = try await server().nonce(for: .signIn)
        try await world.refusal(.missingOrInvalidNonce, .nonceIsOver) {
            try await self.server("eves").signIn(with: self.google(nonce))
        }
        try await server().signIn(with: google(nonce))
        try await world.refusal(.invalidCredential, .assertionWasUsed) {
            try await self.server().signIn(with: self.google(nonce))
        }
        try await server().signIn(with: google("the app's own"))
        try await server().signIn(with: google(nil))
        // A token that does not have the nonce which is presented beside it is refused by its verifier.
        let other = try await server().nonce(for: .signIn)
        guard case .federated(var federated) = google(nil).content else { return XCTFail("no federated credential") }
        federated.nonce = Secret(other)
        try await world.refusal(.missingOrInvalidNonce) { try await self.server().signIn(with: .federated(federated)) }
    }

    /// What met a conflict, or waits for a factor, was presented with its nonce before and needs no other.
    func testS40_AConflictAndAFactorUseTheNonceUp() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
        let app = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.challenge { try await self.signedIn() }
        let user = try await server().resolve(challenge, with: .totp(try world.totp(app))).user
        world.policy.recencyNeedsFactor = false
        let nonce = try await user.nonce(for: .link)
        try await user.link(with: google(nonce))
        world.clock.advance(by: .seconds(60))
        let login = try await user.nonce(for: .reauthenticate)
        let credential = google(login)
        let owed = try await world.challenge { try await user.reauthenticate(with: credential) }
        try await world.refusal(.missingOrInvalidNonce, .nonceIsOver) {
            try await user.reauthenticate(with: credential)
        }
        _ = try await server(user.device).resolve(owed, with: .totp(try world.totp(app)))
        // A conflict of another identity is resolved without a nonce, on its device.
        let signIn = try await server().nonce(for: .signIn)
        var token = world.work
        token.nonce = signIn
        token.subject = "another subject"
        let conflict = try await world.conflict { try await self.server().signIn(with: self.world.google(.ann, token)) }
        try await world.refusal(.missingOrInvalidNonce, .nonceIsOver) {
            try await self.server().signIn(with: self.world.google(.ann, token))
        }
        XCTAssertEqual(conflict.provider, .google)
        let met = try await world.conflict { try await self.server(user.device).signIn(with: self.world.facebook()) }
        try await user.link(with: .pending(met.pending))
        let linked = try await world.providers(ann)
        XCTAssertEqual(linked, [.password, .google, .facebook], "the identity of the conflict was not linked")
    }

    /// In an app, the engine gets what the app itself asked the provider for.
    func testS40_InAnAppNoNonceIsNeededUnlessThePolicyAlwaysAsks() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await ann.link(with: google(nil))
        try await ann.reauthenticate(with: google(nil))
        world.policy.linkNonce = .always
        let phone = world.device("phone")
        let again = try await phone.signIn(with: google(nil)).user
        try await world.refusal(.missingOrInvalidNonce, .nonceIsMissing) {
            try await again.reauthenticate(with: self.google(nil))
        }
        let nonce = try await again.nonce(for: .reauthenticate)
        try await again.reauthenticate(with: google(nonce))
        world.policy.linkNonce = .never
        let user = try await server().signIn(with: World.annsPassword).user
        try await user.reauthenticate(with: google(nil))
    }

    func testS40_ANonceNeedsALiveSession() async throws {
        try await world.signUpVerifiedAnn()
        let ann = try await signedIn()
        try await ann.signOut()
        try await world.refusal(.userTokenExpired) { try await ann.nonce(for: .link) }
    }

    /// A nonce that the service made is known by its digest; one of the app's own may look like a digest.
    func testANonceOfTheAppMayBeSixtyFourHexadecimalDigits() async throws {
        let nonce = String(repeating: "a1", count: 32)
        let code = await outcome { try await self.server().signIn(with: self.google(nonce)) }
        XCTAssertNil(code, "a sign-in with a nonce that the app made")
    }
}

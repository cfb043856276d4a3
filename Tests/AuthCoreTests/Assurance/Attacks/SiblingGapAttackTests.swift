@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// What one operation did, and its sibling did not.
final class SiblingGapAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    override func setUp() { world = World(.standard) }

    /// An adoption by a mailed link ends the code of the stranger's former mailbox, and so does one by a reset.
    func testAResetThatAdoptsAnAccountEndsTheCodeThatTakesItBack() async throws {
        world = World(.firebase)
        world.policy.unverifiedOwner = .adopted
        let eve = world.device("eve")
        let user = try await eve.signUp(email: "eve@evil.example", password: world.evesPassword).user
        try await user.updateEmail(to: "ann@example.com")
        let code = try world.code(.recoverEmail, to: "eve@evil.example")
        try await world.reset(to: World.password)
        try await world.refusal(.invalidActionCode) { try await eve.applyActionCode(code) }
        let after = try await world.account(user)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the stranger takes the adopted account back")
    }

    /// As a sign-out does beside another session.
    func testATokenThatComesBackKeepsAnUnverifiedAccountForItsOtherSession() async throws {
        let client = world.service.client(for: "tablet", origin: .local)
        let phone = world.device("phone")
        let ann = try await phone.signUp(email: "ann@example.com", password: World.password).user
        let tablet = try await client.signIn(with: World.annsPassword).user
        let old = try await tablet.issueTokens()
        _ = try await client.refresh(old.refreshToken)
        world.clock.advance(by: .seconds(29 * day))
        try await tablet.reload()
        try await ann.reload()
        world.clock.advance(by: .seconds(day))
        await assertThrows(.userTokenExpired) { _ = try await client.refresh(old.refreshToken) }
        // The phone's session goes on until day 59, and the account is kept for a month from then.
        for _ in 0..<58 {
            world.clock.advance(by: .seconds(day))
            try await world.service.sweep()
        }
        let isKept = await world.succeeds { try await world.account(ann) }
        XCTAssertTrue(isKept, "the account is removed a month after the token came back")
    }

    /// As an ID token that cannot be issued does.
    func testTokensThatCannotBeIssuedShowThatTheSessionIsOver() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await world.service.revokeSessions(of: ann.accountID)
        await assertThrows(.userTokenExpired) { _ = try await ann.issueTokens() }
        XCTAssertNil(phone.currentUser, "the user of a session that is over stays the current one")
    }

    /// Strangers at an origin stop no person on a device that the account knows, whatever the conflict is about.
    func testS31_AConflictOfANumberOnAKnownDeviceIsNotStoppedByItsOrigin() async throws {
        world.policy.limits?.visitsFromOrigin = 5
        try await world.signUpVerifiedAnn()
        let client = try await world.annsDevice()
        let stranger = world.stranger(at: "192.0.2.77")
        let ann = try await client.signIn(with: World.annsPassword).user
        let number = "+15550001234"
        try await ann.link(with: digits(to: number, client))
        world.clock.advance(by: .seconds(100 * day))
        let counts = await outcomes(of: 8) { _ in try await stranger.nonce(for: .signIn) }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 3], "the origin is not over its limit")
        let credential = try await digits(to: number, client)
        let code = await outcome { try await client.signIn(with: credential) }
        XCTAssertEqual(code, .accountExistsWithDifferentCredential, "the person learns no more that the number is old")
    }

    private func digits(to number: String, _ client: AuthClient) async throws -> AuthCredential {
        let id = try await client.sendPhoneCode(to: number)
        return .phone(verificationID: id, code: try world.newestCode(to: number))
    }

    func testS31_AMergeOnAKnownDeviceIsNotStoppedByItsOrigin() async throws {
        world.policy.limits?.visitsFromOrigin = 5
        try await world.signUp("ben@example.com")
        try await world.signUpVerifiedAnn()
        let client = try await world.annsDevice()
        let stranger = world.stranger(at: "192.0.2.77")
        let counts = await outcomes(of: 8) { _ in try await stranger.nonce(for: .signIn) }
        XCTAssertEqual(counts, [nil: 5, .tooManyRequests: 3], "the origin is not over its limit")
        let ben = try await client.verify(.password(email: "ben@example.com", password: World.password))
        let ann = try await client.verify(World.annsPassword)
        let code = await outcome { try await client.merge(.verified(ben), into: .verified(ann)) }
        XCTAssertNil(code, "strangers at the origin stop the merge")
    }

    /// What is disabled is refused before it is counted, so that it uses up nothing.
    func testMessagesOfADisabledMethodUseUpNoAllowance() async throws {
        world.policy.limits?.mailsFromOrigin = 3
        world.policy.disabledProviders = [.emailLink]
        let client = world.service.client(for: nil, origin: .address("192.0.2.9"))
        for _ in 0..<5 {
            await assertThrows(.operationNotAllowed) { try await client.sendSignInLink(to: "ann@example.com") }
        }
        let code = await outcome { try await client.sendPasswordReset(to: "ann@example.com") }
        XCTAssertNil(code, "what was refused used up the mails of the origin")
    }

    /// As the mailed list does.
    func testAListOfMethodsLeavesAProvisionalPasswordOut() async throws {
        world = World(.firebase)
        world.policy.concealsSignUp = true
        try await world.squat()
        let methods = try await world.device("reader").fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, [], "a password that only the stranger's device can use")
    }

    /// While a factor is owed, nothing else is told.
    func testALinkTellsWhoseAnIdentityIsOnlyOnceTheFactorWasPresented() async throws {
        let number = "+15550009876"
        try await world.signUp("ben@example.com", linking: world.facebook(.ben))
        let cid = world.device("cid")
        try await cid.signIn(with: world.digits(to: number, from: cid))
        let ann = try await world.signUpVerifiedAnn()
        let phone = try await world.enrollPhone(ann)
        let app = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        // A thief presents the factor that the owner removes then.
        let thief = world.device("stolen")
        let challenge = try await world.passwordChallenge(in: thief)
        let stolen = try await thief.resolve(challenge, with: world.phoneAnswer(challenge, from: thief)).user
        let own = world.device("own")
        let asked = try await world.passwordChallenge(in: own)
        try await own.resolve(asked, with: .totp(world.totp(app))).user.multiFactor.unenroll(phone)
        for credential in [world.facebook(.ben), try await world.digits(to: number, from: thief)] {
            await assertThrows(.secondFactorRequired) { try await stolen.link(with: credential) }
        }
    }

    /// An edited file would spare an attacker's device the limits of strangers.
    func testS39_AnUntrustedImportKnowsNoDevice() async throws {
        let ann = try await world.signUpVerifiedAnn()
        var account = try await world.account(ann)
        XCTAssertFalse(account.knownDevices.isEmpty, "the account knows no device before")
        account.distrustImport(under: world.policy)
        XCTAssertTrue(account.knownDevices.isEmpty, "the import knows a device")
    }

    /// The digest of a nonce is in the token, so a thief of the token has it.
    func testTheDigestOfANonceIsNotTheNonce() async throws {
        world = World(.standard) { $0.providers = [ClaimingVerifier()] }
        let client = world.service.client(for: "anns", origin: .address("192.0.2.1"))
        let nonce = try await client.nonce(for: .signIn)
        let digest = String(decoding: hexadecimal(SHA256.hash(Array(nonce.utf8))), as: UTF8.self)
        let thief = world.service.client(for: "eves", origin: .address("192.0.2.2"))
        try await world.refusal(.missingOrInvalidNonce, .nonceIsMissing) {
            try await thief.signIn(with: .apple(idToken: digest, nonce: digest))
        }
        try await client.signIn(with: .apple(idToken: digest, nonce: nonce))
    }
}

/// A verifier whose ID tokens are the claim of the nonce, which may be the nonce or its digest.
private struct ClaimingVerifier: CredentialVerifier {
    var provider: ProviderID { .apple }

    func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        let claim = try XCTUnwrap(credential.idToken?.revealed)
        guard let nonce = credential.nonce?.revealed, isNonce(nonce, claimed: claim) else {
            throw VerificationFailure.wrongNonce
        }
        var assertion = ProviderAssertion(provider: .apple, subject: "ann")
        assertion.singleUse = ProviderAssertion.SingleUse(id: claim, expiresAt: context.now.addingTimeInterval(600))
        return assertion
    }
}

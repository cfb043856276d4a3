@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Where a factor is owed for a join, a link or a re-authentication, it comes first and the change after it.
final class SecondFactorChangeTests: LimitedTestCase {
    private let world = World(.firebase)

    func testAJoinWaitsForTheFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.challenge { try await auth.signIn(with: world.google()) }
        let before = try await world.providers(ann)
        XCTAssertEqual(before, [.password])
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.provider, .google)
        XCTAssertEqual(result.additionalUserInfo?.provider, .google)
        let after = try await world.providers(ann)
        XCTAssertEqual(after, [.password, .google])
    }

    func testAStripWaitsForTheFactorToo() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        try await ann.updateEmail(to: "ben@example.com")
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.challenge { try await auth.signIn(with: world.google(.ben)) }
        try await ann.reload()
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertEqual(result.user.providerData.map(\.provider), [.google])
        XCTAssertEqual(result.user.multiFactor.enrolledFactors.count, 1)
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
    }

    func testAPasswordThatIsShownInTheSameAttemptStaysThroughTheFactor() async throws {
        for (password, left) in [(World.password, [.password, .google]), ("not the word", [ProviderID.google])] {
            let world = World(.firebase)
            let ann = try await world.signUpVerifiedAnn()
            let enrollment = try await world.enrollTOTP(ann)
            try await ann.updateEmail(to: "ben@example.com")
            world.clock.advance(by: .seconds(60))
            let auth = world.device("tablet")
            let challenge = try await world.challenge {
                try await auth.signIn(with: world.google(.ben), retainingPassword: password)
            }
            let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
            XCTAssertEqual(result.user.uid, ann.uid, "the account of the address")
            XCTAssertEqual(result.user.providerData.map(\.provider), left, "what is left beside \(password)")
        }
    }

    func testEveryLinkWaitsForTheFactorInASessionThatShowedNone() async throws {
        let auth = world.device("tablet")
        let ann = try await world.signUpVerifiedAnn()
        let other = try await auth.signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.challenge { try await other.link(with: world.google()) }
        let before = try await world.providers(ann)
        XCTAssertEqual(before, [.password])
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertTrue(result.user === other, "the person in the device is who they were")
        XCTAssertFalse(result.isNewUser, "a link makes no account")
        XCTAssertEqual(result.provider, .google, "what was linked")
        XCTAssertEqual(other.providerData.map(\.provider), [.password, .google])
        XCTAssertEqual(other.session.factor?.kind, .totp)
        try await other.link(with: world.facebook())
    }

    func testAnAnswerAfterAnotherPersonSignedInDoesNotMakeTheirUserAnothers() async throws {
        let auth = world.device("tablet")
        let enrollment = try await world.enrollTOTP(world.signUpVerifiedAnn())
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.passwordChallenge(in: auth)
        let ben = try await auth.signIn(with: world.gitHub(.ben)).user
        let uid = ben.uid
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertEqual(ben.uid, uid, "the user of the person who signed in meanwhile")
        XCTAssertIdentical(auth.currentUser, result.user, "the current user")
    }

    func testALinkedPasswordOrMailboxWaitsForTheFactor() async throws {
        let credentials: [(String, (Auth) async throws -> AuthCredential)] = [
            ("password", { _ in World.annsPassword }),
            ("mailbox", { try await self.world.mailedLink(to: "ann@example.com", from: $0) }),
        ]
        for (name, credential) in credentials {
            let auth = world.device(name)
            let ann = try await world.device("first").signIn(with: world.google()).user
            let other = try await auth.signIn(with: world.google()).user
            let enrollment = try await world.enrollTOTP(ann)
            world.clock.advance(by: .seconds(60))
            let credential = try await credential(auth)
            let challenge = try await world.challenge { try await other.link(with: credential) }
            let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
            XCTAssertEqual(result.provider, .password, "what was linked by a \(name)")
            XCTAssertEqual(other.providerData.map(\.provider), [.google, .password], name)
            try await world.service.deleteAccount(ann.account.id)
        }
    }

    func testANumberIsNotLinkedToAnAccountWithFactors() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await world.enrollTOTP(ann)
        let credential = try await world.digits(to: world.number, from: auth)
        try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere) {
            try await ann.link(with: credential)
        }
    }

    func testNoFactorIsAskedForWhereTheNumberIsRefusedAnyway() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let tablet = world.device("tablet")
        let other = try await tablet.signIn(with: World.annsPassword).user
        try await world.enrollTOTP(ann)
        let strangers = world.device("stranger's")
        try await strangers.signIn(with: world.digits(to: "+15550009999", from: strangers))
        for (whose, number) in [("no account's", world.number), ("another account's", "+15550009999")] {
            let credential = try await world.digits(to: number, from: tablet)
            try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere, "\(whose) number is linked") {
                try await other.link(with: credential)
            }
            try await world.refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere, "\(whose) number is set") {
                try await other.updatePhoneNumber(with: credential)
            }
        }
    }

    func testNoFactorIsAskedForWhereTheNumberIsAFactorOfTheAccount() async throws {
        let world = World(AuthPolicy.weakened { $0.revokesSessionsOn.remove(.firstFactor) })
        let ann = try await world.signUpVerifiedAnn()
        let tablet = world.device("tablet")
        let other = try await tablet.signIn(with: World.annsPassword).user
        try await world.enrollPhone(ann)
        world.clock.advance(by: .seconds(60))
        let credential = try await world.digits(to: world.number, from: tablet)
        try await world.refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await other.link(with: credential)
        }
    }

    func testReauthenticatingAsksForTheFactorAndRenewsTheSameSession() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let enrollment = try await world.enrollTOTP(ann)
        let session = ann.session.id
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.challenge { try await ann.reauthenticate(with: World.annsPassword) }
        XCTAssertNotEqual(ann.session.authenticatedAt, world.clock.timestamp)
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertTrue(result.user === ann)
        XCTAssertEqual(ann.session.id, session)
        XCTAssertEqual(ann.session.authenticatedAt, world.clock.timestamp)
    }

    func testAConflictIsResolvedWithTheFactorAndNotBefore() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        let auth = world.device("tablet")
        let met = try await world.refusal(.accountExistsWithDifferentCredential) {
            try await auth.signIn(with: world.gitHub())
        }
        let conflict = try XCTUnwrap(met.conflict)
        world.clock.advance(by: .seconds(60))
        let challenge = try await world.challenge {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
        try await world.refusal(.invalidVerificationCode) { try await auth.resolve(challenge, with: .totp("000000")) }
        let result = try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.providerData.map(\.provider), [.password, .gitHub])
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await auth.signIn(with: conflict.credential)
        }
    }

    func testAFactorThatAReportSuspendedIsListedAsSuspended() async throws {
        let world = World(.standard)
        let auth = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(auth)
        try await world.enrollPhone(ann)
        XCTAssertEqual(ann.multiFactor.enrolledFactors.map(\.isSuspended), [false])
        let code = try world.code(.factorAdded, to: "ann@example.com")
        try await world.service.client().reportUnauthorizedChange(code: code)
        let back = try await auth.signIn(with: World.annsPassword).user
        XCTAssertEqual(back.multiFactor.enrolledFactors.map(\.isSuspended), [true])
    }
}

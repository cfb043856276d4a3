@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Putting a sign-in method into the place of another, in one step.
final class ReplaceTests: LimitedTestCase {
    private var world = World(.firebase)

    func testAnotherGoogleAccountTakesThePlaceOfTheLinkedOne() async throws {
        world.policy.recycledSubject = .conflicts
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.replace(.google, with: world.google(.ben))
        let after = try await world.account(ann)
        XCTAssertEqual(after.identities.count, 1)
        let events = try await world.service.events(limit: .max).events.filter { $0.kind == .methodsChanged }
        XCTAssertEqual(events.map { $0.before?.count }, [1])
        XCTAssertEqual(events.map { $0.after?.count }, [1])
        let again = try await world.device("tablet").signIn(with: world.google(.ben))
        XCTAssertEqual(again.user.uid, ann.uid)
        try await world.refusal(.accountExistsWithDifferentCredential, .otherSubjectIsLinked) {
            try await world.device("laptop").signIn(with: world.google())
        }
    }

    func testTheOnlyMethodIsReplacedUnderAPolicyThatKeepsTheLast() async throws {
        world.policy.lastMethod = .kept
        let ann = try await world.device().signIn(with: world.google()).user
        try await world.refusal(.lastMethod) { try await ann.unlink(.google) }
        try await ann.replace(.google, with: world.facebook(.ben))
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.facebook])
    }

    func testAMethodThatIsNotThereIsNotReplaced() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await world.refusal(.noSuchProvider, .providerIsNotLinked) {
            try await ann.replace(.gitHub, with: world.facebook())
        }
        try await world.refusal(.providerAlreadyLinked, .providerIsLinked) {
            try await ann.replace(.google, with: world.google())
        }
    }

    func testACredentialVerifiedBeforeReplacesOnlyAMethodThatIsThere() async throws {
        let client = world.device()
        let ann = try await client.signIn(with: world.google()).user
        let verified = try await client.verify(world.facebook())
        try await world.refusal(.noSuchProvider, .providerIsNotLinked) {
            try await ann.replace(.gitHub, with: verified)
        }
        let providers = try await world.providers(ann)
        XCTAssertEqual(providers, [.google], "the methods after a replacement that was refused")
    }

    func testAReplacementByAnIdentityOfSomebodyElseLeavesTheOldOne() async throws {
        try await world.device("bens").signIn(with: world.google(.ben))
        let ann = try await world.device().signIn(with: world.google()).user
        let error = try await world.refusal(.credentialAlreadyInUse) {
            try await ann.replace(.google, with: world.google(.ben))
        }
        XCTAssertNotNil(error.conflict)
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.google])
    }

    func testAReplacementNeedsALoginAsOldAsWhatItReplaces() async throws {
        world.policy.seniority = .seconds(7 * 86400)
        let phone = world.device()
        let ann = try await phone.signIn(with: world.google()).user
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(86400))
        let thief = try await world.device("thief").signIn(with: world.facebook(.ben)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.replace(.google, with: world.google(.ben))
        }
        try await thief.reauthenticate(with: world.google())
        try await thief.replace(.google, with: world.google(.ben))
    }

    func testAReplacedNumberNeedsALoginAsOldAsTheNumber() async throws {
        world.policy.seniority = .seconds(7 * 86400)
        let phone = world.device()
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.facebook())
        world.clock.advance(by: .seconds(60))
        let thief = world.device("thief")
        let stolen = try await thief.signIn(with: world.facebook()).user
        let credential = try await world.digits(to: "+15550007777", from: thief)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await stolen.updatePhoneNumber(with: credential)
        }
    }

    func testAReplacedNumberWaitsForTheFactorAndReplaces() async throws {
        world.policy.phoneWithFactors = .asksForFactor
        let phone = world.device()
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.link(with: world.digits(to: "+15550005678", from: phone))
        try await ann.reauthenticate(with: World.annsPassword)
        let auth = world.device("tablet")
        let other = try await auth.signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let credential = try await world.digits(to: "+15550007777", from: auth)
        let challenge = try await world.challenge { try await other.updatePhoneNumber(with: credential) }
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        let after = try await world.account(ann)
        XCTAssertEqual(after.phoneNumber?.text, "+15550007777")
    }

    func testTheFirstNumberWaitsForTheFactorAndIsAdded() async throws {
        world.policy.phoneWithFactors = .asksForFactor
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let other = try await auth.signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let credential = try await world.digits(to: "+15550007777", from: auth)
        let challenge = try await world.challenge { try await other.updatePhoneNumber(with: credential) }
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        let after = try await world.account(ann)
        XCTAssertEqual(after.phoneNumber?.text, "+15550007777", "the first number, after the factor was verified")
    }

    func testTheSameNumberWaitsForTheFactorAndIsRenewed() async throws {
        world.policy.phoneWithFactors = .asksForFactor
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550009999", from: auth))
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(other)
        world.clock.advance(by: .seconds(60))
        let digits = try await world.digits(to: "+15550009999", from: auth)
        let challenge = try await world.challenge { try await ann.updatePhoneNumber(with: digits) }
        let answered = try await auth.resolve(challenge, with: .totp(world.totp(enrollment))).user
        XCTAssertEqual(answered.phoneNumber, "+15550009999", "the number that was renewed")
    }

    func testANumberIsChangedByDigitsAndNothingElse() async throws {
        let ann = try await world.signUpAnn()
        let error = try await world.refusal(.invalidCredential) {
            try await ann.updatePhoneNumber(with: World.annsPassword)
        }
        XCTAssertEqual(error.message, "Only a phone credential changes the number.")
        try await ann.updatePhoneNumber(with: world.digits(to: "+15550001234", from: world.device()))
        XCTAssertEqual(ann.phoneNumber, "+15550001234")
    }

    func testAReplacedPasswordAndAReplacedIdentityWaitForTheFactor() async throws {
        let phone = world.device()
        let ann = try await world.signUpVerifiedAnn(phone)
        let auth = world.device("tablet")
        let other = try await auth.signIn(with: World.annsPassword).user
        let third = try await world.device("third").signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(ann)
        try await ann.link(with: world.google())
        world.clock.advance(by: .seconds(60))
        let hash = try await world.account(ann).passwordHash
        _ = try await world.challenge {
            try await third.replace(.password, with: .password(email: "ann@example.com", password: "another good one"))
        }
        let waiting = try await world.account(ann)
        XCTAssertEqual(waiting.passwordHash, hash, "the password that waits for the factor is in force")
        let challenge = try await world.challenge { try await other.replace(.google, with: world.google(.ben)) }
        let between = try await world.account(ann)
        XCTAssertEqual(between.identities.map(\.email?.text), ["ann@example.com"])
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        let after = try await world.account(ann)
        XCTAssertEqual(after.identities.map(\.email?.text), ["ben@example.com"])
    }

    func testANewPasswordForTheSameAddressLeavesTheAddressVerified() async throws {
        world.policy = .standard
        let ann = try await world.signUp("ann@example.com", in: world.device())
        try await ann.replace(.password, with: .password(email: "ann@example.com", password: "another good one"))
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified, "the replacement withdrew what verified the address")
        await assertThrows(.emailChangeNeedsVerification) { try await ann.updateEmail(to: "other@example.org") }
        let again = try await world.device("tablet").signIn(
            with: .password(email: "ann@example.com", password: "another good one")
        )
        XCTAssertEqual(again.user.uid, ann.uid)
    }

    func testAnIdentityWithTheSameAddressThatReplacesThePasswordLeavesTheAddressVerifiedAndReserved() async throws {
        for provider in [ProviderID.gitHub, .google] {
            world.startOver(.standard)
            let ann = try await world.signUpVerifiedAnn()
            try await ann.replace(.password, with: world.credential(provider))
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, "ann@example.com", "\(provider)")
            XCTAssertTrue(after.isEmailVerified(under: world.policy), "\(provider): the address is no longer verified")
            XCTAssertTrue(after.reservesEmail, "\(provider): the address is no longer reserved")
            XCTAssertEqual(after.reservations, [], "\(provider): the address was left and came back")
            let offer = world.outbox.last(to: "ann@example.com", .recoverEmail)
            XCTAssertNil(offer, "\(provider): an address that never left is offered back")
        }
    }

    /// As one with the same address does.
    func testAnIdentityUnderTheOtherNameOfTheMailboxThatReplacesThePasswordLeavesTheAddressVerified() async throws {
        world.startOver(.standard)
        let ann = try await world.signUp("ann@gmail.com", in: world.device())
        let google = world.google(.ann, SimulatedToken(email: .text("ann@googlemail.com")))
        try await ann.replace(.password, with: google)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@gmail.com")
        XCTAssertTrue(after.isEmailVerified(under: world.policy), "the address is no longer verified")
        XCTAssertTrue(after.reservesEmail, "the address is no longer reserved")
        XCTAssertTrue(after.evidence.contains { $0.source == .mailboxCode }, "what verified the address is gone")
        XCTAssertEqual(after.reservations, [], "the address was left and came back")
    }

    /// The address stays, so that a login need not be as old as its proof.
    func testALinkToTheOtherNameOfTheMailboxThatReplacesAnIdentityMovesNoAddress() async throws {
        world.startOver(.standard)
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        try await world.device().signIn(with: world.google(person))
        world.clock.advance(by: .seconds(30 * 86400))
        let ann = try await world.device().signIn(with: world.google(person)).user
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(86400))
        let tablet = world.device("tablet")
        let later = try await tablet.signIn(with: world.gitHub()).user
        try await later.replace(.gitHub, with: world.mailedLink(to: "ann@googlemail.com", from: tablet))
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.map(\.kind.provider), [.google, .password], "the methods, with mailed links")
        XCTAssertEqual(after.email?.text, "ann@gmail.com")
    }

    func testTheFactorOfAReplacementCanBeShownWhereRemovingEndsSessions() async throws {
        world.policy.revokesSessionsOn.insert(.unlink)
        let ann = try await world.signUp("ann@example.com", linking: world.credential(.gitHub), in: world.device())
        let tablet = world.device("tablet")
        let same = try await tablet.signIn(with: World.annsPassword).user
        try await world.enrollPhone(ann)
        let error = try await world.refusal(.secondFactorRequired) {
            try await same.replace(.gitHub, with: world.facebook())
        }
        let challenge = try XCTUnwrap(error.secondFactor)
        try await tablet.resolve(challenge, with: world.phoneAnswer(challenge, from: tablet))
        let providers = try await world.providers(ann)
        XCTAssertEqual(Set(providers), [.password, .facebook])
        await assertThrows(.userTokenExpired) { try await ann.reload() }
    }

    func testASuspendedIdentityThatIsToBeReplacedByItselfIsConfirmed() async throws {
        world.startOver(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub())
        try await world.device("mail").reportUnauthorizedChange(
            code: XCTUnwrap(world.outbox.last(to: "ann@example.com", .methodAdded)?.code)
        )
        let back = try await world.device().signIn(with: World.annsPassword).user
        try await back.replace(.gitHub, with: world.gitHub())
        XCTAssertTrue(back.account.methods.allSatisfy(\.isActive))
        XCTAssertEqual(back.account.methods.count, 2)
    }

    /// While the only active method is replaced, nothing is left that signs in but the app's server.
    func testAYoungLoginReplacesNoOlderSuspendedMethodBesideCustomTokens() async throws {
        world.startOver(.standard)
        let ann = try await world.device().signIn(with: world.facebook()).user
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        try await world.device("server").signIn(with: .customToken(token))
        world.clock.advance(by: .seconds(30 * 86_400))
        let young = try await world.device().signIn(with: world.facebook()).user
        try await young.link(with: world.gitHub(.eve))
        var account = try await world.account(ann)
        account.methods[0].suspension = SignInMethod.Suspension(since: world.clock.timestamp, reason: .recoverySuspends)
        let other = World(.standard)
        other.clock.advance(by: .seconds(30 * 86_400))
        _ = try await other.service.bring(account, lastSignIn: nil, trustedForJoin: true)
        let eve = try await other.device().signIn(with: other.gitHub(.eve)).user
        try await other.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.replace(.gitHub, with: other.facebook(.eve))
        }
    }

    func testASuspendedIdentityThatGivesWayToOneOfAnotherIssuerLeavesItsIssuerBlocked() async throws {
        for blocks in [true, false] {
            var policy = AuthPolicy.standard
            policy.blocksRemovedIssuers = blocks
            let store = InMemoryIdentityStore()
            let tenants = ["https://one.example", "https://other.example"].map {
                SimulatedProvider(.microsoft, issuer: $0)
            }
            let first = World(policy, providers: [tenants[0]]) { $0.store = store }
            let ann = try await first.verifiedUser(in: first.device())
            _ = try await ann.link(with: tenants[0].credential(for: .ann, at: first.clock.now))
            let notice = try XCTUnwrap(first.outbox.last(to: "ann@example.com", .methodAdded)?.code)
            try await first.device("mail").reportUnauthorizedChange(code: notice)
            let second = World(policy, providers: [tenants[1]]) {
                $0.store = store
                $0.environment = .manual(first.clock, seed: 2)
            }
            let back = try await second.device()
                .signIn(with: .password(email: "ann@example.com", password: "correct horse")).user
            _ = try await back.link(with: tenants[1].credential(for: .ann, at: second.clock.now))
            XCTAssertEqual(back.account.identities.map(\.key.issuer.description), ["https://other.example"])
            XCTAssertEqual(
                back.account.blockedIssuers.map(\.description),
                blocks ? ["https://one.example"] : [],
                "\(blocks)"
            )
        }
    }
}

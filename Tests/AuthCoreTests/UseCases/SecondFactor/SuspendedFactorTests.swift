@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A second factor that a report suspended protects nothing, and is the account's until it is removed.
final class SuspendedFactorTests: LimitedTestCase, PlainAccount {
    private var world = World(.standard)

    /// Suspends the factor that was enrolled last, and signs Ann in again.
    private func report() async throws -> User {
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.factorAdded, to: "ann@example.com"))
        return try await world.device().signIn(with: World.annsPassword).user
    }

    /// Ann, whose only factor is a number that is suspended.
    private func annWithASuspendedNumber() async throws -> User {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        let back = try await report()
        XCTAssertEqual(back.multiFactor.enrolledFactors.map(\.isSuspended), [true], "Ann's only factor is suspended")
        return back
    }

    func testASuspendedAppAnswersNoChallenge() async throws {
        let suspended = try await world.enrollTOTP(world.signUpVerifiedAnn())
        let ann = try await report()
        let own = try await world.enrollTOTP(ann)
        let id = try XCTUnwrap(ann.multiFactor.enrolledFactors.first { $0.isSuspended }?.id)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        await assertThrows(.invalidVerificationCode, "the code of the suspended app") {
            try await auth.resolve(challenge, with: .totp(world.totp(suspended)))
        }
        await assertThrows(.multiFactorInfoNotFound, "a code for the suspended app by its ID") {
            try await auth.resolve(challenge, with: .totp(world.totp(own), factor: id))
        }
        try await auth.resolve(challenge, with: .totp(world.totp(own)))
    }

    func testNoDigitsAreSentToASuspendedNumberAndNoneAreCounted() async throws {
        world.policy.limits?.factorTexts = 1
        let ann = try await annWithASuspendedNumber()
        let id = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id)
        try await world.enrollTOTP(ann)
        let tablet = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: tablet)
        let texts = world.outbox.messages.count
        await assertThrows(.multiFactorInfoNotFound, "digits for the suspended number") {
            try await tablet.sendPhoneCode(for: challenge, factor: id)
        }
        XCTAssertEqual(world.outbox.messages.count, texts, "messages after the refusal")
        try await world.enrollPhone(world.signUp("ben@example.com"))
        let other = world.device("other")
        let owed = try await world.challenge {
            try await other.signIn(with: .password(email: "ben@example.com", password: World.password))
        }
        let code = await outcome { try await world.phoneAnswer(owed, from: other) }
        XCTAssertNil(code, "digits for the same number where it is another account's factor")
    }

    func testASuspendedNumberIsNeitherLinkedNorEnrolledAgain() async throws {
        let ann = try await annWithASuspendedNumber()
        try await world.refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled, "as another factor") {
            try await ann.multiFactor.sendPhoneCode(to: world.number)
        }
        let digits = try await world.digits(to: world.number, from: world.device())
        try await world.refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled, "as a sign-in method") {
            try await ann.link(with: digits)
        }
    }

    func testASuspendedFactorTakesAPlaceUntilItIsRemoved() async throws {
        world.policy.factorLimit = 1
        let ann = try await annWithASuspendedNumber()
        try await world.refusal(.maximumSecondFactorCountExceeded, .factorLimitIsReached, "a second factor of one") {
            try await ann.multiFactor.startTOTP(issuer: "Boats")
        }
        try await ann.multiFactor.unenroll(XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id))
        try await world.enrollTOTP(ann)
        XCTAssertEqual(ann.multiFactor.enrolledFactors.map(\.kind), [.totp], "the factors that are left")
    }

    func testThereAreNoRecoveryCodesBesideASuspendedFactorAlone() async throws {
        let ann = try await annWithASuspendedNumber()
        try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown, "recovery codes") {
            try await ann.multiFactor.makeRecoveryCodes()
        }
    }

    func testASuspendedFactorAloneIsNotRecoveredFrom() async throws {
        _ = try await annWithASuspendedNumber()
        let auth = world.device("tablet")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.multiFactorInfoNotFound, .factorIsUnknown, "a recovery from lost factors") {
            try await auth.recoverFromLostFactors(with: link.mailed)
        }
    }

    /// Ann, who linked GitHub after a factor that is suspended, and before the authenticator app that she uses.
    private func annWithGitHubBeforeHerApp() async throws -> (ann: User, app: MultiFactor.TOTPEnrollment) {
        let ann = try await annWithASuspendedNumber()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(60))
        let app = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        return (ann, app)
    }

    func testAMethodThatIsOlderThanTheFactorsInUseTakesThemOffAtOnce() async throws {
        _ = try await annWithGitHubBeforeHerApp()
        let auth = world.device("tablet")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: world.gitHub(.ben))
        XCTAssertEqual(answer, .removed, "the mailbox and a method from before Ann's app")
    }

    func testALoginThatIsOlderThanTheFactorsInUseReplacesRecoveryCodes() async throws {
        let (_, app) = try await annWithGitHubBeforeHerApp()
        let auth = world.device("tablet")
        let challenge = try await world.challenge { try await auth.signIn(with: world.gitHub(.ben)) }
        let ann = try await auth.resolve(challenge, with: .totp(world.totp(app))).user
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let code = await outcome { try await ann.multiFactor.makeRecoveryCodes() }
        XCTAssertNil(code, "new recovery codes, by a method from before Ann's app")
    }

    func testAnAppThatIsUsedBesideASuspendedFactorIsNoChangeOfFactors() async throws {
        let (_, app) = try await annWithGitHubBeforeHerApp()
        let before = try await world.eventKinds()
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        try await auth.resolve(challenge, with: .totp(world.totp(app)))
        let after = try await world.eventKinds().dropFirst(before.count)
        XCTAssertTrue(after.contains(.signedIn), "the events of a sign-in: \(after)")
        XCTAssertFalse(after.contains(.factorsChanged), "the events of a sign-in: \(after)")
    }

    func testASuspendedFactorKeepsNoAddress() async throws {
        let ann = try await annWithASuspendedNumber()
        try await ann.link(with: world.gitHub(.ben))
        let code = await outcome { try await ann.unlink(.password) }
        XCTAssertNil(code, "the address of an account that no factor protects goes with the password")
    }

    func testItsOwnerIsNotifiedWhenAFactorIsSuspendedAndNotWhenItIsRemovedAfterwards() async throws {
        let ann = try await annWithASuspendedNumber()
        func notices() -> Int { world.outbox.messages.filter { $0.kind == .factorRemoved }.count }
        XCTAssertEqual(notices(), 1, "notices of a factor that a report suspends")
        try await ann.multiFactor.unenroll(XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id))
        XCTAssertEqual(notices(), 1, "notices of a suspended factor that is removed")
    }

    func testAnAdministratorRemovesASuspendedFactorToo() async throws {
        let ann = try await annWithASuspendedNumber()
        let account = try await world.service.removeFactors(of: ann.accountID)
        XCTAssertEqual(account.factors, [], "the factors that are left")
    }

    func testADeviceBecomesKnownByAResetBesideASuspendedFactor() async throws {
        let ann = try await annWithASuspendedNumber()
        let auth = world.device("tablet")
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        let account = try await world.account(ann)
        XCTAssertNotNil(account.key(of: auth.device), "no factor is owed on the device of the reset")
    }

    func testAMergeMovesASuspendedFactorAndItsUndoBringsItBack() async throws {
        let ben = try await world.signUp("ben@example.com")
        let ann = try await annWithASuspendedNumber()
        try await ann.link(with: world.gitHub())
        let client = world.service.client(world.context)
        let merged = try await client.merge(
            world.passwordSide("ann@example.com"),
            into: world.passwordSide("ben@example.com")
        )
        let after = try await world.account(ben)
        XCTAssertEqual(after.factors.map(\.phoneNumber?.text), [world.number], "the factors of the account that stays")
        XCTAssertNotNil(
            after.factors.first?.suspension,
            "the factor protects an account that it did not protect before"
        )
        XCTAssertNotNil(
            after.key(of: world.devices["laptop of ben@example.com"]),
            "Ben's device, although no factor protects him"
        )
        let undone = try await client.undoMerge(merged.id, verifiedBy: world.side(.gitHub))
        XCTAssertEqual(undone.result?.user.uid, ann.uid, "who is signed in by a method that went back")
        let (left, back) = try await (world.account(ben).factors, world.account(ann).factors)
        XCTAssertEqual(left, [], "the factors of the account that stayed, after the undo")
        XCTAssertEqual(back.map(\.phoneNumber?.text), [world.number], "the factors of the account that came back")
        XCTAssertNotNil(back.first?.suspension, "the factor protects the account that came back")
    }

    /// No factor was presented yet on the devices that the account knew; the undo leaves it without one again.
    func testAFactorThatAMergeBringsToASuspendedOneProtectsTheAccountUntilTheUndo() async throws {
        let ann = try await annWithASuspendedNumber()
        let desk = world.device("desk")
        try await desk.signIn(with: World.annsPassword)
        let before = try await world.account(ann)
        XCTAssertNotNil(before.key(of: desk.device), "the device is known at first")
        let ben = try await world.signUp("ben@example.com", linking: world.gitHub(.ben))
        let app = try await world.enrollTOTP(ben)
        world.clock.advance(by: .seconds(60))
        let client = world.service.client(world.context)
        let (from, into) = try await (world.passwordSide("ben@example.com"), world.passwordSide("ann@example.com"))
        var owed = try await world.refusal(.secondFactorRequired) { try await client.merge(from, into: into) }
        var challenge = try XCTUnwrap(owed.secondFactor, "what Ben's account owes")
        let merged = try await client.merge(.answering(challenge, .totp(world.totp(app))), into: into)
        let after = try await world.account(ann)
        XCTAssertEqual(after.activeFactors.map(\.factorKind), [.totp], "the factors that protect the account now")
        XCTAssertNil(after.key(of: desk.device), "a device on which no factor was presented")
        world.clock.advance(by: .seconds(60))
        let side = try await world.passwordSide("ann@example.com")
        owed = try await world.refusal(.secondFactorRequired) {
            try await client.undoMerge(merged.id, verifiedBy: side)
        }
        challenge = try XCTUnwrap(owed.secondFactor, "what Ann's account owes")
        let undone = try await client.undoMerge(
            merged.id,
            verifiedBy: .answering(challenge, .totp(world.totp(app)))
        )
        XCTAssertEqual(undone.result?.user.uid, ann.uid, "who is signed in once the app went back")
    }

    func testANumberThatIsASuspendedFactorOfTheTargetDoesNotMoveToIt() async throws {
        _ = try await annWithASuspendedNumber()
        let ben = world.device("ben")
        try await ben.signIn(with: world.digits(to: world.number, from: ben))
        let plan = try await world.service.client(world.context).previewMerge(
            world.side(world.digits(to: world.number, from: world.device())),
            into: world.passwordSide("ann@example.com")
        )
        XCTAssertEqual(plan.stays.map(\.why), [.numberIsFactor], "why the number stays")
    }

    func testASuspendedFactorIsNeitherPresentedNorHeldInASession() {
        var account = account()
        let (old, new) = (SecondFactor.ID(bits: 1), SecondFactor.ID(bits: 2))
        _ = account.addFactor(.totp(sealedSeed: [1], lastUsedStep: nil), named: nil, id: old.bits, at: noon)
        let uses = [
            SecondFactor.Use(factor: old, kind: .totp, at: later),
            SecondFactor.Use(factor: nil, kind: .recoveryCode, at: later),
        ]
        let proof = FactorProof(
            use: uses[0],
            account: account.id,
            sessionGeneration: account.sessionGeneration,
            consumes: []
        )
        for use in uses { XCTAssertTrue(account.holds(use), "a session holds \(use.kind)") }
        XCTAssertEqual(account.factorStatus(presented: proof), .presented, "the factor while it protects")
        account.factors[0].suspension = SignInMethod.Suspension(since: later, reason: .ownerReportsChange)
        XCTAssertEqual(account.factorStatus(presented: nil), .notEnrolled, "a suspended factor alone")
        _ = account.addFactor(
            .totp(sealedSeed: [2], lastUsedStep: nil),
            named: nil,
            id: new.bits,
            at: later + .seconds(1)
        )
        for use in uses { XCTAssertFalse(account.holds(use), "a session holds \(use.kind) of a suspended factor") }
        XCTAssertEqual(account.factorStatus(presented: proof), .required, "the suspended factor beside another one")
    }

    func testANumberSignsInBesideASuspendedFactorOfTheSameNumber() throws {
        let number = try XCTUnwrap(number)
        var account = account()
        _ = account.add(.phone(number), at: noon)
        _ = account.addFactor(.phone(number), named: nil, id: 1, at: noon)
        _ = account.addFactor(.totp(sealedSeed: [1], lastUsedStep: nil), named: nil, id: 2, at: noon)
        XCTAssertFalse(account.acceptsNumber(under: .standard), "a number that would be both factors")
        account.factors[0].suspension = SignInMethod.Suspension(since: later, reason: .ownerReportsChange)
        XCTAssertTrue(account.acceptsNumber(under: .standard), "a number whose factor is suspended")
        XCTAssertTrue(
            world.service.usesNumberTwice(account),
            "an import leaves out a number that is suspended as a factor"
        )
    }
}

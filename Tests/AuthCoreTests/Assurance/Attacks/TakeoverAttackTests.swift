@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A thief who got in with the real password tries to stay, and to keep the owner out.
final class TakeoverAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// The thief adds an identity, and takes the password off with the address that hangs on it.
    func testADroppedAddressCanComeBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86400))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.link(with: world.gitHub(.eve))
        try await thief.unlink(.password)
        let gone = try await world.account(ann)
        XCTAssertNil(gone.email)
        try await world.refusal(.emailAlreadyInUse) { try await world.squat() }
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await world.reset()
        let back = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
        XCTAssertEqual(back.uid, ann.uid)
        try await world.refusal(.userTokenExpired) { try await thief.reload() }
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
    }

    func testADroppedAddressIsGoneUnderFirebasesRule() async throws {
        world.startOver(AuthPolicy.weakened { $0.emailRecovery = .firstAddress })
        try await world.signUpVerifiedAnn()
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.link(with: world.gitHub(.eve))
        try await thief.unlink(.password)
        XCTAssertNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "the attack bites")
    }

    func testAReplacedPasswordThatTakesTheAddressAlongCanComeBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86400))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.replace(.password, with: world.gitHub(.eve))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await world.reset()
        let back = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
        XCTAssertEqual(back.uid, ann.uid)
        try await world.refusal(.rejectedCredential) { try await world.device("eve").signIn(with: world.gitHub(.eve)) }
    }

    /// What a session showed of a factor counts as long as the factor does.
    func testASessionThatShowedARemovedFactorOwesAnother() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let phone = try await world.enrollPhone(ann)
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        // The thief has Ann's phone and shows its factor.
        let auth = world.device("eve")
        let challenge = try await world.passwordChallenge(in: auth)
        let thief = try await auth.resolve(challenge, with: world.phoneAnswer(challenge, from: auth)).user
        // Ann, with her app, takes the phone off.
        let annsDevice = world.device("ann")
        let hers = try await world.passwordChallenge(in: annsDevice)
        let owner = try await annsDevice.resolve(hers, with: .totp(world.totp(enrollment))).user
        try await owner.multiFactor.unenroll(phone)
        let apps = try XCTUnwrap(owner.multiFactor.enrolledFactors.first?.id)
        try await world.refusal(.requiresRecentLogin, .secondFactorIsRequired) {
            try await thief.multiFactor.unenroll(apps)
        }
        try await world.refusal(.requiresRecentLogin, .secondFactorIsRequired) {
            try await thief.updatePassword(to: "eves fresh word")
        }
    }

    /// The thief moves the address after adding an identity; the way back leads to a reset, which suspends it.
    func testWhatTheThiefAddedBeforeMovingTheAddressGoesWithTheReset() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86400))
        let auth = world.device("eve")
        let thief = try await auth.signIn(with: World.annsPassword).user
        try await thief.link(with: world.gitHub(.eve))
        try await thief.link(with: world.digits(to: world.evesNumber, from: auth))
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await auth.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await world.reset()
        let back = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
        XCTAssertEqual(back.uid, ann.uid)
        for credential in [world.gitHub(.eve), try await world.digits(to: world.evesNumber, from: auth)] {
            try await world.refusal(.rejectedCredential, .methodIsSuspended) { try await auth.signIn(with: credential) }
        }
        var answers: [String] = []
        for message in world.outbox.messages where "\(message.recipient)".contains("evil") {
            let applied = await outcome { try await auth.applyActionCode(message.code) }
            let reported = await outcome { try await auth.reportUnauthorizedChange(code: message.code) }
            answers.append("\(message.kind): \(applied?.name ?? "applied"), \(reported?.name ?? "reported")")
        }
        XCTAssertEqual(
            answers,
            [
                "changeEmail: invalidActionCode, invalidActionCode",
                "addressChanged: invalidActionCode, invalidActionCode",
            ],
            "what becomes of each code that the thief has"
        )
        let again = try await world.device().signIn(
            with: .password(email: "ann@example.com", password: "anns own word")
        )
        .user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertTrue(again.isEmailVerified)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A thief who got in with the real password tries to stay, and to keep the owner out.
final class TakeoverAttackTests: AttackTestCase {
    /// The thief adds an identity, and takes the password off with the address that hangs on it.
    func testADroppedAddressCanComeBack() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 30 * 86400)
        let thief = try await seat("eve").signIn(with: Self.annsPassword).user
        try await thief.link(with: gitHub(.eve))
        try await thief.unlink(.password)
        let gone = try await account(ann)
        XCTAssertNil(gone.email)
        try await refusal(.emailAlreadyInUse) { try await squat() }
        try await seat("mail").applyActionCode(code(.recoverEmail, to: "ann@example.com"))
        try await reset()
        let back = try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(back.uid, ann.uid)
        try await refusal(.userTokenExpired) { try await thief.reload() }
        try await refusal(.rejectedCredential, .methodIsSuspended) { try await seat("eve").signIn(with: gitHub(.eve)) }
    }

    func testADroppedAddressIsGoneUnderFirebasesRule() async throws {
        startOver(Self.weakened { $0.emailRecovery = .firstAddress })
        try await signUpProvenAnn()
        let thief = try await seat("eve").signIn(with: Self.annsPassword).user
        try await thief.link(with: gitHub(.eve))
        try await thief.unlink(.password)
        XCTAssertNil(outbox.last(to: "ann@example.com", .recoverEmail), "the attack bites")
    }

    func testAReplacedPasswordThatTakesTheAddressAlongCanComeBack() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 30 * 86400)
        let thief = try await seat("eve").signIn(with: Self.annsPassword).user
        try await thief.replace(.password, with: gitHub(.eve))
        try await seat("mail").applyActionCode(code(.recoverEmail, to: "ann@example.com"))
        try await reset()
        let back = try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(back.uid, ann.uid)
        try await refusal(.rejectedCredential) { try await seat("eve").signIn(with: gitHub(.eve)) }
    }

    /// What a session showed of a factor counts as long as the factor does.
    func testASessionThatShowedARemovedFactorOwesAnother() async throws {
        let ann = try await signUpProvenAnn()
        let phone = try await enrollPhone(ann)
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        // The thief has Ann's phone and shows its factor.
        let auth = seat("eve")
        let challenge = try await passwordChallenge(in: auth)
        let thief = try await auth.resolve(challenge, with: phoneAnswer(challenge, from: auth)).user
        // Ann, with her app, takes the phone off.
        let annsSeat = seat("ann")
        let hers = try await passwordChallenge(in: annsSeat)
        let owner = try await annsSeat.resolve(hers, with: .totp(totp(enrollment))).user
        try await owner.multiFactor.unenroll(phone)
        let apps = try XCTUnwrap(owner.multiFactor.enrolledFactors.first?.id)
        try await refusal(.requiresRecentLogin, .secondFactorIsOwed) { try await thief.multiFactor.unenroll(apps) }
        try await refusal(.requiresRecentLogin, .secondFactorIsOwed) {
            try await thief.updatePassword(to: "eves fresh word")
        }
    }

    /// The thief moves the address after adding an identity; the way back leads to a reset, which suspends it.
    func testWhatTheThiefAddedBeforeMovingTheAddressGoesWithTheReset() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 30 * 86400)
        let auth = seat("eve")
        let thief = try await auth.signIn(with: Self.annsPassword).user
        try await thief.link(with: gitHub(.eve))
        try await thief.link(with: digits(to: evesNumber, from: auth))
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await auth.applyActionCode(code(.changeEmail, to: "eve@evil.example"))
        try await seat("mail").applyActionCode(code(.recoverEmail, to: "ann@example.com"))
        try await reset()
        let back = try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(back.uid, ann.uid)
        for credential in [gitHub(.eve), try await digits(to: evesNumber, from: auth)] {
            try await refusal(.rejectedCredential, .methodIsSuspended) { try await auth.signIn(with: credential) }
        }
        for message in outbox.messages where "\(message.recipient)".contains("evil") {
            _ = try? await auth.applyActionCode(message.code)
            // An address that was left may still end the sessions, and no more.
            _ = try? await auth.reportUnauthorizedChange(code: message.code)
        }
        let again = try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertTrue(again.isEmailVerified)
    }
}

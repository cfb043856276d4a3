@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What was begun before the owner reacted must not complete afterwards.
final class PendingChangeAttackTests: AttackTestCase {
    /// A thief in a stolen session asks for a change of address and waits; the owner changes the password.
    private func stealAndReact(_ react: (User) async throws -> Void) async throws -> (User, String) {
        let ann = try await signUpProvenAnn()
        let thief = try await seat("eve").signIn(with: Self.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        let kept = try code(.changeEmail, to: "eve@evil.example")
        try await react(ann)
        return (ann, kept)
    }

    func testPH4_APasswordChangeEndsPendingChangesOfTheAddress() async throws {
        let (ann, kept) = try await stealAndReact { try await $0.updatePassword(to: "a fresh new word") }
        try await refusal(.invalidActionCode) { try await seat("eve").applyActionCode(kept) }
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    func testPH4_RevokingOtherSessionsEndsPendingChangesOfTheAddress() async throws {
        let (_, kept) = try await stealAndReact { try await $0.revokeOtherSessions() }
        try await refusal(.invalidActionCode) { try await seat("eve").applyActionCode(kept) }
    }

    func testPH4_APendingChangeSurvivesAPasswordChangeWhereThePolicyLetsIt() async throws {
        startOver(Self.weakened { $0.endsAddressChanges = false })
        let (ann, kept) = try await stealAndReact { try await $0.updatePassword(to: "a fresh new word") }
        try await seat("eve").applyActionCode(kept)
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, "eve@evil.example", "the attack bites")
    }

    /// Ann opens a verification that Eve asked for; what Eve began with Ann's address ends there.
    func testPH4_TheFirstProofOfTheAddressEndsPendingChangesOfIt() async throws {
        let eve = try await squat()
        try await eve.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        let kept = try code(.changeEmail, to: "eve@evil.example")
        try await eve.sendEmailVerification()
        try await seat("ann").applyActionCode(code(.verifyEmail, to: "ann@example.com"))
        try await refusal(.invalidActionCode) { try await seat("eve").applyActionCode(kept) }
    }

    /// Eve links a mailbox of hers to Ann's account in a session that she stole: Ann's address gets its way back.
    func testALinkedMailboxThatTakesTheAddressesPlaceCanBeTakenBack() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: google(.ann, work)).user
        try await ann.link(with: mailedLink(to: "eve@evil.example", from: auth))
        XCTAssertEqual(ann.email, "eve@evil.example")
        try await seat("mail").applyActionCode(code(.recoverEmail, to: "ann@example.com"))
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
        try await refusal(.userTokenExpired) { try await ann.reload() }
        let eves = seat("eve")
        let link = try await mailedLink(to: "eve@evil.example", from: eves)
        let came = try? await eves.signIn(with: link).user
        XCTAssertNotEqual(came?.uid, ann.uid)
    }

    /// Whoever added a method of their own in a stolen session cannot move the address with it.
    func testAYoungMethodDoesNotMoveTheAddressByALinkedMailbox() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: google(.ann, work)).user
        clock.advance(by: 60)
        try await ann.link(with: gitHub(.eve))
        clock.advance(by: 3600)
        let eves = seat("eve")
        let thief = try await eves.signIn(with: gitHub(.eve)).user
        let link = try await mailedLink(to: "eve@evil.example", from: eves)
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) { try await thief.link(with: link) }
    }

    /// Somebody moves their own account to the victim's address, and the victim opens the link that asks for it.
    func testPH4_WhoOpensAStrangersMoveToTheirAddressStartsFreshAndKeepsIt() async throws {
        let eve = try await seat("eve").signUp(email: "eve@example.com", password: evesPassword).user
        try await proveAddress(of: eve)
        try await eve.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        try await seat("anns mail").applyActionCode(code(.changeEmail, to: "ann@example.com"))
        let auth = seat("ann")
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, work)) }
        let ann = try await auth.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        try await refusal(.invalidCredential) {
            try await seat("eve").signIn(with: .password(email: "ann@example.com", password: evesPassword))
        }
        let before = try await account(ann)
        try await seat("eve").applyActionCode(code(.recoverEmail, to: "eve@example.com"))
        for message in outbox.messages where "\(message.recipient)".contains("eve@example.com") {
            _ = try? await seat("eve").reportUnauthorizedChange(code: message.code)
        }
        let after = try await account(ann)
        XCTAssertEqual(before, after)
        try await ann.reload()
        let theirs = try await account(eve)
        XCTAssertEqual(theirs.email?.text, "eve@example.com")
    }
}

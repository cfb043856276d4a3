@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S19 and PH-4: what the code does that takes a changed address back, when others come to the address meanwhile.
final class TakenBackAddressAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0
    private let word = "anns own word"

    /// Eve's account, which she moves from her own verified address to Ann's; returns the code that takes hers back.
    private func moveToAnnsAddress() async throws -> String {
        let eve = world.device("eve")
        let user = try await eve.signUp(email: "eve@evil.example", password: world.evesPassword).user
        try await user.sendEmailVerification()
        try await user.applyActionCode(world.code(.verifyEmail, to: "eve@evil.example"))
        try await user.link(with: world.gitHub(.eve))
        try await user.unlink(.password)
        try await user.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        try await user.unlink(.gitHub)
        world.clock.advance(by: .seconds(60))
        return try world.code(.recoverEmail, to: "eve@evil.example")
    }

    /// A person who verifies an address must not get an account that its former holder can still take back.
    func testPH4_AResetGivesNobodyAnAccountThatAFormerAddressCanTakeBack() async throws {
        let code = try await moveToAnnsAddress()
        try await world.refusal(.requiresRecentLogin, .addressChangeIsReversible) { try await world.reset(to: word) }
        let ann = world.device("ann")
        let link = try await world.mailedLink(to: "ann@example.com", from: ann)
        let conflict = try await world.conflict { try await ann.signIn(with: link) }
        let hers = try await ann.createSeparateAccount(from: conflict).user
        try await world.device("eve").applyActionCode(code)
        try await hers.reload()
        XCTAssertEqual(hers.email, "ann@example.com")
        XCTAssertTrue(hers.isEmailVerified)
    }

    func testPH4_NorDoesAMailedLinkThatResolvesAConflict() async throws {
        _ = try await moveToAnnsAddress()
        let ann = world.device("ann")
        let conflict = try await world.conflict { try await ann.signIn(with: world.gitHub()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: ann)
        try await world.refusal(.requiresRecentLogin, .addressChangeIsReversible) {
            try await ann.resolve(conflict, signingInWith: link)
        }
    }

    /// A thief who puts the owner's address back, without verifying it, must not keep her from taking it back herself.
    func testS19_AnAddressThatAThiefPutsBackUnverifiedIsTakenBackByItsOwner() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await thief.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        let code = try world.code(.recoverEmail, to: "ann@example.com")
        world.clock.advance(by: .seconds(60))
        try await thief.link(with: world.gitHub(.eve))
        try await thief.unlink(.password)
        world.clock.advance(by: .seconds(60))
        try await thief.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        let held = try await world.account(ann)
        XCTAssertFalse(held.isEmailVerified(under: world.policy), "what the thief says verifies nothing")
        try await world.device("mail").applyActionCode(code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
        XCTAssertTrue(after.isEmailVerified(under: world.policy))
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [], "what the thief added")
        XCTAssertEqual(after.knownDevices, [], "the devices of the thief")
        try await world.reset(to: word)
        try await world.device("ann").signIn(with: .password(email: "ann@example.com", password: word))
    }

    /// Nor may the thief's own later address take it from her, once she is back by a reset or a verification.
    func testS19_AnOwnerWhoReturnsEndsTheRightsOfLaterAddresses() async throws {
        for resets in [true, false] {
            let world = World(.standard)
            let ann = try await world.signUpVerifiedAnn()
            world.clock.advance(by: .seconds(10 * day))
            let thief = try await world.device("eve").signIn(with: World.annsPassword).user
            try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
            try await thief.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
            try await thief.link(with: world.gitHub(.eve))
            world.clock.advance(by: .seconds(60))
            let hers = try world.code(.recoverEmail, to: "ann@example.com")
            try await thief.unlink(.password)
            let code = try world.code(.recoverEmail, to: "eve@evil.example")
            try await thief.link(with: .password(email: "ann@example.com", password: world.evesPassword))
            if resets {
                try await world.reset(to: word)
            } else {
                try await thief.sendEmailVerification()
                try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
            }
            try await world.refusal(.invalidActionCode, .codeIsOutdated, "after a reset: \(resets)") {
                try await world.device("eve").applyActionCode(code)
            }
            try await world.device("mail").applyActionCode(hers)
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, "ann@example.com")
            XCTAssertEqual(after.methods.filter(\.isActive), [], "what was added since, after a reset: \(resets)")
        }
    }

    /// Nor does it help the former holder that the owner of the mailbox clicks on a link that she did not ask for.
    func testPH4_NorDoesAResetAfterAVerificationThatAStrangerAskedFor() async throws {
        _ = try await moveToAnnsAddress()
        let eve = try await world.device("eve").signIn(
            with: .password(email: "ann@example.com", password: world.evesPassword)
        ).user
        try await eve.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        try await world.refusal(.requiresRecentLogin, .addressChangeIsReversible) { try await world.reset(to: word) }
    }

    /// The address was the account's before, so the reset is not one by a mailbox that was set a moment ago.
    func testS13_AResetAtAnAddressThatTheAccountHadBeforeIsAsOldAsTheAddress() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * day))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.link(with: world.gitHub(.eve))
        try await thief.unlink(.password)
        world.clock.advance(by: .seconds(60))
        try await thief.link(with: .password(email: "ann@example.com", password: world.evesPassword))
        try await world.reset(to: word)
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [.password])
    }

    /// Ann's account, where a reset suspended an identity of Eve's a month ago, and a session of it that was stolen.
    private func stolenSessionBesideASuspendedIdentity() async throws -> (ann: User, thief: User) {
        let ann = try await world.annWithASuspendedIdentityOfEves()
        world.clock.advance(by: .seconds(31 * day))
        let credential = AuthCredential.password(email: "ann@example.com", password: word)
        return (ann, try await world.device("stolen").signIn(with: credential).user)
    }

    /// A method that was suspended and confirmed after the change was added by the person who changed the address.
    func testS19_AMethodConfirmedAfterTheChangeIsSuspendedToo() async throws {
        let (ann, thief) = try await stolenSessionBesideASuspendedIdentity()
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await thief.applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        world.clock.advance(by: .seconds(60))
        try await thief.link(with: world.facebook(.eve))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [.password])
    }

    /// Nor is such a method settled because it was listed long before.
    func testS20_AMethodConfirmedAMomentAgoIsNotSettled() async throws {
        let (ann, thief) = try await stolenSessionBesideASuspendedIdentity()
        try await thief.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: world.device("stolen")))
        try await thief.link(with: world.facebook(.eve))
        try await world.reset(to: "anns newer word")
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.filter(\.isActive).map(\.kind.provider), [.password])
    }

    /// What a notice can still report must not carry the account away, however long ago it was listed first.
    func testS18_AMethodConfirmedAMomentAgoMergesTheAccountAwayOnlyAfterItsNotice() async throws {
        let (_, thief) = try await stolenSessionBesideASuspendedIdentity()
        try await thief.link(with: world.facebook(.eve))
        try await world.signUp("eve@example.org")
        for waited in [false, true] {
            world.clock.advance(by: .seconds((waited ? 7 : 8) * day))
            let sides = try await (world.side(world.facebook(.eve)), world.passwordSide("eve@example.org"))
            let client = world.service.client(world.context)
            if waited {
                try await client.merge(sides.0, into: sides.1)
            } else {
                try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
                    try await client.merge(sides.0, into: sides.1)
                }
            }
        }
    }
}

extension World {
    /// Ann's account, where Eve was first with her address and an identity of her own; Ann's reset suspended that.
    fileprivate func annWithASuspendedIdentityOfEves() async throws -> User {
        let ann = try await squat()
        try await ann.link(with: facebook(.eve))
        try await reset(to: "anns own word")
        let account = try await account(ann)
        XCTAssertEqual(account.methods.filter { !$0.isActive }.map(\.kind.provider), [.facebook])
        return ann
    }
}

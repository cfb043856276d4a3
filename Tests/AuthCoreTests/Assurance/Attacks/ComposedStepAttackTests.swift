@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Steps that are allowed one by one and must not add up to what none of them allows.
final class ComposedStepAttackTests: LimitedTestCase {
    /// S12, S13: a session that falls back to an older method must not keep the recency of the younger one.
    func testASessionThatFallsBackToAnOlderMethodIsNotRecent() async throws {
        let world = World(.standard)
        let stolen = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(20 * 86_400))
        let laptop = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await laptop.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(86_400))
        // The thief has the old session and the young identity, neither password nor mailbox.
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await stolen.delete(permanently: true) }
        try await stolen.reauthenticate(with: world.gitHub(.ben))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await stolen.delete(permanently: true) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
        try await stolen.unlink(.gitHub)
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "the address") {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "the password") {
            try await stolen.updatePassword(to: "eves own word")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "the deletion") {
            try await stolen.delete(permanently: true)
        }
    }

    /// S19: a change is final where the session began with a link to the old mailbox, if that was recent.
    func testAFallBackToAnOldLinkMakesNoChangeFinal() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let auth = world.device("tablet")
        let stolen = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await ann.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(10 * 86_400))
        try await stolen.reauthenticate(with: world.gitHub(.ben))
        try await stolen.unlink(.gitHub)
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
    }

    /// An account with an address that was verified twenty days ago, and the session of a GitHub identity that was
    /// linked yesterday, which has set a password.
    private func youngMethod(_ world: World) async throws -> User {
        let auth = world.device("phone")
        let ann = try await auth.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await auth.applyActionCode(try world.code(.changeEmail, to: "ann@example.net"))
        world.clock.advance(by: .seconds(20 * 86_400))
        let stolen = try await world.device("tablet").signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(86_400))
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await eve.updatePassword(to: "eves own word")
        return eve
    }

    /// S13: a password that a young method set takes no old address with it.
    func testAYoungMethodRemovesNoOldAddress() async throws {
        let world = World(.standard)
        let eve = try await youngMethod(world)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "directly") {
            try await eve.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "with the password") {
            try await eve.unlink(.password)
        }
    }

    /// S13: the same in one step.
    func testAReplacementMovesNoOldAddress() async throws {
        let world = World(.standard)
        let eve = try await youngMethod(world)
        let link = try await world.mailedLink(to: "eve@example.net", from: world.device("eve"))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.replace(.password, with: link)
        }
    }

    /// S13: a mailbox that replaces the only method replaces the address, too.
    func testAReplacementOfTheOnlyMethodMovesNoOldAddress() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(20 * 86_400))
        let tablet = world.device("tablet")
        let user = try await tablet.signIn(with: World.annsPassword).user
        try await user.link(with: world.gitHub(.ann))
        try await user.unlink(.password)
        world.clock.advance(by: .seconds(86_400))
        let evesDevice = world.device("eve")
        let eve = try await evesDevice.signIn(with: world.gitHub(.ann)).user
        let before = try await world.account(ann)
        XCTAssertTrue(world.service.isEmailVerified(before))
        let link = try await world.mailedLink(to: "eve@example.net", from: evesDevice)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await eve.link(with: link) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await eve.replace(.gitHub, with: link) }
    }

    /// S14, S19 where unverified addresses may replace verified ones: linking a password is such a change.
    func testALinkedPasswordThatMovesTheAddressOffersAWayBack() async throws {
        var policy = AuthPolicy.pinned
        policy.unverifiedEmailChange = .allowed
        for links in [false, true] {
            let world = World(policy)
            let ann = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work))
                .user
            XCTAssertTrue(ann.isEmailVerified)
            if links {
                try await ann.link(with: .password(email: "eve@example.net", password: "eves own word"))
            } else {
                try await ann.updateEmail(to: "eve@example.net")
            }
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, "eve@example.net")
            XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "no way back, links: \(links)")
        }
    }

    /// The same with a young login.
    func testALinkedPasswordMovesNoOlderAddress() async throws {
        var policy = AuthPolicy.pinned
        policy.unverifiedEmailChange = .allowed
        let world = World(policy)
        let ann = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work)).user
        world.clock.advance(by: .seconds(20 * 86_400))
        let again = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work))
            .user
        try await again.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(86_400))
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.updateEmail(to: "eve@example.net")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.link(with: .password(email: "eve@example.net", password: "eves own word"))
        }
        XCTAssertEqual(eve.uid, ann.uid)
    }

    /// S5: both names are one mailbox, where a password is removed too.
    func testARemovedPasswordLeavesTheAddressThatAnIdentityHasUnderItsOtherName() async throws {
        for name in ["ann@gmail.com", "ann@googlemail.com"] {
            let world = World(.pinned)
            let ann = try await world.signUp(name, in: world.device("phone"))
            try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
            try await ann.unlink(.password)
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, name)
            XCTAssertTrue(world.service.isEmailVerified(after), name)
        }
    }

    /// S4, S5: the provider that runs the mailbox gives another address.
    func testAChangedAddressWithdrawsTheOldOneUnderItsOtherName() async throws {
        for name in ["ann@gmail.com", "ann@googlemail.com"] {
            let world = World(.pinned)
            let ann = try await world.signUp(name, in: world.device("phone"))
            try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
            try await world.device("phone").signIn(with: world.google(.ann.with(email: "ann.new@gmail.com")))
            let after = try await world.account(ann)
            XCTAssertFalse(world.service.isEmailVerified(after), name)
        }
    }

    /// S4: a token without an address between the two says nothing about the mailbox.
    func testS4_ATokenWithoutAnAddressHidesNoChangeOfIt() async throws {
        let world = World(.pinned)
        let ann = try await world.signIn(.google, .ann.with(email: "ann@gmail.com"))
        try await world.device("phone").signIn(with: world.google(.ann.with(email: nil)))
        let between = try await world.account(ann)
        XCTAssertEqual(between.identities.map(\.email?.text), ["ann@gmail.com"], "the mailbox of the identity")
        XCTAssertTrue(world.service.isEmailVerified(between), "nothing was said against it")
        try await world.device("phone").signIn(with: world.google(.ann.with(email: "ann.new@gmail.com")))
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after), "the provider gave the mailbox to another person")
    }

    /// S2: what was verified once verifies no address that is only claimed now, and that another account owns.
    func testS2_AClaimedAddressIsNotVerifiedByEvidenceFromBefore() async throws {
        let world = World(.standard)
        let mal = try await world.signUp("mal@example.org")
        let before = SimulatedPerson(name: "Mal", email: "mal@gmail.com")
        try await mal.link(with: world.google(before))
        let zoe = try await world.signIn(.google, SimulatedPerson(name: "Zoe", email: "mal@gmail.com"))
        try await mal.unlink(.password)
        let token = SimulatedToken(email: .text("mal@gmail.com"), address: .unverified)
        try await mal.link(with: world.credential("oidc.example", before, saying: token))
        let after = try await world.account(mal)
        XCTAssertFalse(world.service.isEmailVerified(after), "\(after.email?.text ?? "no address")")
        let owner = try await world.service.account(email: "mal@gmail.com")
        XCTAssertEqual(owner?.id, zoe.account.id, "the owner of the address")
    }

    /// S2: nor by a merge with an account that only displays it; and the notices to the address go on.
    func testS2_AMergeLendsNoAddressThatEvidenceFromBeforeWouldVerify() async throws {
        let world = World(.standard)
        let mal = try await world.signUp("mal@example.org")
        let before = SimulatedPerson(name: "Mal", email: "mal@gmail.com")
        try await mal.link(with: world.google(before))
        try await mal.unlink(.password)
        try await world.signIn(.google, SimulatedPerson(name: "Zoe", email: "mal@gmail.com"))
        let token = SimulatedToken(email: .text("mal@gmail.com"), address: .unverified)
        let claim = world.credential("oidc.example", before, saying: token)
        try await world.device("second").signIn(with: claim)
        world.clock.advance(by: .seconds(8 * 86_400))
        let again = world.credential("oidc.example", before, saying: token)
        let sides = try await (world.side(again), world.side(world.google(before)))
        try await world.service.client(world.context).merge(sides.0, into: sides.1)
        let after = try await world.account(mal)
        XCTAssertFalse(world.service.isEmailVerified(after), "\(after.email?.text ?? "no address")")
    }

    /// S18: an identity that claims the address of another must not end the notices to it.
    func testS18_AClaimOfTheLastAddressEndsNoNotices() async throws {
        let world = World(.standard)
        let ann = try await world.signUp("ann@example.com")
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        try await ann.link(with: world.google(gmail))
        try await ann.unlink(.password)
        world.clock.advance(by: .seconds(15 * 86_400))
        let thief = try await world.device("stolen").signIn(with: world.google(gmail)).user
        let token = SimulatedToken(email: .text("ann@gmail.com"), address: .unverified)
        try await thief.link(with: world.credential("oidc.example", .eve, saying: token))
        world.clock.advance(by: .seconds(60))
        let count = world.outbox.messages.count
        try await thief.link(with: world.facebook(.eve))
        let news = world.outbox.messages.dropFirst(count).filter { $0.kind == .methodAdded }
        XCTAssertEqual(news.map(\.recipient), [.email(try XCTUnwrap(EmailAddress("ann@gmail.com")))])
    }

    /// S5: a mailed link that was linked for another address opens nothing at one that the account never verified.
    func testS5_AMailedLinkOfAnotherAddressTakesNobodyIntoAStrangersAccount() async throws {
        let world = World(.standard)
        let eve = world.device("eve")
        let first = SimulatedPerson(name: "Eve", email: "eve@gmail.com")
        let user = try await eve.signIn(with: world.google(first)).user
        try await user.link(with: world.mailedLink(to: "eve@gmail.com", from: eve))
        let moved = world.google(first.with(email: "eve2@gmail.com"))
        let again = try await eve.signIn(with: moved).user
        try await again.updateEmail(to: "ann@example.com")
        world.clock.advance(by: .seconds(60))
        let ann = world.device("ann")
        let link = try await world.mailedLink(to: "ann@example.com", from: ann)
        try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh) {
            try await ann.signIn(with: link)
        }
    }

    /// S25: a merge of an account that nothing verified is undone like any other.
    func testS25_AMergeOfAnAccountThatNothingVerifiedIsUndone() async throws {
        let world = World(.standard)
        let ann = try await world.signUpAnn()
        let digits = try await world.digits(to: world.number, from: world.device("other"))
        try await world.device("other").signIn(with: digits)
        world.clock.advance(by: .seconds(8 * 86_400))
        let client = world.service.client(world.context)
        let number = try await world.digits(to: world.number, from: world.device())
        let sides = try await (world.passwordSide("ann@example.com"), world.side(number))
        let merged = try await client.merge(sides.0, into: sides.1)
        let undone = try await client.undoMerge(merged.id, verifiedBy: world.passwordSide("ann@example.com"))
        XCTAssertEqual(undone.result?.user.uid, ann.uid)
    }

    /// S27: a custom token is never recent, to resolve a conflict neither.
    func testACustomTokenResolvesNoConflict() async throws {
        let world = World(.pinned)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        let auth = world.device("eve")
        let user = try await auth.signIn(with: .customToken(token)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await user.link(with: world.gitHub()) }
        let conflict = try await world.conflict { try await auth.signIn(with: world.gitHub()) }
        let error = await authError { try await auth.resolve(conflict, signingInWith: .customToken(token)) }
        XCTAssertEqual(error?.reasons.last, .loginIsNotRecent)
    }

    /// A code for a new password is over once the owner has set one.
    func testAResetCodeEndsWithANewPassword() async throws {
        let world = World(.pinned)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.device("eve").sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await ann.updatePassword(to: "anns second word")
        try await ann.revokeOtherSessions()
        await assertThrows(.invalidActionCode) {
            try await world.device("eve").confirmPasswordReset(code: code, newPassword: "eves own word")
        }
    }

    /// S17: a guest's session ends once the server vouches for a person.
    func testAGuestsSessionsEndWhenTheServerVouches() async throws {
        let world = World(.pinned)
        let guest = try await world.device("eve").signInAnonymously().user
        let token = try await world.service.makeCustomToken(for: guest.account.id)
        let ann = try await world.device("phone").signIn(with: .customToken(token)).user
        XCTAssertEqual(ann.uid, guest.uid)
        await assertThrows(.userTokenExpired) { try await guest.reload() }
    }

    /// S5: the word of the provider that runs the mailbox verifies the address under the name that the account shows.
    func testADisplayedAliasIsVerifiedByTheProviderThatRunsIt() async throws {
        for name in ["ann@gmail.com", "ann@googlemail.com"] {
            let world = World(.pinned)
            let ann = try await world.device("phone").signIn(with: world.gitHub(.ann.with(email: name))).user
            try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
            let after = try await world.account(ann)
            XCTAssertTrue(after.reservesEmail, name)
            XCTAssertTrue(world.service.isEmailVerified(after), name)
        }
    }

    /// An account with a password and GitHub, made a day ago, where unlinking needs no recent login.
    private func yesterdaysAnn() async throws -> (World, User) {
        var policy = AuthPolicy.pinned
        policy.recency.operations.remove(.unlink)
        let world = World(policy)
        let ann = try await world.signUp("ann@example.com", linking: world.gitHub(.ann), in: world.device("phone"))
        world.clock.advance(by: .seconds(86_400))
        return (world, ann)
    }

    /// A replacement is a link, too.
    func testAReplacementNeedsTheRecencyOfALink() async throws {
        let (world, ann) = try await yesterdaysAnn()
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.link(with: world.facebook(.eve))
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.replace(.gitHub, with: world.facebook(.eve))
        }
    }

    /// S13, S27: a token that states no time is as young as its session.
    func testACustomTokenIsAsYoungAsItsSession() async throws {
        let (world, ann) = try await yesterdaysAnn()
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        let user = try await world.device("eve").signIn(with: .customToken(token)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await user.unlink(.gitHub) }
    }

    /// The only method is replaced by a password of the verified address, where sign-up is concealed.
    func testAReplacementUnderConcealmentKeepsTheAddress() async throws {
        var policy = AuthPolicy.pinned
        policy.concealsSignUp = true
        let world = World(policy)
        let ann = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work)).user
        XCTAssertTrue(ann.isEmailVerified)
        try await ann.replace(.google, with: .password(email: "ann@example.com", password: "anns own word"))
        let after = try await world.account(ann)
        XCTAssertFalse(after.isProvisional, "provisional")
        XCTAssertTrue(after.reservesEmail, "not its own")
        // A lost phone: the password on another device, or a new one by mail.
        let laptop = world.device("laptop")
        let signsIn = await world.succeeds {
            try await laptop.signIn(with: .password(email: "ann@example.com", password: "anns own word"))
        }
        XCTAssertTrue(signsIn, "the password opens nothing elsewhere")
        try await laptop.sendPasswordReset(to: "ann@example.com")
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .resetPassword), "no reset")
        let linked = try await laptop.signIn(with: world.mailedLink(to: "ann@example.com", from: laptop)).user
        XCTAssertEqual(linked.uid, ann.uid, "the mailbox leads to another account")
    }

    /// S4, S14, S18, S19: what verifies the account's own address is not pushed out by other evidence.
    func testOtherEvidencePushesOutNoneOfTheAccountsOwnAddress() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(30 * 86_400))
        // A stolen session with a recent login.
        let stolen = try await world.device("eve").signIn(with: World.annsPassword).user
        for number in 1...16 {
            let eve = SimulatedPerson(name: "Eve \(number)", email: "eve\(number)@gmail.com")
            try await stolen.link(with: world.google(eve))
            try await stolen.unlink(.google)
        }
        let before = try await world.account(ann)
        XCTAssertEqual(before.email?.text, "ann@example.com")
        XCTAssertTrue(world.service.isEmailVerified(before), "the owner's verification was pushed out")
        try await world.refusal(.emailChangeNeedsVerification) { try await stolen.updateEmail(to: "eve@example.net") }
    }

    /// The same for a year of honest changes: a number that is changed often.
    func testChangesOfTheNumberPushOutNoVerification() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        for number in 10...26 {
            world.clock.advance(by: .seconds(20 * 86_400))
            let user = try await world.device("phone").signIn(with: World.annsPassword).user
            let digits = try await world.digits(to: "+155500020\(number)", from: world.device("phone"))
            try await user.updatePhoneNumber(with: digits)
        }
        let after = try await world.account(ann)
        XCTAssertTrue(world.service.isEmailVerified(after), "the verification was pushed out")
    }

    /// S18: the code of a notice is void once its address is not one of the account's any more.
    func testARemovedAddressEndsNoSessions() async throws {
        let world = World(.standard)
        try await world.signUpVerifiedAnn(world.device("phone"))
        let stolen = try await world.device("eve").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.google(.eve.with(email: "eve@gmail.com")))
        let code = try XCTUnwrap(world.outbox.last(to: "eve@gmail.com")?.code)
        try await world.device("mail").reportUnauthorizedChange(
            code: try world.code(.methodAdded, to: "ann@example.com")
        )
        let user = try await world.device("phone").signIn(with: World.annsPassword).user
        try await user.unlink(.google)
        try await user.updatePassword(to: "anns second word")
        world.clock.advance(by: .seconds(5 * 86_400))
        try await world.refusal(.invalidActionCode, .codeIsOutdated, "a report from the removed address") {
            try await world.device("eve").reportUnauthorizedChange(code: code)
        }
        let goesOn = await world.succeeds { try await user.reload() }
        XCTAssertTrue(goesOn, "the owner's session has ended")
    }

    /// S18, AT-38: a pre-hijacker contests what the mailbox's owner did.
    func testAPreHijackersNoticesContestNoReset() async throws {
        let world = World(.standard)
        let evesAddress = Message.Recipient.email(try XCTUnwrap(EmailAddress("eve@gmail.com")))
        let evesDevice = world.device("eve")
        let eve = try await evesDevice.signUp(email: "ann@example.com", password: world.evesPassword).user
        try await eve.link(with: world.google(.eve.with(email: "eve@gmail.com")))
        // Codes for later, as many as she likes.
        for number in [0, 1] {
            try await eve.link(with: world.gitHub(number == 0 ? .eve : .ben))
            try await eve.unlink(.gitHub)
        }
        let notices = world.outbox.messages.filter { $0.recipient == evesAddress }
        XCTAssertEqual(
            notices.map(\.kind),
            [.methodAdded, .methodRemoved, .methodAdded, .methodRemoved],
            "her notices"
        )
        let stored = notices.compactMap(\.code)
        XCTAssertEqual(stored.count, 4, "the codes that she has for later")
        try await world.reset()
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(ann.uid, eve.uid)
        let all = world.outbox.messages.filter { $0.recipient == evesAddress }
        let code = try XCTUnwrap(all.last?.code)
        world.clock.advance(by: .seconds(3600))
        try await world.refusal(.invalidActionCode, .codeIsOutdated, "her newest code after the reset") {
            try await evesDevice.reportUnauthorizedChange(code: code)
        }
        let again = try await phone.signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(again.uid, ann.uid, "whom the owner's password signs in")
        try await world.reset(to: "anns second word")
        let back = try await phone.signIn(with: .password(email: "ann@example.com", password: "anns second word")).user
        for (number, old) in stored.enumerated() {
            try await world.refusal(.invalidActionCode, .codeIsUnknown, "old code \(number)") {
                try await evesDevice.reportUnauthorizedChange(code: old)
            }
        }
        let goesOn = await world.succeeds { try await back.reload() }
        XCTAssertTrue(goesOn, "the owner is signed out")
    }

    /// The same after a claim in a conflict.
    func testAPreHijackersNoticesContestNoClaim() async throws {
        let world = World(.standard)
        let evesDevice = world.device("eve")
        let eve = try await evesDevice.signUp(email: "ann@example.com", password: world.evesPassword).user
        try await eve.link(with: world.google(.eve.with(email: "eve@gmail.com")))
        let phone = world.device("phone")
        let conflict = try await world.conflict { try await phone.signIn(with: world.gitHub()) }
        let ann = try await phone.resolve(conflict, signingInWith: world.mailedLink(to: "ann@example.com", from: phone))
            .user
        XCTAssertEqual(ann.uid, eve.uid)
        let last = try XCTUnwrap(world.outbox.last(to: "eve@gmail.com"))
        try await world.refusal(.invalidActionCode, .codeIsOutdated, "her newest code after the claim") {
            try await evesDevice.reportUnauthorizedChange(code: last.code)
        }
        let again = try await phone.signIn(with: world.gitHub()).user
        XCTAssertEqual(again.uid, ann.uid, "whom the owner's identity signs in")
    }
}

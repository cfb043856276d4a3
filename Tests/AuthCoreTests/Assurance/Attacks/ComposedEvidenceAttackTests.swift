@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Steps that are allowed one by one verify no address of another, and take no verification from its owner.
final class ComposedEvidenceAttackTests: LimitedTestCase {
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
}

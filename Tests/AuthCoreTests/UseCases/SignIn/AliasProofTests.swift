@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a person proves under one name of their mailbox counts for the account that has the other name.
final class AliasProofTests: LimitedTestCase {
    private var world = World(.standard)

    private let gmail = "ann@gmail.com"
    private let alias = "ann@googlemail.com"
    /// Ann as providers know her that do not run her mailbox.
    private let ann = SimulatedPerson(name: "Ann", email: "ann@googlemail.com")

    private func signUp() async throws -> User {
        try await world.device().signUp(email: gmail, password: World.password).user
    }

    /// An account that only displays the address.
    private func signUpAtFacebook() async throws -> User {
        let user = try await world.device().signIn(with: world.facebook(ann.with(email: gmail))).user
        XCTAssertFalse(user.account.reservesEmail, "the address is the account's own at first")
        return user
    }

    private func verified() async throws -> User {
        let user = try await signUp()
        try await world.verifyAddress(of: user)
        return user
    }

    private func link(to email: String? = nil, from device: String = "phone") async throws -> AuthCredential {
        try await world.mailedLink(to: email ?? alias, from: world.device(device))
    }

    /// Expects that the account has its address under its own name, and verified it by mail.
    private func assertVerifiedByMail(
        _ user: User,
        _ what: String,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let account = try await world.account(user)
        let mailed = account.evidence.filter { $0.source == .mailboxCode }
        let own = try XCTUnwrap(EmailAddress(gmail))
        XCTAssertEqual(account.email, own, "the name of the address, \(what)", file: file, line: line)
        XCTAssertEqual(mailed.map(\.subject), [.email(own)], "what the mail verified, \(what)", file: file, line: line)
        XCTAssertTrue(world.service.isEmailVerified(account), "it is not verified, \(what)", file: file, line: line)
        XCTAssertTrue(account.reservesEmail, "it is only displayed, \(what)", file: file, line: line)
    }

    func testALinkToTheOtherNameThatSignsInVerifiesTheAddress() async throws {
        let user = try await signUp()
        let came = try await world.device("other").signIn(with: link(from: "other")).user
        XCTAssertEqual(came.uid, user.uid, "whose account the link opens")
        try await assertVerifiedByMail(user, "after a sign-in")
    }

    /// The import says whose the address is, under either name.
    func testALinkToTheOtherNameOpensAnImportedAccountWithAllItsMethods() async throws {
        let (own, now) = (try XCTUnwrap(EmailAddress(gmail)), world.clock.timestamp)
        var account = Account(id: "ann", createdAt: now)
        account.email = own
        account.note(.email(own), .imported(trusted: false), at: now)
        let key = Identity.Key(issuer: "github.com", subject: "7")
        _ = account.add(.federated(Identity(key: key, provider: .gitHub)), at: now)
        _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
        let user = try await world.signInByMail(alias, "other")
        XCTAssertEqual(user.accountID, account.id, "whose account the link opens")
        let suspended = try await world.account(user).methods.filter { !$0.isActive }
        XCTAssertEqual(suspended.map(\.kind.provider), [], "what the link suspended")
    }

    func testALinkToTheOtherNameThatIsLinkedVerifiesTheAddress() async throws {
        let user = try await signUpAtFacebook()
        try await user.link(with: link())
        try await assertVerifiedByMail(user, "after a link")
    }

    func testALinkToTheOtherNameThatReauthenticatesVerifiesTheAddress() async throws {
        let user = try await signUpAtFacebook()
        try await user.reauthenticate(with: link())
        try await assertVerifiedByMail(user, "after a reauthentication")
    }

    /// The identity says nothing about the mailbox, so only the mail verifies the address.
    func testAnAccountThatIsClaimedUnderTheOtherNameIsVerified() async throws {
        let squatter = try await world.device("eve").signUp(email: gmail, password: world.evesPassword).user
        try await squatter.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook(ann)) }
        let user = try await auth.resolve(conflict, signingInWith: link()).user
        XCTAssertEqual(user.uid, squatter.uid, "whose account was claimed")
        try await assertVerifiedByMail(user, "after the claim")
    }

    func testAnIdentityThatClaimsUnderTheOtherNameIsEvidenceOfTheAddressToo() async throws {
        let squatter = try await world.device("eve").signUp(email: gmail, password: world.evesPassword).user
        try await squatter.link(with: world.gitHub(.eve))
        let auth = world.device()
        let google = world.google(.ann, SimulatedToken(email: .text(alias)))
        let conflict = try await world.conflict { try await auth.signIn(with: google) }
        let user = try await auth.resolve(conflict, signingInWith: link()).user
        let words = try await world.account(user).evidence.filter {
            if case .provider = $0.source { true } else { false }
        }
        XCTAssertEqual(words.map(\.subject), [.email(try XCTUnwrap(EmailAddress(gmail)))], "what Google says")
    }

    func testAFreshStartUnderTheOtherNameLeavesAVerifiedOwnerTheLastMethod() async throws {
        let owner = try await verified()
        let auth = world.device("other")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook(ann)) }
        let mailed = try await link(from: "other").mailed
        try await world.refusal(.lastMethod) {
            try await auth.createSeparateAccount(from: conflict, verifying: mailed)
        }
        try await world.assertOpens(.password(email: gmail, password: World.password), owner)
    }

    func testALinkToTheOtherNameThatMeetsAConflictTellsTheMethods() async throws {
        let user = try await world.device("first").signIn(with: world.facebook(ann)).user
        try await user.sendEmailVerification()
        try await world.device("elsewhere").applyActionCode(world.code(.verifyEmail, to: alias))
        let other = world.device("second")
        let mailed = try await link(to: gmail, from: "second")
        let conflict = try await world.conflict { try await other.signIn(with: mailed) }
        XCTAssertEqual(conflict.existingProviders, [.facebook], "the methods, for the owner of the mailbox")
    }

    func testTheMethodsAreMailedToTheOtherName() async throws {
        _ = try await verified()
        try await world.device("other").sendSignInMethods(to: alias)
        let mail = try XCTUnwrap(world.outbox.last(to: alias, .signInMethods), "the mail to the name that was typed")
        XCTAssertEqual(mail.signInMethods, [.password])
    }

    /// Which accounts there are is concealed from strangers, not from the owner of the address.
    func testAPasswordUnderTheOtherNameOfTheOwnAddressIsRefusedAsAChangeOfIt() async throws {
        world.policy.concealsSignUp = true
        let user = try await world.device().signIn(with: world.google(ann.with(email: gmail))).user
        try await world.refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified) {
            try await user.link(with: .password(email: alias, password: World.password))
        }
    }

    /// What the target keeps for itself of a mailbox would keep the other account from having it again.
    func testAnUndoneMergeReturnsAnAddressThatTheTargetHadUnderBothNames() async throws {
        let source = try await world.device("laptop").signIn(with: world.google(ann.with(email: gmail))).user
        let phone = world.device()
        try await phone.signIn(with: world.digits(to: world.number, from: phone))
        let client = world.service.client(world.context)
        let merged = try await client.merge(
            world.side(world.google(ann.with(email: gmail))),
            into: world.side(world.digits(to: world.number))
        )
        for name in [alias, "ann@example.com", gmail] {
            let user = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
            try await user.sendEmailVerification(beforeUpdatingTo: name)
            try await phone.applyActionCode(world.code(.changeEmail, to: name))
            world.clock.advance(by: .seconds(60))
        }
        let before = try await world.storedAccount(merged.result.user.accountID)
        XCTAssertEqual(before?.email?.text, gmail, "the address of the target before the undo")
        try await client.undoMerge(merged.id, verifiedBy: world.side(world.digits(to: world.number)))
        let (back, left) = try await (
            world.storedAccount(source), world.storedAccount(merged.result.user.accountID)
        )
        XCTAssertEqual(back?.email?.text, gmail, "the address of the account that came back")
        XCTAssertEqual(back?.reservesEmail, true, "it is only displayed")
        XCTAssertEqual(left?.reservations.map(\.email.text), [], "the names that the target still keeps for itself")
    }
}

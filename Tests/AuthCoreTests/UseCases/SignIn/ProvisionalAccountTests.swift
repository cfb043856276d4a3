@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S29: a provisional account has no owner until its address is verified, and discloses nothing meanwhile.
final class ProvisionalAccountTests: LimitedTestCase {
    private var world = World(.standard)

    override func setUp() {
        super.setUp()
        world.policy.concealsSignUp = true
    }

    private func provisional(_ email: String, in name: String = "eve") async throws -> User {
        let user = try await world.device(name).signUp(email: email, password: world.evesPassword).user
        try await assertProvisional(user)
        return user
    }

    private func assertProvisional(_ user: User, line: UInt = #line) async throws {
        let account = try await world.account(user)
        XCTAssertTrue(account.isProvisional, "the account is not provisional before", line: line)
    }

    func testItLearnsNothingByNamingAnotherAddress() async throws {
        try await world.signUpVerifiedAnn()
        let eve = try await provisional("eve@example.com")
        for email in ["ann@example.com", "free@example.com"] {
            try await world.refusal(.emailChangeNeedsVerification, .disclosureIsWithheld, email) {
                try await eve.updateEmail(to: email)
            }
            try await eve.sendEmailVerification(beforeUpdatingTo: email)
            XCTAssertNotNil(world.outbox.last(to: email, .changeEmail), email)
        }
    }

    func testWhoeverOpensItsMoveToAnAddressOfTheirOwnIsTold() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let eve = try await provisional("eve@example.com")
        try await eve.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        let change = try world.code(.changeEmail, to: "ann@example.com")
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await world.device("mail").applyActionCode(change)
        }
        try await ann.reload()
    }

    func testOnItsDeviceThePasswordOfTheAccountThatHasTheAddressSignsInThere() async throws {
        let ann = try await world.signUpVerifiedAnn()
        _ = try await provisional("ann@example.com")
        let auth = world.device("eve")
        let failure = await outcome { try await auth.signIn(with: World.annsPassword) }
        XCTAssertNil(failure, "why the right password is refused")
        XCTAssertEqual(auth.currentUser?.uid, ann.uid, "who is signed in")
    }

    func testAMoveToAVerifiedAddressMakesItOrdinary() async throws {
        let eve = try await provisional("eve@example.com")
        try await eve.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("eve").applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
        try await assertOrdinary(eve, "new@example.com")
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").signIn(
                with: .password(email: "eve@example.com", password: world.evesPassword)
            )
        }
    }

    func testAProvidersWordFromInsideMakesItOrdinary() async throws {
        let user = try await provisional("ann@example.com")
        try await user.link(with: world.google(.ann, world.work))
        try await assertOrdinary(user, "ann@example.com")
    }

    func testAMailedLinkFromInsideMakesItOrdinary() async throws {
        let user = try await provisional("ann@example.com")
        try await user.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: world.device("eve")))
        try await assertOrdinary(user, "ann@example.com")
    }

    func testAMailedLinkFromASessionTakesTheAddressFromNoAccountThatVerifiedIt() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let user = try await provisional("ann@example.com")
        let link = try await world.mailedLink(to: "ann@example.com", from: world.device("eve"))
        try await world.refusal(.userMismatch) { try await user.reauthenticate(with: link) }
        try await ann.reload()
    }

    func testAMailedLinkInThePlaceOfThePasswordMakesItOrdinary() async throws {
        let user = try await provisional("ann@example.com")
        try await user.replace(.password, with: world.mailedLink(to: "ann@example.com", from: world.device("eve")))
        let after = try await world.account(user)
        XCTAssertFalse(after.isProvisional)
        XCTAssertTrue(world.service.isEmailVerified(after))
    }

    private func assertOrdinary(_ user: User, _ email: String) async throws {
        let after = try await world.account(user)
        XCTAssertFalse(after.isProvisional)
        XCTAssertTrue(after.reservesEmail)
        XCTAssertEqual(after.email?.text, email)
        XCTAssertTrue(world.service.isEmailVerified(after))
        let owner = try await world.service.account(email: email)
        XCTAssertEqual(owner?.id, after.id)
        let elsewhere = try await world.device("elsewhere").signIn(
            with: .password(email: email, password: world.evesPassword)
        )
        XCTAssertEqual(elsewhere.user.uid, user.uid)
    }

    func testTheClaimOfItsAddressMakesItOrdinary() async throws {
        let world = world
        let ann = try await world.device().signUp(email: "ann@example.com", password: World.password).user
        try await assertProvisional(ann)
        try await ann.link(with: world.gitHub(.ann))
        let tablet = world.device("tablet")
        let conflict = try await world.conflict { try await tablet.signIn(with: world.facebook(.ann)) }
        let link = try await world.mailedLink(to: "ann@example.com", from: tablet)
        let claimed = try await tablet.resolve(conflict, signingInWith: link).user
        XCTAssertEqual(claimed.uid, ann.uid)
        let account = try await world.account(claimed)
        XCTAssertFalse(account.isProvisional, "the claimed account is still provisional")
    }

    func testWithoutItsAddressItIsOrdinary() async throws {
        let phone = world.device("phone")
        let user = try await phone.signUp(email: "ann@example.com", password: World.password).user
        try await assertProvisional(user)
        let before = try await world.store.load([.records(of: .account(user.account.id), .provisionalSignUp)])
        let records = before.records(of: .account(user.account.id), .provisionalSignUp)
        XCTAssertEqual(records.count, 1, "the device's record of the sign-up")
        try await user.link(with: world.digits(to: "+15550009999", from: phone))
        try await user.unlink(.password)
        let account = try await world.account(user)
        XCTAssertFalse(account.isProvisional, "an account without an address waits for its verification")
        let after = try await world.store.load([.records(of: .account(account.id), .provisionalSignUp)])
        XCTAssertEqual(after.records(of: .account(account.id), .provisionalSignUp), [], "the device's record")
    }

    func testS29_AProvisionalPasswordStaysGoodOnItsDeviceAfterAnotherAccountSignedInThere() async throws {
        let tablet = world.device("tablet")
        let ann = try await tablet.signUp(email: "ann@example.com", password: "a word of my own").user
        try await assertProvisional(ann)
        try await tablet.signOut()
        try await tablet.signIn(with: world.gitHub(.ben))
        try await tablet.signOut()
        let back = try await tablet.signIn(with: .password(email: "ann@example.com", password: "a word of my own"))
        XCTAssertEqual(back.user.uid, ann.uid)
    }

    func testOfTwoSignUpsOnADeviceThePasswordOfTheLaterOneIsGood() async throws {
        let tablet = world.device("tablet")
        try await tablet.signUp(email: "ann@example.com", password: "a word of my own")
        try await tablet.signOut()
        try await tablet.signIn(with: world.gitHub(.ben))
        try await tablet.signOut()
        let later = try await tablet.signUp(email: "ann@example.com", password: "a later word of mine").user
        try await tablet.signOut()
        let word = AuthCredential.password(email: "ann@example.com", password: "a later word of mine")
        let code = await outcome { try await tablet.signIn(with: word) }
        XCTAssertNil(code, "the password of the later sign-up")
        XCTAssertEqual(tablet.currentUser?.uid, later.uid, "whose password it is")
    }
}

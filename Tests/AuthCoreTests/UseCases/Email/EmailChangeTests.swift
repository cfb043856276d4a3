@testable import AuthCore
import AuthCoreTesting
import XCTest

final class EmailChangeTests: LimitedTestCase {
    private let world = World(.firebase)

    // MARK: At once

    func testANewAddressIsUnverifiedAndEndsTheOtherSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await ann.updateEmail(to: "New@example.com")
        XCTAssertEqual(ann.email, "new@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.uid), ["new@example.com"])
        try await world.refusal(.userTokenExpired) { try await other.reload() }
        try await ann.reload()
        try await world.device().signIn(with: .password(email: "new@example.com", password: World.password))
        try await world.refusal(.userNotFound) { try await world.device().signIn(with: World.annsPassword) }
    }

    func testTheAddressOfAnotherIsRefusedAndTheOwnOneChangesNothing() async throws {
        try await world.device("tablet").signIn(with: world.google(.ben))
        let ann = try await world.signUpVerifiedAnn()
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ann.updateEmail(to: "ben@example.com")
        }
        let before = try await world.account(ann)
        try await ann.updateEmail(to: "ANN@example.com")
        let after = try await world.account(ann)
        XCTAssertEqual(before, after)
        XCTAssertNil(world.outbox.last(to: "ann@example.com", .recoverEmail))
    }

    func testAProvidersAccountMayMoveAndItsEntryStays() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.updateEmail(to: "new@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.email), ["ann@example.com"])
        let again = try await world.device("tablet").signIn(with: world.google()).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    // MARK: Taking it back

    func testTheFirstAddressMayTakeTheChangeBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updateEmail(to: "eve@example.com")
        let code = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        let action = try await world.device().checkActionCode(code)
        XCTAssertEqual(action.kind, .recoverEmail)
        XCTAssertEqual(action.email, "ann@example.com")
        XCTAssertEqual(action.previousEmail, "eve@example.com")
        try await world.device("mail").applyActionCode(code)
        try await ann.reload()
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        try await world.device().signIn(with: World.annsPassword)
    }

    func testEveryFurtherChangeIsOfferedToTheFirstAddress() async throws {
        let ann = try await world.signUpAnn()
        try await ann.updateEmail(to: "second@example.com")
        try await ann.updateEmail(to: "third@example.com")
        let offers = world.outbox.messages.filter { $0.kind == .recoverEmail }
        XCTAssertEqual(offers.map { "\($0.recipient)" }, Array(repeating: "email(ann@example.com)", count: 2))
        try await world.device().applyActionCode(offers[0].code)
        try await world.refusal(.emailAlreadyInUse) { try await world.device().applyActionCode(offers[1].code) }
    }

    func testAnAddressThatSomebodyElseTookMeanwhileCannotBeRecovered() async throws {
        let ann = try await world.signUpAnn()
        try await ann.updateEmail(to: "new@example.com")
        let code = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        try await world.signUpAnn(world.device("tablet"))
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await world.device().applyActionCode(code) }
    }

    func testTheOfferLastsTwoWeeks() async throws {
        let ann = try await world.signUpAnn()
        try await ann.updateEmail(to: "new@example.com")
        let code = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        world.clock.advance(by: .seconds(14 * 86400))
        try await world.refusal(.expiredActionCode) { try await world.device().applyActionCode(code) }
    }

    func testAGuestsFirstAddressIsNotAChange() async throws {
        let guest = try await world.device().signInAnonymously().user
        try await guest.updateEmail(to: "first@example.com")
        try await guest.updateEmail(to: "second@example.com")
        XCTAssertEqual(guest.email, "second@example.com")
        XCTAssertTrue(world.outbox.messages.isEmpty)
    }

    // MARK: Verifying the address

    func testACodeProvesTheAddressOnceAndOnlyAsLongAsItIsTheAccounts() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let stale = try world.newestCode(to: "ann@example.com")
        try await ann.updateEmail(to: "new@example.com")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) { try await world.device().applyActionCode(stale) }
        try await world.verifyAddress(of: ann)
        XCTAssertTrue(ann.isEmailVerified)
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.last, .emailVerified)
    }

    /// Whatever verifies it: a new password by a mailed code, or a mailed link that becomes a method.
    func testAnAddressThatIsVerifiedForTheFirstTimeHasAnEvent() async throws {
        let world = World(.standard)
        try await world.signUpAnn()
        try await world.reset()
        let ben = try await world.device("ben").signIn(with: world.facebook(.ben)).user
        let byReset = try await world.eventKinds().filter { $0 == .emailVerified }
        XCTAssertEqual(byReset.count, 1, "of a new password")
        try await ben.link(with: world.mailedLink(to: "ben@example.com", from: world.device("ben")))
        let byLink = try await world.eventKinds().filter { $0 == .emailVerified }
        XCTAssertEqual(byLink.count, 2, "of a linked mailbox")
        try await world.reset()
        let again = try await world.eventKinds().filter { $0 == .emailVerified }
        XCTAssertEqual(again.count, 2, "of an address that was verified before")
    }

    func testAnAccountWithoutAnAddressHasNothingToProve() async throws {
        let auth = world.device()
        let user = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth)).user
        try await world.refusal(.missingEmail, .accountHasNoAddress) { try await user.sendEmailVerification() }
        try await world.refusal(.missingEmail, .accountHasNoAddress) {
            try await user.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        }
    }

    func testACodeMayBeHandedOverInItsLink() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let link = try XCTUnwrap(world.outbox.last(to: "ann@example.com")?.link)
        try await world.device().applyActionCode(link)
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
    }

    // MARK: Verifying a new address before moving there

    func testANewAddressThatIsVerifiedFirstEndsNoSession() async throws {
        let ann = try await world.signUpAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        XCTAssertEqual(ann.email, "ann@example.com")
        let code = try world.newestCode(to: "new@example.com")
        let action = try await world.device().checkActionCode(code)
        XCTAssertEqual(action.kind, .changeEmail)
        XCTAssertEqual(action.email, "new@example.com")
        XCTAssertEqual(action.previousEmail, "ann@example.com")
        try await world.device("mail").applyActionCode(code)
        for user in [ann, other] {
            try await user.reload()
            XCTAssertEqual(user.email, "new@example.com")
            XCTAssertTrue(user.isEmailVerified)
        }
        XCTAssertNil(world.outbox.last(to: "ann@example.com", .recoverEmail))
    }

    func testAnAddressThatIsTakenCannotBeAskedForNorMovedTo() async throws {
        try await world.device("tablet").signIn(with: world.google(.ben))
        let ann = try await world.signUpAnn()
        for (taken, reason) in [("ben@example.com", Reason.addressIsOwned), ("ann@example.com", .addressIsTheSame)] {
            try await world.refusal(.emailAlreadyInUse, reason, taken) {
                try await ann.sendEmailVerification(beforeUpdatingTo: taken)
            }
        }
        try await ann.sendEmailVerification(beforeUpdatingTo: "eve@example.com")
        let code = try world.newestCode(to: "eve@example.com")
        try await world.device("third").signIn(with: world.google(.eve))
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await world.device().applyActionCode(code) }
    }

    func testAMoveDiesWhenTheAccountMovesElsewhere() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        let code = try world.newestCode(to: "new@example.com")
        try await ann.updateEmail(to: "other@example.com")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) { try await world.device().applyActionCode(code) }
    }
}

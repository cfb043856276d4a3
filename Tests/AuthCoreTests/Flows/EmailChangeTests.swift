@testable import AuthCore
import AuthCoreTesting
import XCTest

final class EmailChangeTests: FlowTestCase {
    // MARK: At once

    func testANewAddressIsUnprovenAndEndsTheOtherSessions() async throws {
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await ann.updateEmail(to: "New@example.com")
        XCTAssertEqual(ann.email, "new@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.uid), ["new@example.com"])
        try await refusal(.userTokenExpired) { try await other.reload() }
        try await ann.reload()
        try await seat().signIn(with: .password(email: "new@example.com", password: Self.password))
        try await refusal(.userNotFound) { try await seat().signIn(with: Self.annsPassword) }
    }

    func testTheAddressOfAnotherIsRefusedAndTheOwnOneChangesNothing() async throws {
        try await seat("tablet").signIn(with: google(.ben))
        let ann = try await signUpProvenAnn()
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ann.updateEmail(to: "ben@example.com") }
        let before = try await account(ann)
        try await ann.updateEmail(to: "ANN@example.com")
        let after = try await account(ann)
        XCTAssertEqual(before, after)
        XCTAssertNil(outbox.last(to: "ann@example.com", .recoverEmail))
    }

    func testAProvidersAccountMayMoveAndItsEntryStays() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.updateEmail(to: "new@example.com")
        XCTAssertFalse(ann.isEmailVerified)
        XCTAssertEqual(ann.providerData.map(\.email), ["ann@example.com"])
        let again = try await seat("tablet").signIn(with: google()).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    // MARK: Taking it back

    func testTheFirstAddressMayTakeTheChangeBack() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.updateEmail(to: "eve@example.com")
        let code = try XCTUnwrap(outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        let action = try await seat().checkActionCode(code)
        XCTAssertEqual(action.kind, .recoverEmail)
        XCTAssertEqual(action.email, "ann@example.com")
        XCTAssertEqual(action.previousEmail, "eve@example.com")
        try await seat("mail").applyActionCode(code)
        try await ann.reload()
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertTrue(ann.isEmailVerified)
        try await seat().signIn(with: Self.annsPassword)
    }

    func testEveryFurtherChangeIsOfferedToTheFirstAddress() async throws {
        let ann = try await signUpAnn()
        try await ann.updateEmail(to: "second@example.com")
        try await ann.updateEmail(to: "third@example.com")
        let offers = outbox.messages.filter { $0.kind == .recoverEmail }
        XCTAssertEqual(offers.map { "\($0.recipient)" }, Array(repeating: "email(ann@example.com)", count: 2))
        try await seat().applyActionCode(offers[0].code)
        try await refusal(.emailAlreadyInUse) { try await seat().applyActionCode(offers[1].code) }
    }

    func testAnAddressThatSomebodyElseTookMeanwhileCannotBeRecovered() async throws {
        let ann = try await signUpAnn()
        try await ann.updateEmail(to: "new@example.com")
        let code = try XCTUnwrap(outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        try await signUpAnn(seat("tablet"))
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await seat().applyActionCode(code) }
    }

    func testTheOfferLastsTwoWeeks() async throws {
        let ann = try await signUpAnn()
        try await ann.updateEmail(to: "new@example.com")
        let code = try XCTUnwrap(outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        clock.advance(by: 14 * 86400)
        try await refusal(.expiredActionCode) { try await seat().applyActionCode(code) }
    }

    func testAGuestsFirstAddressIsNotAChange() async throws {
        let guest = try await seat().signInAnonymously().user
        try await guest.updateEmail(to: "first@example.com")
        try await guest.updateEmail(to: "second@example.com")
        XCTAssertEqual(guest.email, "second@example.com")
        XCTAssertTrue(outbox.messages.isEmpty)
    }

    // MARK: Proving the address

    func testACodeProvesTheAddressOnceAndOnlyAsLongAsItIsTheAccounts() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification()
        let stale = try newestCode(to: "ann@example.com")
        try await ann.updateEmail(to: "new@example.com")
        try await refusal(.invalidActionCode, .codeIsOutdated) { try await seat().applyActionCode(stale) }
        try await proveAddress(of: ann)
        XCTAssertTrue(ann.isEmailVerified)
        let kinds = try await eventKinds()
        XCTAssertEqual(kinds.last, .emailProven)
    }

    func testAnAccountWithoutAnAddressHasNothingToProve() async throws {
        let auth = seat()
        let user = try await auth.signIn(with: digits(to: "+15550001234", from: auth)).user
        try await refusal(.missingEmail, .accountHasNoAddress) { try await user.sendEmailVerification() }
        try await refusal(.missingEmail, .accountHasNoAddress) {
            try await user.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        }
    }

    func testACodeMayBeHandedOverInItsLink() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification()
        let link = try XCTUnwrap(outbox.last(to: "ann@example.com")?.link)
        try await seat().applyActionCode(link)
        try await ann.reload()
        XCTAssertTrue(ann.isEmailVerified)
    }

    // MARK: Proving a new address before moving there

    func testANewAddressThatIsProvedFirstEndsNoSession() async throws {
        let ann = try await signUpAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        XCTAssertEqual(ann.email, "ann@example.com")
        let code = try newestCode(to: "new@example.com")
        let action = try await seat().checkActionCode(code)
        XCTAssertEqual(action.kind, .changeEmail)
        XCTAssertEqual(action.email, "new@example.com")
        XCTAssertEqual(action.previousEmail, "ann@example.com")
        try await seat("mail").applyActionCode(code)
        for user in [ann, other] {
            try await user.reload()
            XCTAssertEqual(user.email, "new@example.com")
            XCTAssertTrue(user.isEmailVerified)
        }
        XCTAssertNil(outbox.last(to: "ann@example.com", .recoverEmail))
    }

    func testAnAddressThatIsTakenCannotBeAskedForNorMovedTo() async throws {
        try await seat("tablet").signIn(with: google(.ben))
        let ann = try await signUpAnn()
        for taken in ["ben@example.com", "ann@example.com"] {
            try await refusal(.emailAlreadyInUse, .addressIsOwned, taken) {
                try await ann.sendEmailVerification(beforeUpdatingTo: taken)
            }
        }
        try await ann.sendEmailVerification(beforeUpdatingTo: "eve@example.com")
        let code = try newestCode(to: "eve@example.com")
        try await seat("third").signIn(with: google(.eve))
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await seat().applyActionCode(code) }
    }

    func testAMoveDiesWhenTheAccountMovesElsewhere() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        let code = try newestCode(to: "new@example.com")
        try await ann.updateEmail(to: "other@example.com")
        try await refusal(.invalidActionCode, .codeIsOutdated) { try await seat().applyActionCode(code) }
    }
}

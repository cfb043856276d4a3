@testable import AuthCore
import AuthCoreTesting
import XCTest

final class DeletionTests: FlowTestCase {
    func testEverythingThatTheAccountHadIsFree() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await ann.link(with: google())
        try await ann.link(with: digits(to: "+15550001234", from: auth))
        try await ann.delete()
        let accounts = try await service.accounts()
        XCTAssertTrue(accounts.isEmpty)
        let again = try await signUpAnn(seat("tablet"))
        XCTAssertNotEqual(again.uid, ann.uid)
        let byNumber = try await auth.signIn(with: digits(to: "+15550001234", from: auth))
        XCTAssertTrue(byNumber.isNewUser)
        let methods = try await auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["password"])
    }

    func testTheSameIdentityGetsANewAccount() async throws {
        let ann = try await seat().signIn(with: google()).user
        try await ann.delete()
        let again = try await seat().signIn(with: google())
        XCTAssertTrue(again.isNewUser)
        XCTAssertNotEqual(again.user.uid, ann.uid)
    }

    func testEverySessionFindsTheAccountGone() async throws {
        let ann = try await signUpAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await ann.delete()
        for user in [ann, other] {
            try await refusal(.userNotFound, .accountIsGone) { try await user.reload() }
            try await refusal(.userNotFound, .accountIsGone) { try await user.link(with: google()) }
            try await refusal(.userNotFound, .accountIsGone) { try await user.delete() }
        }
    }

    func testMailedCodesOfTheAccountDoNothingToItsSuccessor() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification()
        let code = try newestCode(to: "ann@example.com")
        try await ann.delete()
        let successor = try await signUpAnn()
        try await refusal(.invalidActionCode) { try await seat().applyActionCode(code) }
        try await successor.reload()
        XCTAssertFalse(successor.isEmailVerified)
    }

    func testADisabledAccountCannotDeleteItself() async throws {
        let ann = try await signUpAnn()
        try await service.setDisabled(true, account: ann.account.id)
        try await refusal(.userDisabled) { try await ann.delete() }
    }

    func testTheDeletionIsToldWithWhatTheAccountHad() async throws {
        let ann = try await signUpAnn()
        try await ann.delete()
        let event = try await service.events().events.last
        XCTAssertEqual(event?.kind, .accountDeleted)
        XCTAssertEqual(event?.before?.map(\.provider), [.password])
        XCTAssertEqual(event?.after, [])
    }

    func testADeletedPersonSitsInNoSeat() async throws {
        let auth = seat()
        try await signUpAnn(auth).delete()
        XCTAssertNil(auth.currentUser)
    }
}

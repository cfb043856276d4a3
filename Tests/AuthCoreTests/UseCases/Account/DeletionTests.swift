@testable import AuthCore
import AuthCoreTesting
import XCTest

final class DeletionTests: LimitedTestCase {
    private let world = World(.firebase)

    func testEverythingThatTheAccountHadIsFree() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.link(with: world.google())
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.delete()
        let accounts = try await world.service.accounts()
        XCTAssertTrue(accounts.isEmpty)
        let again = try await world.signUpAnn(world.device("tablet"))
        XCTAssertNotEqual(again.uid, ann.uid)
        let byNumber = try await auth.signIn(with: world.digits(to: "+15550001234", from: auth))
        XCTAssertTrue(byNumber.isNewUser)
        let methods = try await auth.fetchSignInMethods(forEmail: "ann@example.com")
        XCTAssertEqual(methods, ["password"])
    }

    func testTheSameIdentityGetsANewAccount() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await ann.delete()
        let again = try await world.device().signIn(with: world.google())
        XCTAssertTrue(again.isNewUser)
        XCTAssertNotEqual(again.user.uid, ann.uid)
    }

    func testEverySessionFindsTheAccountGone() async throws {
        let ann = try await world.signUpAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await ann.delete()
        for user in [ann, other] {
            try await world.refusal(.userNotFound, .accountIsGone) { try await user.reload() }
            try await world.refusal(.userNotFound, .accountIsGone) { try await user.link(with: world.google()) }
            try await world.refusal(.userNotFound, .accountIsGone) { try await user.delete() }
        }
    }

    func testMailedCodesOfTheAccountDoNothingToItsSuccessor() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let code = try world.newestCode(to: "ann@example.com")
        try await ann.delete()
        let successor = try await world.signUpAnn()
        try await world.refusal(.invalidActionCode) { try await world.device().applyActionCode(code) }
        try await successor.reload()
        XCTAssertFalse(successor.isEmailVerified)
    }

    func testADisabledAccountCannotDeleteItself() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled) { try await ann.delete() }
    }

    func testTheDeletionIsToldWithWhatTheAccountHad() async throws {
        let ann = try await world.signUpAnn()
        try await ann.delete()
        let event = try await world.service.events().events.last
        XCTAssertEqual(event?.kind, .accountDeleted)
        XCTAssertEqual(event?.before?.map(\.provider), [.password])
        XCTAssertEqual(event?.after, [])
    }

    func testARefusedDeletionKeepsTheUser() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        world.clock.advance(by: .seconds(86_400))
        try await world.refusal(.requiresRecentLogin) { try await ann.delete() }
        XCTAssertIdentical(auth.currentUser, ann, "the user after a deletion that was refused")
    }
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// Who is the current user after a sign-out, a refusal, a deletion, and the end of a session.
final class CurrentUserTests: LimitedTestCase {
    private let world = World()
    private var auth: AuthCoreFirebase.Auth { world.auth }

    func testAPersonWhoSignedOutCanSignInAgain() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try auth.signOut()
        try auth.signOut()
        XCTAssertNil(auth.currentUser)
        try await user.reload()
        try await auth.updateCurrentUser(user)
        XCTAssertTrue(auth.currentUser === user)
        let called = expectation(description: "called")
        auth.updateCurrentUser(nil) { error in
            XCTAssertEqual((error as NSError?)?.code, AuthCoreFirebase.AuthErrorCode.nullUser.rawValue)
            called.fulfill()
        }
        await fulfillment(of: [called], timeout: 10)
        auth.tenantID = "tenant"
        let error = await failure { try await self.auth.updateCurrentUser(user) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.tenantIDMismatch.rawValue)
    }

    func testWhatIsRefusedLeavesTheUserSignedIn() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        world.clock.advance(by: .seconds(86_400))
        let wrong = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "wrong horse")
        let refused: [(String, () async throws -> Void)] = [
            ("a sign-in", { try await self.auth.signIn(with: wrong) }),
            ("a custom token", { try await self.auth.signIn(withCustomToken: "none") }),
            ("a sign-up", { try await self.auth.createUser(withEmail: "ann@example.com", password: "correct horse") }),
            ("no user", { try await self.done { self.auth.updateCurrentUser(nil, completion: $0) } }),
            ("a code", { try await self.auth.applyActionCode("none") }),
            ("a reset", { try await self.auth.confirmPasswordReset(withCode: "none", newPassword: "other horse") }),
            ("a re-authentication", { try await user.reauthenticate(with: wrong) }),
            ("a deletion", { try await user.delete() }),
        ]
        for (what, work) in refused {
            _ = await failure(work)
            XCTAssertTrue(auth.currentUser === user, "who is signed in after the refusal of \(what)")
        }
    }

    func testAUserBelongsToTheAuthItWasSetFor() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let tablet = world.device("tablet")
        try await tablet.updateCurrentUser(user)
        XCTAssertTrue(tablet.currentUser === user, "the user that was set")
        let laptop = world.device("laptop")
        laptop.tenantID = "tenant"
        _ = await failure { try await laptop.updateCurrentUser(user) }
        try await user.delete()
        XCTAssertNil(tablet.currentUser, "the user that was set is still there after its account was deleted")
    }

    func testAUserHasTheTenantOfItsAuth() async throws {
        auth.tenantID = "tenant"
        let user = try await auth.signIn(with: world.google()).user
        XCTAssertEqual(user.tenantID, "tenant", "the tenant of the user")
        let other = try await user.reauthenticate(with: world.google()).user
        XCTAssertEqual(other.tenantID, "tenant", "the tenant of another object of the user")
        auth.tenantID = nil
        let error = await failure { try await self.auth.updateCurrentUser(user) }
        let wanted = AuthCoreFirebase.AuthErrorCode.tenantIDMismatch.rawValue
        XCTAssertEqual(error?.code, wanted, "a user of a tenant in an Auth without one")
        let plain = try await world.device("tablet").signInAnonymously().user
        try? await auth.updateCurrentUser(plain)
        XCTAssertTrue(auth.currentUser === plain, "a user without a tenant in an Auth whose tenant was taken away")
    }

    func testAnAccountIsDeletedThroughWhicheverObjectOfItsUser() async throws {
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let first = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let shown = try await first.reauthenticate(with: password).user
        XCTAssertFalse(shown === first)
        try await shown.delete()
        XCTAssertNil(auth.currentUser, "deleted through the object that a re-authentication answered with")
        let old = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let new = try await auth.signIn(with: password).user
        XCTAssertTrue(auth.currentUser === new)
        try await old.delete()
        XCTAssertNil(auth.currentUser, "deleted through the object of an earlier sign-in")
    }

    func testASessionThatIsOverLeavesNoUserBeforeTheErrorArrives() async throws {
        let user = try await auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await world.service.deleteAccount(XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await user.reload() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userNotFound.rawValue)
        XCTAssertNil(auth.currentUser)
    }

    func testASessionThatIsOverLeavesNoUserWhicheverObjectNoticesIt() async throws {
        let user = try await auth.signIn(with: world.google()).user
        let shown = try await user.reauthenticate(with: world.google()).user
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await shown.reload() }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(auth.currentUser, "the session is over, and its other object is still the current user")
    }

    func testTheEndOfAnEarlierSessionLeavesTheUserWhoSignedInAgain() async throws {
        let old = try await auth.signIn(with: world.google()).user
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(old.uid)))
        let new = try await auth.signIn(with: world.google()).user
        _ = await failure { try await old.reload() }
        XCTAssertTrue(auth.currentUser === new, "the end of an earlier session signed the person out of the new one")
    }

    func testReauthenticationInASessionThatIsOverLeavesNoUser() async throws {
        let user = try await auth.signIn(with: world.google()).user
        try await world.service.revokeSessions(of: XCTUnwrap(AccountID(user.uid)))
        let error = await failure { try await user.reauthenticate(with: self.world.google()) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(auth.currentUser, "the user of a session that is over")
    }
}

import AuthCore
import AuthCoreFirebase
import AuthCoreTesting
import XCTest

/// What a user can do whose session or account has ended elsewhere.
final class EndedSessionTests: XCTestCase {
    private let world = World()

    private let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")

    private func id(of user: AuthCoreFirebase.User) throws -> AccountID { try XCTUnwrap(AccountID(user.uid)) }

    func testWhoseAccountIsGoneIsAnotherUserForAReauthentication() async throws {
        let user = try await world.verifiedUser()
        try await world.service.deleteAccount(id(of: user))
        let error = await failure { try await user.reauthenticate(with: self.password) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userMismatch.rawValue)
    }

    func testAReauthenticationInASessionThatEndedSignsOut() async throws {
        let user = try await world.verifiedUser()
        try await world.service.revokeSessions(of: id(of: user))
        let error = await failure { try await user.reauthenticate(with: self.password) }
        XCTAssertEqual(error?.code, AuthCoreFirebase.AuthErrorCode.userTokenExpired.rawValue)
        XCTAssertNil(world.auth.currentUser, "the user of a session that ended")
    }

    func testAProfileThatStaysAsItIsIsNotWritten() async throws {
        let user = try await world.verifiedUser()
        try await world.service.revokeSessions(of: id(of: user))
        // Whatever is asked of the service is refused now.
        try await user.createProfileChangeRequest().commitChanges()
        XCTAssertNotNil(world.auth.currentUser, "no request told that the session has ended")
    }
}

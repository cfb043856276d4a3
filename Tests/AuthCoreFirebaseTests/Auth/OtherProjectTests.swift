@testable import AuthCore
@testable import AuthCoreFirebase
import XCTest

final class OtherProjectTests: LimitedTestCase {
    /// The original asks its own project for a user of another one, and refuses one that it does not know.
    func testAUserOfAnotherServiceDoesNotBecomeTheCurrentOne() async throws {
        let (one, other) = (World(), World())
        let ann = try await one.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let refused = await failure { try await other.auth.updateCurrentUser(ann) }
        XCTAssertEqual(
            refused?.code,
            AuthCoreFirebase.AuthErrorCode.invalidUserToken.rawValue,
            "a user whom this service does not have"
        )
        XCTAssertNil(other.auth.currentUser, "the current user of a service that does not have the account")
    }

    /// A user knows its service also when the `Auth` that signed it in is gone.
    func testAUserOfAnotherServiceWhoseAuthIsGoneDoesNotBecomeTheCurrentOne() async throws {
        let other = World()
        var one: World? = World()
        let user = try await one?.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let ann = try XCTUnwrap(user)
        one = nil
        let refused = await failure { try await other.auth.updateCurrentUser(ann) }
        XCTAssertEqual(
            refused?.code,
            AuthCoreFirebase.AuthErrorCode.invalidUserToken.rawValue,
            "a user whom this service does not have"
        )
    }
}

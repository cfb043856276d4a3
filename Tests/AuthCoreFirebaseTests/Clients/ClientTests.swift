import AuthCoreFirebase
import AuthCoreFirebaseApp
import Foundation
import XCTest

/// The clients of this folder are there to be compiled; this only sees that they do something.
@MainActor
final class CompiledClientTests: LimitedTestCase {
    func testAStoreFollowsThePersonAndASettingsPageChangesThePassword() async throws {
        SessionStore.bootstrap()
        let store = SessionStore()
        try await store.signUp(email: "ann@example.com", password: "correct horse", name: "Ann")
        XCTAssertEqual(store.state, .needsVerification(email: "ann@example.com"))
        XCTAssertNotNil(store.document()["createdAt"] as? Timestamp)
        try await AccountSettings().changePassword(to: "another horse", old: "correct horse")
        let authorization = try await AccountSettings().authorization()
        XCTAssertTrue(authorization.0.hasPrefix("Bearer "))
        XCTAssertFalse(authorization.isAdmin)
        store.signOut()
        do {
            try await store.signIn(email: "ann@example.com", password: "correct horse")
            XCTFail("the password was changed")
        } catch {
            XCTAssertEqual(store.errorMessage, "Check the address and the password.")
        }
        let wasThere = await FirebaseApp.app()?.delete()
        XCTAssertEqual(wasThere, true)
    }
}

@testable import AuthCoreFirebase
import XCTest

/// What the values of the original are before anything is set.
final class FirstValueTests: LimitedTestCase {
    /// In the original, a new provider has scopes and parameters that an app can add to.
    func testAScopeAndAParameterCanBeAddedToANewProvider() {
        let provider = OAuthProvider(providerID: "github.com", auth: World().auth)
        provider.scopes?.append("read:org")
        provider.customParameters?["allow_signup"] = "false"
        XCTAssertEqual(provider.scopes?.contains("read:org"), true, "scopes")
        XCTAssertEqual(provider.customParameters, ["allow_signup": "false"], "parameters")
    }

    /// In the original, the values of a new request are nil: they are what will be changed.
    func testANewProfileRequestHasNoValues() async throws {
        let user = try await World().auth.signInAnonymously().user
        let first = user.createProfileChangeRequest()
        first.displayName = "Ann"
        first.photoURL = URL(string: "https://example.com/ann.png")
        try await first.commitChanges()
        let second = user.createProfileChangeRequest()
        XCTAssertNil(second.displayName)
        XCTAssertNil(second.photoURL)
    }
}

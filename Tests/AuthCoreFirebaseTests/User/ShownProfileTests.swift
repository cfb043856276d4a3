import AuthCoreFirebase
import Foundation
import XCTest

/// How long the user object shows what the app wrote over the account's values.
final class ShownProfileTests: LimitedTestCase {
    private let world = World()

    func testWhatIsSetOnlyHereStaysUntilTheAccountIsLoadedAgain() async throws {
        let user = try await world.personWithFactor()
        let session = try await user.multiFactor.session()
        let provider = PhoneAuthProvider.provider(auth: world.auth)
        let picture = URL(string: "https://example.com/ann.jpg")
        user.displayName = "only here"
        user.photoURL = picture
        user.multiFactor.enrolledFactors = []
        let uses: [(String, () async throws -> Void)] = [
            ("a token", { _ = try await user.getIDToken() }),
            ("a new token", { _ = try await user.getIDToken(forcingRefresh: true) }),
            ("a mail", { try await user.sendEmailVerification() }),
            ("a mail to a new address", { try await user.sendEmailVerification(beforeUpdatingEmail: "n@example.com") }),
            ("a secret", { _ = try await TOTPMultiFactorGenerator.generateSecret(with: session) }),
            (
                "a code for a factor",
                { _ = try await provider.verifyPhoneNumber("+15555550113", multiFactorSession: session) }
            ),
        ]
        for (what, use) in uses {
            try await use()
            XCTAssertEqual(user.displayName, "only here", "the name after \(what), which loads no account")
            XCTAssertEqual(user.photoURL, picture, "the picture after \(what), which loads no account")
            XCTAssertEqual(user.multiFactor.enrolledFactors, [], "the factors after \(what), which loads no account")
        }
        try await user.reload()
        XCTAssertNil(user.displayName, "the name after a reload")
        XCTAssertNil(user.photoURL, "the picture after a reload")
        XCTAssertEqual(user.multiFactor.enrolledFactors.count, 1, "the factors after a reload")
        user.displayName = "only here"
        try await user.delete()
        XCTAssertEqual(user.displayName, "only here", "the name after the deletion, which loads no account")
    }
}

import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// Nothing that lets anybody in shows when things are printed or dumped.
final class SecrecyTests: LimitedTestCase {
    private let world = World()

    private func shown(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    func testCredentialsAndTokensShowNothing() async throws {
        let result = try await world.auth.signIn(with: world.gitHub())
        let token = try await result.user.getIDTokenResult()
        let secret = "correct horse"
        let values: [Any] = [
            EmailAuthProvider.credential(withEmail: "ann@example.com", password: secret),
            EmailAuthProvider.credential(withEmail: "ann@example.com", link: secret),
            GoogleAuthProvider.credential(withIDToken: secret, accessToken: secret),
            OAuthProvider.credential(providerID: .gitHub, accessToken: secret),
            PhoneAuthProvider.provider(auth: world.auth)
                .credential(withVerificationID: "id", verificationCode: secret),
            TOTPMultiFactorGenerator.assertionForSignIn(withEnrollmentID: "id", oneTimePassword: secret),
            FederatedSignInAnswer(idToken: secret, accessToken: secret, secret: secret, rawNonce: secret),
        ]
        for value in values { XCTAssertFalse(shown(value).contains(secret), shown(value)) }
        XCTAssertTrue(shown(values[5]).contains("totp"), "the kind of a factor is no secret: \(shown(values[5]))")
        XCTAssertFalse(shown(token).contains(token.token))
        let refreshToken = try XCTUnwrap(result.user.refreshToken)
        XCTAssertFalse(shown(result.user).contains(refreshToken))
        XCTAssertFalse(shown(result).contains(try XCTUnwrap(result.credential?.accessToken)))
    }
}

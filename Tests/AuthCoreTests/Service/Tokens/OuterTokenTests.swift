@testable import AuthCore
import AuthCoreTesting
import XCTest

final class OuterTokenTests: LimitedTestCase {
    /// `authDate` is "the time at which the person authenticated", and so is the claim `auth_time`.
    func testTheTimeOfALoginByACustomTokenWithoutATimeIsThatOfTheClaim() async throws {
        let world = World(.standard)
        let token = try await world.service.makeCustomToken(for: "ann")
        let user = try await world.device().signIn(with: .customToken(token)).user
        let result = try await user.idTokenResult()
        let claim = try XCTUnwrap(result.claims["auth_time"]?.integerValue)
        XCTAssertEqual(result.authDate.timeIntervalSince1970, Double(claim), "authDate and auth_time")
    }

    /// The query of the action URL is the app's: what it has escaped means something else without the escape.
    func testALinkKeepsAnEscapedPlusSignInTheQueryOfItsBase() {
        let base = "https://a.example/b?next=c%2Bd"
        XCTAssertEqual(
            ActionLinkForm(base: base).text(kind: .verifyEmail, code: "code", settings: nil),
            "https://a.example/b?next=c%2Bd&mode=verifyEmail&oobCode=code"
        )
    }
}

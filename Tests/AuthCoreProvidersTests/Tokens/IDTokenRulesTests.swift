import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What an ID token must say unless its verifier sets something else.
final class IDTokenRulesTests: LimitedTestCase {
    func testWithoutASettingClocksMayDifferByAMinute() {
        let rules = IDTokenRules(clientIDs: ["my-app"])
        for (expiry, kind) in [(1_799_999_951, nil), (1_799_999_950, .expired)]
            as [(Int64, VerificationFailure.Kind?)]
        {
            let claims = IDTokenClaims(fields: ["aud": "my-app", "sub": "ann", "iat": 0, "exp": .integer(expiry)])
            var refusal: VerificationFailure?
            do throws(VerificationFailure) {
                try rules.check(claims, AuthCredential.Federated(provider: .facebook), .rs256, at: testTime)
            } catch {
                refusal = error
            }
            XCTAssertEqual(refusal?.kind, kind, "a token that expires at \(expiry)")
        }
    }
}

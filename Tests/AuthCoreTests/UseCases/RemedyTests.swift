import XCTest

@testable import AuthCore

/// What a preview advises after a refusal.
final class RemedyTests: XCTestCase {
    func testWhoseSessionOrProofIsOutdatedSignsInAgain() {
        let reasons: [Reason] = [
            .loginIsNotRecent, .sessionIsOver, .accountIsGone, .tokenIsNotOurs, .tokenIsOutdated,
            .credentialIsOfAnother,
        ]
        for reason in reasons {
            XCTAssertEqual(Remedy.all(for: Refusal(.requiresRecentLogin, reason)), [.signInAgain], "\(reason)")
        }
    }
}

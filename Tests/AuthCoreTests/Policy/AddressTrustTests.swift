@testable import AuthCore
import XCTest

/// What the word of the providers that everybody knows is worth, beyond the mailboxes that they run.
final class AddressTrustTests: XCTestCase {
    func testMicrosoftsWordRestsOnItsClaimOfAnOwnedDomainWhereItDoesNotRunTheMailbox() throws {
        let issuer = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
        var assertion = ProviderAssertion(provider: .microsoft, issuer: issuer, subject: "1")
        assertion.isEmailVerified = true
        func word(about address: String) throws -> EmailAssurance {
            AuthPolicy.standard.assurance(of: assertion, about: try XCTUnwrap(EmailAddress(address)))
        }
        XCTAssertEqual(try word(about: "ann@outlook.com"), .authoritative)
        XCTAssertEqual(try word(about: "ann@example.com"), .claimed, "the flag says nothing there")
        for claim: ClaimValue in [false, "true", 1] {
            assertion.claims = ["xms_edov": claim]
            XCTAssertEqual(try word(about: "ann@example.com"), .claimed)
        }
        assertion.claims = ["xms_edov": true]
        XCTAssertEqual(try word(about: "ann@example.com"), .checked)
        XCTAssertEqual(try word(about: "ann@hotmail.com"), .authoritative)
    }
}

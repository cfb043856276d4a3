import XCTest

@testable import AuthCore

final class IdentifyingAssertionTests: LimitedTestCase {
    func testAnIssuerAndASubjectMustIdentifyAPerson() {
        let long = String(repeating: "x", count: 1024)
        for text in ["7", "a b", "é", long] {
            for (issuer, subject) in [(text, "7"), ("github.com", text)] {
                let assertion = ProviderAssertion(provider: .gitHub, issuer: issuer, subject: subject)
                XCTAssertNotNil(
                    FederatedProof(assertion, under: .standard),
                    "\(issuer.prefix(20)), \(subject.prefix(20))"
                )
            }
        }
        for text in ["", "a\u{1F}", "\n", "a\u{7F}", long + "x"] {
            for (issuer, subject) in [(text, "7"), ("github.com", text)] {
                let assertion = ProviderAssertion(provider: .gitHub, issuer: issuer, subject: subject)
                XCTAssertNil(FederatedProof(assertion, under: .standard), "\(issuer.prefix(20)), \(subject.prefix(20))")
            }
        }
    }

    /// What a conflict names, without a word of any language.
    func testAnIdentityIsNamedByTheBestThatItsProviderSays() {
        var assertion = ProviderAssertion(provider: .gitHub, issuer: "github.com", subject: "7")
        XCTAssertEqual(FederatedProof(assertion, under: .standard)?.displayName, "github.com", "without any name")
        assertion.displayName = "Ann Lee"
        XCTAssertEqual(FederatedProof(assertion, under: .standard)?.displayName, "Ann Lee")
        assertion.email = "ann@example.com"
        XCTAssertEqual(FederatedProof(assertion, under: .standard)?.displayName, "ann@example.com")
        assertion.username = "ann42"
        XCTAssertEqual(FederatedProof(assertion, under: .standard)?.displayName, "ann42")
    }
}

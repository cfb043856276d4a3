import AuthCore
import XCTest

@testable import AuthCoreProviders

/// Whose tokens a verifier takes, and under which name it keeps their identities.
final class IssuerRuleTests: LimitedTestCase {
    private static let issuer = "https://login.example.com"

    /// The issuer of the identity in a token that names this one.
    private func issuer(of name: ClaimValue?, by rule: IssuerRule = .exact(issuer)) throws -> String {
        var fields: [String: ClaimValue] = [:]
        fields["iss"] = name
        let key = try JSONWebKey(TestKey.ed25519.webKey())
        return try rule.issuer(of: IDTokenClaims(fields: .object(fields)), published: "", signedBy: key)
    }

    func testATokenNamesTheIssuerExactly() throws {
        XCTAssertEqual(try issuer(of: .string(Self.issuer)), Self.issuer, "the issuer itself")
        let cases: [(String, ClaimValue?)] = [
            ("another issuer", "https://evil.example"), ("a slash more", "https://login.example.com/"),
            ("no issuer", nil), ("an empty issuer", ""),
            ("an issuer that is no text", ["https://login.example.com"]),
        ]
        for (what, name) in cases {
            XCTAssertThrowsError(try issuer(of: name), what) {
                let failure = $0 as? VerificationFailure
                XCTAssertEqual(failure?.kind, .wrongIssuer, what)
                XCTAssertEqual(failure?.detail?.contains("iss"), true, "\(what): \(failure?.detail ?? "")")
            }
        }
    }

    /// The names are equal to Swift, and different issuers.
    func testAnIssuerThatOnlyLooksTheSameIsAnother() {
        let rule = IssuerRule.exact("https://caf\u{e9}.example", aliases: ["caf\u{e9}.example"])
        for name in ["https://cafe\u{301}.example", "cafe\u{301}.example"] {
            XCTAssertThrowsError(try issuer(of: .string(name), by: rule), name) {
                XCTAssertEqual(($0 as? VerificationFailure)?.kind, .wrongIssuer, name)
            }
            XCTAssertFalse(rule.accepts(published: name), "a configuration of \(name)")
        }
    }

    func testEverySpellingOfAnIssuerIsOneIdentity() throws {
        let rule = IssuerRule.exact(Self.issuer, aliases: ["login.example.com"])
        let named = IssuerRule.exact(Self.issuer, aliases: ["login.example.com"], name: "example")
        for spelling in [Self.issuer, "login.example.com"] {
            XCTAssertEqual(try issuer(of: .string(spelling), by: rule), Self.issuer, "a token of \(spelling)")
            XCTAssertEqual(try issuer(of: .string(spelling), by: named), "example", "the name for \(spelling)")
        }
        XCTAssertEqual(rule.issuers, [Self.issuer], "the issuers of identities")
        XCTAssertEqual(named.issuers, ["example"], "the issuers of identities with a name of their own")
    }

    func testAConfigurationMayNameAnAliasOfTheIssuer() {
        let rule = IssuerRule.exact("https://accounts.example.com", aliases: ["accounts.example.com"])
        XCTAssertTrue(rule.accepts(published: "https://accounts.example.com"), "the issuer")
        XCTAssertTrue(rule.accepts(published: "accounts.example.com"), "the alias of the issuer")
        XCTAssertFalse(rule.accepts(published: "evil.example"), "another issuer")
    }
}

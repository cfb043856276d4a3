import AuthCore
import XCTest

@testable import AuthCoreProviders

/// An app that wants to keep a provider's tokens seals them.
final class ProviderTokensTests: LimitedTestCase {
    private let tokens = ProviderTokens(
        accessToken: "at",
        idToken: "it",
        refreshToken: "refresh-of-ann",
        scope: "openid",
        lifetime: .seconds(3599)
    )

    func testSealedTokensAreOpenedForTheirAccountAndProviderOnly() throws {
        let sealer = try KeyedSecretSealer(key: Array(repeating: 7, count: 32))
        let (ann, ben) = ("ann", "ben")
        let row = try tokens.sealed(by: sealer, for: ann, of: .gitHub)
        XCTAssertEqual(try ProviderTokens(opening: row, by: sealer, for: ann, of: .gitHub), tokens)
        XCTAssertThrowsError(try ProviderTokens(opening: row, by: sealer, for: ben, of: .gitHub), "another account")
        XCTAssertThrowsError(try ProviderTokens(opening: row, by: sealer, for: ann, of: .google), "another provider")
        let joined = try tokens.sealed(by: sealer, for: "ann oidc.a", of: "oidc.b")
        XCTAssertThrowsError(
            try ProviderTokens(opening: joined, by: sealer, for: "ann", of: "oidc.a oidc.b"),
            "an account and a provider that are the same text one after the other"
        )
        let other = try KeyedSecretSealer(key: Array(repeating: 8, count: 32))
        XCTAssertThrowsError(try ProviderTokens(opening: row, by: other, for: ann, of: .gitHub), "another key")
        XCTAssertNil(row.firstRange(of: Array("refresh-of-ann".utf8)), "the row shows a token")
    }

    /// A provider's answer may have two tokens of 64 KB each.
    func testLongTokensAreOpenedAgain() throws {
        let sealer = try KeyedSecretSealer(key: Array(repeating: 7, count: 32))
        let long = Secret(String(repeating: "t", count: 60_000))
        let tokens = ProviderTokens(accessToken: long, idToken: long)
        let row = try tokens.sealed(by: sealer, for: "ann", of: .gitHub)
        XCTAssertEqual(try ProviderTokens(opening: row, by: sealer, for: "ann", of: .gitHub), tokens)
    }

    func testWhatIsMissingStaysMissing() throws {
        let sealer = try KeyedSecretSealer(key: Array(repeating: 7, count: 32))
        let ann = "ann"
        let row = try ProviderTokens(accessToken: "at").sealed(by: sealer, for: ann, of: .gitHub)
        XCTAssertEqual(
            try ProviderTokens(opening: row, by: sealer, for: ann, of: .gitHub),
            ProviderTokens(accessToken: "at")
        )
        let something = sealer.seal([1], context: "AuthCore provider tokens 1 3 ann github.com")
        XCTAssertThrowsError(try ProviderTokens(opening: something, by: sealer, for: ann, of: .gitHub), "no tokens") {
            XCTAssertEqual(($0 as? VerificationFailure)?.kind, .malformed, "\($0)")
        }
    }
}

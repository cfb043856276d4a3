@testable import AuthCore
import Foundation
import XCTest

final class ProviderIDTests: LimitedTestCase {
    func testKnownProvidersHaveTheirUsualNames() {
        let cases: [(ProviderID, String)] = [
            (.password, "password"), (.google, "google.com"), (.facebook, "facebook.com"), (.gitHub, "github.com"),
            (.apple, "apple.com"), (.twitter, "twitter.com"), (.microsoft, "microsoft.com"), (.phone, "phone"),
            (.anonymous, "anonymous"), (.custom, "custom"),
        ]
        for (provider, name) in cases {
            XCTAssertEqual(provider.rawValue, name)
            XCTAssertEqual(provider, ProviderID(name))
            XCTAssertTrue(provider.isWellFormed, name)
        }
    }

    func testLettersAreLowercasedInASCIIOnly() {
        XCTAssertEqual(ProviderID("GitHub.COM"), .gitHub)
        XCTAssertEqual("SAML.Example" as ProviderID, "saml.example")
        XCTAssertEqual(ProviderID("\u{212A}.com").rawValue, "\u{212A}.com")
        XCTAssertEqual(ProviderID(ProviderID("OIDC.Ä").rawValue), ProviderID("OIDC.Ä"))
        XCTAssertEqual(ProviderID("OIDC.Ä").description, "oidc.Ä")
    }

    func testEquivalentSpellingsAreDifferentProviders() {
        XCTAssertNotEqual(ProviderID("oidc.\u{E9}"), ProviderID("oidc.e\u{301}"))
        XCTAssertEqual(Set([ProviderID("oidc.\u{E9}"), ProviderID("oidc.e\u{301}")]).count, 2)
    }

    func testWellFormedNamesAreShortAndPlain() {
        let longest = String(repeating: "a", count: 128)
        for name in ["a", "oidc.my-provider_2", "https://accounts.example.org:8443/realm", longest] {
            XCTAssertTrue(ProviderID(name).isWellFormed, name)
        }
        let malformed = [
            "", longest + "a", "a b", "a\0", "a@b", "a?b", "a#b", "ä", "\u{212A}", "a\n", "\u{FF41}",
            String(repeating: "a", count: 10_000_000),
        ]
        for name in malformed {
            XCTAssertFalse(ProviderID(name).isWellFormed, String(name.prefix(20)))
        }
    }

    func testReservedNamesAreNoFederatedProviders() {
        for name in ["password", "Phone", "anonymous", "custom", "firebase", "emailLink"] {
            XCTAssertTrue(ProviderID(name).isReserved, name)
        }
        for provider in [ProviderID.google, .apple, .gitHub, "oidc.custom", "", "password.com"] {
            XCTAssertFalse(provider.isReserved, provider.rawValue)
        }
    }

    func testCodingIsAPlainString() throws {
        let encoded = try JSONEncoder().encode([ProviderID.google, "x"])
        XCTAssertEqual(String(decoding: encoded, as: UTF8.self), #"["google.com","x"]"#)
        XCTAssertEqual(try JSONDecoder().decode([ProviderID].self, from: encoded), [.google, "x"])
        XCTAssertEqual(try JSONDecoder().decode([ProviderID].self, from: Data(#"["Google.COM"]"#.utf8)), [.google])
        XCTAssertEqual([ProviderID.twitter, .apple].sorted(), [.apple, .twitter])
    }
}

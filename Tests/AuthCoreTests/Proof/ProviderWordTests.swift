@testable import AuthCore
import XCTest

/// S1: what a provider's word about an address is worth, row by row.
final class ProviderWordTests: LimitedTestCase {
    private static let google = "https://accounts.google.com"
    private static let apple = "https://appleid.apple.com"
    private static let consumer = "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
    private static let tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"
    private static let other = "https://login.microsoftonline.com/11111111-1111-1111-1111-111111111111/v2.0"
    private static let oidc = "https://id.example.net"

    /// A policy of a company that pinned what it may.
    private static let pinned: AuthPolicy = {
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(
            .wellKnown.pinning(["Work.example"], of: google).pinning(["work.example"], of: tenant)
                .pinning(["work.example"], of: oidc)
        )
        return policy
    }()

    /// What an issuer says, and what it is worth under the standard policy and where domains are pinned.
    private struct Row {
        let what: String
        let issuer: String
        let address: String
        var isVerified: Bool? = true
        var isConfirmed: Bool?
        var hostedDomain: String?
        var isOwnersDomain: ClaimValue?
        let standard: EmailAssurance
        let pinned: EmailAssurance
    }

    func testAWordAboutNoAddressIsWorthNothing() throws {
        for address in [nil, "12345+ann@users.noreply.github.com"] {
            var assertion = ProviderAssertion(provider: .gitHub, issuer: "github.com", subject: "1")
            assertion.email = address
            assertion.isEmailVerified = true
            let proof = try XCTUnwrap(FederatedProof(assertion, under: Self.pinned))
            XCTAssertNil(proof.identity.email, "the address of \(address ?? "none")")
            XCTAssertEqual(proof.identity.assurance, .claimed, "a word about \(address ?? "none")")
        }
    }

    private func check(_ rows: [Row]) throws {
        for row in rows {
            var assertion = ProviderAssertion(provider: "p", issuer: row.issuer, subject: "1")
            assertion.isEmailVerified = row.isVerified
            assertion.isEmailConfirmed = row.isConfirmed
            assertion.hostedDomain = row.hostedDomain
            if let claim = row.isOwnersDomain { assertion.claims["xms_edov"] = claim }
            let email = try XCTUnwrap(EmailAddress(row.address), row.what)
            XCTAssertEqual(AuthPolicy.standard.assurance(of: assertion, about: email), row.standard, row.what)
            XCTAssertEqual(Self.pinned.assurance(of: assertion, about: email), row.pinned, "pinned: \(row.what)")
        }
    }

    private func row(
        _ what: String,
        _ issuer: String,
        _ address: String,
        verified: Bool? = true,
        confirmed: Bool? = nil,
        hosted: String? = nil,
        edov: ClaimValue? = nil,
        _ standard: EmailAssurance,
        pinned: EmailAssurance? = nil
    ) -> Row {
        Row(
            what: what,
            issuer: issuer,
            address: address,
            isVerified: verified,
            isConfirmed: confirmed,
            hostedDomain: hosted,
            isOwnersDomain: edov,
            standard: standard,
            pinned: pinned ?? standard
        )
    }

    func testS1_Google() throws {
        let (google, work) = (Self.google, "ann@work.example")
        try check([
            row("Gmail", google, "ann@gmail.com", .authoritative),
            row("Gmail's other domain", google, "ann@googlemail.com", .authoritative),
            row("Gmail, not verified", google, "ann@gmail.com", verified: false, .claimed),
            row("Gmail, nothing said", google, "ann@gmail.com", verified: nil, .claimed),
            row("a pinned domain", google, work, hosted: "work.example", .confirmed, pinned: .authoritative),
            row("a pinned domain, capitals", google, work, hosted: "WORK.example", .confirmed, pinned: .authoritative),
            row("a pinned domain, not hosted", google, work, .confirmed),
            row("a pinned domain, another one hosted", google, work, hosted: "sub.work.example", .confirmed),
            row("a pinned domain, not verified", google, work, verified: false, hosted: "work.example", .claimed),
            row("a domain that is not pinned", google, "ann@startup.example", hosted: "startup.example", .confirmed),
            row("another address", google, "ann@outlook.com", .confirmed),
            row("the issuer without its scheme", "accounts.google.com", "ann@gmail.com", .authoritative),
            row("what looks like Google", google + ".evil.example", "ann@gmail.com", .confirmed),
        ])
    }

    func testS1_Apple() throws {
        let apple = Self.apple
        try check([
            row("iCloud", apple, "ann@icloud.com", .authoritative),
            row("me.com", apple, "ann@me.com", .authoritative),
            row("mac.com", apple, "ann@mac.com", .authoritative),
            row("the private relay", apple, "x@privaterelay.appleid.com", .authoritative),
            row("iCloud, not verified", apple, "ann@icloud.com", verified: false, .claimed),
            row("another address", apple, "ann@work.example", .confirmed),
            row("another address, not verified", apple, "ann@work.example", verified: nil, .claimed),
        ])
    }

    func testS1_Microsoft() throws {
        let (consumer, tenant, other) = (Self.consumer, Self.tenant, Self.other)
        let (mine, edov) = ("ann@work.example", ClaimValue.bool(true))
        try check([
            row("a consumer's own mailbox", consumer, "ann@outlook.com", verified: nil, .authoritative),
            row("a consumer's other address", consumer, mine, .claimed),
            row("a consumer's other address, domain owned", consumer, mine, edov: edov, .confirmed),
            row("a tenant's address", tenant, "ann@elsewhere.example", .claimed),
            row("a tenant's address, domain owned", tenant, "ann@elsewhere.example", edov: edov, .confirmed),
            row("a tenant's address, claim as text", tenant, "ann@elsewhere.example", edov: "true", .claimed),
            row("a tenant about a consumer's mailbox", tenant, "ann@outlook.com", .claimed),
            row("a pinned tenant", tenant, mine, verified: nil, .claimed, pinned: .authoritative),
            row("a pinned tenant, domain owned", tenant, mine, edov: edov, .confirmed, pinned: .authoritative),
            row("another tenant about a pinned domain", other, mine, .claimed),
            row("another tenant about a pinned domain, domain owned", other, mine, edov: edov, .confirmed),
        ])
    }

    func testS1_FacebookAndGitHub() throws {
        try check([
            row("Facebook, which sends no flag", "facebook.com", "ann@gmail.com", verified: nil, .confirmed),
            row("GitHub, verified", "github.com", "ann@gmail.com", .confirmed),
            row("GitHub, not verified", "github.com", "ann@gmail.com", verified: false, .claimed),
            row("GitHub, nothing said", "github.com", "ann@gmail.com", verified: nil, .claimed),
            row("GitHub, confirmed", "github.com", "ann@gmail.com", verified: nil, confirmed: true, .confirmed),
            row("a tenant, confirmed", Self.other, "ann@gmail.com", verified: nil, confirmed: true, .claimed),
        ])
    }

    func testS1_AGenericProvider() throws {
        let oidc = Self.oidc
        try check([
            row("a pinned domain", oidc, "ann@work.example", .confirmed, pinned: .authoritative),
            row("a pinned domain, not verified", oidc, "ann@work.example", verified: false, .claimed),
            row("another domain", oidc, "ann@gmail.com", .confirmed),
            row("another domain, not verified", oidc, "ann@gmail.com", verified: nil, .claimed),
            row("a hosted domain", oidc, "ann@startup.example", hosted: "startup.example", .confirmed),
        ])
    }
}

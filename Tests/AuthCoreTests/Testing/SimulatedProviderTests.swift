@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class SimulatedProviderTests: LimitedTestCase {
    private let everyProvider: [SimulatedProvider] = [
        .google, .apple, .facebook, .gitHub, .twitter, .microsoft, .generic("oidc.example"),
    ]

    func testGoogleAndAppleSayThatTheyConfirmedTheAddress() throws {
        for provider in [SimulatedProvider.google, .apple] {
            let assertion = try provider.outcome(of: provider.credential(for: .ann, at: simulatedNow)).get()
            XCTAssertEqual(assertion.email, "ann@example.com", "\(provider.provider)")
            XCTAssertEqual(assertion.isEmailVerified, true, "\(provider.provider)")
        }
    }

    func testEveryOtherProviderSaysNothingOfTheAddress() throws {
        for provider in everyProvider where ![.google, .apple].contains(provider.provider) {
            let assertion = try provider.outcome(of: provider.credential(for: .ann, at: simulatedNow)).get()
            XCTAssertEqual(assertion.email, "ann@example.com", "\(provider.provider)")
            XCTAssertNil(assertion.isEmailVerified, "\(provider.provider)")
            XCTAssertNil(assertion.claims["email_verified"], "\(provider.provider)")
        }
    }

    func testATestMayAskForAnotherWordAboutTheAddress() throws {
        for provider in everyProvider {
            for (claim, expected) in [(AddressClaim.verified, true), (.unverified, false), (.silent, nil)] {
                let credential = provider.credential(
                    for: .ann,
                    saying: SimulatedToken(address: claim),
                    at: simulatedNow
                )
                let assertion = try provider.outcome(of: credential).get()
                XCTAssertEqual(assertion.isEmailVerified, expected, "\(provider.provider) \(claim)")
            }
        }
    }

    func testAProviderWithoutAnAddressToGiveSaysNothingAboutOne() throws {
        let credential = SimulatedProvider.google.credential(
            for: .ann,
            saying: SimulatedToken(email: .absent),
            at: simulatedNow
        )
        let assertion = try SimulatedProvider.google.outcome(of: credential).get()
        XCTAssertNil(assertion.email)
        XCTAssertNil(assertion.isEmailVerified)
        let flags = SimulatedToken(
            email: .absent,
            claims: ["email_verified": true, "simulated_email_confirmed": true]
        )
        let flagged = try SimulatedProvider.google.outcome(
            of: SimulatedProvider.google.credential(for: .ann, saying: flags, at: simulatedNow)
        ).get()
        XCTAssertNil(flagged.isEmailVerified, "no address was verified")
        XCTAssertNil(flagged.isEmailConfirmed, "no address was confirmed")
    }

    func testIssuersAreThoseOfTheRealProviders() throws {
        let issuers: [ProviderID: String] = [
            .google: "https://accounts.google.com",
            .apple: "https://appleid.apple.com",
            .microsoft: "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
            .facebook: "facebook.com",
            .gitHub: "github.com",
            .twitter: "twitter.com",
            "oidc.example": "https://oidc.example.example",
        ]
        for provider in everyProvider {
            let assertion = try provider.outcome(of: provider.credential(for: .ben, at: simulatedNow)).get()
            XCTAssertEqual(assertion.provider, provider.provider)
            XCTAssertEqual(assertion.issuer, issuers[provider.provider], "\(provider.provider)")
            XCTAssertEqual(assertion.subject, SimulatedPerson.ben.subject(at: provider.provider))
        }
    }

    func testProfilesHoldWhatTheRealProvidersGive() throws {
        let withUsername: [ProviderID] = [.gitHub, .twitter, .microsoft, "oidc.example"]
        let withoutPicture: [ProviderID] = [.apple, .microsoft]
        for provider in everyProvider {
            let assertion = try provider.outcome(of: provider.credential(for: .ann, at: simulatedNow)).get()
            XCTAssertEqual(assertion.displayName, "Ann Archer", "\(provider.provider)")
            let username = withUsername.contains(provider.provider) ? "ann" : nil
            XCTAssertEqual(assertion.username, username, "\(provider.provider)")
            let picture = withoutPicture.contains(provider.provider) ? nil : SimulatedPerson.ann.photoURL
            XCTAssertEqual(assertion.photoURL, picture, "\(provider.provider)")
        }
    }

    func testClaimsHaveTheNamesThatTheRealProvidersUse() throws {
        let token: Set = ["iss", "sub", "aud", "iat", "exp", "email"]
        let names: [ProviderID: Set<String>] = [
            .google: token.union(["email_verified", "name", "picture"]),
            .apple: token.union(["email_verified"]),
            .microsoft: token.union(["name", "preferred_username"]),
            "oidc.example": token.union(["name", "picture", "preferred_username"]),
            .facebook: ["id", "email", "name", "picture"],
            .gitHub: ["id", "email", "name", "avatar_url", "login", "type", "site_admin", "html_url", "url"],
            .twitter: ["id_str", "email", "name", "profile_image_url_https", "screen_name"],
        ]
        for provider in everyProvider {
            let issued = try provider.outcome(of: provider.credential(for: .ann, at: simulatedNow)).get()
            XCTAssertEqual(Set(issued.claims.keys), names[provider.provider], "\(provider.provider)")
            // A token that is issued when it is verified has no times.
            let now = try provider.outcome(of: provider.credential(for: .ann)).get()
            let timeless = names[provider.provider]?.subtracting(["iat", "exp"])
            XCTAssertEqual(Set(now.claims.keys), timeless, "\(provider.provider), without a time")
        }
    }

    func testAProfileIsWhatTheRealProviderAnswers() throws {
        let ann = SimulatedPerson.ann
        let picture = ClaimValue.string("https://example.com/pictures/ann.jpg")
        let profiles: [(SimulatedProvider, [String: ClaimValue])] = [
            (.facebook, ["id": .string(ann.subject(at: .facebook)), "picture": picture]),
            (
                .gitHub,
                [
                    "id": .integer(try XCTUnwrap(Int64(ann.subject(at: .gitHub)))), "login": "ann", "type": "User",
                    "site_admin": false, "avatar_url": picture, "html_url": "https://github.com/ann",
                    "url": "https://api.github.com/users/ann",
                ]
            ),
            (
                .twitter,
                [
                    "id_str": .string(ann.subject(at: .twitter)), "screen_name": "ann",
                    "profile_image_url_https": picture,
                ]
            ),
        ]
        for (provider, profile) in profiles {
            let assertion = try provider.outcome(of: provider.credential(for: ann, at: simulatedNow)).get()
            let common: [String: ClaimValue] = ["name": "Ann Archer", "email": "ann@example.com"]
            XCTAssertEqual(assertion.claims, common.merging(profile) { $1 }, "\(provider.provider)")
        }
    }

    func testTimesInATokenAreTheWholeSecondsThatHaveBegun() throws {
        let google = SimulatedProvider.google
        let now = simulatedNow.addingTimeInterval(0.75)
        let claims = try google.outcome(of: google.credential(for: .ann, at: now), at: now).get().claims
        let second = ClaimValue.integer(Int64(simulatedNow.timeIntervalSince1970))
        XCTAssertEqual(claims["iat"], second, "the time of issue")
    }

    func testAppleNamesThePersonBesideTheTokenOnly() throws {
        let apple = SimulatedProvider.apple
        let token = apple.token(for: .ann, at: simulatedNow)
        XCTAssertNil(try apple.outcome(of: .apple(idToken: token, nonce: nil)).get().displayName)
        let named = AuthCredential.apple(idToken: token, nonce: nil, fullName: "Ann A.")
        XCTAssertEqual(try apple.outcome(of: named).get().displayName, "Ann A.")
    }

    func testOnlyAppleTrustsTheNameBesideTheToken() throws {
        for provider in everyProvider where provider.provider != .apple {
            let credential = provider.credential(for: .ann, saying: SimulatedToken(name: .absent), at: simulatedNow)
            guard case .federated(var federated) = credential.content else { return XCTFail() }
            federated.fullName = "Mallory"
            XCTAssertNil(try provider.outcome(of: .federated(federated)).get().displayName, "\(provider.provider)")
        }
    }

    func testTokensFitTheAppsOwnFactories() {
        let token = { (provider: SimulatedProvider) in provider.token(for: .ann, at: simulatedNow) }
        XCTAssertNil(SimulatedProvider.google.refusal(of: .google(idToken: token(.google))))
        XCTAssertNil(SimulatedProvider.apple.refusal(of: .apple(idToken: token(.apple), nonce: nil)))
        XCTAssertNil(SimulatedProvider.facebook.refusal(of: .facebook(accessToken: token(.facebook))))
        XCTAssertNil(SimulatedProvider.gitHub.refusal(of: .gitHub(accessToken: token(.gitHub))))
    }

    func testAccessTokensMeanNothingToTheApp() {
        for provider in everyProvider {
            let token = provider.token(for: .ann, at: simulatedNow)
            XCTAssertEqual(token.contains("."), provider.form == .idToken, "\(provider.provider)")
        }
    }

    func testEverythingATestAsksForIsAsserted() throws {
        let seen = simulatedNow.addingTimeInterval(-30)
        let content = SimulatedToken(
            subject: "someone-else",
            email: "other@example.org",
            name: "Other Name",
            hostedDomain: "example.org",
            nonce: "nonce",
            authenticatedAt: seen,
            authenticationContext: "urn:example:strong",
            authenticationMethods: ["pwd", "otp"],
            claims: ["groups": ["one", "two"]]
        )
        let google = SimulatedProvider.google
        let assertion = try google.outcome(of: google.credential(for: .ann, saying: content, at: simulatedNow)).get()
        XCTAssertEqual(assertion.subject, "someone-else")
        XCTAssertEqual(assertion.email, "other@example.org")
        XCTAssertEqual(assertion.displayName, "Other Name")
        XCTAssertEqual(assertion.hostedDomain, "example.org")
        XCTAssertEqual(assertion.authenticatedAt, seen)
        XCTAssertEqual(assertion.authenticationContext, "urn:example:strong")
        XCTAssertEqual(assertion.authenticationMethods, ["pwd", "otp"])
        XCTAssertEqual(assertion.claims["groups"], ["one", "two"])
        XCTAssertEqual(assertion.claims["sub"], "someone-else")
        XCTAssertEqual(assertion.claims["hd"], "example.org")
        XCTAssertNotNil(assertion.claims["exp"]?.integerValue)
    }

    func testATokenWithoutANonceMayBeUsedAgain() throws {
        for provider in everyProvider {
            let credential = provider.credential(for: .ann, at: simulatedNow)
            XCTAssertNil(try provider.outcome(of: credential).get().singleUse, "\(provider.provider)")
        }
    }

    func testANonceMakesATokenGoodForOneUseForAsLongAsItPasses() throws {
        let content = SimulatedToken(nonce: "abc", lifetime: 600)
        for provider in everyProvider {
            let credential = provider.credential(for: .ann, saying: content, at: simulatedNow)
            let use = try XCTUnwrap(try provider.outcome(of: credential).get().singleUse)
            // The published SHA-256 of "abc".
            XCTAssertEqual(use.id, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
            XCTAssertNil(provider.refusal(of: credential, at: use.expiresAt.addingTimeInterval(-1)))
            XCTAssertEqual(provider.refusal(of: credential, at: use.expiresAt), .expired)
        }
    }

    func testTheSameRequestGivesTheSameToken() {
        for provider in everyProvider {
            let again = SimulatedProvider(provider.provider)
            XCTAssertEqual(
                provider.token(for: .ann, at: simulatedNow),
                again.token(for: SimulatedPerson(name: "Ann Archer", email: "ann@example.com"), at: simulatedNow)
            )
        }
    }

    func testVerifyTakesTheTimeFromTheContext() async throws {
        let google = SimulatedProvider.google
        let credential = google.credential(for: .ann, at: simulatedNow)
        guard case .federated(let federated) = credential.content else { return XCTFail() }
        let assertion = try await google.verify(federated, in: VerificationContext(now: simulatedNow))
        XCTAssertEqual(assertion.email, "ann@example.com")
        do {
            let later = simulatedNow.addingTimeInterval(86_400)
            _ = try await google.verify(federated, in: VerificationContext(now: later))
            XCTFail("a day later the token is over")
        } catch {
            XCTAssertEqual(error, .expired)
        }
    }

    func testCredentialsNeverShowTheirTokens() {
        for provider in everyProvider {
            let content = SimulatedToken(nonce: "my-raw-nonce")
            let token = provider.token(for: .ann, saying: content, at: simulatedNow)
            let credential = provider.credential(for: .ann, saying: content, at: simulatedNow)
            var dumped = ""
            dump(credential, to: &dumped)
            for shown in ["\(credential)", String(reflecting: credential), dumped] {
                XCTAssertFalse(shown.contains(token), "\(provider.provider)")
                XCTAssertFalse(shown.contains(token.prefix(24)), "\(provider.provider)")
                XCTAssertFalse(shown.contains("my-raw-nonce"), "\(provider.provider)")
                XCTAssertTrue(shown.contains(provider.provider.rawValue), "\(provider.provider)")
            }
        }
    }

    func testAProfileHasNoNonce() throws {
        for provider in [SimulatedProvider.gitHub, .facebook] {
            let token = provider.token(for: .ann, saying: SimulatedToken(nonce: "once"), at: simulatedNow)
            let assertion = try provider.outcome(of: provider.credential(carrying: token, nonce: "once")).get()
            XCTAssertNil(assertion.claims["nonce"], "\(provider.provider): what its profile says")
        }
    }
}

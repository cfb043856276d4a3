@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What an ID token says of the account and its sign-in.
final class IDTokenTests: LimitedTestCase {
    func testAnIDTokenSaysWhoSignedInHowAndWhen() async throws {
        let world = World()
        let device = world.device()
        let user = try await device.signIn(with: world.credential(.google)).user
        world.clock.advance(by: .seconds(100))
        let result = try await user.idTokenResult()
        XCTAssertEqual(result.claims["sub"], .string(user.uid))
        XCTAssertEqual(result.claims["email"], "ann@example.com")
        XCTAssertEqual(result.claims["email_verified"], true)
        XCTAssertEqual(result.signInProvider, "google.com")
        XCTAssertNil(result.signInSecondFactor)
        XCTAssertEqual(result.issuedAtDate, world.clock.now)
        XCTAssertEqual(result.authDate, world.clock.now.addingTimeInterval(-100))
        XCTAssertEqual(result.expirationDate.timeIntervalSince(result.issuedAtDate), 3600)
    }

    func testAnIDTokenListsWhatTheAccountHasByWhoSaysSo() async throws {
        let world = World(.standard)
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google()).user
        try await ann.link(with: world.gitHub())
        try await ann.link(with: world.digits(to: world.number, from: auth))
        let result = try await ann.idTokenResult(forcingRefresh: true)
        let identities = result.claims["firebase"]?.objectValue?["identities"]?.objectValue
        let subjects = ann.account.identities.map { [ClaimValue.string($0.key.subject.text)] }
        XCTAssertEqual(
            identities,
            [
                "email": ["ann@example.com"], "google.com": .array(subjects[0]), "github.com": .array(subjects[1]),
                "phone": [.string(world.number)],
            ]
        )
    }

    /// Readers of these tokens expect the object also where there is nothing in it.
    func testTheTokenOfAnAnonymousAccountListsNoIdentity() async throws {
        let world = World(.standard)
        let result = try await world.device().signInAnonymously().user.idTokenResult()
        let identities = result.claims["firebase"]?.objectValue?["identities"]
        XCTAssertEqual(identities, [:], "the identities of an account that has none")
    }

    /// As in Firebase's tokens.
    func testOnlyTheTokenOfAnAnonymousSignInNamesItsProviderOutside() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let before = try await user.idTokenResult()
        XCTAssertEqual(before.claims["provider_id"], "anonymous", "the token of an anonymous sign-in")
        let same = try await world.service.client().user(forIDToken: before.token)
        XCTAssertEqual(same.uid, user.uid, "whose token a server reads")
        try await user.link(with: World.annsPassword)
        let after = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertNil(after.claims["provider_id"], "the token of a person with a password")
    }

    /// A number that a reset suspended may be an attacker's.
    func testASuspendedNumberIsNotTheAccountsAnyMore() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.evesNumber, from: world.device()))
        let before = try await ann.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(before.claims["phone_number"]?.stringValue, world.evesNumber)
        try await world.reset()
        let back = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
        let after = try await back.user.idTokenResult()
        XCTAssertNil(after.claims["phone_number"])
        let identities = after.claims["firebase"]?.objectValue?["identities"]?.objectValue
        XCTAssertEqual(identities?.keys.sorted(), ["email"])
        XCTAssertNil(back.user.phoneNumber)
        XCTAssertEqual(back.user.providerData.filter(\.isSuspended).map(\.provider), [.phone])
        try await world.device("x").sendSignInMethods(to: "ann@example.com")
        XCTAssertEqual(world.outbox.last(to: "ann@example.com", .signInMethods)?.signInMethods, [.password])
    }

    /// A control character takes six in a token.
    func testATokenOfTheLongestProfileIsRead() async throws {
        let world = World()
        let user = try await world.signUpAnn()
        let long = String(repeating: "\u{1}", count: 2048)
        try await user.updateProfile(displayName: .set(long), photoURL: .set(long))
        try await world.service.setCustomClaims(
            ["role": .string(String(repeating: "x", count: 900))],
            account: user.accountID
        )
        let token = try await user.idToken()
        let isRead = await world.succeeds { try await world.service.client().user(forIDToken: token) }
        XCTAssertTrue(isRead, "the service refuses every token of the account")
        let claims = try await user.idTokenResult().claims
        XCTAssertEqual(claims["name"], .string(long), "a claim of a long token")
    }

    func testATokenOfNobodySaysSo() {
        let now = ManualClock().now
        let result = IDTokenResult(
            token: "token",
            authDate: now,
            issuedAtDate: now,
            expirationDate: now,
            signInProvider: "custom",
            signInSecondFactor: nil
        )
        XCTAssertEqual(result.description, "IDTokenResult(no subject)")
    }
}

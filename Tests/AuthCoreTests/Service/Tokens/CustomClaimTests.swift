@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// Claims that an app adds to tokens, and those that are refused.
final class CustomClaimTests: LimitedTestCase {
    func testCustomClaimsGoIntoTokensAndNeverCoverOurOwnNames() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        try await world.service.setCustomClaims(["role": "admin"], account: user.account.id)
        let result = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(result.claims["role"], "admin")
        for name in ["sub", "iss", "exp", "firebase", "email_verified", "sid", "provider_id"] {
            await assertThrows(.invalidCustomClaims, name) {
                try await world.service.setCustomClaims([name: "x"], account: user.account.id)
            }
        }
        await assertThrows(.invalidCustomClaims, "too large") {
            try await world.service.setCustomClaims(
                ["a": .string(String(repeating: "x", count: 1000))],
                account: user.account.id
            )
        }
        let unchanged = try await world.service.account(user.account.id)
        XCTAssertEqual(unchanged.customClaims, ["role": "admin"])
    }

    func testCustomClaimsStandInATokenInTheOrderOfTheirNames() async throws {
        let world = World()
        let user = try await world.signUpAnn()
        let names = ["d", "a", "e", "c", "b"]
        let claims = Dictionary(uniqueKeysWithValues: names.map { ($0, ClaimValue.bool(true)) })
        try await world.service.setCustomClaims(claims, account: user.account.id)
        let token = try await user.idToken(forcingRefresh: true)
        let payload = try XCTUnwrap(Base64URL.decode(String(token.split(separator: ".")[1])))
        let text = String(decoding: payload, as: UTF8.self)
        XCTAssertTrue(text.contains(#""a":true,"b":true,"c":true,"d":true,"e":true,"#), text)
    }

    func testCustomClaimsThatNoTokenCouldBeReadWithAreRefused() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        var deep: ClaimValue = 1
        for _ in 0..<40 { deep = .array([deep]) }
        let long = String(repeating: "k", count: 600)
        for (what, claims) in [
            ("nested too deeply", ["a": deep]), ("a name too long", [long: 1]), ("no number", ["a": .number(.nan)]),
        ] as [(String, [String: ClaimValue])] {
            await assertThrows(.invalidCustomClaims, what) {
                try await world.service.setCustomClaims(claims, account: user.account.id)
            }
            await assertThrows(.invalidCustomToken, what) {
                try await world.service.makeCustomToken(for: "ann", claims: claims)
            }
            let token = try await user.idToken(forcingRefresh: true)
            let isRead = await world.succeeds { try await world.service.client().user(forIDToken: token) }
            XCTAssertTrue(isRead, "\(what): the service refuses every token of the account")
        }
    }

    func testTheDeepestCustomClaimsAreReadInTokensOfBothKinds() async throws {
        let world = World()
        // With the object of the claims, the thirty-one levels that a custom token has room for.
        let deep = (0..<30).reduce(1 as ClaimValue) { inner, _ in .array([inner]) }
        let tooDeep = ClaimValue.array([deep])
        await assertThrows(.invalidCustomToken, "a custom token with one level more") {
            try await world.service.makeCustomToken(for: "ann", claims: ["a": tooDeep])
        }
        let token = try await world.service.makeCustomToken(for: "ann", claims: ["a": deep])
        let user = try await world.device().signIn(with: .customToken(token)).user
        await assertThrows(.invalidCustomClaims, "claims with one level more") {
            try await world.service.setCustomClaims(["b": tooDeep], account: user.account.id)
        }
        try await world.service.setCustomClaims(["b": deep], account: user.account.id)
        let result = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(result.claims["a"], deep)
        XCTAssertEqual(result.claims["b"], deep)
    }
}

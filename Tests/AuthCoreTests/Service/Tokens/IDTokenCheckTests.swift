@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// Which ID tokens give their user again, and why others are refused.
final class IDTokenCheckTests: LimitedTestCase {
    func testATokenGivesTheUserAgainWhileTheSessionLives() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let token = try await user.idToken()
        let again = try await world.service.client().user(forIDToken: token)
        XCTAssertEqual(again.uid, user.uid)
        XCTAssertEqual(again.session.id, user.session.id)
    }

    /// A server that took one for the other would sign people out every hour.
    func testAnErrorTellsATokenThatHasExpiredFromASessionThatHasEnded() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let client = world.service.client("ann's")
        let tokens = try await ann.issueTokens()
        try await ann.revokeOtherSessions()
        let replaced = await authError { try await client.user(forIDToken: tokens.idToken.token) }
        XCTAssertEqual(replaced?.endsSession, false, "a token from before a change of privileges")
        let late = await authError { try await client.refresh(tokens.refreshToken) }
        XCTAssertEqual(late?.endsSession, false, "a refresh token from before a change of privileges")
        XCTAssertEqual(late?.code.endsSession, true, "a client without newer tokens must sign in")
        let newest = try await ann.issueTokens()
        world.clock.advance(by: .seconds(3660))
        let expired = await authError { try await client.user(forIDToken: newest.idToken.token) }
        XCTAssertEqual(expired?.endsSession, false, "a token that has expired")
        let next = try await client.refresh(newest.refreshToken)
        try await world.service.revokeSessions(of: ann.accountID)
        let ended = await authError { try await client.user(forIDToken: next.idToken.token) }
        XCTAssertEqual(ended?.endsSession, true, "a token of a session that has ended")
        XCTAssertFalse(AuthError(.tooManyRequests).endsSession)
    }

    func testATokenWhoseTimeSessionOrAccountIsOverIsRefusedForWhatItIs() async throws {
        let world = World()
        let device = world.device()
        let expired = try await device.signInAnonymously().user.idToken()
        world.clock.advance(by: .seconds(3600))
        try await world.refusal(.userTokenExpired, .tokenHasExpired) {
            try await world.service.client().user(forIDToken: expired)
        }

        let signedOut = try await device.signInAnonymously().user
        let token = try await signedOut.idToken()
        try await signedOut.signOut()
        try await world.refusal(.userTokenExpired, .sessionIsOver) {
            try await world.service.client().user(forIDToken: token)
        }

        let disabled = try await device.signInAnonymously().user
        let disabledToken = try await disabled.idToken()
        try await world.service.setDisabled(true, account: disabled.account.id)
        await assertThrows(.userDisabled) { try await world.service.client().user(forIDToken: disabledToken) }

        let deleted = try await device.signInAnonymously().user
        let deletedToken = try await deleted.idToken()
        try await deleted.delete()
        await assertThrows(.userNotFound) { try await world.service.client().user(forIDToken: deletedToken) }
    }

    func testATokenFromBeforeAPasswordChangeElsewhereIsRefused() async throws {
        let world = World()
        let old = try await world.device("a").signUp(email: "ann@example.com", password: "correct horse").user
        let token = try await old.idToken()
        let credential = AuthCredential.password(email: "ann@example.com", password: "correct horse")
        try await world.device("b").signIn(with: credential).user.updatePassword(to: "battery staple")
        await assertThrows(.userTokenExpired) { try await world.service.client().user(forIDToken: token) }
    }

    func testWhatIsNotOursIsRefusedWithoutSayingWhy() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let token = try await user.idToken()
        let parts = token.split(separator: ".").map(String.init)
        let none = Base64URL.encode(Array(#"{"alg":"none","kid":"1","typ":"JWT"}"#.utf8))
        var changed = Array(parts[1].utf8)
        changed[10] = changed[10] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        let otherKey = World { $0.setSecretKey(Array(repeating: 8, count: 32)) }
        let otherIssuer = World { $0.issuer = "https://other.example" }
        let otherAudience = World { $0.audience = "other" }
        let future = World()
        future.clock.advance(by: .seconds(3000))
        let forged: [(String, String)] = [
            ("empty", ""),
            ("garbage", "garbage"),
            ("dots", ".."),
            ("alg none", "\(none).\(parts[1])."),
            ("alg none with the old signature", "\(none).\(parts[1]).\(parts[2])"),
            ("changed payload", "\(parts[0]).\(String(decoding: changed, as: UTF8.self)).\(parts[2])"),
            ("no signature", "\(parts[0]).\(parts[1])."),
            ("large", String(repeating: "a", count: 1 << 20)),
            ("another key", try await otherKey.device().signInAnonymously().user.idToken()),
            ("another issuer", try await otherIssuer.device().signInAnonymously().user.idToken()),
            ("another audience", try await otherAudience.device().signInAnonymously().user.idToken()),
            ("issued in the future", try await future.device().signInAnonymously().user.idToken()),
            ("a custom token", try await world.service.makeCustomToken(for: "someone")),
        ]
        for (what, token) in forged {
            let error = await authError(what) { try await world.service.client().user(forIDToken: token) }
            XCTAssertEqual(error?.code, .invalidUserToken, what)
            XCTAssertEqual(error?.reasons, [.tokenIsNotOurs], what)
            XCTAssertEqual(error?.message, AuthErrorCode.invalidUserToken.explanation, what)
        }
    }

    /// Two services over one store, as for a test site, share the key.
    func testATokenOfAnIssuerWhoseNameGoesOnIsNotAccepted() async throws {
        let world = World(.standard) { $0.issuer = "https://a.example" }
        var other = world.service.configuration
        other.issuer = "https://a.example/staging"
        let user = try await AuthService(other).client(for: nil, origin: .local).signIn(with: world.google()).user
        let token = try await user.idToken()
        await assertThrows(.invalidUserToken) {
            try await world.service.client(for: nil, origin: .local).user(forIDToken: token)
        }
    }

    func testATokenThatNamesAnotherAlgorithmIsNotOursHoweverItIsSigned() async throws {
        let world = World()
        let token = try await world.device().signInAnonymously().user.idToken()
        let parsed = try XCTUnwrap(CompactToken.parse(token))
        let signer = world.service.signer
        for (algorithm, isOurs) in [(signer.algorithm, true), ("HS512", false), ("none", false)] {
            let input = CompactToken.signingInput(of: parsed.payload, algorithm: algorithm, keyID: signer.keyID)
            let text = CompactToken.text(of: input, signature: try await signer.sign(input))
            let isTaken = await world.succeeds { try await world.service.client().user(forIDToken: text) }
            XCTAssertEqual(isTaken, isOurs, "a token whose header names \(algorithm)")
        }
    }

    func testAFormerKeyStillChecksAndAnUnknownOneDoesNot() async throws {
        let first = try HMACTokenSigner.Key(id: "first", secret: Array(repeating: 1, count: 32))
        let second = try HMACTokenSigner.Key(id: "second", secret: Array(repeating: 2, count: 32))
        let store = InMemoryIdentityStore()
        let before = World {
            $0.store = store
            $0.tokenSigner = HMACTokenSigner(current: first)
        }
        let after = World {
            $0.store = store
            $0.tokenSigner = HMACTokenSigner(current: second, former: [first])
        }
        let dropped = World {
            $0.store = store
            $0.tokenSigner = HMACTokenSigner(current: second)
        }
        let user = try await before.device().signInAnonymously().user
        let token = try await user.idToken()
        let again = try await after.service.client().user(forIDToken: token)
        XCTAssertEqual(again.uid, user.uid)
        await assertThrows(.invalidUserToken) { try await dropped.service.client().user(forIDToken: token) }
    }

    /// A variable that was not set looks like an empty key.
    func testAKeyOfASignerHasAtLeast32Bytes() async {
        for count in [0, 1, 31] {
            await assertThrows(.missingSecretKey, "\(count) bytes") {
                try HMACTokenSigner.Key(id: "short", secret: Array(repeating: 5, count: count))
            }
        }
        for count in [32, 64] {
            XCTAssertNoThrow(
                try HMACTokenSigner.Key(id: "long", secret: Array(repeating: 5, count: count)),
                "\(count) bytes"
            )
        }
    }

    func testASignerThatFailsIsAnErrorOfTheServer() async throws {
        struct Broken: TokenSigner {
            struct Failure: Error {}

            let algorithm = "HS256"
            let keyID = "1"

            func sign(_ input: [UInt8]) async throws -> [UInt8] { throw Failure() }

            func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
                throw Failure()
            }
        }
        let good = World()
        let token = try await good.device().signInAnonymously().user.idToken()
        let custom = try await good.service.makeCustomToken(for: "ann")
        let world = World { $0.tokenSigner = Broken() }
        await assertThrows(.internalError, "a custom token that cannot be checked now") {
            try await world.device().signIn(with: .customToken(custom))
        }
        let user = try await world.device().signInAnonymously().user
        let error = await authError { try await user.idTokenResult(forcingRefresh: true) }
        XCTAssertEqual(error?.code, .internalError)
        XCTAssertTrue(error?.cause is Broken.Failure)
        let unchecked = await authError { try await world.service.client().user(forIDToken: token) }
        XCTAssertEqual(unchecked?.code, .internalError, "a signature that could not be checked is told as a wrong one")
        XCTAssertTrue(unchecked?.cause is Broken.Failure)
    }
}

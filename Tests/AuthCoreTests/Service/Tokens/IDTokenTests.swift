@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

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

    func testAnIDTokenExpiresWithItsSession() async throws {
        var policy = AuthPolicy.standard
        policy.sessions.absolute = .hours(3)
        let world = World(policy)
        let user = try await world.device().signIn(with: world.google()).user
        world.clock.advance(by: .seconds(2 * 3600 - 1))
        let early = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(early.expirationDate.timeIntervalSince(early.issuedAtDate), 3600, "the session lasts longer")
        world.clock.advance(by: .seconds(1801))
        let late = try await user.idTokenResult(forcingRefresh: true)
        XCTAssertEqual(late.expirationDate.timeIntervalSince(late.issuedAtDate), 1800, "the session ends before that")
        XCTAssertEqual(late.claims["exp"]?.integerValue, Int64(late.expirationDate.timeIntervalSince1970))
    }

    /// A token that was kept until it expires would let the session end meanwhile.
    func testAskingForTokensKeepsASessionThatMayBeUnusedForHalfAnHour() async throws {
        var policy = AuthPolicy.standard
        policy.sessions.idle = .minutes(30)
        let world = World(policy)
        let user = try await world.device().signIn(with: world.google()).user
        for minute in stride(from: 10, through: 120, by: 10) {
            world.clock.advance(by: .seconds(600))
            do {
                let token = try await user.idToken()
                world.clock.advance(by: .seconds(1))
                let again = try await user.idToken()
                XCTAssertEqual(again, token, "asked again a second later, after \(minute) minutes")
            } catch {
                XCTFail("after \(minute) minutes: \(error)")
            }
        }
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

    func testALifetimeThatIsNoTimeMakesATokenAllTheSame() async throws {
        for lifetime in [Duration.seconds(Int64.max), .days(1_000_000_000), .zero, .seconds(Int64.min)] {
            var policy = AuthPolicy.standard
            policy.lifetimes.idToken = lifetime
            let world = World(policy)
            let user = try await world.device().signInAnonymously().user
            let token = try await user.idToken()
            if lifetime > .zero {
                let again = try await world.service.client().user(forIDToken: token)
                XCTAssertEqual(again.uid, user.uid, "\(lifetime)")
            } else {
                await assertThrows(.userTokenExpired, "\(lifetime)") {
                    try await world.service.client().user(forIDToken: token)
                }
            }
        }
    }

    func testATokenLastsAsLongAsThePolicySays() async throws {
        var policy = AuthPolicy.standard
        policy.lifetimes.idToken = .seconds(600)
        let result = try await World(policy).device().signInAnonymously().user.idTokenResult()
        XCTAssertEqual(result.expirationDate.timeIntervalSince(result.issuedAtDate), 600, "what the result says")
        let issuedAt = result.claims["iat"]?.integerValue ?? 0
        XCTAssertEqual(result.claims["exp"], .integer(issuedAt + 600), "what the token says")
    }

    func testATokenIsKeptUntilItIsNearlyOverOrANewOneIsForced() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let first = try await user.idToken()
        world.clock.advance(by: .seconds(3200))
        let second = try await user.idToken()
        XCTAssertEqual(first, second)
        let forced = try await user.idToken(forcingRefresh: true)
        XCTAssertNotEqual(first, forced)
        world.clock.advance(by: .seconds(3301))
        let later = try await user.idToken()
        XCTAssertNotEqual(forced, later)
    }

    func testATokenThatIsForcedIsANewOneInTheSameSecondToo() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        var tokens: [String] = [try await user.idToken()]
        for _ in 0..<3 { tokens.append(try await user.idToken(forcingRefresh: true)) }
        XCTAssertEqual(Set(tokens).count, 4, "each forced token differs from those before")
        let kept = try await user.idToken()
        XCTAssertEqual(kept, tokens.last, "the newest token is kept")
    }

    func testATokenIsKeptWhileItIsValidForMoreThanFiveMinutes() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let first = try await user.idToken()
        world.clock.advance(by: .seconds(3299))
        let kept = try await user.idToken()
        XCTAssertEqual(kept, first, "five minutes and a second before the token expires")
        world.clock.advance(by: .seconds(1))
        let next = try await user.idToken()
        XCTAssertNotEqual(next, first, "five minutes before the token expires")
    }

    func testATokenIsValidUntilTheSecondInWhichItExpires() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let token = try await user.idToken()
        world.clock.advance(by: .seconds(3599))
        let again = try await world.service.client().user(forIDToken: token)
        XCTAssertEqual(again.uid, user.uid, "a second before the token expires")
        world.clock.advance(by: .seconds(1))
        await assertThrows(.userTokenExpired, "when the token expires") {
            try await world.service.client().user(forIDToken: token)
        }
    }

    /// Clocks of two servers may differ by a minute.
    func testATokenThatAClockIssuedWhichWasAheadIsNotGivenOnceMore() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        world.clock.advance(by: .seconds(86_400))
        _ = try await user.idToken()
        world.clock.advance(by: .seconds(-86_400))
        let again = try await world.service.client().user(forIDToken: user.idToken())
        XCTAssertEqual(again.uid, user.uid, "the token after the clock was corrected")
    }

    func testATokenMayBeIssuedAMinuteAheadOfThisClock() async throws {
        let store = InMemoryIdentityStore()
        let ahead = World { $0.store = store }
        let world = World { $0.store = store }
        ahead.clock.advance(by: .seconds(60))
        let user = try await ahead.device().signInAnonymously().user
        let token = try await user.idToken()
        let again = try await world.service.client().user(forIDToken: token)
        XCTAssertEqual(again.uid, user.uid, "issued 60 s ahead")
        ahead.clock.advance(by: .seconds(1))
        let later = try await user.idToken(forcingRefresh: true)
        await assertThrows(.invalidUserToken, "issued 61 s ahead") {
            try await world.service.client().user(forIDToken: later)
        }
    }

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

    func testAPairIsIssuedAtTheFirstTry() async throws {
        try await inTime {
            let user = try await World().device().signInAnonymously().user
            _ = try await user.issueTokens()
            XCTAssertEqual(user.session.refreshCount, 1, "how often the refresh token was replaced")
        }
    }

    /// A store in which another client issues a token for the same session before each load.
    private struct BusyStore: ForwardingStore {
        let whole: any IdentityStore = InMemoryIdentityStore()

        func load(_ lookups: Lookups) async throws -> Snapshot {
            let seen = try await whole.load(lookups)
            for case .session(let id) in seen.asked {
                guard var session = seen.session(id) else { continue }
                let count = session.refreshCount
                session.refreshCount += 1
                let operation = OperationID(bits: UInt128(count) + 1)
                var changes = ChangeSet(operation: operation, at: session.createdAt)
                changes.sessions = [.update(session, refreshCount: count)]
                _ = try await whole.commit(changes)
            }
            return try await whole.load(lookups)
        }
    }

    func testAPairThatOthersAlwaysReplaceIsGivenUp() async throws {
        let world = World { $0.store = BusyStore() }
        let user = try await world.device().signInAnonymously().user
        let error = await authError { try await user.issueTokens() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message, "Others kept issuing tokens for the same session; try again.")
    }

    func testTheTokenOfAPairIsTheUsersUntilItExpires() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        world.clock.advance(by: .seconds(60))
        let later = try await user.idToken()
        XCTAssertEqual(later, pair.idToken.token, "another token was signed")
    }

    func testNeitherResultNorPairShowsItsTokens() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        var dumped = ""
        dump(pair, to: &dumped)
        for text in [pair.description, dumped, String(reflecting: pair.idToken)] {
            XCTAssertFalse(text.contains(pair.refreshToken))
            XCTAssertFalse(text.contains(pair.idToken.token))
        }
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
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

final class CustomTokenTests: LimitedTestCase {
    func testACustomTokenMakesTheAccountItNamesAndSignsInAgain() async throws {
        let world = World()
        let device = world.device()
        let token = try await world.service.makeCustomToken(for: "employee-7", claims: ["team": "blue"])
        let first = try await device.signIn(with: .customToken(token))
        XCTAssertTrue(first.isNewUser)
        XCTAssertEqual(first.user.uid, "employee-7")
        XCTAssertFalse(first.user.isAnonymous)
        let claims = try await first.user.idTokenResult().claims
        XCTAssertEqual(claims["team"], "blue")
        XCTAssertEqual(claims["firebase"]?["sign_in_provider"], "custom")
        let second = try await device.signIn(with: .customToken(token))
        XCTAssertFalse(second.isNewUser)
        XCTAssertEqual(second.user.uid, "employee-7")
    }

    func testTheLoginOfATokenThatStatesNoTimeIsLongAgoInAnIDToken() async throws {
        let world = World(.standard)
        let token = try await world.service.makeCustomToken(for: "employee-7")
        let user = try await world.device().signIn(with: .customToken(token)).user
        let claims = try await user.idTokenResult().claims
        XCTAssertEqual(claims["auth_time"], 0, "the time that readers of the token see")
    }

    func testAGuestForWhomTheServerVouchesIsNoGuestAnyMore() async throws {
        let world = World()
        let guest = try await world.device().signInAnonymously().user
        XCTAssertTrue(guest.isAnonymous)
        let token = try await world.service.makeCustomToken(for: guest.account.id)
        let user = try await world.device("tablet").signIn(with: .customToken(token)).user
        XCTAssertEqual(user.uid, guest.uid)
        XCTAssertFalse(user.isAnonymous)
    }

    func testAnAccountOfACustomTokenIsMadeOnTheServersWord() async throws {
        let world = World()
        let token = try await world.service.makeCustomToken(for: "employee-7")
        try await world.device().signIn(with: .customToken(token))
        let events = try await world.service.events().events
        let made = try XCTUnwrap(events.first { $0.kind == .accountCreated })
        XCTAssertTrue(made.reasons.contains(.serverVouches), "\(made.reasons)")
    }

    func testACustomTokenThatIsForgedExpiredOrAnIDTokenIsRefused() async throws {
        let world = World()
        let device = world.device()
        let token = try await world.service.makeCustomToken(for: "employee-7")
        let idToken = try await device.signIn(with: .customToken(token)).user.idToken()
        let foreign = try await World { $0.setSecretKey([1]) }.service.makeCustomToken(for: "employee-7")
        for forged in ["", "x.y.z", idToken, foreign, token + "a"] {
            await assertThrows(.invalidCustomToken, forged) { try await device.signIn(with: .customToken(forged)) }
        }
        world.clock.advance(by: .seconds(3601))
        await assertThrows(.invalidCustomToken) { try await device.signIn(with: .customToken(token)) }
    }

    func testReservedClaimsAreRefused() async throws {
        let world = World()
        await assertThrows(.invalidCustomToken) {
            try await world.service.makeCustomToken(for: "employee-7", claims: ["sub": "boss"])
        }
    }

    func testWhatTheAccountSaysGoesBeforeWhatTheTokenSaid() async throws {
        let world = World()
        let token = try await world.service.makeCustomToken(for: "employee-7", claims: ["role": "boss", "desk": 3])
        let user = try await world.device().signIn(with: .customToken(token)).user
        _ = try await world.service.setCustomClaims(["role": "clerk"], account: user.account.id)
        let claims = try await user.idTokenResult(forcingRefresh: true).claims
        XCTAssertEqual(claims["role"], "clerk")
        XCTAssertEqual(claims["desk"], 3)
    }

    func testADeletedAccountIsNeverMadeAgain() async throws {
        let world = World()
        let device = world.device()
        let token = try await world.service.makeCustomToken(for: "employee-7")
        try await device.signIn(with: .customToken(token)).user.delete()
        await assertThrows(.userNotFound) { try await device.signIn(with: .customToken(token)) }
    }

    func testAnAccountWithAFactorStillOwesIt() async throws {
        let world = World()
        let device = world.device()
        let user = try await world.verifiedUser(in: device)
        let id = try await user.multiFactor.sendPhoneCode(to: "+15555550100")
        try await user.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
        let token = try await world.service.makeCustomToken(for: user.account.id)
        await assertThrows(.secondFactorRequired) { try await device.signIn(with: .customToken(token)) }
    }

    func testWhetherACustomTokenIsARecentLoginIsThePolicysChoice() async throws {
        var policy = AuthPolicy.firebase
        policy.customTokensAreRecent = false
        let world = World(policy)
        let device = world.device()
        let user = try await world.verifiedUser(in: device)
        let silent = try await world.service.makeCustomToken(for: user.account.id)
        let silentUser = try await device.signIn(with: .customToken(silent)).user
        await assertThrows(.requiresRecentLogin) { try await silentUser.delete() }
        let stated = try await world.service.makeCustomToken(for: user.account.id, authenticatedAt: world.clock.now)
        let statedUser = try await device.signIn(with: .customToken(stated)).user
        try await statedUser.delete()
    }

    func testAnOldSessionOfAnAccountOfCustomTokensChangesNothingSensitive() async throws {
        for policy in [AuthPolicy.standard, .firebase] {
            let world = World(policy)
            let token = try await world.service.makeCustomToken(for: "employee-7", authenticatedAt: world.clock.now)
            let user = try await world.device().signIn(with: .customToken(token)).user
            world.clock.advance(by: .seconds(301))
            try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await user.delete() }
            guard policy.recency.operations.contains(.link) else { continue }
            try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
                try await user.link(with: .password(email: "ann@example.com", password: World.password))
            }
            try await user.reauthenticate(
                with: .customToken(
                    world.service.makeCustomToken(for: "employee-7", authenticatedAt: world.clock.now)
                )
            )
            try await user.link(with: .password(email: "ann@example.com", password: World.password))
        }
    }

    func testATokenThatStatesNoTimeMakesALoginOfAClockThatWasAheadNoRecentOne() async throws {
        var policy = AuthPolicy.firebase
        policy.customTokensAreRecent = false
        let world = World(policy)
        let user = try await world.verifiedUser(in: world.device())
        world.clock.advance(by: .seconds(3600))
        let stated = try await world.service.makeCustomToken(for: user.account.id, authenticatedAt: world.clock.now)
        let ahead = try await world.device("tablet").signIn(with: .customToken(stated)).user
        world.clock.advance(by: .seconds(-3600))
        let silent = try await world.service.makeCustomToken(for: user.account.id)
        try await ahead.reauthenticate(with: .customToken(silent))
        await assertThrows(.requiresRecentLogin, "a login that no token of now states") { try await ahead.delete() }
        let now = try await world.service.makeCustomToken(for: user.account.id, authenticatedAt: world.clock.now)
        try await ahead.reauthenticate(with: .customToken(now))
        try await ahead.delete()
    }

    func testACustomTokenCancelsTheDeletionOfItsAccount() async throws {
        let world = World(.standard)
        let token = try await world.service.makeCustomToken(for: "employee-7", authenticatedAt: world.clock.now)
        try await world.device().signIn(with: .customToken(token)).user.delete()
        let back = try await world.device().signIn(with: .customToken(token)).user
        XCTAssertEqual(back.uid, "employee-7")
        let kinds = try await world.eventKinds()
        XCTAssertTrue(kinds.contains(.deletionCanceled))
    }

    func testACustomTokenIsValidForAnHourAtMost() async throws {
        let world = World()
        let token = try await world.service.makeCustomToken(for: "employee-7", lifetime: .seconds(86400))
        world.clock.advance(by: .seconds(3601))
        await assertThrows(.invalidCustomToken, "a token that was to last a day") {
            try await world.device().signIn(with: .customToken(token))
        }
    }

    func testACustomTokenIsValidForAnHourUnlessItIsToBeShorter() async throws {
        let world = World()
        let usual = try await world.service.makeCustomToken(for: "employee-7")
        let short = try await world.service.makeCustomToken(for: "employee-7", lifetime: .seconds(60))
        world.clock.advance(by: .seconds(59))
        try await world.device().signIn(with: .customToken(short))
        world.clock.advance(by: .seconds(1))
        try await world.refusal(.invalidCustomToken, .tokenHasExpired, "a token of a minute, after a minute") {
            try await world.device().signIn(with: .customToken(short))
        }
        world.clock.advance(by: .seconds(3539))
        try await world.device().signIn(with: .customToken(usual))
    }

    func testACustomTokenThatHasExpiredSaysSo() async throws {
        let world = World()
        let token = try await world.service.makeCustomToken(for: "employee-7")
        world.clock.advance(by: .seconds(3601))
        let error = await authError { try await world.device().signIn(with: .customToken(token)) }
        XCTAssertEqual(error?.code, .invalidCustomToken, "a token that has expired")
        XCTAssertEqual(error?.reason, .tokenHasExpired, "why the token is refused")
    }

    func testACustomTokenWithReservedClaimsIsRefusedWhoeverSignedIt() async throws {
        let world = World()
        let now = world.clock.timestamp.seconds
        let payload: ClaimValue = [
            "iss": .string(world.service.configuration.issuer),
            "aud": .string(world.service.configuration.audience + "/custom-token"),
            "uid": "employee-7", "iat": .integer(now), "exp": .integer(now + 60), "claims": ["sub": "boss"],
        ]
        let token = try await world.service.sign(payload.json())
        let error = await authError { try await world.device().signIn(with: .customToken(token)) }
        XCTAssertEqual(error?.code, .invalidCustomToken, "a token that says who its account is")
        XCTAssertEqual(error?.reason, .claimsAreNotAcceptable, "why the token is refused")
    }
}

@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

final class RefreshTokenTests: LimitedTestCase {
    func testAUserKnowsTheSessionThatItsNewestTokensBelongTo() async throws {
        let ended = expectation(description: "tokens are issued, and issued again")
        let user = try await World().device().signInAnonymously().user
        let task = Task {
            defer { ended.fulfill() }
            _ = try await user.issueTokens()
            return try await user.issueTokens()
        }
        await fulfillment(of: [ended], timeout: 30)
        task.cancel()
        XCTAssertEqual(user.session.refreshCount, 2, "the user's snapshot of the session")
    }

    func testARefreshTokenGivesTheNextPairOnce() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let first = try await user.issueTokens()
        let second = try await world.service.client().refresh(first.refreshToken)
        XCTAssertNotEqual(first.refreshToken, second.refreshToken)
        let third = try await world.service.client().refresh(second.refreshToken)
        let again = try await world.service.client().user(forIDToken: third.idToken.token)
        XCTAssertEqual(again.uid, user.uid)
    }

    func testARefreshTokenOfAnAccountWithTheLongestIDIsExchanged() async throws {
        let world = World()
        let longest = try XCTUnwrap(AccountID(String(repeating: "a", count: 128)))
        let token = try await world.service.makeCustomToken(for: longest)
        let first = try await world.device().signIn(with: .customToken(token)).user.issueTokens()
        let refusal = await outcome { try await world.service.client().refresh(first.refreshToken) }
        XCTAssertNil(refusal, "a refresh token of \(first.refreshToken.utf8.count) bytes is refused")
    }

    /// A thief who exchanges a token, and then has the session's tokens replaced, is found when the owner exchanges
    /// theirs.
    func testARefreshTokenThatComesBackAfterAChangeOfPrivilegesEndsTheSession() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let first = try await ann.issueTokens()
        let thief = world.service.client("ann's")
        let second = try await thief.refresh(first.refreshToken)
        let stolen = try await thief.user(forIDToken: second.idToken.token)
        try await stolen.revokeOtherSessions()
        let third = try await stolen.issueTokens()
        let error = await authError { try await world.service.client("ann's").refresh(first.refreshToken) }
        XCTAssertEqual(error?.reasons, [.refreshTokenWasReused])
        await assertThrows(.userTokenExpired, "the thief's tokens") { try await thief.refresh(third.refreshToken) }
        await assertThrows(.userTokenExpired, "the thief's user") { try await stolen.reload() }
    }

    /// It may come from a request that was on its way.
    func testTheRefreshTokenFromBeforeAChangeOfPrivilegesEndsNothing() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        for round in 0..<3 {
            let before = try await ann.issueTokens()
            // One change, or several before new tokens are issued.
            for _ in 0...round { try await ann.revokeOtherSessions() }
            for _ in 0..<2 {
                try await world.refusal(.userTokenExpired, .tokenIsOutdated) {
                    try await world.service.client("ann's").refresh(before.refreshToken)
                }
            }
            let after = try await ann.issueTokens()
            // A request with it may come as late as that.
            try await world.refusal(.userTokenExpired, .tokenIsOutdated) {
                try await world.service.client("ann's").refresh(before.refreshToken)
            }
            let next = try await world.service.client("ann's").refresh(after.refreshToken)
            XCTAssertNotEqual(next.refreshToken, after.refreshToken, "round \(round): the token is not replaced")
            let user = try await world.service.client("ann's").user(forIDToken: next.idToken.token)
            XCTAssertEqual(user.uid, ann.uid, "round \(round): whose the next tokens are")
            try await ann.reload()
        }
    }

    /// The thief who was found could otherwise still open the link.
    func testARefreshTokenThatComesBackEndsPendingChangesOfTheAddress() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let first = try await ann.issueTokens()
        let thief = world.service.client("ann's")
        let second = try await thief.refresh(first.refreshToken)
        try await thief.user(forIDToken: second.idToken.token)
            .sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        let code = try world.code(.changeEmail, to: "eve@evil.example")
        let error = await authError { try await world.service.client("ann's").refresh(first.refreshToken) }
        XCTAssertEqual(error?.reasons, [.refreshTokenWasReused])
        try await world.refusal(.invalidActionCode) { try await world.device("eve").applyActionCode(code) }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com", "the thief moved the address")
    }

    /// The ID token of a browser that comes back after an hour has expired.
    func testASignOutByARefreshTokenOfAnyAgeEndsTheSession() async throws {
        let world = World(.standard)
        let client = world.service.client("ann's")
        for age in ["the newest", "exchanged before", "replaced by a change of privileges"] {
            let ann = try await world.device().signIn(with: world.google()).user
            let tokens = try await ann.issueTokens()
            switch age {
            case "exchanged before": _ = try await client.refresh(tokens.refreshToken)
            case "replaced by a change of privileges": try await ann.revokeOtherSessions()
            default: break
            }
            world.clock.advance(by: .seconds(3660))
            try await client.signOut(refreshToken: tokens.refreshToken)
            await assertThrows(.userTokenExpired, "\(age)") { try await ann.reload() }
            try await client.signOut(refreshToken: tokens.refreshToken)
        }
        let kinds = try await world.service.events(limit: .max).events.map(\.kind)
        XCTAssertEqual(kinds.filter { $0 == .signedOut }.count, 3, "sign-outs: \(kinds)")
    }

    func testASignOutByATokenThatTheServiceDidNotIssueDoesNothing() async throws {
        let world = World(.standard)
        let ann = try await world.device().signIn(with: world.google()).user
        let token = try await ann.issueTokens().refreshToken
        for text in ["", "r1", String(token.dropLast()), token + "A"] {
            try await world.service.client().signOut(refreshToken: text)
        }
        XCTAssertEqual(world.service.refusals().map(\.reason), Array(repeating: .tokenIsNotOurs, count: 4))
        try await ann.reload()
    }

    func testARefreshTokenThatComesBackEndsTheSession() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let first = try await user.issueTokens()
        let second = try await world.service.client().refresh(first.refreshToken)
        let error = await authError { try await world.service.client().refresh(first.refreshToken) }
        XCTAssertEqual(error?.code, .userTokenExpired)
        XCTAssertEqual(error?.reasons, [.refreshTokenWasReused])
        await assertThrows(.userTokenExpired) { try await world.service.client().refresh(second.refreshToken) }
        await assertThrows(.userTokenExpired) {
            try await world.service.client().user(forIDToken: second.idToken.token)
        }
        await assertThrows(.userTokenExpired) { try await user.reload() }
    }

    func testAHandleThatMissedAnIssueIssuesTheNextPairAllTheSame() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let token = try await user.issueTokens().idToken.token
        let (one, other) = try await (
            world.service.client().user(forIDToken: token), world.service.client().user(forIDToken: token)
        )
        let first = try await one.issueTokens()
        let second = try await other.issueTokens()
        XCTAssertEqual(other.session.refreshCount, one.session.refreshCount + 1, "none is issued in vain")
        _ = try await world.service.client().refresh(second.refreshToken)
        await assertThrows(.userTokenExpired) { try await world.service.client().refresh(first.refreshToken) }
    }

    func testAMadeUpRefreshTokenEndsNothing() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        var parts = pair.refreshToken.split(separator: ".").map(String.init)
        parts[3] = "0"
        let forged = [parts.joined(separator: "."), "", "r1", "r1.....", String(repeating: ".", count: 100_000)]
        for token in forged {
            await assertThrows(.invalidUserToken) { try await world.service.client().refresh(token) }
        }
        try await user.reload()
        _ = try await world.service.client().refresh(pair.refreshToken)
    }

    func testARefreshTokenEndsWithItsSession() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        try await user.signOut()
        await assertThrows(.userTokenExpired) { try await world.service.client().refresh(pair.refreshToken) }
    }

    func testOnlyTheHashOfARefreshTokenIsStored() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        let stored = try await world.store.whole.load([.session(user.session.id)]).session(user.session.id)
        let session = try XCTUnwrap(stored)
        let hash = try XCTUnwrap(session.refreshHash)
        XCTAssertEqual(hash, SHA256.hash(Array(pair.refreshToken.utf8)))
        var dumped = ""
        dump(session, to: &dumped)
        XCTAssertFalse(dumped.contains(pair.refreshToken))
    }

    func testOfTwoParallelExchangesOneWinsAndTheSessionEnds() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        let service = world.service
        let gate = Gate()
        world.store.script(.commit, .waitsBefore(gate), .waitsBefore(gate))
        let counts = await withTaskGroup(of: AuthErrorCode?.self) { group in
            for _ in 0..<2 {
                group.addTask { await outcome { try await service.client().refresh(pair.refreshToken) } }
            }
            await gate.waitForArrivals(2)
            gate.open()
            return await group.reduce(into: [:]) { counts, code in counts[code, default: 0] += 1 }
        }
        XCTAssertEqual(counts, [nil: 1, .userTokenExpired: 1], "what the two exchanges answer")
        await assertThrows(.userTokenExpired) { try await user.reload() }
    }

    /// Whether the next token is issued, or another one was meanwhile.
    func testATokenThatIsIssuedIsNoSignIn() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let before = world.clock.timestamp
        world.clock.advance(by: .seconds(3600))
        for replaced in [ann.session.refreshCount, ann.session.refreshCount + 1] {
            let refresh = RefreshSession(handle: ann.acting, presented: nil, next: [1], replaced: replaced)
            let decision = try await world.service.decision(of: refresh)
            guard case .success(.goesOn(let signedIn)) = decision.result else {
                return XCTFail("the session ends, replaced: \(replaced)")
            }
            XCTAssertEqual(signedIn.lastSignIn, before, "the last sign-in, replaced: \(replaced)")
        }
    }
}

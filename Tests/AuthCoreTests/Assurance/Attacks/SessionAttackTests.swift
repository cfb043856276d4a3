@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-34, AT-35, AT-39 and S34: what a person can do with a session, or a token of one, that was stolen.
final class SessionAttackTests: LimitedTestCase {
    private var world = World(.standard)

    private let day: Double = 86400

    /// The link is opened on the phone, and the laptop that asked for it goes on as if nothing had happened.
    func testS34_AVerificationElsewhereKeepsTheTokensOfTheSessionThatAsked() async throws {
        let laptop = try await world.signUpAnn(world.device("laptop"))
        let other = try await world.device("other").signIn(with: World.annsPassword).user
        let tokens = try await laptop.issueTokens()
        try await laptop.sendEmailVerification()
        try await world.service.client("phone").applyActionCode(try world.code(.verifyEmail, to: "ann@example.com"))
        let client = world.service.client("laptop")
        let user = try await client.user(forIDToken: tokens.idToken.token)
        XCTAssertTrue(user.isEmailVerified)
        _ = try await client.refresh(tokens.refreshToken)
        try await world.refusal(.userTokenExpired) { try await other.reload() }
    }

    // MARK: Lifetimes

    func testS34_AnUnusedSessionEndsAfterThirtyDays() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let tokens = try await ann.issueTokens()
        world.clock.advance(by: .seconds(30 * day - 1))
        let next = try await world.service.client("phone").refresh(tokens.refreshToken)
        world.clock.advance(by: .seconds(30 * day))
        try await world.refusal(.userTokenExpired, .sessionIsOver) {
            try await world.service.client("phone").refresh(next.refreshToken)
        }
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
    }

    func testS34_ASessionThatIsUsedEveryDayEndsAfterHalfAYearUnlessThePersonAuthenticates() async throws {
        let auth = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(auth)
        for _ in 0..<100 {
            world.clock.advance(by: .seconds(day))
            _ = try await ann.idToken(forcingRefresh: true)
        }
        try await ann.reauthenticate(with: World.annsPassword)
        for _ in 0..<179 {
            world.clock.advance(by: .seconds(day))
            try await ann.reload()
        }
        world.clock.advance(by: .seconds(day))
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
        XCTAssertNil(auth.currentUser, "the app is told")
    }

    func testS34_AGuestEndsAfterNinetyUnusedDaysAndNeverWhileInUse() async throws {
        let guest = try await world.device().signInAnonymously().user
        for _ in 0..<5 {
            world.clock.advance(by: .seconds(90 * day - 1))
            try await guest.reload()
        }
        try await guest.link(with: World.annsPassword)
        world.clock.advance(by: .seconds(29 * day))
        try await guest.reload()
        let other = try await world.device("other").signInAnonymously().user
        world.clock.advance(by: .seconds(90 * day))
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await other.reload() }
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 1, "the other account, whose session ended a month ago, goes with it")
        XCTAssertEqual(report.sessions, 1, "the session of the guest")
        // The account of a guest is kept for a month after its only session.
        world.clock.advance(by: .seconds(30 * day))
        try await world.service.sweep()
        await assertThrows(.userNotFound) { try await self.world.account(other) }
    }

    func testS34_UseIsWrittenOnceAnHourAtMost() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let began = ann.session.activeAt
        world.clock.advance(by: .seconds(3599))
        try await ann.reload()
        XCTAssertEqual(ann.session.activeAt, began)
        world.clock.advance(by: .seconds(1))
        try await ann.reload()
        XCTAssertEqual(ann.session.activeAt, world.clock.timestamp)
    }

    func testS34_WithoutAnyLimitNothingIsWrittenOfUse() async throws {
        world.policy.sessions = AuthPolicy.SessionLimits()
        let ann = try await world.signUpVerifiedAnn()
        let began = ann.session.activeAt
        world.clock.advance(by: .seconds(2 * 3600))
        try await ann.reload()
        XCTAssertEqual(ann.session.activeAt, began)
    }

    func testS34_SweepingRemovesWhatIsOver() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for number in 0..<20 { try await world.device("device \(number)").signIn(with: World.annsPassword) }
        world.clock.advance(by: .seconds(30 * day - 1))
        try await ann.reload()
        let early = try await world.service.sweep()
        XCTAssertEqual(early.sessions, 0)
        world.clock.advance(by: .seconds(1))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.sessions, 20)
        let left = try await ann.sessions()
        XCTAssertEqual(left.map(\.id), [ann.session.id])
    }

    func testS34_TheFiftyFirstSessionEndsTheOneThatWasUnusedLongest() async throws {
        let ann = try await world.signUpVerifiedAnn()
        var users: [User] = []
        for number in 0..<49 {
            world.clock.advance(by: .seconds(3600))
            users.append(try await world.device("device \(number)").signIn(with: World.annsPassword).user)
        }
        world.clock.advance(by: .seconds(3600))
        try await ann.reload()
        try await users[0].reload()
        _ = try await world.device("one more").signIn(with: World.annsPassword)
        let sessions = try await ann.sessions()
        XCTAssertEqual(sessions.count, 50)
        try await users[0].reload()
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await users[1].reload() }
        try await users[2].reload()
    }

    func testS34_AnyNumberLimitsTheSessionsOfAnAccount() async throws {
        for (most, left) in [(Int.max, 3), (1, 1), (0, 1), (-1, 1), (.min, 1)] {
            var policy = AuthPolicy.standard
            policy.sessions.perAccount = most
            world.startOver(policy)
            _ = try await world.signUpVerifiedAnn()
            _ = try await world.device("laptop").signIn(with: World.annsPassword)
            let newest = try await world.device("tablet").signIn(with: World.annsPassword).user
            let sessions = try await newest.sessions()
            XCTAssertEqual(sessions.count, left, "of three sessions, where an account has \(most)")
        }
    }

    func testS34_UnderFirebasesPolicyAnAccountHasAThousandSessions() async throws {
        world.startOver(.firebase)
        let ann = try await world.signUpAnn()
        for _ in 0..<1000 {
            world.clock.advance(by: .seconds(1))
            _ = try await world.device("laptop").signIn(with: World.annsPassword)
        }
        let other = try await world.device("phone").signIn(with: World.annsPassword).user
        let sessions = try await other.sessions()
        XCTAssertEqual(sessions.count, 1000)
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
    }

    func testS34_AStricterPolicyEndsSessionsFromBeforeIt() async throws {
        world.startOver(.firebase)
        let ann = try await world.signUpVerifiedAnn()
        let tokens = try await ann.issueTokens()
        world.clock.advance(by: .seconds(31 * day))
        world.policy.sessions = AuthPolicy.standard.sessions
        try await world.refusal(.userTokenExpired, .sessionIsOver) {
            try await world.service.client("phone").refresh(tokens.refreshToken)
        }
    }

    func testS34_UnderFirebasesPolicyASessionHasNoEnd() async throws {
        world.startOver(.firebase)
        let tokens = try await world.signUpAnn().issueTokens()
        world.clock.advance(by: .seconds(3650 * day))
        let refreshed = try await world.service.client("phone").refresh(tokens.refreshToken)
        XCTAssertNotEqual(refreshed.refreshToken, tokens.refreshToken, "the token that was used up")
    }

    /// A list of sessions shows their IDs; on another device, they restore nobody.
    func testS34_TheIDOfASessionIsNoCredential() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let sessions = try await ann.sessions()
        let listed = try XCTUnwrap(sessions.first)
        for name in ["eve's", "phone"] {
            let user = User.Persisted(session: listed.id, account: ann.accountID)
            let kept = Kept(Auth.Persisted(device: world.devices[name], user: user))
            let restored = try await world.device("eve's", persistence: kept).restore()
            XCTAssertEqual(restored != nil, name == "phone", name)
        }
        let client = world.service.client("eve's")
        await assertThrows(.invalidUserToken) { try await client.user(forIDToken: listed.id.text) }
        await assertThrows(.invalidUserToken) { try await client.refresh(listed.id.text) }
    }

    func testS34_ASavedSessionGoesOnAfterAChangeOfPrivileges() async throws {
        let kept = Kept(nil)
        let auth = world.device("phone", persistence: kept)
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.updatePassword(to: "another long one")
        world.clock.advance(by: .seconds(day))
        let restored = try await world.device("phone", persistence: kept).restore()
        XCTAssertEqual(restored?.uid, ann.uid)
        _ = try await restored?.idToken()
    }

    // MARK: Providers that are disabled

    func testAT34_SwitchingAProviderOffEndsTheSessionsThatRestOnIt() async throws {
        let auth = world.device("phone")
        let ann = try await auth.signIn(with: world.google()).user
        try await ann.link(with: world.gitHub())
        let tokens = try await ann.issueTokens()
        let other = try await world.device("laptop").signIn(with: world.gitHub()).user
        world.policy.disabledProviders = [.google]
        let client = world.service.client("phone")
        let handle = ann.handle
        let paths: [(String, () async throws -> Any)] = [
            ("ID token", { try await client.user(forIDToken: tokens.idToken.token) }),
            ("refresh token", { try await client.refresh(tokens.refreshToken) }),
            ("sign-in", { try await client.signIn(with: self.world.google()) }),
        ]
        for (name, act) in paths {
            try await world.refusal(
                name == "sign-in" ? .operationNotAllowed : .userTokenExpired,
                .providerIsDisabled,
                name,
                act
            )
        }
        let service = world.service
        let proof = try await service.client("phone").verify(world.gitHub()).proof
        let operations: [any SessionOperation] = [
            Reload(handle: handle), ListSessions(handle: handle), RevokeSessions(handle: handle, target: nil),
            Reauthenticate(handle: handle, proof: proof), Unlink(handle: handle, provider: .gitHub),
        ]
        for operation in operations {
            try await world.refusal(.userTokenExpired, .providerIsDisabled, "\(type(of: operation))") {
                try await service.perform(any: operation)
            }
        }
        // Sessions that rest on something else go on, and all do where the policy keeps them.
        let elsewhere = try await service.client("laptop").user(forIDToken: other.issueTokens().idToken.token)
        try await elsewhere.reload()
        world.policy.removedMethod = .keepsItsSessions
        _ = try await world.service.client("phone").refresh(tokens.refreshToken)
    }

    /// A factor is owed, or a conflict waits: neither adds anything to the account that it is about.
    func testAT35_AHalfFinishedSignInAddsNothing() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
        try await world.enrollTOTP(ann)
        let auth = world.device("eve's")
        let before = try await world.account(ann)
        let challenge = try await world.passwordChallenge(in: auth)
        let conflict = try await world.conflict { try await auth.signIn(with: self.world.facebook()) }
        XCTAssertNil(auth.currentUser)
        try await world.refusal(.secondFactorRequired) {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
        await assertThrows(.invalidVerificationCode) {
            try await auth.resolve(challenge, with: .totp("000000"))
        }
        let guest = try await auth.signInAnonymously().user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned, "a guest links the pending identity") {
            try await guest.link(with: .pending(conflict.pending))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after, before)
    }

    // MARK: What a token says of the address

    func testAT39_ATokenSaysVerifiedOnlyWhereTheSessionHasToDoWithIt() async throws {
        func says(_ user: User) async throws -> Bool? {
            try await user.idTokenResult(forcingRefresh: true).claims["email_verified"]?.boolValue
        }
        // Eve signs up with Ann's address and links a number; Ann opens the mail that Eve asked for, on her own device.
        let eve = try await world.squat()
        try await eve.link(with: world.digits(to: world.evesNumber, from: world.device("eve")))
        let before = try await says(eve)
        XCTAssertEqual(before, false)
        try await eve.sendEmailVerification()
        try await world.service.client("ann's").applyActionCode(try world.code(.verifyEmail, to: "ann@example.com"))
        let asked = try await says(eve)
        XCTAssertEqual(asked, true, "this session asked for the verification")
        let byNumber = try await world.device("eve 2").signIn(
            with: world.digits(to: world.evesNumber, from: world.device("eve 2"))
        ).user
        XCTAssertTrue(byNumber.isEmailVerified)
        let covered = try await says(byNumber)
        XCTAssertEqual(covered, false, "the number has nothing to do with the proof")
        // Firebase's own tokens speak of the account.
        world.policy.joining = .whenVerified
        let token = try await world.device("eve 3").signIn(
            with: world.digits(to: world.evesNumber, from: world.device("eve 3"))
        ).user
        let firebases = try await says(token)
        XCTAssertEqual(firebases, true)
    }

    func testAT39_ThePersonWhoOpensTheirOwnMailIsVerifiedEverywhere() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let ann = try await world.device("tablet").signIn(with: World.annsPassword).user
        let covered = try await ann.idTokenResult().claims["email_verified"]?.boolValue
        XCTAssertEqual(covered, true)
        let google = try await world.device().signIn(with: world.google(.ben, world.work)).user
        let stated = try await google.idTokenResult().claims["email_verified"]?.boolValue
        XCTAssertEqual(stated, google.isEmailVerified)
    }
}

/// A place for the signed-in session of an app, in memory.
private actor Kept: UserPersistence {
    private var record: Auth.Persisted?

    init(_ record: Auth.Persisted?) { self.record = record }

    func load() -> Auth.Persisted? { record }

    func save(_ record: Auth.Persisted) { self.record = record }
}

extension AuthService {
    /// Performs an operation of any kind on the device called phone.
    fileprivate func perform(any operation: some AuthCore.Operation) async throws {
        _ = try await perform(operation, RequestContext(device: "phone"))
    }
}

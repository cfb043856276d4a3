@testable import AuthCore
import AuthCoreTesting
import XCTest

final class RecentLoginTests: LimitedTestCase {
    private let credential = AuthCredential.password(email: "ann@example.com", password: "correct horse")

    func testAnOldLoginChangesNeitherAddressNorPasswordNorDeletes() async throws {
        let world = World()
        let user = try await world.verifiedUser(in: world.device())
        world.clock.advance(by: .seconds(301))
        await assertThrows(.requiresRecentLogin) { try await user.updateEmail(to: "new@example.com") }
        await assertThrows(.requiresRecentLogin) {
            try await user.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        }
        await assertThrows(.requiresRecentLogin) { try await user.updatePassword(to: "battery staple") }
        await assertThrows(.requiresRecentLogin) { try await user.delete() }
        // What the policy does not name goes on.
        try await user.updateProfile(displayName: .set("Ann"))
        try await user.link(with: world.credential(.google))
    }

    func testALoginIsRecentToTheLastSecond() async throws {
        let world = World()
        let user = try await world.verifiedUser(in: world.device())
        world.clock.advance(by: .seconds(300))
        try await user.updatePassword(to: "battery staple")
        let password = AuthCredential.password(email: "ann@example.com", password: "battery staple")
        let back = try await world.device("tablet").signIn(with: password).user
        XCTAssertEqual(back.uid, user.uid, "the account that the new password signs in to")
    }

    func testAFactorIsRenamedAndRecoveryCodesAreMadeByARecentLoginOnly() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let factor = try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id, "the factor that was enrolled")
        world.clock.advance(by: .seconds(300))
        try await ann.multiFactor.rename(factor, to: "my phone")
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let account = try await world.account(ann)
        XCTAssertEqual(account.factors.map(\.displayName), ["my phone"], "the name after five minutes")
        XCTAssertEqual(account.recoveryCodes.count, 10, "the recovery codes after five minutes")
        world.clock.advance(by: .seconds(1))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "another name a second later") {
            try await ann.multiFactor.rename(factor, to: "not my phone")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "new recovery codes a second later") {
            try await ann.multiFactor.makeRecoveryCodes()
        }
    }

    func testALoginWrittenByAClockThatWasAheadIsNotRecent() async throws {
        let world = World()
        let user = try await world.verifiedUser(in: world.device())
        world.clock.advance(by: .seconds(-60))
        try await user.updatePassword(to: "battery staple")
        world.clock.advance(by: .seconds(-1))
        await assertThrows(.requiresRecentLogin, "a login more than a minute after now") {
            try await user.updatePassword(to: "correct horse")
        }
        try await user.reauthenticate(with: .password(email: "ann@example.com", password: "battery staple"))
        try await user.updatePassword(to: "correct horse")
    }

    func testALoginIsAsOldAsTheCheckOfItsCredential() async throws {
        let world = World()
        let user = try await world.verifiedUser(in: world.device())
        let kept = try await world.service.client().verify(credential)
        world.clock.advance(by: .seconds(301))
        let second = try await world.service.client().signIn(with: kept).user
        XCTAssertEqual(world.clock.timestamp - second.session.authenticatedAt, .seconds(301))
        await assertThrows(.requiresRecentLogin) { try await second.updatePassword(to: "battery staple") }
        try await user.reauthenticate(with: kept)
        await assertThrows(.requiresRecentLogin) { try await user.updatePassword(to: "battery staple") }
        try await user.reauthenticate(with: credential)
        try await user.reauthenticate(with: kept)
        // What was shown since is not undone by showing something older.
        try await user.updatePassword(to: "battery staple")
    }

    func testALoginByWhatMetAConflictIsAsOldAsTheConflict() async throws {
        let world = World(.standard)
        let ann = try await world.verifiedUser(in: world.device("a"))
        let auth = world.device("b")
        let error = await authError {
            try await auth.signIn(with: world.credential(.facebook))
        }
        let pending = try XCTUnwrap(error?.conflict?.pending)
        try await world.service.deleteAccount(ann.account.id)
        world.clock.advance(by: .seconds(301))
        let late = try await auth.signIn(with: .pending(pending)).user
        XCTAssertEqual(world.clock.timestamp - late.session.authenticatedAt, .seconds(301))
        await assertThrows(.requiresRecentLogin) { try await late.link(with: world.credential(.gitHub)) }
    }

    func testALoginThatAFactorCompletesIsAsOldAsTheCheckOfItsCredential() async throws {
        let world = World(.standard)
        let app = try await world.enrollTOTP(world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        let kept = try await auth.verify(World.annsPassword)
        let checked = world.clock.timestamp
        world.clock.advance(by: .seconds(3600))
        let challenge = try await world.challenge { try await auth.signIn(with: kept) }
        world.clock.advance(by: .seconds(500))
        let user = try await auth.resolve(challenge, with: .totp(world.totp(app))).user
        XCTAssertEqual(user.session.authenticatedAt, checked, "when the password was compared")
    }

    func testALoginThatAFactorCompletesIsAsOldAsItsChallengeWhereThatCameAtOnce() async throws {
        let world = World(.standard)
        let app = try await world.enrollTOTP(world.signUpVerifiedAnn())
        let auth = world.device("tablet")
        world.clock.advance(by: .seconds(60))
        let shown = world.clock.timestamp
        let challenge = try await world.passwordChallenge(in: auth)
        world.clock.advance(by: .seconds(301))
        let user = try await auth.resolve(challenge, with: .totp(world.totp(app))).user
        XCTAssertEqual(user.session.authenticatedAt, shown, "when the password was presented")
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "a login of 301 seconds ago") {
            try await user.updatePassword(to: "battery staple")
        }
    }

    func testAnOldCredentialIsNoRecentLoginThoughAFactorCompletesIt() async throws {
        let world = World(.standard)
        let auth = world.device()
        let user = try await world.signUpVerifiedAnn(auth)
        let app = try await world.enrollTOTP(user)
        let kept = try await auth.verify(World.annsPassword)
        world.clock.advance(by: .seconds(3600))
        let first = try await world.challenge { try await user.reauthenticate(with: World.annsPassword) }
        try await auth.resolve(first, with: .totp(world.totp(app)))
        world.clock.advance(by: .seconds(301))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "a login of five minutes ago") {
            try await user.updatePassword(to: "battery staple")
        }
        let second = try await world.challenge { try await user.reauthenticate(with: kept) }
        try await auth.resolve(second, with: .totp(world.totp(app)))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "a factor beside an old password") {
            try await user.updatePassword(to: "battery staple")
        }
        world.clock.advance(by: .seconds(60))
        let third = try await world.challenge { try await user.reauthenticate(with: World.annsPassword) }
        try await auth.resolve(third, with: .totp(world.totp(app)))
        try await user.updatePassword(to: "battery staple")
    }

    func testALoginByWhatMetAConflictIsAsOldAsTheConflictThoughAFactorCompletesIt() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        let app = try await world.enrollTOTP(ann)
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let met = world.clock.timestamp
        try await ann.link(with: world.facebook())
        world.clock.advance(by: .seconds(540))
        let challenge = try await world.challenge { try await auth.signIn(with: conflict.credential) }
        world.clock.advance(by: .seconds(50))
        let user = try await auth.resolve(challenge, with: .totp(world.totp(app))).user
        XCTAssertEqual(user.session.authenticatedAt, met, "when the provider's word met the conflict")
    }

    func testReauthenticationRenewsThisSessionOnly() async throws {
        let world = World()
        let first = try await world.verifiedUser(in: world.device("a"))
        let second = try await world.device("b").signIn(with: credential).user
        world.clock.advance(by: .seconds(301))
        try await first.reauthenticate(with: credential)
        await assertThrows(.requiresRecentLogin) { try await second.delete() }
        try await first.delete()
    }

    func testAnAnonymousAccountNeedsOnlyItsSession() async throws {
        var policy = AuthPolicy.firebase
        policy.recency.operations = Set(AuthPolicy.SensitiveOperation.allCases)
        let world = World(policy)
        let user = try await world.device().signInAnonymously().user
        world.clock.advance(by: .seconds(3600))
        try await user.link(with: world.credential(.google))
        await assertThrows(.requiresRecentLogin, "with a method there is something to log in with") {
            world.clock.advance(by: .seconds(301))
            try await user.unlink(.google)
        }
    }

    func testAPolicyMayAskForARecentLoginForEveryChange() async throws {
        var policy = AuthPolicy.firebase
        policy.recency.operations = Set(AuthPolicy.SensitiveOperation.allCases)
        let world = World(policy)
        let device = world.device()
        let user = try await world.verifiedUser(in: device)
        let phone = try await world.digits(to: "+15555550123", from: device)
        world.clock.advance(by: .seconds(301))
        await assertThrows(.requiresRecentLogin, "a first number") { try await user.updatePhoneNumber(with: phone) }
        await assertThrows(.requiresRecentLogin, "a factor that the account does not have") {
            try await user.multiFactor.unenroll(SecondFactor.ID(bits: 1))
        }
    }

    func testEachOperationNeedsARecentLoginWhereThePolicyNamesItAndOnlyThere() async throws {
        typealias Kind = AuthPolicy.SensitiveOperation
        XCTAssertEqual(Set(operations.flatMap(\.kinds)), Set(Kind.allCases), "the operations that have a test here")
        for operation in operations {
            let policies =
                operation.kinds.map { ($0.rawValue, Set([$0])) }
                + [("all others", Set(Kind.allCases).subtracting(operation.kinds))]
            for (name, named) in policies {
                var policy = AuthPolicy.firebase
                policy.recency.operations = named
                let world = World(policy)
                let device = world.device()
                let user = try await world.verifiedUser(in: device)
                try await user.link(with: world.credential(.google))
                let act = try await operation.stage(world, device, user)
                world.clock.advance(by: .seconds(301))
                if named.isDisjoint(with: operation.kinds) {
                    let isAllowed = await world.succeeds { try await act() }
                    XCTAssertTrue(isAllowed, "\(operation.name), where the policy names \(name)")
                } else {
                    await assertThrows(.requiresRecentLogin, "\(operation.name), where the policy names \(name)") {
                        try await act()
                    }
                }
            }
        }
    }

    private struct Sensitive {
        let kinds: [AuthPolicy.SensitiveOperation]
        let name: String
        /// Prepares the operation, and returns what carries it out.
        let stage: (World, Auth, User) async throws -> () async throws -> Void
    }

    private let operations: [Sensitive] = [
        Sensitive(kinds: [.link], name: "link") { world, _, user in
            { try await user.link(with: world.credential(.facebook)) }
        },
        Sensitive(kinds: [.unlink], name: "unlink") { _, _, user in { try await user.unlink(.google) } },
        Sensitive(kinds: [.unlink, .link], name: "replace") { world, _, user in
            { try await user.replace(.google, with: world.credential(.google, .ben)) }
        },
        Sensitive(kinds: [.changeEmail], name: "change the address") { _, _, user in
            { try await user.updateEmail(to: "new@example.com") }
        },
        Sensitive(kinds: [.changeEmail], name: "change the address once it is verified") { _, _, user in
            { try await user.sendEmailVerification(beforeUpdatingTo: "new@example.com") }
        },
        Sensitive(kinds: [.changePassword], name: "change the password") { _, _, user in
            { try await user.updatePassword(to: "another long one") }
        },
        Sensitive(kinds: [.changePhoneNumber, .link], name: "change the number") { world, auth, user in
            try await user.link(with: world.digits(to: "+15555550124", from: auth))
            let digits = try await world.digits(to: "+15555550123", from: auth)
            return { try await user.updatePhoneNumber(with: digits) }
        },
        Sensitive(kinds: [.changeFactors], name: "enroll a factor") { world, _, user in
            let app = try await user.multiFactor.startTOTP(issuer: "Boats")
            return { try await user.multiFactor.enroll(app, code: world.totp(app)) }
        },
        Sensitive(kinds: [.changeFactors], name: "begin to enroll a number") { world, _, user in
            { _ = try await user.multiFactor.sendPhoneCode(to: world.number) }
        },
        Sensitive(kinds: [.changeFactors], name: "begin to enroll an authenticator app") { _, _, user in
            { _ = try await user.multiFactor.startTOTP(issuer: "Boats") }
        },
        Sensitive(kinds: [.changeFactors], name: "unenroll a factor") { world, _, user in
            try await world.enrollTOTP(user)
            let factor = try XCTUnwrap(user.multiFactor.enrolledFactors.first)
            return { try await user.multiFactor.unenroll(factor.id) }
        },
        Sensitive(kinds: [.changeFactors], name: "rename a factor") { world, _, user in
            try await world.enrollTOTP(user)
            let factor = try XCTUnwrap(user.multiFactor.enrolledFactors.first)
            return { try await user.multiFactor.rename(factor.id, to: "my phone") }
        },
        Sensitive(kinds: [.changeFactors], name: "make recovery codes") { world, _, user in
            try await world.enrollTOTP(user)
            return { _ = try await user.multiFactor.makeRecoveryCodes() }
        },
        Sensitive(kinds: [.delete], name: "delete the account") { _, _, user in { try await user.delete() } },
    ]
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Rare values of the policy, and accounts that are older than it.
final class PolicyEdgeAttackTests: LimitedTestCase {
    /// An account with a session is in use.
    func testAnAccountWithASessionIsKeptHoweverShortUnverifiedOnesAreKept() async throws {
        var world = World(.standard)
        world.policy.unverifiedLifetime = .zero
        let ann = try await world.signUpAnn()
        world.clock.advance(by: .seconds(60))
        _ = try await world.service.sweep()
        let stored = try await world.storedAccount(ann)
        XCTAssertNotNil(stored, "an account with a session is removed")
    }

    /// What replaces a method ends the sessions, where the policy says that a replacement does.
    func testAnIdentityThatReplacesAnotherEndsTheSessions() async throws {
        let world = World(
            .weakened {
                $0.recycledSubject = .replaces
                $0.removedMethod = .keepsItsSessions
            }
        )
        XCTAssertTrue(world.policy.revokesSessionsOn.contains(.unlink))
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        var next = world.work
        next.subject = "the next holder of the mailbox"
        let came = try await world.device("next").signIn(with: world.google(.ann, next)).user
        XCTAssertEqual(came.uid, ann.uid)
        await assertThrows(.userTokenExpired, "a session of the identity that was replaced") {
            try await ann.reload()
        }
    }

    /// The same, in a session of another method of the account, with nothing else turned back.
    func testAnIdentityThatReplacesAnotherEndsTheSessionsOfOtherMethods() async throws {
        let world = World(.weakened { $0.recycledSubject = .replaces })
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        var next = world.work
        next.subject = "the next holder of the mailbox"
        let came = try await world.device("next").signIn(with: world.google(.ann, next)).user
        XCTAssertEqual(came.uid, ann.uid)
        await assertThrows(.userTokenExpired, "a session from before") { try await ann.reload() }
    }

    /// The address that a provider verified gets notices, also where it is not the account's.
    func testAnAccountOfOneIdentityIsNotifiedWhereAddressesAreShared() async throws {
        var world = World(.standard)
        world.policy.accountsPerEmail = .multiple
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let ann = try await world.device("phone").signIn(with: world.google(gmail)).user
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.gitHub(.eve))
        XCTAssertNotNil(world.outbox.last(to: "ann@gmail.com", .methodAdded), "the owner is not told")
    }

    /// An account whose address was changed under one rule, and the code that restores it, under the stricter rule.
    private func addressChangedUnderTheWeakerRule() async throws -> (World, User, code: String) {
        var world = World(
            .weakened {
                $0.emailRecovery = .firstAddress
                $0.unverifiedEmailChange = .allowed
            }
        )
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updateEmail(to: "eve@example.net")
        let code = try world.code(.recoverEmail, to: "ann@example.com")
        world.policy.emailRecovery = .everyChange
        return (world, ann, code)
    }

    /// The code keeps what it was given under the policy of then.
    func testAFirstAddressIsTakenBackAlsoUnderAStricterRule() async throws {
        let (world, ann, code) = try await addressChangedUnderTheWeakerRule()
        try await world.device("mail").applyActionCode(code)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// Two providers verify the tokens of one issuer, and the account has an identity of each.
    func testUnlinkingAProviderRemovesTheIdentityThatWasLinkedWithItAndNoOther() async throws {
        let google = SimulatedProvider.google
        let work = SimulatedProvider("oidc.work", issuer: google.issuer)
        let world = World(.standard, providers: AuthProviders([google, work]))
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await ann.link(with: world.google(.eve))
        try await ann.link(with: work.credential(for: .ben, at: world.clock.now))
        let linked = try await world.providers(ann)
        XCTAssertEqual(linked, [.password, .google, "oidc.work"])
        // The same person at the issuer comes by the other client.
        let same = SimulatedToken(subject: SimulatedPerson.eve.subject(at: .google))
        let credential = work.credential(for: .eve, saying: same, at: world.clock.now)
        let came = try await world.device("tablet").signIn(with: credential).user
        XCTAssertEqual(came.uid, ann.uid)
        try await ann.unlink("oidc.work")
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.password, .google], "unlinking one removed both")
    }

    /// The use of a session counts, though the login was long ago; whenever the sweep looked last.
    func testAnAccountThatWasUsedUntilYesterdayIsKept() async throws {
        for day in [29, 59, 89] {
            for isSignedOut in [true, false] {
                let world = World(.standard)
                let ann = try await world.signUpAnn()
                for _ in 0..<day {
                    world.clock.advance(by: .seconds(86_400))
                    try await ann.reload()
                    _ = try await world.service.sweep()
                }
                world.clock.advance(by: .seconds(43_200))
                if isSignedOut {
                    try await ann.signOut()
                } else {
                    try await world.service.revokeSessions(of: ann.accountID)
                }
                world.clock.advance(by: .seconds(29 * 86_400))
                _ = try await world.service.sweep()
                let stored = try await world.storedAccount(ann)
                XCTAssertNotNil(stored, "29 days after day \(day), signed out: \(isSignedOut)")
                world.clock.advance(by: .seconds(2 * 86_400))
                _ = try await world.service.sweep()
                let later = try await world.storedAccount(ann)
                XCTAssertNil(later, "a month after day \(day), signed out: \(isSignedOut)")
            }
        }
    }

    /// The same where the session ends since it is too old.
    func testAnAccountThatIsUsedEveryDayIsNotRemovedWithItsSession() async throws {
        let world = World(.standard)
        let ann = try await world.signUpAnn()
        for _ in 0..<(180 * 4 - 1) {
            world.clock.advance(by: .seconds(21_600))
            try await ann.reload()
            _ = try await world.service.sweep()
        }
        world.clock.advance(by: .seconds(28_800))
        // Two hours after its session, and eight hours after its last use.
        await assertThrows(.userTokenExpired, "the session") { try await ann.reload() }
        _ = try await world.service.sweep()
        let back = try? await world.device().signIn(with: World.annsPassword).user
        XCTAssertEqual(back?.uid, ann.uid, "the account is gone with all that the app keeps under it")
    }

    private func nextHolder(by provider: SimulatedProvider, _ world: World) -> AuthCredential {
        var next = SimulatedToken(address: .verified, hostedDomain: "example.com")
        next.subject = "the next holder of the mailbox"
        return provider.credential(for: .ann, saying: next, at: world.clock.now)
    }

    /// The next holder of a mailbox may come by another provider of the same issuer.
    func testAnotherSubjectOfOneIssuerIsAConflictByWhicheverProviderItComes() async throws {
        let google = SimulatedProvider.google
        let web = SimulatedProvider("oidc.web", issuer: google.issuer)
        let world = World(.standard, providers: AuthProviders([google, web]))
        let ann = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
        let reason = Reason.otherSubjectIsLinked
        try await world.refusal(.accountExistsWithDifferentCredential, reason, "another person at the same issuer") {
            try await world.device("next").signIn(with: nextHolder(by: web, world))
        }
        let methods = try await world.providers(ann)
        XCTAssertEqual(methods, [.google], "the methods of the account")
    }

    /// The identity is listed under the provider that can be used.
    func testASignInByTheOtherProviderOfAnIssuerGoesOnWhereTheLinkedOneIsDisabled() async throws {
        let google = SimulatedProvider.google
        let web = SimulatedProvider("oidc.web", issuer: google.issuer)
        for hasVerifier in [true, false] {
            let before = World(.standard, providers: AuthProviders([google, web]))
            let ann = try await before.device("phone").signIn(with: before.google(.ann, before.work)).user
            let store = before.store
            let left = hasVerifier ? AuthProviders([google, web]) : AuthProviders([web])
            var world = World(.standard, providers: left) { $0.store = store }
            // Also another service, whose operations have IDs of their own.
            world.policy.disabledProviders = hasVerifier ? [.google] : []
            let same = SimulatedToken(subject: SimulatedPerson.ann.subject(at: .google))
            let credential = web.credential(for: .ann, saying: same, at: world.clock.now)
            let came = try await world.device("tablet").signIn(with: credential).user
            XCTAssertEqual(came.uid, ann.uid, "with a verifier: \(hasVerifier)")
            try await came.reload()
            let listed = try await world.account(came).methods.map(\.kind.provider)
            XCTAssertEqual(listed, ["oidc.web"], "with a verifier: \(hasVerifier)")
        }
    }

    /// The next holder of the mailbox replaces the identity of the issuer, by whichever provider they come.
    func testAnotherSubjectOfOneIssuerReplacesTheFirstByWhicheverProviderItComes() async throws {
        let google = SimulatedProvider.google
        let web = SimulatedProvider("oidc.web", issuer: google.issuer)
        let world = World(.weakened { $0.recycledSubject = .replaces }, providers: AuthProviders([google, web]))
        let ann = try await world.device("phone").signIn(with: world.google(.ann, world.work)).user
        let came = try await world.device("next").signIn(with: nextHolder(by: web, world)).user
        XCTAssertEqual(came.uid, ann.uid)
        let left = try await world.providers(came)
        XCTAssertEqual(left, ["oidc.web"], "the identity of the holder before")
        await assertThrows(.userTokenExpired, "the session of the holder before") { try await ann.reload() }
    }

    /// Taking back by such a code ends the rights that came later.
    func testAFirstAddressThatIsTakenBackUnderAStricterRuleStays() async throws {
        let (world, ann, code) = try await addressChangedUnderTheWeakerRule()
        let phone = world.device("phone")
        let eve = try await phone.signIn(with: .password(email: "eve@example.net", password: World.password)).user
        try await eve.sendEmailVerification()
        try await phone.applyActionCode(world.code(.verifyEmail, to: "eve@example.net"))
        try await eve.sendEmailVerification(beforeUpdatingTo: "eve@example.org")
        try await phone.applyActionCode(world.code(.changeEmail, to: "eve@example.org"))
        let later = try world.code(.recoverEmail, to: "eve@example.net")
        try await world.device("mail").applyActionCode(code)
        await assertThrows(.invalidActionCode, "the later code") {
            try await world.device("eve").applyActionCode(later)
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// A code for a change from an address ends with it, also if the address comes back.
    func testACodeForAChangeStaysVoidWhenTheAddressComesBack() async throws {
        let world = World(.standard)
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        try await ann.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        let pending = try world.code(.changeEmail, to: "eve@example.net")
        try await ann.sendEmailVerification(beforeUpdatingTo: "anna@example.com")
        try await phone.applyActionCode(world.code(.changeEmail, to: "anna@example.com"))
        await assertThrows(.invalidActionCode, "while the account has another address") {
            try await world.device("eve").applyActionCode(pending)
        }
        try await ann.reload()
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.com")
        try await phone.applyActionCode(world.code(.changeEmail, to: "ann@example.com"))
        await assertThrows(.invalidActionCode, "after it got the first one back") {
            try await world.device("eve").applyActionCode(pending)
        }
    }

    /// No administrator could take the claims away meanwhile.
    func testAnUndoneMergeBringsNoClaimsBackThatDidNotMove() async throws {
        let world = World(.standard)
        let source = try await world.signUp("ann@example.com", linking: world.gitHub(.ann))
        _ = try await world.service.setCustomClaims(["role": "admin"], account: source.accountID)
        let target = try await world.signUp("ben@example.com")
        world.clock.advance(by: .seconds(60))
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        XCTAssertEqual(merged.plan.stayingClaims, ["role"])
        world.clock.advance(by: .seconds(86_400))
        // She is no administrator any more; of the merged account there is nothing to take away.
        _ = try await world.service.setCustomClaims([:], account: target.accountID)
        await assertThrows(.accountMerged) {
            try await world.service.setCustomClaims([:], account: source.accountID)
        }
        try await client.undoMerge(merged.id, verifiedBy: world.side(.gitHub))
        let after = try await world.service.account(source.accountID)
        XCTAssertEqual(after.customClaims, [:], "what did not move is not restored")
    }

    /// How old a method was at the merge counts, not how old it is by now.
    func testAMethodThatWasTooYoungAtTheMergeDoesNotUndoIt() async throws {
        let world = World(.standard)
        try await world.signUp("ben@example.com")
        let ann = try await world.signUp("ann@example.com", in: world.device("phone"))
        world.clock.advance(by: .seconds(30 * 86_400))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(86_400))
        let client = world.service.client(world.context)
        let merged = try await client.merge(
            world.passwordSide("ann@example.com"),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan.moves.map(\.provider), [.gitHub])
        world.clock.advance(by: .seconds(6.5 * 86_400))
        let what = "an undo by what was a day old at the merge"
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, what) {
            try await client.undoMerge(merged.id, verifiedBy: world.side(.gitHub, .eve))
        }
        let restored = try await world.storedAccount(ann)
        XCTAssertNil(restored, "Ann's account is there again, opened by Eve's identity")
    }

    /// A person who verifies the target's address adopts it, and a sweep would remove it, with both accounts in it.
    func testAVerifiedAccountIsNotMergedIntoOneThatWasNeverVerified() async throws {
        let world = World(.standard)
        try await world.signUp("ann@example.com")
        try await world.device("other").signUp(email: "annn@gmail.com", password: World.password)
        world.clock.advance(by: .seconds(60))
        let client = world.service.client(world.context)
        let (source, target) = (
            try await world.passwordSide("ann@example.com"), try await world.passwordSide("annn@gmail.com")
        )
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await client.merge(source, into: target)
        }
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) {
            try await client.previewMerge(source, into: target)
        }
    }

    /// Only an account that can be adopted is refused.
    func testAVerifiedAccountIsMergedIntoOneThatTheAppsServerVouchesFor() async throws {
        let world = World(.standard)
        try await world.signUp("ann@example.com")
        let token = try await world.service.makeCustomToken(for: "ann", authenticatedAt: world.clock.now)
        let device = world.device("other")
        let user = try await device.signIn(with: .customToken(token)).user
        try await user.link(with: .password(email: "annn@gmail.com", password: World.password))
        world.clock.advance(by: .seconds(60))
        let client = world.service.client(world.context)
        let merged = try await client.merge(
            world.passwordSide("ann@example.com"),
            into: world.passwordSide("annn@gmail.com")
        )
        XCTAssertEqual(merged.result.user.uid, "ann")
    }
}

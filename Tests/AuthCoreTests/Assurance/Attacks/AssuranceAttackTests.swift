@testable import AuthCore
import AuthCoreTesting
import XCTest

/// No session claims more than its authentication gave.
final class AssuranceAttackTests: LimitedTestCase {
    private var world = World(.standard)

    func testTheServersWordDoesNotRenewALogin() async throws {
        let id = try XCTUnwrap(AccountID("server"))
        let token = try await world.service.makeCustomToken(for: id)
        let ann = try await world.device().signIn(with: .customToken(token)).user
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(3600))
        let later = try await world.service.makeCustomToken(for: id)
        try await ann.reauthenticate(with: .customToken(later))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.link(with: world.facebook()) }
        let stated = try await world.service.makeCustomToken(for: id, authenticatedAt: world.clock.now)
        try await ann.reauthenticate(with: .customToken(stated))
        try await ann.link(with: world.facebook())
    }

    func testTheServersWordRenewsALoginWhereThePolicySaysSo() async throws {
        world.startOver(AuthPolicy.weakened { $0.customTokensAreRecent = true })
        let id = try XCTUnwrap(AccountID("server"))
        let ann = try await world.device().signIn(with: .customToken(world.service.makeCustomToken(for: id))).user
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(3600))
        try await ann.reauthenticate(with: .customToken(world.service.makeCustomToken(for: id)))
        try await ann.link(with: world.facebook())
    }

    func testTheNumberOfAFactorDoesNotBecomeTheFirstFactorToo() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann)
        let auth = world.device()
        try await world.refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await ann.link(with: world.digits(to: world.number, from: auth))
        }
    }

    func testASessionFromBeforeAnAccountWasShutStaysOverWhenItIsOpenedAgain() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled) { try await ann.reload() }
        try await world.service.setDisabled(false, account: ann.account.id)
        try await world.refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
        try await world.device().signIn(with: World.annsPassword)
    }

    /// The pending identity of one conflict is for the account of that conflict.
    func testAPendingIdentityIsLinkedToNoOtherAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device("shared")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let ben = try await auth.signUp(email: "ben@example.com", password: "bens own word").user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ben.link(with: .pending(conflict.pending))
        }
        let same = try await auth.signIn(with: World.annsPassword).user
        try await same.link(with: .pending(conflict.pending))
        XCTAssertEqual(same.uid, ann.uid)
    }

    /// AT-9: a provider that turned out not to check addresses is downgraded, and what it said counts no more.
    func testAT9_WhatADowngradedProviderSaidProvesNothingAnyMore() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        let ann = try await before.device().signIn(with: before.credential(.google, .ann, saying: world.work)).user
        XCTAssertTrue(ann.isEmailVerified)
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(AuthPolicy.AddressAuthorities())
        let after = World(policy) { $0.store = store }
        let again = try await after.device().signIn(with: after.credential(.google, .ann, saying: world.work)).user
        XCTAssertEqual(again.uid, ann.uid, "a known identity signs in whatever it is worth")
        XCTAssertFalse(again.isEmailVerified)
    }

    /// Trust in a provider is read from the policy at every decision: what it once verified keeps no owner out.
    func testAT9_AnAddressOfAProviderThatIsTrustedNoMoreGoesToWhoVerifiesIt() async throws {
        var world = World(.standard)
        let first = try await world.device("first").signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        world.policy.addressTrust = .authorities(AuthPolicy.AddressAuthorities())
        let auth = world.device("owner")
        let owner = try await world.signUpVerifiedAnn(auth)
        try await owner.sendEmailVerification(beforeUpdatingTo: "ann@gmail.com")
        try await auth.applyActionCode(world.code(.changeEmail, to: "ann@gmail.com"))
        let (left, right) = (try await world.account(first), try await world.account(owner))
        XCTAssertNil(left.email)
        XCTAssertEqual(right.email?.text, "ann@gmail.com")
    }
}

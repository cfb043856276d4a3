@testable import AuthCore
import AuthCoreTesting
import XCTest

/// No session claims more than its authentication gave.
final class AssuranceAttackTests: AttackTestCase {
    func testTheServersWordDoesNotRenewALogin() async throws {
        let id = try XCTUnwrap(AccountID("server"))
        let token = try await service.makeCustomToken(for: id)
        let ann = try await seat().signIn(with: .customToken(token)).user
        try await ann.link(with: gitHub())
        clock.advance(by: 3600)
        let later = try await service.makeCustomToken(for: id)
        try await ann.reauthenticate(with: .customToken(later))
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.link(with: facebook()) }
        let stated = try await service.makeCustomToken(for: id, authenticatedAt: clock.now)
        try await ann.reauthenticate(with: .customToken(stated))
        try await ann.link(with: facebook())
    }

    func testTheServersWordRenewsALoginWhereThePolicySaysSo() async throws {
        startOver(Self.weakened { $0.customTokensAreRecent = true })
        let id = try XCTUnwrap(AccountID("server"))
        let ann = try await seat().signIn(with: .customToken(service.makeCustomToken(for: id))).user
        try await ann.link(with: gitHub())
        clock.advance(by: 3600)
        try await ann.reauthenticate(with: .customToken(service.makeCustomToken(for: id)))
        try await ann.link(with: facebook())
    }

    func testTheNumberOfAFactorDoesNotBecomeTheFirstFactorToo() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollPhone(ann)
        let auth = seat()
        try await refusal(.secondFactorAlreadyEnrolled, .factorIsEnrolled) {
            try await ann.link(with: digits(to: number, from: auth))
        }
    }

    func testASessionFromBeforeAnAccountWasShutStaysOverWhenItIsOpenedAgain() async throws {
        let ann = try await signUpProvenAnn()
        try await service.setDisabled(true, account: ann.account.id)
        try await refusal(.userDisabled) { try await ann.reload() }
        try await service.setDisabled(false, account: ann.account.id)
        try await refusal(.userTokenExpired, .sessionIsOver) { try await ann.reload() }
        try await seat().signIn(with: Self.annsPassword)
    }

    /// The pending identity of one conflict is for the account of that conflict.
    func testAPendingIdentityIsLinkedToNoOtherAccount() async throws {
        let ann = try await signUpProvenAnn()
        let auth = seat("shared")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let ben = try await auth.signUp(email: "ben@example.com", password: "bens own word").user
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ben.link(with: .pending(conflict.pending))
        }
        let same = try await auth.signIn(with: Self.annsPassword).user
        try await same.link(with: .pending(conflict.pending))
        XCTAssertEqual(same.uid, ann.uid)
    }

    /// AT-9: a provider that turned out not to check addresses is downgraded, and what it said counts no more.
    func testAT9_WhatADowngradedProviderSaidProvesNothingAnyMore() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        let ann = try await before.seat().signIn(with: before.credential(.google, .ann, saying: work)).user
        XCTAssertTrue(ann.isEmailVerified)
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(AddressAuthorities())
        let after = World(policy) { $0.store = store }
        let again = try await after.seat().signIn(with: after.credential(.google, .ann, saying: work)).user
        XCTAssertEqual(again.uid, ann.uid, "a known identity signs in whatever it is worth")
        XCTAssertFalse(again.isEmailVerified)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The rules of the standard policy about what a signed-in person changes, each by its name.
final class StandardChangeRuleTests: LimitedTestCase {
    private var world = World(.standard)

    func testS12_AChangeNeedsALoginOfTheLastFiveMinutesAtTheHighestAssurance() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(300))
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(301))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.link(with: world.facebook()) }
        let guest = try await world.device("b").signInAnonymously().user
        world.clock.advance(by: .seconds(3600))
        try await guest.link(with: world.gitHub(.ben))
    }

    func testS13_AYoungerMethodTouchesNoOlderOneForSevenDays() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(60))
        let young = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        let attempts: [(String, () async throws -> Void)] = [
            ("unlink", { try await young.unlink(.password) }),
            ("password", { try await young.updatePassword(to: "a fresh new word") }),
            ("address", { try await young.sendEmailVerification(beforeUpdatingTo: "eve@evil.example") }),
            ("delete", { try await young.delete() }),
        ]
        for (name, attempt) in attempts {
            try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, name, attempt)
        }
        world.clock.advance(by: .seconds(7 * 86400))
        let settled = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await settled.updatePassword(to: "a fresh new word")
    }

    func testS14_NoUnverifiedAddressReplacesAVerifiedOne() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified) {
            try await ann.updateEmail(to: "new@example.com")
        }
        let ben = try await world.device("b").signIn(with: world.google(.ben, world.work)).user
        try await world.refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified) {
            try await ben.link(with: .password(email: "new@example.com", password: World.password))
        }
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device().applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        try await ann.reload()
        XCTAssertEqual(ann.email, "new@example.com")
    }

    func testS15_ABlockedIssuerIsNotLinkedAutomatically() async throws {
        for (policy, isBlocked) in [
            (AuthPolicy.standard, true), (AuthPolicy.weakened { $0.blocksRemovedIssuers = false }, false),
        ] {
            world.startOver(policy)
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.google(.ann, world.work))
            try await ann.unlink(.google)
            if isBlocked {
                try await world.refusal(.accountExistsWithDifferentCredential, .issuerIsBlocked) {
                    try await world.device("b").signIn(with: world.google(.ann, world.work))
                }
            } else {
                let came = try await world.device("b").signIn(with: world.google(.ann, world.work)).user
                XCTAssertEqual(came.uid, ann.uid, "the identity joins where removed issuers are not blocked")
            }
        }
        world.startOver(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        try await ann.unlink(.google)
        try await ann.link(with: world.google(.ann, world.work))
        let after = try await world.account(ann)
        XCTAssertEqual(after.blockedIssuers, [])
    }

    func testS16_WhatCannotSignInIsNotTheLastMethod() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        try await world.refusal(.lastMethod) { try await ann.unlink(.google) }
        let ben = try await world.device("b").signIn(with: world.facebook(.ben)).user
        try await world.squat("ben@example.com")
        // The shown address is another account's own, so no password could ever be used under it.
        try await world.refusal(.emailAlreadyInUse) {
            try await ben.link(with: .password(email: "ben@example.com", password: World.password))
        }
        try await world.refusal(.lastMethod) { try await ben.unlink(.facebook) }
        // What the policy disables signs in no more.
        try await ann.link(with: world.gitHub())
        world.policy.disabledProviders = [.gitHub]
        let later = try await world.device().signIn(with: world.google(.ann, world.work)).user
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await later.unlink(.google) }
    }

    func testS17_WhatEndsTheOtherSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let changes: [(String, () async throws -> Void)] = [
            ("password", { try await ann.updatePassword(to: World.password) }),
            ("unlinking", { try await ann.unlink(.gitHub) }),
            ("first factor", { try await self.world.enrollTOTP(ann) }),
        ]
        try await ann.link(with: world.gitHub())
        for (name, change) in changes {
            let other = try await world.device("tablet").signIn(with: World.annsPassword).user
            try await other.reload()
            try await change()
            try await world.refusal(.userTokenExpired, nil, name) { try await other.reload() }
            try await ann.reload()
        }
        // A verification mail dies with its address, not with the password.
        let ben = try await world.device("b").signUp(email: "ben@example.com", password: World.password).user
        try await ben.sendEmailVerification()
        let verification = try world.code(.verifyEmail, to: "ben@example.com")
        try await ben.updatePassword(to: "a fresh new word")
        try await world.device("mail").applyActionCode(verification)
    }

    func testS20_AResetSuspendsWhatIsYoungOrUncoveredAndKeepsWhatTheMailboxsProviderSays() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        try await ann.link(with: world.gitHub())
        world.clock.advance(by: .seconds(31 * 86400))
        let later = try await world.device().signIn(with: World.annsPassword).user
        try await later.link(with: world.facebook())
        try await world.device("mail").sendPasswordReset(to: "ann@example.com")
        let report = try await world.device("mail").confirmPasswordReset(
            code: world.code(.resetPassword, to: "ann@example.com"),
            newPassword: "anns own word"
        )
        XCTAssertEqual(Set(report.usable.map(\.provider)), [.password, .google, .gitHub])
        XCTAssertEqual(report.suspended.map(\.provider), [.facebook])
        try await world.refusal(.userTokenExpired) { try await later.reload() }
        let back = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
        try await back.link(with: world.facebook())
        let again = try await world.device("b").signIn(with: world.facebook()).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testS21_ASecondFactorIsAnotherNumberThanTheFirst() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        let back = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await world.refusal(.secondFactorAlreadyEnrolled, .numberSignsIn) { try await world.enrollPhone(back) }
        let unverified = try await world.device("b").signUp(email: "ben@example.com", password: World.password).user
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified) { try await world.enrollTOTP(unverified) }
    }

    func testS16_AnIdentityWhoseProviderHasNoVerifierIsNotTheLastMethod() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        let ann = try await before.verifiedUser(in: before.device())
        _ = try await ann.link(with: before.credential(.gitHub))
        let password = AuthCredential.password(email: "ann@example.com", password: "correct horse")
        let without = World(.standard, providers: .empty) { $0.store = store }
        let same = try await without.device().signIn(with: password).user
        await assertThrows(.lastMethod) { try await same.unlink(.password) }
        let with = World(.standard) { $0.store = store }
        let again = try await with.device().signIn(with: password).user
        _ = try await again.unlink(.password)
    }

    func testS21_AFactorIsEnrolledInASessionThatANumberOpened() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        try await world.enrollTOTP(ann)
        XCTAssertEqual(ann.multiFactor.enrolledFactors.count, 1)
    }
}

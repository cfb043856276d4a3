@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The rules of the standard policy about what a signed-in person changes, each by its name.
final class StandardChangeRuleTests: AttackTestCase {
    func testS12_AChangeNeedsALoginOfTheLastFiveMinutesAtTheHighestAssurance() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 300)
        try await ann.link(with: gitHub())
        clock.advance(by: 301)
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.link(with: facebook()) }
        let guest = try await seat("b").signInAnonymously().user
        clock.advance(by: 3600)
        try await guest.link(with: gitHub(.ben))
    }

    func testS13_AYoungerMethodTouchesNoOlderOneForSevenDays() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 60)
        try await ann.link(with: gitHub(.eve))
        clock.advance(by: 60)
        let young = try await seat("eve").signIn(with: gitHub(.eve)).user
        let attempts: [(String, () async throws -> Void)] = [
            ("unlink", { try await young.unlink(.password) }),
            ("password", { try await young.updatePassword(to: "a fresh new word") }),
            ("address", { try await young.sendEmailVerification(beforeUpdatingTo: "eve@evil.example") }),
            ("delete", { try await young.delete() }),
        ]
        for (name, attempt) in attempts {
            try await refusal(.requiresRecentLogin, .loginIsNotSenior, name, attempt)
        }
        clock.advance(by: 7 * 86400)
        let settled = try await seat("eve").signIn(with: gitHub(.eve)).user
        try await settled.updatePassword(to: "a fresh new word")
    }

    func testS14_NoUnprovenAddressReplacesAProvenOne() async throws {
        let ann = try await signUpProvenAnn()
        try await refusal(.emailChangeNeedsVerification, .addressStaysUntilProven) {
            try await ann.updateEmail(to: "new@example.com")
        }
        let ben = try await seat("b").signIn(with: google(.ben, work)).user
        try await refusal(.emailChangeNeedsVerification, .addressStaysUntilProven) {
            try await ben.link(with: .password(email: "new@example.com", password: Self.password))
        }
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await seat().applyActionCode(code(.changeEmail, to: "new@example.com"))
        try await ann.reload()
        XCTAssertEqual(ann.email, "new@example.com")
    }

    func testS15_ASeveredIssuerJoinsNoMoreByItself() async throws {
        for (policy, isSevered) in [
            (AuthPolicy.standard, true), (Self.weakened { $0.seversRemovedIssuers = false }, false),
        ] {
            startOver(policy)
            let ann = try await signUpProvenAnn()
            try await ann.link(with: google(.ann, work))
            try await ann.unlink(.google)
            let came = try? await seat("b").signIn(with: google(.ann, work)).user
            XCTAssertEqual(came?.uid == ann.uid, !isSevered)
        }
        startOver(.standard)
        let ann = try await signUpProvenAnn()
        try await ann.link(with: google(.ann, work))
        try await ann.unlink(.google)
        try await ann.link(with: google(.ann, work))
        let after = try await account(ann)
        XCTAssertEqual(after.severedIssuers, [])
    }

    func testS16_WhatCannotSignInIsNoLastWayIn() async throws {
        let ann = try await seat().signIn(with: google(.ann, work)).user
        try await refusal(.lastMethod) { try await ann.unlink(.google) }
        let ben = try await seat("b").signIn(with: facebook(.ben)).user
        try await squat("ben@example.com")
        // The shown address is another account's own, so no password could ever be used under it.
        try await refusal(.emailAlreadyInUse) {
            try await ben.link(with: .password(email: "ben@example.com", password: Self.password))
        }
        try await refusal(.lastMethod) { try await ben.unlink(.facebook) }
    }

    func testS17_WhatEndsTheOtherSessions() async throws {
        let ann = try await signUpProvenAnn()
        let changes: [(String, () async throws -> Void)] = [
            ("password", { try await ann.updatePassword(to: Self.password) }),
            ("unlinking", { try await ann.unlink(.gitHub) }),
            ("first factor", { try await self.enrollTOTP(ann) }),
        ]
        try await ann.link(with: gitHub())
        for (name, change) in changes {
            let other = try await seat("tablet").signIn(with: Self.annsPassword).user
            try await other.reload()
            try await change()
            try await refusal(.userTokenExpired, nil, name) { try await other.reload() }
            try await ann.reload()
        }
        // A verification mail dies with its address, not with the password.
        let ben = try await seat("b").signUp(email: "ben@example.com", password: Self.password).user
        try await ben.sendEmailVerification()
        let verification = try code(.verifyEmail, to: "ben@example.com")
        try await ben.updatePassword(to: "a fresh new word")
        try await seat("mail").applyActionCode(verification)
    }

    func testS20_AResetSuspendsWhatIsYoungOrUncoveredAndKeepsWhatTheMailboxsProviderSays() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: google(.ann, work))
        try await ann.link(with: gitHub())
        clock.advance(by: 31 * 86400)
        let later = try await seat().signIn(with: Self.annsPassword).user
        try await later.link(with: facebook())
        try await seat("mail").sendPasswordReset(to: "ann@example.com")
        let report = try await seat("mail").confirmPasswordReset(
            code: code(.resetPassword, to: "ann@example.com"),
            newPassword: "anns own word"
        )
        XCTAssertEqual(Set(report.usable.map(\.provider)), [.password, .google, .gitHub])
        XCTAssertEqual(report.suspended.map(\.provider), [.facebook])
        try await refusal(.userTokenExpired) { try await later.reload() }
        let back = try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        try await back.link(with: facebook())
        let again = try await seat("b").signIn(with: facebook()).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testS21_ASecondFactorIsAnotherNumberThanTheFirst() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: digits(to: number, from: seat()))
        let back = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await refusal(.secondFactorAlreadyEnrolled, .numberSignsIn) { try await enrollPhone(back) }
        let unproven = try await seat("b").signUp(email: "ben@example.com", password: Self.password).user
        try await refusal(.unverifiedEmail, .addressIsNotProven) { try await enrollTOTP(unproven) }
    }

    func testS16_AnIdentityWhoseProviderHasNoVerifierIsNoWayIn() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        let ann = try await before.provenUser(in: before.seat())
        _ = try await ann.link(with: before.credential(.gitHub))
        let password = AuthCredential.password(email: "ann@example.com", password: "correct horse")
        let without = World(.standard, providers: .empty) { $0.store = store }
        let same = try await without.seat().signIn(with: password).user
        await assertThrows(.lastMethod) { try await same.unlink(.password) }
        let with = World(.standard) { $0.store = store }
        let again = try await with.seat().signIn(with: password).user
        _ = try await again.unlink(.password)
    }

    func testS21_AFactorIsEnrolledInASessionThatANumberOpened() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: digits(to: number, from: seat()))
        try await enrollTOTP(ann)
        XCTAssertEqual(ann.multiFactor.enrolledFactors.count, 1)
    }
}

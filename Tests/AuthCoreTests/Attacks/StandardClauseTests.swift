@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Clauses of OWASP ASVS 5.0 and NIST SP 800-63B/C that a library without a screen or a network can keep.
final class StandardClauseTests: AttackTestCase {
    // MARK: ASVS

    func testASVS_6_2_3_ANewPasswordNeedsALoginOfThisMoment() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 301)
        try await refusal(.requiresRecentLogin) { try await ann.updatePassword(to: "a fresh new word") }
        try await ann.reauthenticate(with: Self.annsPassword)
        try await ann.updatePassword(to: "a fresh new word")
    }

    func testASVS_6_3_8_SignInResetAndListingAnswerStrangersAlike() async throws {
        try await signUpProvenAnn()
        var answers: Set<String> = []
        for email in ["ann@example.com", "nobody@example.com"] {
            let error = try await refusal(.invalidCredential) {
                try await seat("eve").signIn(with: .password(email: email, password: evesPassword))
            }
            let methods = try await seat("eve").fetchSignInMethods(forEmail: email)
            try await seat("eve").sendPasswordReset(to: email)
            answers.insert("\(error.code) \(error.reasons) \(methods)")
        }
        XCTAssertEqual(answers.count, 1)
    }

    func testASVS_6_5_5_DigitsLinksAndChallengesLastTenMinutesAtMost() async throws {
        let lifetimes = AuthPolicy.standard.lifetimes
        XCTAssertLessThanOrEqual(lifetimes.phoneCode, .seconds(600))
        XCTAssertLessThanOrEqual(lifetimes.factorChallenge, .seconds(600))
        XCTAssertLessThanOrEqual(lifetimes.pendingIdentity, .seconds(600))
        XCTAssertLessThanOrEqual(lifetimes.signInLink, .seconds(600))
        XCTAssertLessThanOrEqual(lifetimes.mailCode, .seconds(86400), "NIST SP 800-63B 4.2.1 for mail")
        let auth = seat()
        let late = try await digits(to: number, from: auth)
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        clock.advance(by: 600)
        try await refusal(.sessionExpired) { try await auth.signIn(with: late) }
        try await refusal(.expiredActionCode) { try await auth.signIn(with: link) }
    }

    func testASVS_6_8_4_WhatAProviderSaysOfItsFactorsIsNoFactorHere() async throws {
        let ann = try await seat().signIn(with: google(.ann, work)).user
        try await enrollTOTP(ann)
        var token = work
        token.authenticationMethods = ["mfa"]
        _ = try await challenge { try await seat("tablet").signIn(with: google(.ann, token)) }
    }

    func testASVS_7_4_1_AnEndedSessionIsOverForItsTokensToo() async throws {
        let ann = try await signUpProvenAnn()
        let tokens = try await ann.issueTokens()
        try await ann.signOut()
        try await refusal(.userTokenExpired) { try await service.client().refresh(tokens.refreshToken) }
        try await refusal(.userTokenExpired) { try await service.client().user(forIDToken: tokens.idToken.token) }
    }

    func testASVS_7_4_2_AShutAccountHasNoSessions() async throws {
        let ann = try await signUpProvenAnn()
        try await service.setDisabled(true, account: ann.account.id)
        try await refusal(.userDisabled) { try await ann.reload() }
        try await service.setDisabled(false, account: ann.account.id)
        try await refusal(.userTokenExpired) { try await ann.reload() }
    }

    func testASVS_7_4_3_AFirstFactorAndANewPasswordEndTheOtherSessions() async throws {
        let ann = try await signUpProvenAnn()
        let other = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await enrollTOTP(ann)
        try await refusal(.userTokenExpired) { try await other.reload() }
        try await ann.reload()
    }

    func testASVS_7_5_1_EverySensitiveChangeNeedsAFreshLogin() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: google(.ann, work))
        clock.advance(by: 301)
        let auth = seat()
        let changes: [(String, () async throws -> Void)] = [
            ("link", { try await ann.link(with: self.facebook()) }),
            ("unlink", { try await ann.unlink(.google) }),
            ("address", { try await ann.updateEmail(to: "new@example.com") }),
            ("verified address", { try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com") }),
            ("password", { try await ann.updatePassword(to: "a fresh new word") }),
            ("number", { try await ann.updatePhoneNumber(with: self.digits(to: self.number, from: auth)) }),
            ("factor", { try await self.enrollTOTP(ann) }),
            ("deletion", { try await ann.delete() }),
        ]
        for (name, change) in changes { try await refusal(.requiresRecentLogin, .loginIsNotRecent, name, change) }
    }

    func testASVS_7_5_3_SensitiveChangesNeedTheFactorToo() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let token = try await service.makeCustomToken(for: ann.account.id, authenticatedAt: clock.now)
        try await refusal(.secondFactorRequired) { try await seat("server").signIn(with: .customToken(token)) }
    }

    // MARK: NIST SP 800-63C-4

    func testNIST63C_3_7_AnIdentityIsBoundToExactlyOneAccount() async throws {
        let ann = try await signUpProvenAnn()
        let ben = try await seat("ben").signIn(with: facebook(.ben)).user
        try await refusal(.credentialAlreadyInUse, .identityIsOwned) { try await ann.link(with: facebook(.ben)) }
        try await ben.delete(permanently: true)
        let next = try await seat("ben").signIn(with: facebook(.ben))
        XCTAssertTrue(next.isNewUser, "what is deleted takes its identities along")
    }

    func testNIST63C_3_7_1_LinkingNeedsALiveSessionAndRemovalTakesAccess() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: gitHub())
        XCTAssertNotNil(outbox.last(to: "ann@example.com", .methodAdded))
        let byGitHub = try await seat("tablet").signIn(with: gitHub()).user
        try await ann.unlink(.gitHub)
        XCTAssertNotNil(outbox.last(to: "ann@example.com", .methodRemoved))
        try await refusal(.userTokenExpired) { try await byGitHub.reload() }
        let came = try? await seat("tablet").signIn(with: gitHub()).user
        XCTAssertNotEqual(came?.uid, ann.uid)
        try await refusal(.lastMethod) { try await ann.unlink(.password) }
        try await ann.signOut()
        try await refusal(.userTokenExpired) { try await ann.link(with: facebook()) }
    }

    func testNIST63C_3_8_ASubjectIsSomebodyOnlyWithinItsIssuer() async throws {
        let same = SimulatedToken(subject: "1000", email: .absent)
        let one = try await seat().signIn(with: google(.ann, same)).user
        let other = try await seat("b").signIn(with: .simulated("oidc.example", .ann, saying: same, at: clock.now)).user
        XCTAssertNotEqual(one.uid, other.uid)
    }

    // MARK: NIST SP 800-63B-4

    func testNIST63B_4_1_EveryMethodEverBoundIsOnRecord() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: gitHub())
        try await ann.unlink(.gitHub)
        let events = try await service.events(limit: .max).events
        let changes = events.filter { $0.kind == .methodsChanged && $0.account == ann.account.id }
        XCTAssertTrue(changes.contains { $0.after?.contains { $0.provider == .gitHub } ?? false })
        XCTAssertTrue(changes.contains { $0.before?.contains { $0.provider == .gitHub } ?? false })
    }

    func testNIST63B_4_1_2_1_BindingNeedsTheAccountsAssurance() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let first = try await passwordChallenge(in: auth)
        let half = try await auth.resolve(first, with: .totp(totp(enrollment))).user
        try await half.link(with: gitHub())
        XCTAssertNotNil(outbox.last(to: "ann@example.com", .methodAdded))
    }

    func testNIST63B_4_3_AReportedChangeIsSuspendedAtOnce() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: gitHub(.eve))
        try await seat("mail").reportUnauthorizedChange(code: code(.methodAdded, to: "ann@example.com"))
        try await refusal(.rejectedCredential, .methodIsSuspended) { try await seat("eve").signIn(with: gitHub(.eve)) }
    }

    func testASVS_7_2_4_TokensThatAreIssuedAfterAnotherLoginEndTheOnesBefore() async throws {
        let ann = try await signUpProvenAnn()
        let before = try await ann.issueTokens()
        clock.advance(by: 600)
        try await ann.reauthenticate(with: Self.annsPassword)
        let after = try await ann.issueTokens()
        XCTAssertNotEqual(before.refreshToken, after.refreshToken)
        XCTAssertEqual(after.idToken.authDate, clock.now)
        await assertThrows(.userTokenExpired) { try await self.service.client().refresh(before.refreshToken) }
    }

    func testS29_AGuestLearnsNothingByNamingAnAddress() async throws {
        try await signUpProvenAnn()
        let guest = try await seat("guest").signInAnonymously().user
        var answers: [AuthError] = []
        for address in ["ann@example.com", "nobody@example.com"] {
            answers.append(
                try await refusal(.emailChangeNeedsVerification, .strangersLearnNothing) {
                    try await guest.updateEmail(to: address)
                }
            )
        }
        XCTAssertEqual(answers[0].reasons, answers[1].reasons)
    }
}

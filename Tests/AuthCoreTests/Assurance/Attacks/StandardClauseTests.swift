@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Clauses of OWASP ASVS 5.0 and NIST SP 800-63B/C that a library without a screen or a network can keep.
final class StandardClauseTests: LimitedTestCase {
    private let world = World(.standard)

    // MARK: ASVS

    func testASVS_6_2_3_ANewPasswordNeedsALoginOfThisMoment() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(301))
        try await world.refusal(.requiresRecentLogin) { try await ann.updatePassword(to: "a fresh new word") }
        try await ann.reauthenticate(with: World.annsPassword)
        try await ann.updatePassword(to: "a fresh new word")
    }

    func testASVS_6_3_8_SignInResetAndListingAnswerStrangersAlike() async throws {
        try await world.signUpVerifiedAnn()
        var answers: Set<String> = []
        for email in ["ann@example.com", "nobody@example.com"] {
            let error = try await world.refusal(.invalidCredential) {
                try await world.device("eve").signIn(with: .password(email: email, password: world.evesPassword))
            }
            let methods = try await world.device("eve").fetchSignInMethods(forEmail: email)
            try await world.device("eve").sendPasswordReset(to: email)
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
        let auth = world.device()
        let late = try await world.digits(to: world.number, from: auth)
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.sessionExpired) { try await auth.signIn(with: late) }
        try await world.refusal(.expiredActionCode) { try await auth.signIn(with: link) }
    }

    func testASVS_6_8_4_WhatAProviderSaysOfItsFactorsIsNoFactorHere() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        try await world.enrollTOTP(ann)
        var token = world.work
        token.authenticationMethods = ["mfa"]
        _ = try await world.challenge { try await world.device("tablet").signIn(with: world.google(.ann, token)) }
    }

    func testASVS_7_4_1_AnEndedSessionIsOverForItsTokensToo() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let tokens = try await ann.issueTokens()
        try await ann.signOut()
        try await world.refusal(.userTokenExpired) { try await world.service.client().refresh(tokens.refreshToken) }
        try await world.refusal(.userTokenExpired) {
            try await world.service.client().user(forIDToken: tokens.idToken.token)
        }
    }

    func testASVS_7_4_2_AShutAccountHasNoSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled) { try await ann.reload() }
        try await world.service.setDisabled(false, account: ann.account.id)
        try await world.refusal(.userTokenExpired) { try await ann.reload() }
    }

    func testASVS_7_4_3_AFirstFactorAndANewPasswordEndTheOtherSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await world.enrollTOTP(ann)
        try await world.refusal(.userTokenExpired) { try await other.reload() }
        try await ann.reload()
    }

    func testASVS_7_5_1_EverySensitiveChangeNeedsAFreshLogin() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        world.clock.advance(by: .seconds(301))
        let auth = world.device()
        let changes: [(String, () async throws -> Void)] = [
            ("link", { try await ann.link(with: self.world.facebook()) }),
            ("unlink", { try await ann.unlink(.google) }),
            ("address", { try await ann.updateEmail(to: "new@example.com") }),
            ("verified address", { try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com") }),
            ("password", { try await ann.updatePassword(to: "a fresh new word") }),
            ("number", { try await ann.updatePhoneNumber(with: self.world.digits(to: self.world.number, from: auth)) }),
            ("factor", { try await self.world.enrollTOTP(ann) }),
            ("deletion", { try await ann.delete() }),
        ]
        for (name, change) in changes { try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, name, change) }
    }

    func testASVS_7_5_3_SensitiveChangesNeedTheFactorToo() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let token = try await world.service.makeCustomToken(for: ann.account.id, authenticatedAt: world.clock.now)
        try await world.refusal(.secondFactorRequired) {
            try await world.device("server").signIn(with: .customToken(token))
        }
        let (keeping, half, _) = try await sessionWithoutFactor()
        try await keeping.refusal(.requiresRecentLogin, .secondFactorIsRequired) {
            try await half.updatePassword(to: "a fresh new word")
        }
    }

    /// A session from before the account got a second factor, where the first factor ends no session.
    private func sessionWithoutFactor() async throws -> (World, User, MultiFactor.TOTPEnrollment) {
        let world = World(AuthPolicy.weakened { $0.revokesSessionsOn.remove(.firstFactor) })
        let ann = try await world.signUpVerifiedAnn()
        let half = try await world.device("tablet").signIn(with: World.annsPassword).user
        let enrollment = try await world.enrollTOTP(ann)
        return (world, half, enrollment)
    }

    // MARK: NIST SP 800-63C-4

    func testNIST63C_3_7_AnIdentityIsBoundToExactlyOneAccount() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let ben = try await world.device("ben").signIn(with: world.facebook(.ben)).user
        try await world.refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await ann.link(with: world.facebook(.ben))
        }
        try await ben.delete(permanently: true)
        let next = try await world.device("ben").signIn(with: world.facebook(.ben))
        XCTAssertTrue(next.isNewUser, "what is deleted takes its identities along")
    }

    func testNIST63C_3_7_1_LinkingNeedsALiveSessionAndRemovalTakesAccess() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub())
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .methodAdded))
        let byGitHub = try await world.device("tablet").signIn(with: world.gitHub()).user
        try await ann.unlink(.gitHub)
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .methodRemoved))
        try await world.refusal(.userTokenExpired) { try await byGitHub.reload() }
        try await world.refusal(.accountExistsWithDifferentCredential, .providerIsNotAuthoritative, "GitHub") {
            try await world.device("tablet").signIn(with: world.gitHub())
        }
        try await world.refusal(.lastMethod) { try await ann.unlink(.password) }
        try await ann.signOut()
        try await world.refusal(.userTokenExpired) { try await ann.link(with: world.facebook()) }
    }

    func testNIST63C_3_8_ASubjectIsSomebodyOnlyWithinItsIssuer() async throws {
        let same = SimulatedToken(subject: "1000", email: .absent)
        let one = try await world.device().signIn(with: world.google(.ann, same)).user
        let other = try await world.device("b").signIn(
            with: .simulated("oidc.example", .ann, saying: same, at: world.clock.now)
        ).user
        XCTAssertNotEqual(one.uid, other.uid)
    }

    // MARK: NIST SP 800-63B-4

    func testNIST63B_4_1_EveryMethodEverBoundIsOnRecord() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub())
        try await ann.unlink(.gitHub)
        let events = try await world.service.events(limit: .max).events
        let changes = events.filter { $0.kind == .methodsChanged && $0.account == ann.account.id }
        XCTAssertTrue(changes.contains { $0.after?.contains { $0.provider == .gitHub } ?? false })
        XCTAssertTrue(changes.contains { $0.before?.contains { $0.provider == .gitHub } ?? false })
    }

    func testNIST63B_4_1_2_1_BindingNeedsTheAccountsAssurance() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let first = try await world.passwordChallenge(in: auth)
        let half = try await auth.resolve(first, with: .totp(world.totp(enrollment))).user
        try await half.link(with: world.gitHub())
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .methodAdded))
        let (keeping, before, app) = try await sessionWithoutFactor()
        keeping.clock.advance(by: .seconds(60))
        let owed = try await keeping.challenge { try await before.link(with: keeping.gitHub()) }
        try await keeping.device("tablet").resolve(owed, with: .totp(keeping.totp(app)))
        let bound = try await keeping.providers(before)
        XCTAssertEqual(bound, [.password, .gitHub], "what was bound after the factor")
    }

    func testNIST63B_4_3_AReportedChangeIsSuspendedAtOnce() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.eve))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        try await world.refusal(.rejectedCredential, .methodIsSuspended) {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
    }

    func testASVS_7_2_4_TokensThatAreIssuedAfterAnotherLoginEndTheOnesBefore() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let before = try await ann.issueTokens()
        world.clock.advance(by: .seconds(600))
        try await ann.reauthenticate(with: World.annsPassword)
        let after = try await ann.issueTokens()
        XCTAssertNotEqual(before.refreshToken, after.refreshToken)
        XCTAssertEqual(after.idToken.authDate, world.clock.now)
        await assertThrows(.userTokenExpired) { try await self.world.service.client().refresh(before.refreshToken) }
    }

    func testS29_AGuestLearnsNothingByNamingAnAddress() async throws {
        try await world.signUpVerifiedAnn()
        let guest = try await world.device("guest").signInAnonymously().user
        var answers: [AuthError] = []
        for address in ["ann@example.com", "nobody@example.com"] {
            answers.append(
                try await world.refusal(.emailChangeNeedsVerification, .disclosureIsWithheld) {
                    try await guest.updateEmail(to: address)
                }
            )
        }
        XCTAssertEqual(answers[0].reasons, answers[1].reasons)
    }
}

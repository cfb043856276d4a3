@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-13 to AT-24: attacks by the order of steps, by what is left over, and by what answers give away.
final class FlowAttackTests: LimitedTestCase {
    private var world = World(.standard)

    func testAT13_NoProviderAndNoLinkGoesAroundTheFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ann, world.work))
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        _ = try await world.challenge { try await world.device("a").signIn(with: world.google(.ann, world.work)) }
        let asserted = SimulatedToken(
            hostedDomain: "example.com",
            authenticationContext: "phr",
            authenticationMethods: ["mfa", "hwk"]
        )
        _ = try await world.challenge { try await world.device("b").signIn(with: world.google(.ann, asserted)) }
        let conflict = try await world.conflict { try await world.device("d").signIn(with: world.facebook()) }
        let pending = try await world.challenge {
            try await world.device("d").resolve(conflict, signingInWith: World.annsPassword)
        }
        let before = try await world.account(ann)
        XCTAssertNil(before.method(of: .facebook))
        try await world.device("d").resolve(pending, with: .totp(world.totp(enrollment)))
        let after = try await world.account(ann)
        XCTAssertNotNil(after.method(of: .facebook))
    }

    func testAT14_RecoveryDoesNotGoAroundTheFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        try await world.reset()
        let word = AuthCredential.password(email: "ann@example.com", password: "anns own word")
        _ = try await world.challenge { try await world.device("a").signIn(with: word) }
        let auth = world.device("b")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.secondFactorRequired) { try await auth.signIn(with: link) }
        let after = try await world.account(ann)
        XCTAssertEqual(after.activeFactors.count, 1)
    }

    func testAT15_HalfASessionEnrolsAndRemovesNothing() async throws {
        let lax = AuthPolicy.weakened { $0.revokesSessionsOn.remove(.firstFactor) }
        let laxer = AuthPolicy.weakened {
            $0.revokesSessionsOn.remove(.firstFactor)
            $0.recencyNeedsFactor = false
            $0.factorChangeNeedsFactor = false
        }
        for (policy, isSafe) in [(AuthPolicy.standard, true), (lax, true), (laxer, false)] {
            world.startOver(policy)
            let ann = try await world.signUpVerifiedAnn()
            let half = try await world.device("eve").signIn(with: World.annsPassword).user
            try await world.enrollPhone(ann)
            let enrolls = await world.succeeds { try await self.world.enrollTOTP(half) }
            XCTAssertEqual(enrolls, !isSafe)
        }
    }

    func testAT16_ANumberAloneOpensNoAccountWithOtherMethodsAfterNinetyDays() async throws {
        for (policy, isSafe) in [
            (AuthPolicy.standard, true), (AuthPolicy.weakened { $0.phoneEvidenceLifetime = nil }, false),
        ] {
            world.startOver(policy)
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.digits(to: world.number, from: world.device()))
            world.clock.advance(by: .seconds(91 * 86400))
            let auth = world.device("the number's next owner")
            let digits = try await world.digits(to: world.number, from: auth)
            if isSafe {
                try await world.refusal(.accountExistsWithDifferentCredential, .numberVerificationIsOld) {
                    try await auth.signIn(with: digits)
                }
            } else {
                let came = try await auth.signIn(with: digits).user
                XCTAssertEqual(came.uid, ann.uid, "who signs in where the proof of a number lasts for ever")
            }
        }
    }

    func testAT16_ANumberJoinsNoTwoAccounts() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.number, from: world.device()))
        let ben = try await world.device("ben").signIn(with: world.facebook(.ben)).user
        let auth = world.device("ben")
        try await world.refusal(.credentialAlreadyInUse, .numberIsOwned) {
            try await ben.link(with: world.digits(to: world.number, from: auth))
        }
    }

    func testAT18_TheLastMethodThatReallyWorksStays() async throws {
        let noPasswords = AuthPolicy.weakened { $0.disabledProviders = [.password] }
        world.startOver(noPasswords)
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        try await ann.link(with: world.facebook())
        try await ann.unlink(.facebook)
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await ann.unlink(.google) }
        world.startOver(.standard)
        let other = try await world.signUpVerifiedAnn()
        try await other.link(with: world.google(.ann, world.work))
        world.policy.disabledProviders = [.password, .emailLink]
        let left = try await world.device("b").signIn(with: world.google(.ann, world.work)).user
        try await world.refusal(.lastMethod, .methodIsTheLast) { try await left.unlink(.google) }
        world.startOver(AuthPolicy.weakened { $0.lastMethod = .removable })
        let locked = try await world.device().signIn(with: world.google(.ann, world.work)).user
        try await locked.unlink(.google)
    }

    func testAT20_AConflictNamesNoMethodsToWhoVerifiedNothing() async throws {
        for (policy, isSafe) in [
            (AuthPolicy.standard, true), (AuthPolicy.weakened { $0.disclosure = .detailed }, false),
        ] {
            world.startOver(policy)
            try await world.signUpVerifiedAnn()
            let conflict = try await world.conflict { try await world.device("eve").signIn(with: world.facebook()) }
            XCTAssertEqual(conflict.existingProviders.isEmpty, isSafe)
        }
        world.startOver(.standard)
        try await world.signUpVerifiedAnn()
        // A mere claim meets no conflict at all, and whoever runs the mailbox may know.
        let claimed = try await world.device("eve").signIn(
            with: .simulated(.gitHub, .ann, saying: SimulatedToken(address: .silent), at: world.clock.now)
        ).user
        let theirs = try await world.account(claimed)
        XCTAssertNil(theirs.passwordMethod)
        world.clock.advance(by: .seconds(366 * 86400))
        let verified = try await world.conflict {
            try await world.device("ann").signIn(with: world.google(.ann, world.work))
        }
        XCTAssertEqual(verified.existingProviders, [.password])
    }

    func testAT21_AnAssertionIsForOneUseOneAppAndOneIssuer() async throws {
        for account in ["new", "known", "known and unchanged"] {
            let once = world.google(.ann, SimulatedToken(nonce: "a nonce for an account that is \(account)"))
            try await world.device().signIn(with: once)
            try await world.refusal(.invalidCredential, .assertionWasUsed, "the account is \(account)") {
                try await world.device("eve").signIn(with: once)
            }
        }
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").signIn(with: world.google(.ann, SimulatedToken(audience: "another app")))
        }
        let impostor = SimulatedProvider(.google, issuer: "https://accounts.evil.example")
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").signIn(with: impostor.credential(for: .ann, at: world.clock.now))
        }
    }

    func testAT22_EveryMailedCodeIsForOneUse() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let verification = try world.code(.verifyEmail, to: "ann@example.com")
        try await world.device("mail").applyActionCode(verification)
        try await world.refusal(.invalidActionCode) { try await world.device("mail").applyActionCode(verification) }
        try await world.device().sendPasswordReset(to: "ann@example.com")
        let reset = try world.code(.resetPassword, to: "ann@example.com")
        try await world.device().confirmPasswordReset(code: reset, newPassword: "a fresh new word")
        try await world.refusal(.invalidActionCode) {
            try await world.device("eve").confirmPasswordReset(code: reset, newPassword: world.evesPassword)
        }
        let auth = world.device("link")
        let link = try await world.mailedLink(to: "new@example.com", from: auth)
        try await auth.signIn(with: link)
        try await world.refusal(.invalidActionCode) { try await world.device("eve").signIn(with: link) }
    }

    func testAT23_AUserNameThatLooksLikeAnAddressIsNone() async throws {
        let ann = try await world.signUpVerifiedAnn()
        var eve = SimulatedPerson.eve
        eve.username = "ann@example.com"
        let came = try await world.device("eve").signIn(with: world.gitHub(eve)).user
        XCTAssertNotEqual(came.uid, ann.uid)
        XCTAssertEqual(came.email, "eve@example.com")
        let found = try await world.service.account(email: "ann@example.com")
        XCTAssertEqual(found?.id, ann.account.id)
    }

    func testAT24_AnOpenedVerificationVouchesForNothingOfAnotherBrowser() async throws {
        let eve = try await world.squat()
        try await eve.link(with: world.gitHub(.eve))
        try await eve.sendEmailVerification()
        try await world.device("anns mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        let after = try await world.account(eve)
        XCTAssertTrue(after.methods.allSatisfy { $0.coverage.isEmpty })
        try await eve.reload()
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await world.device("ann").signIn(with: world.google(.ann, world.work))
        }
        let auth = world.device("ann")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await auth.signIn(with: link)
        }
        // What the owner then says ends the session that had asked for the verification.
        let conflict = try await world.conflict {
            try await world.device("ann").signIn(with: world.google(.ann, world.work))
        }
        let mine = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.device("ann").resolve(conflict, signingInWith: mine)
        try await world.refusal(.userTokenExpired) { try await eve.reload() }
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").signIn(
                with: .password(email: "ann@example.com", password: world.evesPassword)
            )
        }
        let reaches = await world.succeeds { try await world.device("eve").signIn(with: world.gitHub(.eve)) }
        XCTAssertFalse(reaches)
    }
}

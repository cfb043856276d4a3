@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-13 to AT-24: attacks by the order of steps, by what is left over, and by what answers give away.
final class FlowAttackTests: AttackTestCase {
    func testAT13_NoProviderAndNoLinkGoesAroundTheFactor() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: google(.ann, work))
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        _ = try await challenge { try await seat("a").signIn(with: google(.ann, work)) }
        let asserted = SimulatedToken(
            hostedDomain: "example.com",
            authenticationContext: "phr",
            authenticationMethods: ["mfa", "hwk"]
        )
        _ = try await challenge { try await seat("b").signIn(with: google(.ann, asserted)) }
        let conflict = try await conflict { try await seat("d").signIn(with: facebook()) }
        let pending = try await challenge {
            try await seat("d").resolve(conflict, signingInWith: Self.annsPassword)
        }
        let before = try await account(ann)
        XCTAssertNil(before.method(of: .facebook))
        try await seat("d").resolve(pending, with: .totp(totp(enrollment)))
        let after = try await account(ann)
        XCTAssertNotNil(after.method(of: .facebook))
    }

    func testAT14_RecoveryDoesNotGoAroundTheFactor() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        try await reset()
        let word = AuthCredential.password(email: "ann@example.com", password: "anns own word")
        _ = try await challenge { try await seat("a").signIn(with: word) }
        let auth = seat("b")
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await refusal(.secondFactorRequired) { try await auth.signIn(with: link) }
        let after = try await account(ann)
        XCTAssertEqual(after.activeFactors.count, 1)
    }

    func testAT15_HalfASessionEnrolsAndRemovesNothing() async throws {
        let lax = Self.weakened { $0.epochRaises.remove(.firstFactor) }
        let laxer = Self.weakened {
            $0.epochRaises.remove(.firstFactor)
            $0.recencyNeedsFactor = false
            $0.factorChangeNeedsFactor = false
        }
        for (policy, isSafe) in [(AuthPolicy.standard, true), (lax, true), (laxer, false)] {
            startOver(policy)
            let ann = try await signUpProvenAnn()
            let half = try await seat("eve").signIn(with: Self.annsPassword).user
            try await enrollPhone(ann)
            let enrols = await succeeds { try await self.enrollTOTP(half) }
            XCTAssertEqual(enrols, !isSafe)
        }
    }

    func testAT16_ANumberAloneOpensNoAccountWithOtherMethodsAfterNinetyDays() async throws {
        for (policy, isSafe) in [(AuthPolicy.standard, true), (Self.weakened { $0.phoneProofLifetime = nil }, false)] {
            startOver(policy)
            let ann = try await signUpProvenAnn()
            try await ann.link(with: digits(to: number, from: seat()))
            clock.advance(by: 91 * 86400)
            let auth = seat("the number's next owner")
            let came = try? await auth.signIn(with: digits(to: number, from: auth)).user
            XCTAssertEqual(came?.uid == ann.uid, !isSafe)
        }
    }

    func testAT16_ANumberJoinsNoTwoAccounts() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: digits(to: number, from: seat()))
        let ben = try await seat("ben").signIn(with: facebook(.ben)).user
        let auth = seat("ben")
        try await refusal(.credentialAlreadyInUse, .numberIsOwned) {
            try await ben.link(with: digits(to: number, from: auth))
        }
    }

    func testAT18_TheLastWayInThatReallyWorksStays() async throws {
        let noPasswords = Self.weakened { $0.disabledProviders = [.password] }
        startOver(noPasswords)
        let ann = try await seat().signIn(with: google(.ann, work)).user
        try await ann.link(with: facebook())
        try await ann.unlink(.facebook)
        try await refusal(.lastMethod, .methodIsTheLast) { try await ann.unlink(.google) }
        startOver(Self.weakened { $0.lastMethod = .removable })
        let locked = try await seat().signIn(with: google(.ann, work)).user
        try await locked.unlink(.google)
    }

    func testAT20_AConflictNamesNoMethodsToWhoProvedNothing() async throws {
        for (policy, isSafe) in [(AuthPolicy.standard, true), (Self.weakened { $0.disclosure = .detailed }, false)] {
            startOver(policy)
            try await signUpProvenAnn()
            let conflict = try await conflict { try await seat("eve").signIn(with: facebook()) }
            XCTAssertEqual(conflict.existingProviders.isEmpty, isSafe)
        }
        startOver(.standard)
        try await signUpProvenAnn()
        // A mere claim meets no conflict at all, and whoever runs the mailbox may know.
        let claimed = try await seat("eve").signIn(with: gitHub()).user
        let theirs = try await account(claimed)
        XCTAssertNil(theirs.passwordMethod)
        clock.advance(by: 366 * 86400)
        let proven = try await conflict { try await seat("ann").signIn(with: google(.ann, work)) }
        XCTAssertEqual(proven.existingProviders, [.password])
    }

    func testAT21_AnAssertionIsForOneUseOneAppAndOneIssuer() async throws {
        let once = google(.ann, SimulatedToken(rawNonce: "a nonce of this app"))
        try await seat().signIn(with: once)
        try await refusal(.invalidCredential, .assertionWasUsed) { try await seat("eve").signIn(with: once) }
        try await refusal(.invalidCredential) {
            try await seat("eve").signIn(with: google(.ann, SimulatedToken(audience: "another app")))
        }
        let impostor = SimulatedProvider(.google, issuer: "https://accounts.evil.example")
        try await refusal(.invalidCredential) {
            try await seat("eve").signIn(with: impostor.credential(for: .ann, at: clock.now))
        }
    }

    func testAT22_EveryMailedCodeIsForOneUse() async throws {
        let ann = try await signUpAnn()
        try await ann.sendEmailVerification()
        let verification = try code(.verifyEmail, to: "ann@example.com")
        try await seat("mail").applyActionCode(verification)
        try await refusal(.invalidActionCode) { try await seat("mail").applyActionCode(verification) }
        try await seat().sendPasswordReset(to: "ann@example.com")
        let reset = try code(.resetPassword, to: "ann@example.com")
        try await seat().confirmPasswordReset(code: reset, newPassword: "a fresh new word")
        try await refusal(.invalidActionCode) {
            try await seat("eve").confirmPasswordReset(code: reset, newPassword: evesPassword)
        }
        let auth = seat("link")
        let link = try await mailedLink(to: "new@example.com", from: auth)
        try await auth.signIn(with: link)
        try await refusal(.invalidActionCode) { try await seat("eve").signIn(with: link) }
    }

    func testAT23_AUserNameThatLooksLikeAnAddressIsNone() async throws {
        let ann = try await signUpProvenAnn()
        var eve = SimulatedPerson.eve
        eve.username = "ann@example.com"
        let came = try await seat("eve").signIn(with: gitHub(eve)).user
        XCTAssertNotEqual(came.uid, ann.uid)
        XCTAssertEqual(came.email, "eve@example.com")
        let found = try await service.account(email: "ann@example.com")
        XCTAssertEqual(found?.id, ann.account.id)
    }

    func testAT24_AnOpenedVerificationVouchesForNothingOfAnotherBrowser() async throws {
        let eve = try await squat()
        try await eve.link(with: gitHub(.eve))
        try await eve.sendEmailVerification()
        try await seat("anns mail").applyActionCode(code(.verifyEmail, to: "ann@example.com"))
        let after = try await account(eve)
        XCTAssertTrue(after.methods.allSatisfy { $0.coverage.isEmpty })
        try await eve.reload()
        try await refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await seat("ann").signIn(with: google(.ann, work))
        }
        let auth = seat("ann")
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await refusal(.accountExistsWithDifferentCredential, .methodsAreNotCovered) {
            try await auth.signIn(with: link)
        }
        // What the owner then says ends the session that had asked for the verification.
        let conflict = try await conflict { try await seat("ann").signIn(with: google(.ann, work)) }
        let mine = try await mailedLink(to: "ann@example.com", from: auth)
        try await seat("ann").resolve(conflict, signingInWith: mine)
        try await refusal(.userTokenExpired) { try await eve.reload() }
        try await refusal(.invalidCredential) {
            try await seat("eve").signIn(with: .password(email: "ann@example.com", password: evesPassword))
        }
        let reaches = await succeeds { try await seat("eve").signIn(with: gitHub(.eve)) }
        XCTAssertFalse(reaches)
    }
}

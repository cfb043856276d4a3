@testable import AuthCore
import AuthCoreTesting
import XCTest

/// People who change something about how they sign in.
final class ChangingTests: EverydayTestCase {
    func testAGuestBecomesSomebodyAfterAnHour() async throws {
        let credentials = [{ self.google(.ann, self.work) }, { self.facebook() }, { Self.annsPassword }]
        for credential in credentials {
            startOver(.standard)
            let guest = try await seat().signInAnonymously().user
            clock.advance(by: 3600)
            try await guest.link(with: credential())
            XCTAssertFalse(guest.isAnonymous)
            try await guest.reload()
            try await assertOpens(credential(), guest)
        }
        let guest = try await seat().signInAnonymously().user
        clock.advance(by: 3600)
        try await guest.link(with: digits(to: "+15550001234", from: seat()))
        try await assertOpens(digits(to: "+15550001234", from: seat("check")), guest)
        XCTAssertEqual(prompts, [])
    }

    func testOneGoogleAccountInThePlaceOfAnother() async throws {
        let other = SimulatedPerson(name: "Ann Archer", email: "ann.private@gmail.com")
        let ann = try await seat().signIn(with: google(.ann, work)).user
        clock.advance(by: 3600)
        try await freshly(ann, asked(.provider(.google), for: google(.ann, work))) {
            try await ann.replace(.google, with: google(other))
        }
        XCTAssertEqual(prompts, [.provider(.google)])
        try await assertOpens(google(other), ann)
        let old = try? await seat("old").signIn(with: google(.ann, work)).user
        XCTAssertNotEqual(old?.uid, ann.uid)
    }

    func testALostPhoneAndAnotherNumber() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: digits(to: "+15550001111", from: seat()))
        clock.advance(by: 20 * day)
        let laptop = seat("laptop")
        let here = try await laptop.signIn(with: asked(.password, for: Self.annsPassword)).user
        try await here.updatePhoneNumber(with: asked(.code, for: digits(to: "+15550002222", from: laptop)))
        XCTAssertEqual(prompts, [.password, .code])
        try await assertOpens(digits(to: "+15550002222", from: seat("check")), ann)
        let finder = try await seat("finder").signIn(with: digits(to: "+15550001111", from: seat("finder"))).user
        XCTAssertNotEqual(finder.uid, ann.uid)
    }

    func testAStolenGoogleAccountIsRemovedForGood() async throws {
        let stolen = SimulatedPerson(name: "Ann Archer", email: "ann@example.com")
        let ann = try await signUpProvenAnn()
        try await ann.link(with: google(stolen, work))
        clock.advance(by: 20 * day)
        let thief = try await seat("thief").signIn(with: google(stolen, work)).user
        XCTAssertEqual(thief.uid, ann.uid)
        let here = try await seat("laptop").signIn(with: asked(.password, for: Self.annsPassword)).user
        try await here.unlink(.google)
        XCTAssertEqual(prompts, [.password])
        try await refusal(.userTokenExpired) { try await thief.reload() }
        let error = try await refusal(.accountExistsWithDifferentCredential, .issuerIsSevered) {
            try await seat("thief").signIn(with: google(stolen, work))
        }
        let conflict = try XCTUnwrap(error.conflict)
        try await refusal(.lastMethod) { try await seat("thief").createSeparateAccount(from: conflict) }
        try await assertOpens(Self.annsPassword, ann)
    }

    func testANewAddressIsProvedOnThePhoneAndNothingEndsOnTheLaptop() async throws {
        let ann = try await signUpProvenAnn(seat("laptop"))
        try await ann.link(with: google(.ann, work))
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@new.example")
        try await seat("phone").applyActionCode(try newestCode(to: "ann@new.example"))
        try await ann.reload()
        XCTAssertEqual(ann.email, "ann@new.example")
        XCTAssertTrue(ann.isEmailVerified)
        try await assertOpens(.password(email: "ann@new.example", password: Self.password), ann)
        try await assertOpens(google(.ann, work), ann)
        XCTAssertEqual(prompts, [])
    }

    func testAStolenChangeOfTheAddressIsUndone() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 30 * day)
        // The thief knows the password, moves the address and changes the password.
        let thief = try await seat("thief").signIn(with: Self.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "thief@evil.example")
        try await seat("thief").applyActionCode(try newestCode(to: "thief@evil.example"))
        try await thief.reload()
        try await thief.updatePassword(to: "the thief's word")
        try await thief.link(with: gitHub(.eve))
        clock.advance(by: 3 * day)
        // Ann reads the mail to her old address, and sets a password.
        let undo = try XCTUnwrap(outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        try await seat().applyActionCode(undo)
        try await seat().sendPasswordReset(to: "ann@example.com")
        try await seat().confirmPasswordReset(
            code: try newestCode(to: "ann@example.com"),
            newPassword: "mine once more"
        )
        try await assertOpens(.password(email: "ann@example.com", password: "mine once more"), ann)
        try await refusal(.userTokenExpired) { try await thief.reload() }
        try await refusal(.rejectedCredential) { try await seat("thief").signIn(with: gitHub(.eve)) }
        for email in ["thief@evil.example", "ann@example.com"] {
            try await refusal(.invalidCredential) {
                try await seat("thief").signIn(with: .password(email: email, password: "the thief's word"))
            }
        }
    }

    func testANewPhoneWithTheAuthenticatorLostAndRecoveryCodesAtHand() async throws {
        let ann = try await signUpProvenAnn()
        let lost = try await enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        clock.advance(by: 20 * day)
        let phone = seat("new phone")
        let challenge = try await passwordChallenge(in: phone)
        let here = try await phone.resolve(challenge, with: .recoveryCode(codes[0])).user
        try await here.multiFactor.unenroll(try XCTUnwrap(here.multiFactor.enrolledFactors.first?.id))
        let enrollment = try await enrollTOTP(here)
        clock.advance(by: day)
        let again = try await passwordChallenge(in: seat("laptop"))
        try await refusal(.invalidVerificationCode) { try await seat("laptop").resolve(again, with: .totp(totp(lost))) }
        let back = try await seat("laptop").resolve(again, with: .totp(totp(enrollment))).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testTwoThousandPeopleMoveToANewTenant() async throws {
        let people = (0..<2000).map { SimulatedPerson(name: "Person \($0)", email: "p\($0)@example.com") }
        var uids: [String] = []
        for person in people {
            uids.append(
                try await service.client().signIn(with: .simulated("oidc.example", person, at: clock.now)).user.uid
            )
        }
        let issuer = SimulatedProvider("oidc.example").issuer
        func key(_ name: String) -> IdentityKey { IdentityKey(issuer: issuer, subject: name) }
        let moves = people.enumerated().map { index, person in
            (from: key(person.subject(at: "oidc.example")), to: key("tenant-\(index)"))
        }
        for move in moves { try await service.remap(from: move.from, to: move.to) }
        for (index, person) in people.enumerated() where index % 100 == 0 {
            let token = SimulatedToken(subject: "tenant-\(index)")
            let credential = AuthCredential.simulated("oidc.example", person, saying: token, at: clock.now)
            let came = try await service.client().signIn(with: credential)
            XCTAssertEqual(came.user.uid, uids[index])
            XCTAssertFalse(came.isNewUser)
        }
        XCTAssertEqual(prompts, [])
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// People who change something about how they sign in.
final class ChangingTests: LimitedTestCase {
    private var world = World(.standard)
    private var prompts = Prompts()

    func testAGuestBecomesSomebodyAfterAnHour() async throws {
        let credentials = [
            { self.world.google(.ann, self.world.work) }, { self.world.facebook() }, { World.annsPassword },
        ]
        for credential in credentials {
            world.startOver(.standard)
            let guest = try await world.device().signInAnonymously().user
            world.clock.advance(by: .seconds(3600))
            try await guest.link(with: credential())
            XCTAssertFalse(guest.isAnonymous)
            try await guest.reload()
            try await world.assertOpens(credential(), guest)
        }
        let guest = try await world.device().signInAnonymously().user
        world.clock.advance(by: .seconds(3600))
        try await guest.link(with: world.digits(to: "+15550001234", from: world.device()))
        try await world.assertOpens(world.digits(to: "+15550001234", from: world.device("check")), guest)
    }

    func testOneGoogleAccountInThePlaceOfAnother() async throws {
        let other = SimulatedPerson(name: "Ann Archer", email: "ann.private@gmail.com")
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        world.clock.advance(by: .seconds(3600))
        try await world.freshly(ann, prompts.asked(.provider(.google), for: world.google(.ann, world.work))) {
            try await ann.replace(.google, with: world.google(other))
        }
        XCTAssertEqual(prompts.all, [.provider(.google)])
        try await world.assertOpens(world.google(other), ann)
        let old = try await world.conflict {
            try await world.device("old").signIn(with: world.google(.ann, world.work))
        }
        XCTAssertEqual(old.provider, .google, "the identity that was replaced")
    }

    func testALostPhoneAndAnotherNumber() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: "+15550001111", from: world.device()))
        world.clock.advance(by: .seconds(20 * world.day))
        let laptop = world.device("laptop")
        let here = try await laptop.signIn(with: prompts.asked(.password, for: World.annsPassword)).user
        try await here.updatePhoneNumber(
            with: prompts.asked(.code, for: world.digits(to: "+15550002222", from: laptop))
        )
        XCTAssertEqual(prompts.all, [.password, .code])
        try await world.assertOpens(world.digits(to: "+15550002222", from: world.device("check")), ann)
        let finder = try await world.device("finder").signIn(
            with: world.digits(to: "+15550001111", from: world.device("finder"))
        ).user
        XCTAssertNotEqual(finder.uid, ann.uid)
    }

    func testAStolenGoogleAccountIsRemovedForGood() async throws {
        let stolen = SimulatedPerson(name: "Ann Archer", email: "ann@example.com")
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(stolen, world.work))
        world.clock.advance(by: .seconds(20 * world.day))
        let thief = try await world.device("thief").signIn(with: world.google(stolen, world.work)).user
        XCTAssertEqual(thief.uid, ann.uid)
        let here = try await world.device("laptop").signIn(with: prompts.asked(.password, for: World.annsPassword)).user
        try await here.unlink(.google)
        XCTAssertEqual(prompts.all, [.password])
        try await world.refusal(.userTokenExpired) { try await thief.reload() }
        let error = try await world.refusal(.accountExistsWithDifferentCredential, .issuerIsBlocked) {
            try await world.device("thief").signIn(with: world.google(stolen, world.work))
        }
        let conflict = try XCTUnwrap(error.conflict)
        try await world.refusal(.lastMethod) { try await world.device("thief").createSeparateAccount(from: conflict) }
        try await world.assertOpens(World.annsPassword, ann)
    }

    func testANewAddressIsVerifiedOnThePhoneAndNothingEndsOnTheLaptop() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
        try await ann.link(with: world.google(.ann, world.work))
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@new.example")
        try await world.device("phone").applyActionCode(try world.newestCode(to: "ann@new.example"))
        try await ann.reload()
        XCTAssertEqual(ann.email, "ann@new.example")
        XCTAssertTrue(ann.isEmailVerified)
        try await world.assertOpens(.password(email: "ann@new.example", password: World.password), ann)
        try await world.assertOpens(world.google(.ann, world.work), ann)
    }

    func testAStolenChangeOfTheAddressIsUndone() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * world.day))
        // The thief knows the password, moves the address and changes the password.
        let thief = try await world.device("thief").signIn(with: World.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "thief@evil.example")
        try await world.device("thief").applyActionCode(try world.newestCode(to: "thief@evil.example"))
        try await thief.reload()
        try await thief.updatePassword(to: "the thief's word")
        try await thief.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(3 * world.day))
        // Ann reads the mail to her old address, and sets a password.
        let undo = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .recoverEmail)?.code)
        try await world.device().applyActionCode(undo)
        try await world.device().sendPasswordReset(to: "ann@example.com")
        try await world.device().confirmPasswordReset(
            code: try world.newestCode(to: "ann@example.com"),
            newPassword: "mine once more"
        )
        try await world.assertOpens(.password(email: "ann@example.com", password: "mine once more"), ann)
        try await world.refusal(.userTokenExpired) { try await thief.reload() }
        try await world.refusal(.rejectedCredential) {
            try await world.device("thief").signIn(with: world.gitHub(.eve))
        }
        for email in ["thief@evil.example", "ann@example.com"] {
            try await world.refusal(.invalidCredential) {
                try await world.device("thief").signIn(with: .password(email: email, password: "the thief's word"))
            }
        }
    }

    func testANewPhoneWithTheAuthenticatorLostAndRecoveryCodesAtHand() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let lost = try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        world.clock.advance(by: .seconds(20 * world.day))
        let phone = world.device("new phone")
        let challenge = try await world.passwordChallenge(in: phone)
        let here = try await phone.resolve(challenge, with: .recoveryCode(codes[0])).user
        try await here.multiFactor.unenroll(try XCTUnwrap(here.multiFactor.enrolledFactors.first?.id))
        let enrollment = try await world.enrollTOTP(here)
        world.clock.advance(by: .seconds(world.day))
        let again = try await world.passwordChallenge(in: world.device("laptop"))
        try await world.refusal(.invalidVerificationCode) {
            try await world.device("laptop").resolve(again, with: .totp(world.totp(lost)))
        }
        let back = try await world.device("laptop").resolve(again, with: .totp(world.totp(enrollment))).user
        XCTAssertEqual(back.uid, ann.uid)
    }

    func testTwoThousandPeopleMoveToANewTenant() async throws {
        let people = (0..<2000).map { SimulatedPerson(name: "Person \($0)", email: "p\($0)@example.com") }
        var uids: [String] = []
        for person in people {
            uids.append(
                try await world.service.client().signIn(with: .simulated("oidc.example", person, at: world.clock.now))
                    .user.uid
            )
        }
        let issuer = SimulatedProvider("oidc.example").issuer
        func key(_ name: String) -> Identity.Key { Identity.Key(issuer: issuer, subject: name) }
        let moves = people.enumerated().map { index, person in
            (from: key(person.subject(at: "oidc.example")), to: key("tenant-\(index)"))
        }
        for move in moves { try await world.service.remap(from: move.from, to: move.to) }
        for (index, person) in people.enumerated() where index % 100 == 0 {
            let token = SimulatedToken(subject: "tenant-\(index)")
            let credential = AuthCredential.simulated("oidc.example", person, saying: token, at: world.clock.now)
            let came = try await world.service.client().signIn(with: credential)
            XCTAssertEqual(came.user.uid, uids[index])
            XCTAssertFalse(came.isNewUser)
        }
    }
}

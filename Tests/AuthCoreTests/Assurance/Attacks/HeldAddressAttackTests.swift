@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Attacks by way of an address that an account has left, or that somebody left there for the victim to find.
final class HeldAddressAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// Eve signs up under Ann's address and moves away; the address must not lead to what is Eve's.
    func testPH4_AnAddressThatWasLeftUnverifiedIsNotHeldBack() async throws {
        let eve = try await world.squat()
        try await eve.updateEmail(to: "eve@evil.example")
        XCTAssertNil(
            world.outbox.last(to: "ann@example.com", .recoverEmail),
            "who never verified it has nothing to recover"
        )
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        XCTAssertEqual(ann.email, "ann@example.com")
        try await world.reset("eve@evil.example")
        let evil = try await world.device("eve").signIn(
            with: .password(email: "eve@evil.example", password: "anns own word")
        ).user
        XCTAssertEqual(evil.uid, eve.uid)
    }

    func testPH4_AMailedLinkToAnAddressThatWasLeftOpensNothingOfItsFormerHolder() async throws {
        let eve = try await world.squat()
        try await eve.updateEmail(to: "eve@evil.example")
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        XCTAssertEqual(ann.email, "ann@example.com")
    }

    /// Eve signs up under her own address, which she does not prove, and moves to Ann's: her old address has no claim.
    func testPH4_AnAddressThatWasNeverVerifiedTakesNoChangeBack() async throws {
        let eve = try await world.squat("eve@evil.example")
        try await eve.updateEmail(to: "ann@example.com")
        let kept = world.outbox.last(to: "eve@evil.example", .recoverEmail)?.code
        try await world.reset()
        if let kept { try? await world.device("eve").applyActionCode(kept) }
        let ann = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertNil(kept)
    }

    func testPH4_ThatRecoveryBitesUnderFirebasesRule() async throws {
        world.startOver(
            AuthPolicy.weakened { policy in
                policy.emailRecovery = .firstAddress
                // An account that a reset adopts loses that recovery.
                (policy.unverifiedOwner, policy.passwordReset) = (.takenOver, .removesFederated)
            }
        )
        let eve = try await world.squat("eve@evil.example")
        try await eve.updateEmail(to: "ann@example.com")
        try await world.reset()
        try await world.device("eve").applyActionCode(world.code(.recoverEmail, to: "eve@evil.example"))
        let moved = try await world.account(eve)
        XCTAssertEqual(moved.email?.text, "eve@evil.example")
    }

    /// The mailbox that a person left on purpose opens the account no longer, linked mails or not.
    func testAnAddressThatWasLeftSignsInNoMore() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await auth.applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        let other = world.device("old mailbox")
        let link = try await world.mailedLink(to: "ann@example.com", from: other)
        let what = "a link to the address that was left"
        try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh, what) {
            try await other.signIn(with: link)
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "new@example.com", "the address of the account")
    }

    func testAPasswordIsGoodUnderTheNewAddressOnly() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await auth.applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        try await world.refusal(.invalidCredential, .credentialIsWrong) {
            try await world.device("x").signIn(with: World.annsPassword)
        }
        try await world.device("y").signIn(with: .password(email: "new@example.com", password: World.password))
    }

    /// A thief who moved the account twice holds the right of the address in the middle; the first one ends it.
    func testAnAddressInTheMiddleOfAChainLosesItsRightWhenTheFirstComesBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for address in ["eve@evil.example", "eve2@evil.example"] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await world.device("eve").applyActionCode(world.code(.changeEmail, to: address))
            try await ann.reload()
        }
        let anns = try world.code(.recoverEmail, to: "ann@example.com")
        let eves = try world.code(.recoverEmail, to: "eve@evil.example")
        try await world.device("mail").applyActionCode(anns)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
        try await world.refusal(.invalidActionCode, .codeIsOutdated) {
            try await world.device("eve").applyActionCode(eves)
        }
    }

    func testTheAddressInTheMiddleCannotTakeTheFirstOnesRightAway() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for address in ["eve@evil.example", "eve2@evil.example"] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await world.device("eve").applyActionCode(world.code(.changeEmail, to: address))
        }
        let anns = try world.code(.recoverEmail, to: "ann@example.com")
        try await world.device("eve").applyActionCode(world.code(.recoverEmail, to: "eve@evil.example"))
        try await world.device("mail").applyActionCode(anns)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// An address that the account verified, gave up and still shows is held for its return, and is no stranger's to
    /// take.
    func testS9_NobodyStartsFreshWithAnAddressThatIsHeldForWhoStillShowsIt() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@gmail.com", from: auth)).user
        let person = SimulatedPerson(name: "Ann", email: "ann@gmail.com")
        try await ann.link(with: world.gitHub(.eve))
        try await ann.unlink(.password)
        try await ann.link(with: world.google(person, SimulatedToken(subject: "one", address: .unverified)))
        let held = try await world.account(ann)
        XCTAssertEqual(held.email?.text, "ann@gmail.com")
        XCTAssertFalse(held.reservesEmail)
        let other = world.device("another")
        let conflict = try await world.conflict {
            try await other.signIn(with: world.google(person, SimulatedToken(subject: "two")))
        }
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await other.createSeparateAccount(from: conflict)
        }
    }

    /// It is held also where the account came back by itself, and under the other name of its mailbox.
    func testS9_NobodyStartsFreshWithAnAddressThatAnAccountLeftAndCameBackTo() async throws {
        for back in ["ann@gmail.com", "ann@googlemail.com"] {
            world.startOver(.standard)
            let auth = world.device()
            let ann = try await world.signUp("ann@gmail.com", in: auth)
            if back == "ann@gmail.com" {
                try await ann.link(with: world.gitHub(.eve))
                try await ann.unlink(.password)
                try await ann.link(with: world.mailedLink(to: back, from: auth))
            } else {
                try await ann.sendEmailVerification(beforeUpdatingTo: back)
                try await auth.applyActionCode(world.code(.changeEmail, to: back))
            }
            let person = SimulatedPerson(name: "Ann", email: back)
            let other = world.device("another")
            let conflict = try await world.conflict { try await other.signIn(with: world.facebook(person)) }
            let link = try await world.mailedLink(to: back, from: other)
            try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
                try await other.createSeparateAccount(from: conflict, verifying: link.mailed)
            }
        }
    }

    /// A reset that was asked for while the address was the account's own, and is used when it only shows it.
    func testAResetTakesTheAddressFromAnAccountThatOnlyClaimsItAndNotFromOneThatVerifiedIt() async throws {
        for isVerified in [false, true] {
            world.startOver(.standard)
            let ann = try await world.squat()
            try await world.device().sendPasswordReset(to: "ann@example.com")
            let code = try world.code(.resetPassword, to: "ann@example.com")
            try await ann.link(with: world.gitHub(.eve))
            try await ann.unlink(.password)
            try await ann.link(with: world.facebook())
            let shown = try await world.account(ann)
            XCTAssertEqual(shown.email?.text, "ann@example.com")
            XCTAssertFalse(shown.reservesEmail)
            let ben = try await world.device("ben").signUp(email: "ann@example.com", password: "bens own word").user
            if isVerified { try await world.verifyAddress(of: ben) }
            if isVerified {
                try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
                    try await world.device().confirmPasswordReset(code: code, newPassword: "anns own word")
                }
            } else {
                try await world.device().confirmPasswordReset(code: code, newPassword: "anns own word")
                let left = try await world.account(ben)
                XCTAssertNil(left.email)
            }
            let owner = try await world.service.account(email: "ann@example.com")
            XCTAssertEqual(owner?.id.text, isVerified ? ben.uid : ann.uid)
        }
    }

    /// Two issuers run the mailboxes of one domain; the second vouches for the next holder of an address that Ann left.
    func testTheNextHolderOfAnAddressJoinsNoAccountThatLeftIt() async throws {
        var policy = AuthPolicy.standard
        policy.addressTrust = .authorities(
            .wellKnown.pinning(["example.com"], of: "https://accounts.google.com")
                .pinning(["example.com"], of: "github.com")
        )
        world.startOver(policy)
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann, world.work)).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@private.example")
        try await phone.applyActionCode(world.code(.changeEmail, to: "ann@private.example"))
        world.clock.advance(by: .seconds(60))
        // Google still vouches for the address at each sign-in of hers.
        try await world.device("tablet").signIn(with: world.google(.ann, world.work))
        let next = world.credential(
            .gitHub,
            .ben.with(email: "ann@example.com"),
            saying: SimulatedToken(address: .verified)
        )
        try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh) {
            try await world.device("next").signIn(with: next)
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Attacks by way of an address that an account has left, or that somebody left there for the victim to find.
final class HeldAddressAttackTests: AttackTestCase {
    /// Eve signs up under Ann's address and moves away; the address must not lead to what is Eve's.
    func testPH4_AnAddressThatWasLeftUnprovenIsNotHeldBack() async throws {
        let eve = try await squat()
        try await eve.updateEmail(to: "eve@evil.example")
        XCTAssertNil(outbox.last(to: "ann@example.com", .recoverEmail), "who never proved it has nothing to recover")
        let ann = try await seat().signIn(with: google(.ann, work)).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        XCTAssertEqual(ann.email, "ann@example.com")
        try await reset("eve@evil.example")
        let evil = try await seat("eve").signIn(
            with: .password(email: "eve@evil.example", password: "anns own word")
        ).user
        XCTAssertEqual(evil.uid, eve.uid)
    }

    func testPH4_AMailedLinkToAnAddressThatWasLeftOpensNothingOfItsFormerHolder() async throws {
        let eve = try await squat()
        try await eve.updateEmail(to: "eve@evil.example")
        let auth = seat()
        let ann = try await auth.signIn(with: mailedLink(to: "ann@example.com", from: auth)).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        XCTAssertEqual(ann.email, "ann@example.com")
    }

    /// Eve signs up under her own address, which she does not prove, and moves to Ann's: her old address has no claim.
    func testPH4_AnAddressThatWasNeverProvenTakesNoChangeBack() async throws {
        let eve = try await squat("eve@evil.example")
        try await eve.updateEmail(to: "ann@example.com")
        let kept = outbox.last(to: "eve@evil.example", .recoverEmail)?.code
        try await reset()
        if let kept { try? await seat("eve").applyActionCode(kept) }
        let ann = try await seat().signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(ann.email, "ann@example.com")
        XCTAssertNil(kept)
    }

    func testPH4_ThatRecoveryBitesUnderFirebasesRule() async throws {
        startOver(Self.weakened { $0.emailRecovery = .firstAddress })
        let eve = try await squat("eve@evil.example")
        try await eve.updateEmail(to: "ann@example.com")
        try await reset()
        try await seat("eve").applyActionCode(code(.recoverEmail, to: "eve@evil.example"))
        let moved = try await account(eve)
        XCTAssertEqual(moved.email?.text, "eve@evil.example")
    }

    /// The mailbox that a person left on purpose opens the account no longer, linked mails or not.
    func testAnAddressThatWasLeftSignsInNoMore() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: mailedLink(to: "ann@example.com", from: auth)).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await auth.applyActionCode(code(.changeEmail, to: "new@example.com"))
        let other = seat("old mailbox")
        let link = try await mailedLink(to: "ann@example.com", from: other)
        let came = try? await other.signIn(with: link).user
        XCTAssertNotEqual(came?.uid, ann.uid)
    }

    func testAPasswordIsGoodUnderTheNewAddressOnly() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await auth.applyActionCode(code(.changeEmail, to: "new@example.com"))
        try await refusal(.invalidCredential, .credentialIsWrong) {
            try await seat("x").signIn(with: Self.annsPassword)
        }
        try await seat("y").signIn(with: .password(email: "new@example.com", password: Self.password))
    }

    /// A thief who moved the account twice holds the right of the address in the middle; the first one ends it.
    func testAnAddressInTheMiddleOfAChainLosesItsRightWhenTheFirstComesBack() async throws {
        let ann = try await signUpProvenAnn()
        for address in ["eve@evil.example", "eve2@evil.example"] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await seat("eve").applyActionCode(code(.changeEmail, to: address))
            try await ann.reload()
        }
        let anns = try code(.recoverEmail, to: "ann@example.com")
        let eves = try code(.recoverEmail, to: "eve@evil.example")
        try await seat("mail").applyActionCode(anns)
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
        try await refusal(.invalidActionCode, .codeIsOutdated) { try await seat("eve").applyActionCode(eves) }
    }

    func testTheAddressInTheMiddleCannotTakeTheFirstOnesRightAway() async throws {
        let ann = try await signUpProvenAnn()
        for address in ["eve@evil.example", "eve2@evil.example"] {
            try await ann.sendEmailVerification(beforeUpdatingTo: address)
            try await seat("eve").applyActionCode(code(.changeEmail, to: address))
        }
        let anns = try code(.recoverEmail, to: "ann@example.com")
        try await seat("eve").applyActionCode(code(.recoverEmail, to: "eve@evil.example"))
        try await seat("mail").applyActionCode(anns)
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// An address that the account proved, gave up and still shows is held for its return, and is no stranger's to take.
    func testS9_NobodyStartsFreshWithAnAddressThatIsHeldForWhoStillShowsIt() async throws {
        let auth = seat()
        let ann = try await auth.signIn(with: mailedLink(to: "ann@gmail.com", from: auth)).user
        let person = SimulatedPerson(name: "Ann", email: "ann@gmail.com")
        try await ann.replace(.password, with: google(person, SimulatedToken(subject: "one", address: .unverified)))
        let held = try await account(ann)
        XCTAssertEqual(held.email?.text, "ann@gmail.com")
        XCTAssertFalse(held.reservesEmail)
        let other = seat("another")
        let conflict = try await conflict {
            try await other.signIn(with: google(person, SimulatedToken(subject: "two")))
        }
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await other.createSeparateAccount(from: conflict) }
    }

    /// It is held also where the account came back by itself, and under the other name of its mailbox.
    func testS9_NobodyStartsFreshWithAnAddressThatAnAccountLeftAndCameBackTo() async throws {
        for back in ["ann@gmail.com", "ann@googlemail.com"] {
            startOver(.standard)
            let auth = seat()
            let ann = try await auth.signIn(with: mailedLink(to: "ann@gmail.com", from: auth)).user
            if back == "ann@gmail.com" {
                try await ann.link(with: gitHub(.eve))
                try await ann.unlink(.password)
                try await ann.link(with: mailedLink(to: back, from: auth))
            } else {
                try await ann.sendEmailVerification(beforeUpdatingTo: back)
                try await auth.applyActionCode(code(.changeEmail, to: back))
            }
            let person = SimulatedPerson(name: "Ann", email: back)
            let other = seat("another")
            let conflict = try await conflict { try await other.signIn(with: facebook(person)) }
            let link = try await mailedLink(to: back, from: other)
            try await refusal(.emailAlreadyInUse, .addressIsOwned) {
                try await other.createSeparateAccount(from: conflict, verifying: link.mailed)
            }
        }
    }

    /// A reset that was asked for while the address was the account's own, and is used when it only shows it.
    func testAResetTakesTheAddressFromWhoOnlyOccupiesItAndFromNobodyWhoProvedIt() async throws {
        for isProven in [false, true] {
            startOver(.standard)
            let ann = try await squat()
            try await seat().sendPasswordReset(to: "ann@example.com")
            let code = try code(.resetPassword, to: "ann@example.com")
            try await ann.replace(.password, with: facebook())
            let shown = try await account(ann)
            XCTAssertEqual(shown.email?.text, "ann@example.com")
            XCTAssertFalse(shown.reservesEmail)
            let ben = try await seat("ben").signUp(email: "ann@example.com", password: "bens own word").user
            if isProven { try await proveAddress(of: ben) }
            if isProven {
                try await refusal(.emailAlreadyInUse, .addressIsOwned) {
                    try await seat().confirmPasswordReset(code: code, newPassword: "anns own word")
                }
            } else {
                try await seat().confirmPasswordReset(code: code, newPassword: "anns own word")
                let left = try await account(ben)
                XCTAssertNil(left.email)
            }
            let owner = try await service.account(email: "ann@example.com")
            XCTAssertEqual(owner?.id.text, isProven ? ben.uid : ann.uid)
        }
    }
}

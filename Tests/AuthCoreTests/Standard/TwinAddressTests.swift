@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S5: gmail.com and googlemail.com are one mailbox, whichever way somebody comes.
final class TwinAddressTests: AttackTestCase {
    private let gmail = "ann@gmail.com"
    private let twin = "ann@googlemail.com"
    private let annAtTwin = SimulatedToken(email: .text("ann@googlemail.com"))

    private func proven(_ email: String? = nil) async throws -> User {
        let user = try await seat().signUp(email: email ?? gmail, password: Self.password).user
        try await proveAddress(of: user)
        return user
    }

    func testASignUpUnderTheOtherNameMeetsTheAccount() async throws {
        _ = try await proven()
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await seat("other").signUp(email: twin, password: Self.password)
        }
    }

    func testAMailedLinkUnderTheOtherNameOpensTheAccount() async throws {
        let ann = try await proven()
        let user = try await seat("other").signIn(with: mailedLink(to: twin, from: seat("other"))).user
        XCTAssertEqual(user.uid, ann.uid)
        XCTAssertEqual(user.email, gmail)
    }

    func testNobodyMovesToTheOtherNameOfAnAccountsAddress() async throws {
        _ = try await proven()
        let ben = try await seat("ben").signUp(email: "ben@example.com", password: Self.password).user
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ben.updateEmail(to: twin) }
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ben.sendEmailVerification(beforeUpdatingTo: twin)
        }
        let guest = try await seat("guest").signInAnonymously().user
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await guest.link(with: .password(email: twin, password: Self.password))
        }
    }

    func testAPasswordDoesNotHangOnTheOtherNameOfAnAccountsAddress() async throws {
        let person = SimulatedPerson(name: "Ann", email: twin)
        let shown = try await seat("other").signIn(with: facebook(person)).user
        XCTAssertFalse(shown.account.reservesEmail)
        _ = try await proven()
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await shown.updatePassword(to: Self.password) }
    }

    func testOneMovesToTheOtherNameOfOnesOwnAddress() async throws {
        let ann = try await proven()
        try await ann.sendEmailVerification(beforeUpdatingTo: twin)
        try await seat().applyActionCode(try code(.changeEmail, to: twin))
        let after = try await account(ann)
        XCTAssertEqual(after.email?.text, twin)
    }

    func testWhatJoinedUnderTheOtherNameIsCovered() async throws {
        let ann = try await proven()
        let joined = try await seat("other").signIn(with: google(.ann, annAtTwin)).user
        XCTAssertEqual(joined.uid, ann.uid)
        try await reset(gmail)
        let after = try await account(ann)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive))
        // And a link opens it without a question.
        let user = try await seat("third").signIn(with: mailedLink(to: gmail, from: seat("third"))).user
        XCTAssertEqual(user.uid, ann.uid)
    }

    func testAFreshStartUnderTheOtherNameTakesTheAddressAlong() async throws {
        let eve = try await seat("eve").signUp(email: gmail, password: evesPassword).user
        try await eve.link(with: facebook(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, annAtTwin)) }
        let ann = try await auth.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        let left = try await account(eve)
        XCTAssertNil(left.email)
        XCTAssertNil(left.methods.first { $0.kind.methodKind == .password })
    }

    func testThisIsMineUnderTheOtherName() async throws {
        let eve = try await seat("eve").signUp(email: gmail, password: evesPassword).user
        try await eve.link(with: facebook(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, annAtTwin)) }
        let ann = try await auth.resolve(conflict, signingInWith: mailedLink(to: twin, from: auth)).user
        XCTAssertEqual(ann.uid, eve.uid)
        try await refusal(.rejectedCredential) { try await seat("eve").signIn(with: facebook(.eve)) }
    }

    func testTheMethodsAreListedToWhoProvesTheOtherName() async throws {
        let outside = try await seat("mail2").signUp(email: "x@gmail.com", password: Self.password).user
        try await outside.link(with: gitHub(.eve))
        let conflict = try await conflict {
            try await seat("x").signIn(with: google(.ben, SimulatedToken(email: .text("x@googlemail.com"))))
        }
        XCTAssertEqual(conflict.existingProviders.map(\.rawValue).sorted(), ["github.com", "password"])
    }

    func testAFreeAddressRestsOnItsOtherNameBeingFreeToo() async throws {
        startOver(.standard)
        let auth = seat()
        let verified = try await auth.verify(mailedLink(to: "ann@gmail.com", from: auth))
        let decision = try await service.decision(of: SignIn(verified.proof), context: RequestContext(seat: "phone"))
        let twin = try XCTUnwrap(EmailAddress("ann@googlemail.com"))
        XCTAssertNil(decision.refusal)
        XCTAssertTrue(decision.changes.keys.contains(KeyChange(.primaryEmail(twin), from: nil, to: nil)))
    }

    func testAConflictIsNotAnsweredByTakingTheOtherNameOfAnAccountsAddress() async throws {
        let person = SimulatedPerson(name: "Ann", email: twin)
        let ann = try await seat("first").signIn(with: facebook(person)).user
        try await ann.sendEmailVerification()
        try await seat("elsewhere").applyActionCode(try code(.verifyEmail, to: twin))
        let other = seat("second")
        try await other.signIn(with: gitHub(.ben))
        let link = try await mailedLink(to: gmail, from: other)
        let conflict = try await conflict { try await other.signIn(with: link) }
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await other.resolve(conflict, signingInWith: gitHub(.ben))
        }
    }

    func testAnAccountThatShowsAnAddressIsNotClaimedOnceAnotherHasItUnderTheOtherName() async throws {
        let person = SimulatedPerson(name: "Ann", email: gmail)
        try await seat("first").signIn(with: facebook(person))
        let other = seat("second")
        let conflict = try await conflict {
            try await other.signIn(
                with: .simulated(.gitHub, person, saying: SimulatedToken(address: .verified), at: clock.now)
            )
        }
        _ = try await proven(twin)
        let link = try await mailedLink(to: gmail, from: other)
        try await refusal(.userMismatch, .conflictIsWithAnother) {
            try await other.resolve(conflict, signingInWith: link)
        }
    }

    func testTwoAtOnceUnderBothNamesDoNotBothGetTheMailbox() async throws {
        let acts: [@Sendable (User, World, String) async throws -> Void] = [
            { user, _, email in try await user.link(with: .password(email: email, password: "a word of mine")) },
            { user, _, email in try await user.updateEmail(to: email) },
            { user, world, email in
                let seat = world.seat("guest")
                try await seat.sendSignInLink(to: email)
                try await user.link(with: .emailLink(email: email, link: world.newestCode))
            },
            { user, world, email in
                try await user.sendEmailVerification(beforeUpdatingTo: email)
                try await world.seat("guest").applyActionCode(world.newestCode)
            },
        ]
        for (place, act) in acts.enumerated() {
            let store = FaultyStore()
            let world = World(.standard) { $0.store = store }
            let guest = world.seat("guest")
            let user: User
            switch place {
            case 0: user = try await guest.signInAnonymously().user
            case 2: user = try await guest.signIn(with: world.credential(.facebook, .ben)).user
            default: user = try await guest.signUp(email: "ben@example.com", password: Self.password).user
            }
            let gate = Gate()
            store.script(.commit, place < 2 ? [.waitsBefore(gate)] : [.none, .waitsBefore(gate)])
            let email = twin
            async let late: AuthErrorCode? = {
                do { try await act(user, world, email) } catch { return (error as? AuthError)?.code }
                return nil
            }()
            await gate.waitForArrivals()
            try await world.seat("other").signUp(email: gmail, password: Self.password)
            gate.open()
            let code = await late
            let first = try await world.service.account(email: gmail)
            let second = try await world.service.account(email: twin)
            let what = "act \(place)"
            XCTAssertEqual([first, second].compactMap(\.self).count, 1, what)
            XCTAssertEqual(code, place < 2 ? .emailAlreadyInUse : nil, "who proves the mailbox gets it: \(what)")
        }
    }

    /// What Google says of a mailbox it says under either name, and renews it under either.
    func testAWordAboutTheOtherNameRenewsWhatWasSaid() async throws {
        let annAtGmail = SimulatedToken(email: .text("ann@gmail.com"))
        let ann = try await seat().signIn(with: google(.ann, annAtGmail)).user
        clock.advance(by: 40 * 86400)
        try await seat("other").signIn(with: google(.ann, annAtTwin))
        let after = try await account(ann)
        XCTAssertEqual(after.evidence.map(\.subject), [.email(try XCTUnwrap(EmailAddress(gmail)))])
        XCTAssertEqual(after.evidence.map(\.lastAt), [clock.timestamp])
    }
}

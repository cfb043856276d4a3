@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S5: gmail.com and googlemail.com are one mailbox, whichever way somebody comes.
final class AliasAddressTests: LimitedTestCase {
    private var world = World(.standard)

    private let gmail = "ann@gmail.com"
    private let alias = "ann@googlemail.com"
    private let annAtAlias = SimulatedToken(email: .text("ann@googlemail.com"))

    private func verified(_ email: String? = nil) async throws -> User {
        let user = try await world.device().signUp(email: email ?? gmail, password: World.password).user
        try await world.verifyAddress(of: user)
        return user
    }

    func testASignUpUnderTheOtherNameMeetsTheAccount() async throws {
        _ = try await verified()
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await world.device("other").signUp(email: alias, password: World.password)
        }
    }

    func testAMailedLinkUnderTheOtherNameOpensTheAccount() async throws {
        let ann = try await verified()
        let user = try await world.device("other").signIn(
            with: world.mailedLink(to: alias, from: world.device("other"))
        )
        .user
        XCTAssertEqual(user.uid, ann.uid)
        XCTAssertEqual(user.email, gmail)
    }

    func testNobodyMovesToTheOtherNameOfAnAccountsAddress() async throws {
        _ = try await verified()
        let ben = try await world.device("ben").signUp(email: "ben@example.com", password: World.password).user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) { try await ben.updateEmail(to: alias) }
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ben.sendEmailVerification(beforeUpdatingTo: alias)
        }
        let guest = try await world.device("guest").signInAnonymously().user
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await guest.link(with: .password(email: alias, password: World.password))
        }
    }

    func testAPasswordDoesNotHangOnTheOtherNameOfAnAccountsAddress() async throws {
        let person = SimulatedPerson(name: "Ann", email: alias)
        let shown = try await world.device("other").signIn(with: world.facebook(person)).user
        XCTAssertFalse(shown.account.reservesEmail)
        _ = try await verified()
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await shown.updatePassword(to: World.password)
        }
    }

    func testOneMovesToTheOtherNameOfOnesOwnAddress() async throws {
        let ann = try await verified()
        try await ann.sendEmailVerification(beforeUpdatingTo: alias)
        try await world.device().applyActionCode(try world.code(.changeEmail, to: alias))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, alias)
    }

    func testWhatJoinedUnderTheOtherNameIsCovered() async throws {
        let ann = try await verified()
        let joined = try await world.device("other").signIn(with: world.google(.ann, annAtAlias)).user
        XCTAssertEqual(joined.uid, ann.uid)
        try await world.reset(gmail)
        let after = try await world.account(ann)
        XCTAssertTrue(after.methods.allSatisfy(\.isActive))
        // And a link opens it without a question.
        let user = try await world.device("third").signIn(
            with: world.mailedLink(to: gmail, from: world.device("third"))
        )
        .user
        XCTAssertEqual(user.uid, ann.uid)
    }

    func testAFreshStartUnderTheOtherNameTakesTheAddressAlong() async throws {
        let eve = try await world.device("eve").signUp(email: gmail, password: world.evesPassword).user
        try await eve.link(with: world.facebook(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, annAtAlias)) }
        let ann = try await auth.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        let left = try await world.account(eve)
        XCTAssertNil(left.email)
        XCTAssertNil(left.methods.first { $0.kind.methodKind == .password })
    }

    func testThisIsMineUnderTheOtherName() async throws {
        let eve = try await world.device("eve").signUp(email: gmail, password: world.evesPassword).user
        try await eve.link(with: world.facebook(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, annAtAlias)) }
        let ann = try await auth.resolve(conflict, signingInWith: world.mailedLink(to: alias, from: auth)).user
        XCTAssertEqual(ann.uid, eve.uid)
        try await world.refusal(.rejectedCredential) {
            try await world.device("eve").signIn(with: world.facebook(.eve))
        }
    }

    func testTheMethodsAreListedToWhoProvesTheOtherName() async throws {
        let outside = try await world.device("mail2").signUp(email: "x@gmail.com", password: World.password).user
        try await outside.link(with: world.gitHub(.eve))
        let conflict = try await world.conflict {
            try await world.device("x").signIn(
                with: world.google(.ben, SimulatedToken(email: .text("x@googlemail.com")))
            )
        }
        XCTAssertEqual(conflict.existingProviders.map(\.rawValue).sorted(), ["github.com", "password"])
    }

    func testS5_BothNamesHaveOneKey() async throws {
        world.startOver(.standard)
        let auth = world.device()
        let verified = try await auth.verify(world.mailedLink(to: alias, from: auth))
        let decision = try await world.service.decision(
            of: SignIn(proof: verified.proof),
            context: RequestContext(device: "phone")
        )
        let key = UniqueKey.primaryEmail(try XCTUnwrap(EmailAddress(gmail)))
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.changes.keys.map(\.key), [key])
        XCTAssertEqual(decision.changes.references.map(\.email.text), [gmail])
        guard case .create(let account)? = decision.changes.accounts.first else {
            return XCTFail("no account is created")
        }
        XCTAssertEqual(account.email?.text, alias, "the address is displayed as it was given")
    }

    func testS5_MailGoesToTheNameThatTheAccountHas() async throws {
        _ = try await verified(alias)
        try await world.device("other").sendPasswordReset(to: gmail)
        XCTAssertNotNil(world.outbox.last(to: alias, .resetPassword))
        XCTAssertNil(world.outbox.last(to: gmail, .resetPassword))
    }

    /// Asked for under the other name, a code counts like any other of the account.
    func testS5_TheCapOfLiveCodesCountsBothNames() async throws {
        world.policy.liveMailCodes = 2
        world.policy.limits = nil
        _ = try await verified()
        var codes: [String] = []
        for name in [gmail, alias, gmail, alias] {
            try await world.device("mail").sendPasswordReset(to: name)
            codes.append(try world.code(.resetPassword, to: gmail))
            world.clock.advance(by: .seconds(1))
        }
        for code in codes.prefix(2) {
            try await world.refusal(.invalidActionCode, .codeIsUnknown) {
                try await world.device().checkActionCode(code)
            }
        }
        for code in codes.suffix(2) { _ = try await world.device().checkActionCode(code) }
    }

    func testS5_LostFactorsAreRecoveredUnderTheOtherName() async throws {
        let ann = try await verified()
        try await world.enrollTOTP(ann)
        let device = world.device("new")
        let link = try await world.mailedLink(to: alias, from: device)
        let begun = try await device.client.recoverFromLostFactors(with: link.mailed)
        guard case .waiting = begun else { return XCTFail("the mailbox alone waits") }
        world.clock.advance(by: .seconds(73 * 3600))
        let again = try await world.mailedLink(to: alias, from: device)
        let ended = try await device.client.recoverFromLostFactors(with: again.mailed)
        XCTAssertEqual(ended, .removed)
    }

    func testS5_AMergeSideIsVerifiedUnderTheOtherName() async throws {
        world.policy.seniority = nil
        let ann = try await verified()
        let device = world.device("other")
        _ = try await device.signIn(with: world.mailedLink(to: alias, from: device))
        let ben = try await world.signUp("ben@example.com")
        let client = world.service.client(world.context)
        let link = try await world.mailedLink(to: alias, from: world.device())
        let side = Merge.Side.verified(try await client.verify(link))
        let merged = try await client.merge(side, into: world.passwordSide("ben@example.com"))
        XCTAssertEqual(merged.result.user.uid, ben.uid)
        let gone = try await world.storedAccount(ann)
        XCTAssertNil(gone)
    }

    func testAStoreKeepsTheRuleOfItsKeys() async throws {
        let ann = try await verified()
        world.policy = .firebase
        try await world.refusal(.keyRuleMismatch) {
            try await world.device("other").signUp(email: alias, password: World.password)
        }
        try await world.refusal(.keyRuleMismatch) {
            try await world.device("other").signIn(with: .password(email: gmail, password: World.password))
        }
        world.policy = .standard
        let user = try await world.device("other").signIn(with: .password(email: gmail, password: World.password)).user
        XCTAssertEqual(user.uid, ann.uid)
    }

    func testAConflictIsNotAnsweredByTakingTheOtherNameOfAnAccountsAddress() async throws {
        let person = SimulatedPerson(name: "Ann", email: alias)
        let ann = try await world.device("first").signIn(with: world.facebook(person)).user
        try await ann.sendEmailVerification()
        try await world.device("elsewhere").applyActionCode(try world.code(.verifyEmail, to: alias))
        let other = world.device("second")
        try await other.signIn(with: world.gitHub(.ben))
        let link = try await world.mailedLink(to: gmail, from: other)
        let conflict = try await world.conflict { try await other.signIn(with: link) }
        try await world.refusal(.userMismatch, .conflictIsWithAnother) {
            try await other.resolve(conflict, signingInWith: world.gitHub(.ben))
        }
    }

    func testAnAccountThatShowsAnAddressIsNotClaimedOnceAnotherHasItUnderTheOtherName() async throws {
        let person = SimulatedPerson(name: "Ann", email: gmail)
        try await world.device("first").signIn(with: world.facebook(person))
        let other = world.device("second")
        let conflict = try await world.conflict {
            try await other.signIn(
                with: .simulated(.gitHub, person, saying: SimulatedToken(address: .verified), at: world.clock.now)
            )
        }
        _ = try await verified(alias)
        let link = try await world.mailedLink(to: gmail, from: other)
        try await world.refusal(.userMismatch, .conflictIsWithAnother) {
            try await other.resolve(conflict, signingInWith: link)
        }
    }

    func testTwoAtOnceUnderBothNamesDoNotBothGetTheMailbox() async throws {
        let acts: [@Sendable (User, World, String) async throws -> Void] = [
            { user, _, email in try await user.link(with: .password(email: email, password: "a word of mine")) },
            { user, _, email in try await user.updateEmail(to: email) },
            { user, world, email in
                let device = world.device("guest")
                try await device.sendSignInLink(to: email)
                try await user.link(with: .emailLink(email: email, link: world.newestCode))
            },
            { user, world, email in
                try await user.sendEmailVerification(beforeUpdatingTo: email)
                try await world.device("guest").applyActionCode(world.newestCode)
            },
        ]
        for (place, act) in acts.enumerated() {
            let store = FaultyStore()
            let world = World(.standard) { $0.store = store }
            let guest = world.device("guest")
            let user: User
            switch place {
            case 0: user = try await guest.signInAnonymously().user
            case 2: user = try await guest.signIn(with: world.credential(.facebook, .ben)).user
            default: user = try await guest.signUp(email: "ben@example.com", password: World.password).user
            }
            let gate = Gate()
            store.script(.commit, place < 2 ? [.waitsBefore(gate)] : [.succeeds, .waitsBefore(gate)])
            let email = alias
            async let late: AuthErrorCode? = {
                do { try await act(user, world, email) } catch { return (error as? AuthError)?.code }
                return nil
            }()
            await gate.waitForArrivals()
            try await world.device("other").signUp(email: gmail, password: World.password)
            gate.open()
            let code = await late
            let first = try await world.service.account(email: gmail)
            let second = try await world.service.account(email: alias)
            let what = "act \(place)"
            XCTAssertNotNil(first, what)
            XCTAssertEqual(first?.id, second?.id, what)
            XCTAssertEqual(code, place < 2 ? .emailAlreadyInUse : nil, "who proves the mailbox gets it: \(what)")
        }
    }

    /// What Google says of a mailbox it says under either name, and renews it under either.
    func testAWordAboutTheOtherNameRenewsWhatWasSaid() async throws {
        let annAtGmail = SimulatedToken(email: .text("ann@gmail.com"))
        let ann = try await world.device().signIn(with: world.google(.ann, annAtGmail)).user
        world.clock.advance(by: .seconds(40 * 86400))
        try await world.device("other").signIn(with: world.google(.ann, annAtAlias))
        let after = try await world.account(ann)
        XCTAssertEqual(after.evidence.map(\.subject), [.email(try XCTUnwrap(EmailAddress(gmail)))])
        XCTAssertEqual(after.evidence.map(\.lastAt), [world.clock.timestamp])
    }
}

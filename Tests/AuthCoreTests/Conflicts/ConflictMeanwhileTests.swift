@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What became of a conflict's identity, address or account while somebody looked for the answer.
final class ConflictMeanwhileTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    private let evesPassword = "eves own word"

    func testAnIdentityThatSomebodyLinkedMeanwhileIsTheirs() async throws {
        try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let ben = try await seat("ben").signIn(with: gitHub(.ben)).user
        try await ben.link(with: .simulated(.facebook, .ann, saying: SimulatedToken(email: .absent), at: clock.now))
        try await refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await auth.resolve(conflict, signingInWith: Self.annsPassword)
        }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await auth.createSeparateAccount(from: conflict, provingWith: link)
        }
    }

    func testAnAddressThatSomebodyTookMeanwhileIsTheirs() async throws {
        startOver(.firebase)
        let phone = seat()
        let ann = try await signUpProvenAnn(phone)
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: gitHub()) }
        try await ann.updateEmail(to: "new@example.com")
        try await seat("eve").signUp(email: "ann@example.com", password: evesPassword)
        try await refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await auth.resolve(
                conflict,
                signingInWith: .password(email: "new@example.com", password: Self.password)
            )
        }
    }

    func testTheOtherNameOfAMailboxAnswersAConflictToo() async throws {
        let ann = try await seat().signUp(email: "ann@googlemail.com", password: Self.password).user
        try await proveAddress(of: ann)
        let auth = seat("tablet")
        let arrival = facebook(.ann.with(email: "ann@googlemail.com"))
        let conflict = try await conflict { try await auth.signIn(with: arrival) }
        let result = try await auth.resolve(conflict, signingInWith: google(.ann.with(email: "ann@gmail.com")))
        XCTAssertEqual(result.user.uid, ann.uid)
        let left = try await providers(ann)
        XCTAssertEqual(Set(left), [.password, .google, .facebook])
    }

    func testAnAnswerThatMeetsAConflictItselfAnswersNothing() async throws {
        try await seat("ben").signIn(with: facebook(.ben))
        try await signUpProvenAnn()
        let auth = seat("tablet")
        let first = try await conflict { try await auth.signIn(with: facebook()) }
        try await refusal(.accountExistsWithDifferentCredential, .addressIsShownElsewhere) {
            try await auth.resolve(first, signingInWith: google(.ben))
        }
    }

    func testOfTwoAccountsThatShowAnAddressTheConflictNamesTheOlder() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        clock.advance(by: 60)
        let other = try await seat("other").signIn(with: gitHub(.ben.with(email: nil))).user
        try await other.link(with: .simulated(.apple, .ann, at: clock.now))
        let auth = seat("tablet")
        let arrival = SignIn(try await auth.verify(google()).proof)
        let snapshot = try await service.load(for: arrival, service.request())
        var (shown, reversed) = (0, snapshot)
        reversed = Snapshot(snapshot.asked) { lookup in
            guard case .accounts(let rows) = snapshot.answer(to: lookup) else { return snapshot.answer(to: lookup) }
            shown = rows.count
            return .accounts(rows.reversed())
        }
        XCTAssertEqual(shown, 2)
        for seen in [snapshot, reversed] {
            let kept = arrival.attempt(seen, service.decisionContext()).changes.capabilities.first
            guard case .put(let capability)? = kept, case .pendingIdentity(let pending) = capability.content else {
                return XCTFail("\(kept.map(String.init(describing:)) ?? "nothing is kept")")
            }
            XCTAssertEqual(pending.target, ann.account.id)
        }
    }

    func testAClaimedAddressThatWasOnlyShownIsTheAccountsOwn() async throws {
        let ann = try await seat().signIn(with: facebook()).user
        let shown = try await account(ann)
        XCTAssertFalse(shown.reservesEmail)
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: google()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.resolve(conflict, signingInWith: link)
        XCTAssertEqual(result.user.uid, ann.uid)
        let owned = try await account(ann)
        XCTAssertTrue(owned.reservesEmail)
    }

    func testAClaimedAccountThatNobodyEverProvedIsStripped() async throws {
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: evesPassword).user
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let ann = try await auth.resolve(conflict, signingInWith: link).user
        XCTAssertEqual(ann.uid, eve.uid)
        let left = try await providers(ann)
        XCTAssertEqual(left, [.facebook])
    }

    func testAClaimLinksAnIssuerThatWasRemovedAgain() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: facebook())
        try await ann.unlink(.facebook)
        let severed = try await account(ann)
        XCTAssertEqual(severed.severedIssuers.count, 1)
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await auth.resolve(conflict, signingInWith: link)
        let after = try await account(ann)
        XCTAssertEqual(after.severedIssuers, [])
    }

    func testAMailedLinkThatMeetsAConflictStartsFreshToo() async throws {
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: evesPassword).user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let conflict = try await conflict { try await auth.signIn(with: link) }
        let ann = try await auth.createSeparateAccount(from: conflict).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        XCTAssertTrue(ann.isEmailVerified)
        let (mine, hers) = try await (account(ann), account(eve))
        XCTAssertEqual(mine.methods.map(\.kind), [.emailLink])
        XCTAssertTrue(mine.reservesEmail)
        XCTAssertNil(hers.email)
    }

    func testAFreshStartNeedsMailedLinksOnlyWhereOneIsShown() async throws {
        policy.disabledProviders = [.emailLink]
        let eve = try await seat("eve").signUp(email: "ann@example.com", password: evesPassword).user
        try await eve.link(with: gitHub(.eve))
        let auth = seat()
        let conflict = try await conflict { try await auth.signIn(with: google(.ann, work)) }
        let mailbox = VerifiedMailbox.of("ann@example.com")
        let pending = try await service.verifyPending(conflict.pending)
        guard case .identity(let proof) = pending.proof.claim else { return XCTFail("not an identity") }
        let link = PendingLink(key: conflict.pending.id, proof: .federated(proof), target: nil)
        let shown = try await service.decision(
            of: StartFresh(pending: link, mailbox: mailbox),
            context: auth.client.context
        )
        XCTAssertEqual(shown.refusal?.reason, .providerIsSwitchedOff)
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertTrue(result.isNewUser)
    }

    func testMailedLinksThatWereSwitchedOffMeanwhileClaimNothing() async throws {
        try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        guard case .identity(let arrival) = try await service.verifyPending(conflict.pending).proof.claim else {
            return XCTFail("not an identity")
        }
        let link = PendingLink(key: conflict.pending.id, proof: .federated(arrival), target: nil)
        let mailbox = try XCTUnwrap(VerifiedMailbox.of("ann@example.com"))
        var narrowed = policy
        narrowed.disabledProviders = [.emailLink]
        let claim = ClaimAndLink(proof: mailbox, arrival: arrival, pending: link)
        let decision = try await service.decision(of: claim, under: narrowed, context: auth.client.context)
        XCTAssertEqual(decision.refusal?.reason, .providerIsSwitchedOff)
    }

    func testAnAccountThatIsGoneMeanwhileIsNotClaimed() async throws {
        let ann = try await signUpProvenAnn()
        let auth = seat("tablet")
        let conflict = try await conflict { try await auth.signIn(with: facebook()) }
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        try await service.deleteAccount(ann.account.id)
        try await refusal(.userMismatch, .conflictIsWithAnother) {
            try await auth.resolve(conflict, signingInWith: link)
        }
    }

    func testAnAccountThatTheAnswerItselfMakesIsToldOfNothing() async throws {
        let (ann, auth, conflict) = try await conflictOverARecycledNumber()
        try await ann.reauthenticate(with: Self.annsPassword)
        try await ann.unlink(.phone)
        let result = try await auth.resolve(conflict, signingInWith: google(.ben, work))
        XCTAssertNotEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.phoneNumber, number)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertNil(outbox.last(to: "ben@example.com"), "it was not there before")
    }
}

/// A proof of a mailbox whose code nobody looks at.
private enum VerifiedMailbox {
    static func of(_ address: String) -> MailboxProof? {
        EmailAddress(address).map { MailboxProof(email: $0, capability: CapabilityKey(bits: 1)) }
    }
}

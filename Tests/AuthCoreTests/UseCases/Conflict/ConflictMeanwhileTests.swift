@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What became of a conflict's identity, address or account while somebody looked for the answer.
final class ConflictMeanwhileTests: LimitedTestCase {
    private var world = World(.standard)

    private let evesPassword = "eves own word"

    /// The account that the identity makes claims its address, and leaves it in the same change for the mailbox's.
    func testAMailboxWhoseAccountIsGoneIsLinkedToTheAccountThatANewIdentityMakes() async throws {
        var (everyAddress, covered) = (AuthPolicy.standard, AuthPolicy.firebase)
        everyAddress.addressReservation = .everyAddress
        covered.joining = .whenCovered
        for (name, policy) in [("every address", everyAddress), ("covered", covered), ("standard", .standard)] {
            world.startOver(policy)
            let ann = try await world.signUpAnn()
            try await ann.sendEmailVerification()
            try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
            let tablet = world.device("tablet")
            let link = try await world.mailedLink(to: "ann@example.com", from: tablet)
            let conflict = try await world.conflict { try await tablet.signIn(with: link) }
            try await world.service.deleteAccount(ann.account.id)
            let result = try await tablet.resolve(conflict, signingInWith: world.gitHub(.ben))
            let account = try await world.account(result.user)
            XCTAssertEqual(Set(account.methods.map(\.kind.provider)), [.gitHub, .password], name)
            XCTAssertEqual(account.email?.text, "ann@example.com", name)
            let ben = try await world.device("ben's").signUp(email: "ben@example.com", password: "a word of bens")
            XCTAssertNotEqual(ben.user.uid, result.user.uid, "\(name): the address that was left is free")
        }
    }

    /// The identity that met the conflict.
    private func identity(of conflict: Conflict) async throws -> FederatedProof {
        let pending = try await world.service.verifyPending(
            world.service.record(conflict.pending.key),
            handedOut: conflict.pending.id
        )
        guard case .identity(let proof) = pending.proof.claim else { throw NoIdentity() }
        return proof
    }

    private struct NoIdentity: Error {}

    func testAnIdentityThatSomebodyLinkedMeanwhileIsTheirs() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let ben = try await world.device("ben").signIn(with: world.gitHub(.ben)).user
        try await ben.link(
            with: .simulated(.facebook, .ann, saying: SimulatedToken(email: .absent), at: world.clock.now)
        )
        let error = try await world.refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
        XCTAssertNil(error.conflict, "nothing is stored that this would answer")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.refusal(.credentialAlreadyInUse, .identityIsOwned) {
            try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
    }

    func testAnAddressThatSomebodyTookMeanwhileIsTheirs() async throws {
        world.startOver(.firebase)
        let phone = world.device()
        let ann = try await world.signUpVerifiedAnn(phone)
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.gitHub()) }
        try await ann.updateEmail(to: "new@example.com")
        try await world.device("eve").signUp(email: "ann@example.com", password: evesPassword)
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await auth.resolve(
                conflict,
                signingInWith: .password(email: "new@example.com", password: World.password)
            )
        }
    }

    func testTheOtherNameOfAMailboxAnswersAConflictToo() async throws {
        let ann = try await world.device().signUp(email: "ann@googlemail.com", password: World.password).user
        try await world.verifyAddress(of: ann)
        let auth = world.device("tablet")
        let incoming = world.facebook(.ann.with(email: "ann@googlemail.com"))
        let conflict = try await world.conflict { try await auth.signIn(with: incoming) }
        let result = try await auth.resolve(conflict, signingInWith: world.google(.ann.with(email: "ann@gmail.com")))
        XCTAssertEqual(result.user.uid, ann.uid)
        let left = try await world.providers(ann)
        XCTAssertEqual(Set(left), [.password, .google, .facebook])
    }

    func testAnAnswerThatMeetsAConflictItselfAnswersNothing() async throws {
        try await world.device("ben").signIn(with: world.facebook(.ben))
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let first = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        try await world.refusal(.accountExistsWithDifferentCredential, .addressIsReferencedElsewhere) {
            try await auth.resolve(first, signingInWith: world.google(.ben))
        }
    }

    func testOfTwoAccountsThatShowAnAddressTheConflictNamesTheOlder() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        world.clock.advance(by: .seconds(60))
        let other = try await world.device("other").signIn(with: world.gitHub(.ben.with(email: nil))).user
        try await other.link(with: .simulated(.apple, .ann, at: world.clock.now))
        let auth = world.device("tablet")
        let incoming = SignIn(proof: try await auth.verify(world.google()).proof)
        let snapshot = try await world.service.load(for: incoming, world.service.request())
        var (shown, reversed) = (0, snapshot)
        reversed = Snapshot(snapshot.asked) { lookup in
            guard case .accounts(let rows, let version) = snapshot.answer(to: lookup) else {
                return snapshot.answer(to: lookup)
            }
            shown = rows.count
            return .accounts(rows.reversed(), version: version)
        }
        XCTAssertEqual(shown, 2)
        for seen in [snapshot, reversed] {
            let kept = incoming.decision(on: seen, world.service.decisionContext()).changes.records.first
            guard case .put(let record)? = kept, case .pendingIdentity(let pending) = record.content else {
                return XCTFail("\(kept.map(String.init(describing:)) ?? "nothing is kept")")
            }
            XCTAssertEqual(pending.target, ann.account.id)
        }
    }

    func testAClaimedAddressThatWasOnlyShownIsTheAccountsOwn() async throws {
        let ann = try await world.device().signIn(with: world.facebook()).user
        let shown = try await world.account(ann)
        XCTAssertFalse(shown.reservesEmail)
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.google()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let result = try await auth.resolve(conflict, signingInWith: link)
        XCTAssertEqual(result.user.uid, ann.uid)
        let owned = try await world.account(ann)
        XCTAssertTrue(owned.reservesEmail)
    }

    func testAClaimedAccountThatNeverVerifiedAnythingLosesItsMethods() async throws {
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: evesPassword).user
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let ann = try await auth.resolve(conflict, signingInWith: link).user
        XCTAssertEqual(ann.uid, eve.uid)
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.facebook])
    }

    func testAClaimLinksAnIssuerThatWasRemovedAgain() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook())
        try await ann.unlink(.facebook)
        let blocked = try await world.account(ann)
        XCTAssertEqual(blocked.blockedIssuers.count, 1)
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await auth.resolve(conflict, signingInWith: link)
        let after = try await world.account(ann)
        XCTAssertEqual(after.blockedIssuers, [])
    }

    func testAMailedLinkThatMeetsAConflictStartsFreshToo() async throws {
        for isLinkGiven in [false, true] {
            world.startOver(.standard)
            try await startFresh(isLinkGiven: isLinkGiven)
        }
    }

    private func startFresh(isLinkGiven: Bool) async throws {
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: evesPassword).user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        let conflict = try await world.conflict { try await auth.signIn(with: link) }
        let another = try await world.mailedLink(to: "eve@example.com", from: auth)
        try await world.refusal(.unverifiedEmail, .addressIsNotVerified, "a link to another address") {
            try await auth.createSeparateAccount(from: conflict, verifying: another.mailed)
        }
        // Another link to the same address verifies it as well.
        let newer = isLinkGiven ? try await world.mailedLink(to: "ann@example.com", from: auth).mailed : nil
        let ann = try await auth.createSeparateAccount(from: conflict, verifying: newer).user
        XCTAssertNotEqual(ann.uid, eve.uid)
        XCTAssertTrue(ann.isEmailVerified)
        let (mine, hers) = try await (world.account(ann), world.account(eve))
        XCTAssertEqual(mine.methods.map(\.kind), [.emailLink])
        XCTAssertEqual(mine.evidence.map(\.source), [.mailboxCode], "what verifies the address")
        XCTAssertTrue(mine.reservesEmail)
        XCTAssertNil(hers.email)
    }

    func testAFreshStartNeedsMailedLinksOnlyWhereOneIsShown() async throws {
        world.policy.disabledProviders = [.emailLink]
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: evesPassword).user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, world.work)) }
        let mailbox = VerifiedMailbox.of("ann@example.com")
        let proof = try await identity(of: conflict)
        let link = PendingLink(key: conflict.pending.key, proof: .federated(proof), target: nil)
        let shown = try await world.service.decision(
            of: CreateSeparateAccount(pending: link, mailbox: mailbox),
            context: auth.client.context
        )
        XCTAssertEqual(shown.refusal?.reason, .providerIsDisabled)
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertTrue(result.isNewUser)
    }

    func testMailedLinksThatWereDisabledMeanwhileClaimNothing() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let incoming = try await identity(of: conflict)
        let link = PendingLink(key: conflict.pending.key, proof: .federated(incoming), target: nil)
        let mailbox = try XCTUnwrap(VerifiedMailbox.of("ann@example.com"))
        var narrowed = world.policy
        narrowed.disabledProviders = [.emailLink]
        let claim = ClaimAndLink(proof: mailbox, incoming: incoming, pending: link)
        let decision = try await world.service.decision(of: claim, under: narrowed, context: auth.client.context)
        XCTAssertEqual(decision.refusal?.reason, .providerIsDisabled)
    }

    /// Who created the account without the mailbox may have an address to which the owner's changes are told.
    func testWhoNeverVerifiedTheAddressCannotReportWhatItsOwnerDoes() async throws {
        let eve = try await world.device("eve").signUp(email: "ann@example.com", password: evesPassword).user
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let incoming = try await identity(of: conflict)
        let link = PendingLink(key: conflict.pending.key, proof: .federated(incoming), target: eve.accountID)
        let mailed = try await auth.verify(world.mailedLink(to: "ann@example.com", from: auth))
        guard case .mailbox(let mailbox) = mailed.proof.claim else { return XCTFail("not a mailbox") }
        let claim = ClaimAndLink(proof: mailbox, incoming: incoming, pending: link)
        let decision = try await world.service.decision(of: claim, context: auth.client.context)
        XCTAssertNil(decision.refusal)
        XCTAssertTrue(
            decision.changes.records.contains(.revokeAll(eve.accountID, [.changeReport])),
            "the codes that report a change: \(decision.changes.records)"
        )
    }

    func testAnAccountThatIsGoneMeanwhileIsNotClaimed() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await world.service.deleteAccount(ann.account.id)
        try await world.refusal(.userMismatch, .conflictIsWithAnother) {
            try await auth.resolve(conflict, signingInWith: link)
        }
    }

    func testAnAccountThatTheAnswerItselfMakesIsToldOfNothing() async throws {
        let (_, auth, conflict) = try await world.conflictOverARecycledNumber()
        let ann = try await world.device("ann's").signIn(with: World.annsPassword).user
        try await ann.unlink(.phone)
        let result = try await auth.resolve(conflict, signingInWith: world.google(.ben, world.work))
        XCTAssertNotEqual(result.user.uid, ann.uid)
        XCTAssertEqual(result.user.phoneNumber, world.number)
        XCTAssertTrue(result.user.isEmailVerified)
        XCTAssertNil(world.outbox.last(to: "ben@example.com"), "it was not there before")
    }

    func testASeparateAccountComesWithWhatTheProviderSaid() async throws {
        let eve = try await world.squat()
        try await eve.link(with: world.gitHub(.eve))
        let auth = world.device()
        let conflict = try await world.conflict { try await auth.signIn(with: world.google(.ann, world.work)) }
        let result = try await auth.createSeparateAccount(from: conflict)
        XCTAssertEqual(result.provider, .google, "the provider of the conflict")
        XCTAssertEqual(result.additionalUserInfo?.provider, .google, "who said something of the person")
    }
}

/// A proof of a mailbox whose code nobody looks at.
private enum VerifiedMailbox {
    static func of(_ address: String) -> MailboxProof? {
        EmailAddress(address).map { MailboxProof(email: $0, record: OneTimeRecordID(bits: 1)) }
    }
}

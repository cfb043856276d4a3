@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The rules of the standard policy about proof and about signing in, each by its name.
final class StandardRuleTests: LimitedTestCase {
    private var world = World(.standard)

    func testS2_OnlyAProofOwnsAnAddress() async throws {
        let shown = try await world.device().signIn(with: world.facebook()).user
        XCTAssertEqual(shown.email, "ann@example.com")
        XCTAssertFalse(shown.isEmailVerified)
        let owner = try await world.signUpAnn(world.device("b"))
        XCTAssertNotEqual(owner.uid, shown.uid)
        let word = SimulatedToken(address: .silent)
        let claimed = try await world.device("c")
            .signIn(with: .simulated(.gitHub, .ann, saying: word, at: world.clock.now)).user
        XCTAssertNotEqual(claimed.uid, owner.uid)
        XCTAssertEqual(claimed.email, "ann@example.com")
    }

    func testS3_AProofCoversWhatItsSessionUsedAndNothingElse() async throws {
        let inside = try await world.signUpVerifiedAnn()
        let covered = try await world.account(inside)
        XCTAssertTrue(covered.methods.allSatisfy { !$0.coverage.isEmpty })
        let outside = try await world.device("b").signUp(email: "ben@example.com", password: World.password).user
        try await outside.sendEmailVerification()
        try await world.device("mail").applyActionCode(world.code(.verifyEmail, to: "ben@example.com"))
        let bare = try await world.account(outside)
        XCTAssertTrue(world.service.isEmailVerified(bare))
        XCTAssertTrue(bare.methods.allSatisfy { $0.coverage.isEmpty })
    }

    func testS4_EvidenceIsNotJoinedByAfterAYearExceptAtGmail() async throws {
        for (email, joins) in [("ann@example.com", false), ("ann@gmail.com", true)] {
            world.startOver(.standard)
            let ann = try await world.device().signUp(email: email, password: World.password).user
            try await world.verifyAddress(of: ann)
            world.clock.advance(by: .seconds(366 * 86400))
            let incoming = world.google(
                SimulatedPerson.ann.with(email: email),
                email.hasSuffix("gmail.com") ? .init() : world.work
            )
            if joins {
                let came = try await world.device("b").signIn(with: incoming).user
                XCTAssertEqual(came.uid, ann.uid, email)
            } else {
                try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh, email) {
                    try await world.device("b").signIn(with: incoming)
                }
            }
            let kept = try await world.account(ann)
            XCTAssertTrue(kept.evidence.contains { $0.source == .mailboxCode }, "evidence is history")
        }
    }

    func testS5_GmailAndGooglemailAreOneMailboxAndDotsAreNotFolded() async throws {
        let ann = try await world.device().signUp(email: "ann@googlemail.com", password: World.password).user
        try await world.verifyAddress(of: ann)
        let came = try await world.device("b").signIn(
            with: world.google(SimulatedPerson.ann.with(email: "ann@gmail.com"))
        ).user
        XCTAssertEqual(came.uid, ann.uid)
        let dotted = SimulatedPerson.ben.with(email: "a.nn@gmail.com")
        let other = try await world.device("c").signIn(with: world.google(dotted)).user
        XCTAssertNotEqual(other.uid, ann.uid)
        let hidden = SimulatedPerson.eve.with(email: "1+eve@users.noreply.github.com")
        let eve = try await world.device("d").signIn(with: world.gitHub(hidden)).user
        XCTAssertNil(eve.email)
    }

    func testS6_AKnownIdentityIsItsAccountWhateverItsAddressSays() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        try await signUpVerifiedBen()
        let moved = SimulatedPerson.ann.with(email: "ben@example.com")
        let again = try await world.device("b").signIn(with: world.google(moved, world.work)).user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertEqual(again.email, "ann@example.com")
    }

    private func signUpVerifiedBen() async throws {
        try await world.verifyAddress(
            of: try await world.device("ben").signUp(email: "ben@example.com", password: World.password).user
        )
    }

    func testS7_AnAuthoritativeWordJoinsAnAccountThatIsFreshlyAndWhollyCovered() async throws {
        let ann = try await world.signUpVerifiedAnn()
        for incoming in [world.google(), world.facebook()] {
            try await world.refusal(.accountExistsWithDifferentCredential, .providerIsNotAuthoritative) {
                try await world.device("b").signIn(with: incoming)
            }
        }
        let came = try await world.device("b").signIn(with: world.google(.ann, world.work)).user
        XCTAssertEqual(came.uid, ann.uid)
        let left = try await world.providers(ann)
        XCTAssertEqual(Set(left), [.password, .google])
        try await ann.reload()
    }

    func testS8_WhoProvesTheAddressAdoptsAnEmptyShellAndNothingElse() async throws {
        let eve = try await world.squat()
        try await eve.updateProfile(displayName: .set("Not Ann"))
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        XCTAssertEqual(ann.uid, eve.uid)
        XCTAssertEqual(ann.displayName, "Ann Archer")
        let left = try await world.providers(ann)
        XCTAssertEqual(left, [.google])
        world.startOver(.standard)
        let claimed = try await world.squat()
        try await world.service.setCustomClaims(["admin": .bool(true)], account: claimed.account.id)
        try await world.refusal(.accountExistsWithDifferentCredential) {
            try await world.device().signIn(with: world.google(.ann, world.work))
        }
    }

    func testS11_APendingIdentityLivesTenMinutesOnItsDevice() async throws {
        try await world.signUpVerifiedAnn()
        let conflict = try await world.conflict { try await world.device("b").signIn(with: world.facebook()) }
        XCTAssertEqual(conflict.provider, .facebook)
        try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
            try await world.device("c").resolve(conflict, signingInWith: World.annsPassword)
        }
        world.clock.advance(by: .seconds(600))
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await world.device("b").resolve(conflict, signingInWith: World.annsPassword)
        }
        // What is said of it depends on no sweep.
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            let wrong = AuthCredential.password(email: "ann@example.com", password: "a wrong one")
            try await world.device("b").resolve(conflict, signingInWith: wrong)
        }
    }

    func testS27_ACustomTokenIsOneFactorAndMakesNobodyAnew() async throws {
        let id = try XCTUnwrap(AccountID("from-the-server"))
        let first = try await world.device().signIn(with: .customToken(world.service.makeCustomToken(for: id))).user
        XCTAssertEqual(first.uid, "from-the-server")
        try await first.link(with: world.google(.ann, world.work))
        let stale = try await world.device("b").signIn(with: .customToken(world.service.makeCustomToken(for: id))).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await stale.link(with: world.facebook())
        }
        try await world.service.deleteAccount(id)
        try await world.refusal(.userNotFound, .accountIsGone) {
            try await world.device("c").signIn(with: .customToken(world.service.makeCustomToken(for: id)))
        }
    }

    func testS32_AChangeAsksTheStoreWhateverTheTokenSays() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let token = try await ann.issueTokens().idToken.token
        let held = try await world.service.client().user(forIDToken: token)
        try await world.service.revokeSessions(of: ann.account.id)
        try await world.refusal(.userTokenExpired) { try await held.link(with: world.facebook()) }
        try await world.refusal(.userTokenExpired) { try await world.service.client().user(forIDToken: token) }
    }

    func testS11_APendingIdentityIsForTheAccountThatItMetEvenIfThatHasMovedOn() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let conflict = try await world.conflict { try await world.device("shared").signIn(with: world.facebook()) }
        try await world.service.deleteAccount(ann.account.id)
        let ben = try await world.device("shared").signUp(email: "ben@example.com", password: "bens own word").user
        try await world.refusal(.userMismatch, .conflictIsWithAnother) {
            try await ben.link(with: .pending(conflict.pending))
        }
        // With the proof itself nothing stands in the way.
        try await ben.link(with: world.facebook())
    }

    func testS22_AnotherMethodRenewsTheProofOfAnOldNumberAndOfNoOther() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let auth = world.device()
        try await ann.link(with: world.digits(to: world.number, from: auth))
        let (bensNumber, bens) = ("+15550009999", world.device("ben"))
        let ben = try await world.signUp("ben@example.com", in: bens)
        try await ben.link(with: world.digits(to: bensNumber, from: bens))
        world.clock.advance(by: .seconds(91 * 86400))
        // A sign-in at which no number was shown renews none.
        try await world.device("tablet").signIn(with: World.annsPassword)
        let conflict = try await world.conflict {
            try await auth.signIn(with: world.digits(to: world.number, from: auth))
        }
        let back = try await auth.resolve(conflict, signingInWith: World.annsPassword).user
        XCTAssertEqual(back.uid, ann.uid)
        world.clock.advance(by: .seconds(600))
        let again = try await auth.signIn(with: world.digits(to: world.number, from: auth)).user
        XCTAssertEqual(again.uid, ann.uid)
        try await world.refusal(.accountExistsWithDifferentCredential, nil, "the old number of another account") {
            try await bens.signIn(with: world.digits(to: bensNumber, from: bens))
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-1 to AT-12: attacks by what a provider says and by whose identity it is.
final class LinkingAttackTests: LimitedTestCase {
    private var world = World(.standard)

    private let tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"

    func testAT1_AnotherTenantsWordAboutAnAddressIsNoKey() async throws {
        for (policy, isSafe) in [(AuthPolicy.standard, true), (.firebase, false)] {
            for claims: [String: ClaimValue] in [[:], ["xms_edov": .bool(true)]] {
                let microsoft = SimulatedProvider(.microsoft, issuer: tenant)
                let world = World(policy, providers: AuthProviders([microsoft]))
                let ann = try await world.verifiedUser(in: world.device("ann"))
                let disguised = SimulatedPerson.eve.with(email: "ann@example.com")
                let token = SimulatedToken(address: .verified, claims: claims)
                let credential = microsoft.credential(for: disguised, saying: token, at: world.clock.now)
                let came = try? await world.device("eve").signIn(with: credential).user
                XCTAssertEqual(came?.uid != ann.uid, isSafe, "\(claims)")
                // A missing claim makes it a claim and no conflict; a tenant that proves its domain may meet one.
                if isSafe { XCTAssertEqual(came == nil, !claims.isEmpty) }
            }
        }
    }

    func testAT2_AnAddressThatChangesAtTheProviderMovesNobody() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        let disguised = SimulatedPerson.eve.with(email: "ann@example.com")
        let again = try await world.device("eve").signIn(with: world.gitHub(disguised)).user
        XCTAssertEqual(again.uid, eve.uid)
        XCTAssertEqual(again.email, "eve@example.com")
        try await world.refusal(.accountExistsWithDifferentCredential, .providerIsNotAuthoritative) {
            try await world.device("eve").signIn(with: world.google(disguised))
        }
        let after = try await world.account(ann)
        XCTAssertEqual(after.methods.count, 1)
    }

    func testAT2_BitesWhereAProvidersFlagIsBelieved() async throws {
        world.startOver(.firebase)
        let ann = try await world.signUpVerifiedAnn()
        let came = try await world.device("eve").signIn(
            with: world.google(SimulatedPerson.eve.with(email: "ann@example.com"))
        ).user
        XCTAssertEqual(came.uid, ann.uid)
    }

    func testAT3_AUserNameIsNobodysName() async throws {
        var namesake = SimulatedPerson.eve
        namesake.username = SimulatedPerson.ann.username
        var renamed = SimulatedPerson.ann
        renamed.username = "somebody-else"
        let ann = try await world.device().signIn(with: world.gitHub()).user
        let eve = try await world.device("eve").signIn(with: world.gitHub(namesake)).user
        let again = try await world.device("tablet").signIn(with: world.gitHub(renamed)).user
        XCTAssertNotEqual(eve.uid, ann.uid)
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAT4_AConflictIsFinishedWhereItBeganOrNotAtAll() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("ann"))
        let eves = SimulatedPerson.eve.with(email: "ann@example.com")
        let conflict = try await world.conflict { try await world.device("eve").signIn(with: world.facebook(eves)) }
        try await world.refusal(.deviceMismatch, .pendingIdentityIsOfAnotherDevice) {
            try await world.device("ann").resolve(conflict, signingInWith: World.annsPassword)
        }
        try await world.refusal(.deviceMismatch) { try await ann.link(with: .pending(conflict.pending)) }
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").resolve(
                conflict,
                signingInWith: .password(email: "ann@example.com", password: "?")
            )
        }
        // Nothing was used up: whoever sits there may still finish it.
        try await world.device("eve").resolve(conflict, signingInWith: World.annsPassword)
    }

    func testAT5_TheAccountFollowsFromTheProofAndNotFromWhatTheCallerSays() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("eve")
        try await auth.sendSignInLink(to: "eve@evil.example")
        let link = try XCTUnwrap(world.outbox.last(to: "eve@evil.example", .signInLink)?.link)
        try await world.refusal(.invalidEmail) {
            try await auth.signIn(with: .emailLink(email: "ann@example.com", link: link))
        }
        let came = try await auth.signIn(with: .emailLink(email: "eve@evil.example", link: link)).user
        XCTAssertEqual(came.email, "eve@evil.example")
    }

    func testAT6_AProofOfLinkIsForItsIdentityAndAnEmptyOneIsNone() async throws {
        try await world.signUpVerifiedAnn()
        let mine = try await world.conflict { try await world.device("eve").signIn(with: world.facebook()) }
        let same = try await world.device("eve").resolve(mine, signingInWith: World.annsPassword).user
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await world.device("eve").resolve(mine, signingInWith: World.annsPassword)
        }
        let identity = try await world.account(same).identities.map(\.key.subject.text)
        XCTAssertEqual(identity, [SimulatedPerson.ann.subject(at: .facebook)])
        try await world.refusal(.invalidCredential) {
            try await world.device("eve").signIn(with: world.google(.eve, .init(subject: "")))
        }
    }

    func testAT7_EveryEntryDecidesAlike() async throws {
        try await world.signUpVerifiedAnn()
        try await world.device("other").signIn(with: world.facebook(.ben))
        let incoming: [AuthCredential] = [
            world.google(), world.google(.ann, world.work), world.google(.ben), world.google(.ben, world.work),
            world.facebook(.ben), world.gitHub(.ben),
            world.google(.ben, SimulatedToken(email: .absent)),
        ]
        for incoming in incoming {
            let verified = try await world.device("eve").verify(incoming)
            let foreseen = try await world.device("eve").previewSignIn(with: verified)
            let there = try await world.service.accounts(limit: .max)
            let byDevice = await authReasons { try await self.world.device("eve").signIn(with: verified) }
            let wentThrough = byDevice == nil
            if case .refused = foreseen.answer {
                XCTAssertFalse(wentThrough)
            } else {
                XCTAssertTrue(wentThrough)
            }
            if !wentThrough {
                let byService = await authReasons {
                    try await self.world.service.client(RequestContext(device: "other device")).signIn(with: incoming)
                }
                XCTAssertEqual(byService, byDevice)
                let after = try await world.service.accounts(limit: .max)
                XCTAssertEqual(there, after)
            }
        }
    }

    private func authReasons(_ act: () async throws -> some Any) async -> [Reason]? {
        do {
            _ = try await act()
            return nil
        } catch { return (error as? AuthError)?.reasons ?? [] }
    }

    func testAT8_ARecycledMailboxAtTheSameProviderIsAConflict() async throws {
        for (policy, isSafe) in [
            (AuthPolicy.standard, true), (AuthPolicy.weakened { $0.recycledSubject = .replaces }, false),
        ] {
            world.startOver(policy)
            let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
            var next = world.work
            next.subject = "the mailbox's next owner"
            if isSafe {
                try await world.refusal(.accountExistsWithDifferentCredential, .otherSubjectIsLinked) {
                    try await world.device("eve").signIn(with: world.google(.ann, next))
                }
            } else {
                let came = try await world.device("eve").signIn(with: world.google(.ann, next)).user
                XCTAssertEqual(came.uid, ann.uid, "who signs in where a new subject replaces the old one")
            }
        }
    }

    func testAT8_AProofOfMoreThanAYearAgoIsNotJoinedBy() async throws {
        for (policy, isSafe) in [
            (AuthPolicy.standard, true), (AuthPolicy.weakened { $0.evidenceLifetime = nil }, false),
        ] {
            world.startOver(policy)
            let ann = try await world.signUpVerifiedAnn()
            world.clock.advance(by: .seconds(366 * 86400))
            if isSafe {
                try await world.refusal(.accountExistsWithDifferentCredential, .ownerEvidenceIsNotFresh) {
                    try await world.device("eve").signIn(with: world.google(.ann, world.work))
                }
            } else {
                let came = try await world.device("eve").signIn(with: world.google(.ann, world.work)).user
                XCTAssertEqual(came.uid, ann.uid, "who signs in where a proof lasts for ever")
            }
        }
    }

    func testAT10_LookAlikeAddressesAreRefusedAndMailGoesWhereItAlwaysWent() async throws {
        try await world.signUpVerifiedAnn()
        for lookAlike in [
            "\u{212A}ann@example.com", "ann@example.c\u{0131}m", "ann@\u{017F}example.com", "\u{0130}ann@example.com",
            "\u{FF41}nn@example.com", "a\u{0308}nn@example.com", "\u{00E4}nn@example.com", "ann@ex\u{00E4}mple.com",
        ] {
            try await world.refusal(.invalidEmail, nil, lookAlike) {
                try await world.device("eve").signUp(email: lookAlike, password: world.evesPassword)
            }
            try await world.refusal(.invalidEmail, nil, lookAlike) {
                try await world.device("eve").sendPasswordReset(to: lookAlike)
            }
        }
        try await world.device("ann").sendPasswordReset(to: "ANN@Example.COM")
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .resetPassword))
    }

    func testAT11_SubjectsAreComparedByteForByte() async throws {
        var seen: Set<String> = []
        let spellings = [
            "subject", "Subject", "subject ", " subject", "subject<!-- -->", "subj\u{00E9}", "subje\u{0301}",
        ]
        for subject in spellings {
            let token = SimulatedToken(subject: subject, email: .absent)
            seen.insert(try await world.device("eve").signIn(with: world.google(.eve, token)).user.uid)
        }
        XCTAssertEqual(seen.count, spellings.count)
    }

    func testAT12_SessionsOfARemovedMethodAreOver() async throws {
        let lax = AuthPolicy.weakened {
            $0.removedMethod = .keepsItsSessions
            $0.revokesSessionsOn.remove(.unlink)
        }
        for (policy, isSafe) in [(AuthPolicy.standard, true), (lax, false)] {
            world.startOver(policy)
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.gitHub(.eve))
            let thief = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
            let tokens = try await thief.issueTokens()
            try await ann.unlink(.gitHub)
            let reloads = await world.succeeds { try await thief.reload() }
            XCTAssertEqual(reloads, !isSafe)
            let refreshes = await world.succeeds { try await self.world.service.client().refresh(tokens.refreshToken) }
            XCTAssertEqual(refreshes, !isSafe)
        }
    }

    /// Where several accounts may have one address, a link takes it from none.
    func testALinkUnderSharedAddressesTakesNoOtherAccountsPassword() async throws {
        world.policy.accountsPerEmail = .multiple
        let first = try await world.device("first").signUp(email: "ann@gmail.com", password: World.password).user
        let phone = world.device("second")
        let second = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        try await second.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        let kept = try await world.account(first)
        XCTAssertEqual(kept.email?.text, "ann@gmail.com")
        XCTAssertEqual(kept.methods.map(\.kind.provider), [.password])
    }
}

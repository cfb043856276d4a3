@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-1 to AT-12: attacks by what a provider says and by whose identity it is.
final class LinkingAttackTests: AttackTestCase {
    private let tenant = "https://login.microsoftonline.com/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0"

    func testAT1_AnotherTenantsWordAboutAnAddressIsNoKey() async throws {
        for (policy, isSafe) in [(AuthPolicy.standard, true), (.firebase, false)] {
            for claims: [String: ClaimValue] in [[:], ["xms_edov": .bool(true)]] {
                let microsoft = SimulatedProvider(.microsoft, issuer: tenant)
                let world = World(policy, providers: AuthProviders([microsoft]))
                let ann = try await world.provenUser(in: world.seat("ann"))
                let disguised = SimulatedPerson.eve.with(email: "ann@example.com")
                let token = SimulatedToken(address: .verified, claims: claims)
                let credential = microsoft.credential(for: disguised, saying: token, at: world.clock.now)
                let came = try? await world.seat("eve").signIn(with: credential).user
                XCTAssertEqual(came?.uid != ann.uid, isSafe, "\(claims)")
                // A missing claim makes it a claim and no conflict; a tenant that proves its domain may meet one.
                if isSafe { XCTAssertEqual(came == nil, !claims.isEmpty) }
            }
        }
    }

    func testAT2_AnAddressThatChangesAtTheProviderMovesNobody() async throws {
        let ann = try await signUpProvenAnn()
        let eve = try await seat("eve").signIn(with: gitHub(.eve)).user
        let disguised = SimulatedPerson.eve.with(email: "ann@example.com")
        let again = try await seat("eve").signIn(with: gitHub(disguised)).user
        XCTAssertEqual(again.uid, eve.uid)
        XCTAssertEqual(again.email, "eve@example.com")
        try await refusal(.accountExistsWithDifferentCredential, .providerDoesNotProveAddress) {
            try await seat("eve").signIn(with: google(disguised))
        }
        let after = try await account(ann)
        XCTAssertEqual(after.methods.count, 1)
    }

    func testAT2_BitesWhereAProvidersFlagIsBelieved() async throws {
        startOver(.firebase)
        let ann = try await signUpProvenAnn()
        let came = try await seat("eve").signIn(with: google(SimulatedPerson.eve.with(email: "ann@example.com"))).user
        XCTAssertEqual(came.uid, ann.uid)
    }

    func testAT3_AUserNameIsNobodysName() async throws {
        var namesake = SimulatedPerson.eve
        namesake.username = SimulatedPerson.ann.username
        var renamed = SimulatedPerson.ann
        renamed.username = "somebody-else"
        let ann = try await seat().signIn(with: gitHub()).user
        let eve = try await seat("eve").signIn(with: gitHub(namesake)).user
        let again = try await seat("tablet").signIn(with: gitHub(renamed)).user
        XCTAssertNotEqual(eve.uid, ann.uid)
        XCTAssertEqual(again.uid, ann.uid)
    }

    func testAT4_AConflictIsFinishedWhereItBeganOrNotAtAll() async throws {
        let ann = try await signUpProvenAnn(seat("ann"))
        let eves = SimulatedPerson.eve.with(email: "ann@example.com")
        let conflict = try await conflict { try await seat("eve").signIn(with: facebook(eves)) }
        try await refusal(.seatMismatch, .pendingIdentityIsOfAnotherSeat) {
            try await seat("ann").resolve(conflict, signingInWith: Self.annsPassword)
        }
        try await refusal(.seatMismatch) { try await ann.link(with: .pending(conflict.pending)) }
        try await refusal(.invalidCredential) {
            try await seat("eve").resolve(conflict, signingInWith: .password(email: "ann@example.com", password: "?"))
        }
        // Nothing was used up: whoever sits there may still finish it.
        try await seat("eve").resolve(conflict, signingInWith: Self.annsPassword)
    }

    func testAT5_TheAccountFollowsFromTheProofAndNotFromWhatTheCallerSays() async throws {
        try await signUpProvenAnn()
        let auth = seat("eve")
        try await auth.sendSignInLink(to: "eve@evil.example")
        let link = try XCTUnwrap(outbox.last(to: "eve@evil.example", .signInLink)?.link)
        try await refusal(.invalidEmail) {
            try await auth.signIn(with: .emailLink(email: "ann@example.com", link: link))
        }
        let came = try await auth.signIn(with: .emailLink(email: "eve@evil.example", link: link)).user
        XCTAssertEqual(came.email, "eve@evil.example")
    }

    func testAT6_AProofOfLinkIsForItsIdentityAndAnEmptyOneIsNone() async throws {
        try await signUpProvenAnn()
        let mine = try await conflict { try await seat("eve").signIn(with: facebook()) }
        let same = try await seat("eve").resolve(mine, signingInWith: Self.annsPassword).user
        try await refusal(.invalidCredential, .pendingIdentityIsOver) {
            try await seat("eve").resolve(mine, signingInWith: Self.annsPassword)
        }
        let identity = try await account(same).identities.map(\.key.subject.text)
        XCTAssertEqual(identity, [SimulatedPerson.ann.subject(at: .facebook)])
        try await refusal(.invalidCredential) { try await seat("eve").signIn(with: google(.eve, .init(subject: ""))) }
    }

    func testAT7_EveryEntryDecidesAlike() async throws {
        try await signUpProvenAnn()
        try await seat("other").signIn(with: facebook(.ben))
        let arrivals: [AuthCredential] = [
            google(), google(.ann, work), google(.ben), google(.ben, work), facebook(.ben), gitHub(.ben),
            google(.ben, SimulatedToken(email: .absent)),
        ]
        for arrival in arrivals {
            let verified = try await seat("eve").verify(arrival)
            let foreseen = try await seat("eve").preview(signInWith: verified)
            let there = try await service.accounts(limit: .max)
            let bySeat = await authReasons { try await self.seat("eve").signIn(with: verified) }
            let wentThrough = bySeat == nil
            if case .refused = foreseen.answer {
                XCTAssertFalse(wentThrough)
            } else {
                XCTAssertTrue(wentThrough)
            }
            if !wentThrough {
                let byService = await authReasons {
                    try await self.service.client(RequestContext(seat: "other seat")).signIn(with: arrival)
                }
                XCTAssertEqual(byService, bySeat)
                let after = try await service.accounts(limit: .max)
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
            (AuthPolicy.standard, true), (Self.weakened { $0.recycledSubject = .replaces }, false),
        ] {
            startOver(policy)
            let ann = try await seat().signIn(with: google(.ann, work)).user
            var next = work
            next.subject = "the mailbox's next owner"
            let came = try? await seat("eve").signIn(with: google(.ann, next)).user
            XCTAssertEqual(came?.uid == ann.uid, !isSafe)
        }
    }

    func testAT8_AProofOfMoreThanAYearAgoIsNotJoinedBy() async throws {
        for (policy, isSafe) in [(AuthPolicy.standard, true), (Self.weakened { $0.evidenceLifetime = nil }, false)] {
            startOver(policy)
            let ann = try await signUpProvenAnn()
            clock.advance(by: 366 * 86400)
            let came = try? await seat("eve").signIn(with: google(.ann, work)).user
            XCTAssertEqual(came?.uid == ann.uid, !isSafe)
        }
    }

    func testAT10_LookAlikeAddressesAreRefusedAndMailGoesWhereItAlwaysWent() async throws {
        try await signUpProvenAnn()
        for lookAlike in [
            "\u{212A}ann@example.com", "ann@example.c\u{0131}m", "ann@\u{017F}example.com", "\u{0130}ann@example.com",
            "\u{FF41}nn@example.com", "a\u{0308}nn@example.com", "\u{00E4}nn@example.com", "ann@ex\u{00E4}mple.com",
        ] {
            try await refusal(.invalidEmail, nil, lookAlike) {
                try await seat("eve").signUp(email: lookAlike, password: evesPassword)
            }
            try await refusal(.invalidEmail, nil, lookAlike) { try await seat("eve").sendPasswordReset(to: lookAlike) }
        }
        try await seat("ann").sendPasswordReset(to: "ANN@Example.COM")
        XCTAssertNotNil(outbox.last(to: "ann@example.com", .resetPassword))
    }

    func testAT11_SubjectsAreComparedByteForByte() async throws {
        var seen: Set<String> = []
        let spellings = [
            "subject", "Subject", "subject ", " subject", "subject<!-- -->", "subj\u{00E9}", "subje\u{0301}",
        ]
        for subject in spellings {
            let token = SimulatedToken(subject: subject, email: .absent)
            seen.insert(try await seat("eve").signIn(with: google(.eve, token)).user.uid)
        }
        XCTAssertEqual(seen.count, spellings.count)
    }

    func testAT12_SessionsOfARemovedMethodAreOver() async throws {
        let lax = Self.weakened {
            $0.removedMethod = .keepsItsSessions
            $0.epochRaises.remove(.unlink)
        }
        for (policy, isSafe) in [(AuthPolicy.standard, true), (lax, false)] {
            startOver(policy)
            let ann = try await signUpProvenAnn()
            try await ann.link(with: gitHub(.eve))
            let thief = try await seat("eve").signIn(with: gitHub(.eve)).user
            let tokens = try await thief.issueTokens()
            try await ann.unlink(.gitHub)
            let reloads = await succeeds { try await thief.reload() }
            XCTAssertEqual(reloads, !isSafe)
            let refreshes = await succeeds { try await self.service.client().refresh(tokens.refreshToken) }
            XCTAssertEqual(refreshes, !isSafe)
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is left of one rule when another acts.
final class LeftoverAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// S15 and S9: the identity that gives way to an incoming one is removed by its owner like any other.
    func testS15_AnIdentityThatGivesWayInARecoveryLeavesItsIssuerBlocked() async throws {
        let world = World(.standard, providers: AuthProviders([SimulatedProvider.google, tenant(1)]))
        let ann = try await world.verifiedUser(in: world.device())
        let first = tenant(1).credential(for: .eve, at: world.clock.now)
        try await ann.link(with: first)
        let second = World(.standard, providers: AuthProviders([SimulatedProvider.google, tenant(2)])) {
            $0.store = world.store
            $0.environment = .manual(world.clock, seed: 2)
        }
        let auth = second.device()
        let token = SimulatedToken(claims: ["xms_edov": true])
        let incoming = tenant(2).credential(for: .ann, saying: token, at: second.clock.now)
        let error = await authError { try await auth.signIn(with: incoming) }
        let conflict = try XCTUnwrap(error?.conflict)
        try await auth.sendSignInLink(to: "ann@example.com")
        let link = try XCTUnwrap(second.outbox.last(to: "ann@example.com", .signInLink)?.link)
        let back = try await auth.resolve(conflict, signingInWith: .emailLink(email: "ann@example.com", link: link))
            .user
        XCTAssertEqual(back.uid, ann.uid)
        let account = try await second.service.account(ann.account.id)
        XCTAssertEqual(account.blockedIssuers.map(\.text), [tenant(1).issuer])
    }

    /// S15: so is the identity that a merge replaces because its owner chose the other one.
    func testS15_AnIdentityThatAMergeReplacesLeavesItsIssuerBlocked() async throws {
        let world = World(.standard, providers: AuthProviders([tenant(1)]))
        let ann = try await world.verifiedUser(in: world.device())
        try await ann.link(with: tenant(1).credential(for: .ann, at: world.clock.now))
        let second = World(.standard, providers: AuthProviders([tenant(2)])) {
            $0.store = world.store
            $0.environment = .manual(world.clock, seed: 2)
        }
        let incoming = tenant(2).credential(for: .ben, at: world.clock.now)
        _ = try await second.device("ben").signIn(with: incoming)
        world.clock.advance(by: .seconds(8 * 86400))
        let client = second.service.client(second.context)
        let again = tenant(2).credential(for: .ben, at: world.clock.now)
        let sides = try await (second.side(again), second.side(World.annsPassword))
        try await client.merge(sides.0, into: sides.1, choices: [.microsoft])
        let account = try await second.service.account(ann.account.id)
        XCTAssertEqual(account.identities.map(\.key.issuer.text), [tenant(2).issuer])
        XCTAssertEqual(account.blockedIssuers.map(\.text), [tenant(1).issuer])
    }

    private func tenant(_ number: Int) -> SimulatedProvider {
        let id = String(repeating: "\(number)", count: 8) + "-1111-1111-1111-111111111111"
        return SimulatedProvider(.microsoft, issuer: "https://login.microsoftonline.com/\(id)/v2.0")
    }

    /// S19 and S23: whoever takes a stolen change of the address back keeps the account too.
    func testS19_ARecoveredAddressTakesTheDeletionBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86400))
        let thief = try await world.device("eve").signIn(with: World.annsPassword).user
        try await thief.sendEmailVerification(beforeUpdatingTo: "eve@example.com")
        try await world.device("eve").applyActionCode(try world.code(.changeEmail, to: "eve@example.com"))
        try await thief.reload()
        try await thief.delete()
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        world.clock.advance(by: .seconds(8 * 86400))
        try await world.service.sweep()
        let back = try await world.service.account(ann.account.id)
        XCTAssertEqual(back.email?.text, "ann@example.com")
        XCTAssertNil(back.deletedUntil)
    }

    /// S28: an imported verified address is its owner's, also where the file says nothing else.
    func testS28_AnImportedVerifiedAccountIsNotAdopted() async throws {
        var ann = Account(id: "ann", createdAt: Timestamp(milliseconds: 1_500_000_000_123))
        let address = try XCTUnwrap(EmailAddress("ann@gmail.com"))
        ann.email = address
        ann.reservesEmail = true
        ann.displayName = "Ann"
        _ = ann.setPassword(PasswordHash(tagged: "$cheap$AAAA$BBBB"), at: ann.createdAt)
        ann.note(.email(address), .imported(trusted: false), at: ann.createdAt)
        let world = World(.standard)
        let outcome = try await world.service.bring(ann, lastSignIn: nil, trustedForJoin: false)
        XCTAssertEqual(outcome, .created)
        let gmail = SimulatedToken(email: "ann@gmail.com")
        let auth = world.device()
        let error = await authError { try await auth.signIn(with: world.credential(.google, .ann, saying: gmail)) }
        XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential)
        try await auth.sendSignInLink(to: "ann@gmail.com")
        let link = try XCTUnwrap(world.outbox.last(to: "ann@gmail.com", .signInLink)?.link)
        let mailed = AuthCredential.emailLink(email: "ann@gmail.com", link: link)
        let user = await self.world.succeeds { try await auth.signIn(with: mailed) }
        let account = try await world.service.account("ann")
        XCTAssertEqual(account.displayName, "Ann", "signed in: \(user)")
        XCTAssertTrue(account.methods.contains { $0.kind.methodKind == .password })
    }

    /// S20 and AT-9: what a provider said that has lost its authority spares its identity no suspension.
    func testAT9_ADowngradedProvidersIdentityIsNotSparedByAReset() async throws {
        let world = World(.standard)
        let ann = try await world.verifiedUser("ann@gmail.com", in: world.device())
        try await ann.link(with: world.credential(.google, .eve, saying: SimulatedToken(email: "ann@gmail.com")))
        let strict = AuthPolicy.weakened { $0.addressTrust = .authorities(AuthPolicy.AddressAuthorities()) }
        let later = World(strict) {
            $0.store = world.store
            $0.environment = .manual(world.clock, seed: 2)
        }
        try await later.device("mail").sendPasswordReset(to: "ann@gmail.com")
        let report = try await later.device("mail").confirmPasswordReset(
            code: later.newestCode,
            newPassword: "anns own word"
        )
        XCTAssertEqual(report.suspended.map(\.provider), [.google])
    }

    /// S1: the domains of a pinned authority are looked at each time, like the authority itself.
    func testAT9_ADomainThatIsTakenFromAnAuthorityProvesNothingAnyMore() async throws {
        func pinned(_ domains: Set<String>) -> AuthPolicy {
            let authority = AuthPolicy.AddressAuthorities.Authority(domains: domains)
            return AuthPolicy.weakened {
                $0.addressTrust = .authorities(
                    AuthPolicy.AddressAuthorities(authorities: ["https://accounts.google.com": authority])
                )
            }
        }
        let world = World(pinned(["example.com", "other.example"]))
        let ann = try await world.device().signIn(with: world.credential(.google)).user
        XCTAssertTrue(ann.isEmailVerified)
        let later = World(pinned(["other.example"])) { $0.store = world.store }
        let account = try await later.service.account(ann.account.id)
        XCTAssertFalse(later.service.isEmailVerified(account))
    }

    /// S1: Entra's older issuers repeat what administrators typed, too.
    func testAT1_EveryIssuerOfEntraNeedsTheDomainOwnersWord() async throws {
        for issuer in [
            "https://sts.windows.net/11111111-1111-1111-1111-111111111111/",
            "https://login.microsoftonline.us/11111111-1111-1111-1111-111111111111/v2.0",
            "https://login.partner.microsoftonline.cn/11111111-1111-1111-1111-111111111111/v2.0",
        ] {
            let microsoft = SimulatedProvider(.microsoft, issuer: issuer)
            let world = World(.standard, providers: AuthProviders([microsoft]))
            let ann = try await world.verifiedUser(in: world.device())
            let token = SimulatedToken(address: .verified)
            let eve = microsoft.credential(for: .ann, saying: token, at: world.clock.now)
            let other = try await world.device("eve").signIn(with: eve).user
            XCTAssertNotEqual(other.uid, ann.uid, issuer)
        }
    }

    /// S21: the first factor that counts ends the other sessions, whatever suspended ones there are.
    func testS21_TheFirstFactorThatCountsEndsTheOtherSessions() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollPhone(ann, world.evesNumber)
        try await world.device("mail").reportUnauthorizedChange(
            code: try world.code(.factorAdded, to: "ann@example.com")
        )
        let other = try await world.device("laptop").signIn(with: World.annsPassword).user
        let again = try await world.device().signIn(with: World.annsPassword).user
        try await world.enrollTOTP(again)
        try await world.refusal(.userTokenExpired) { try await other.reload() }
    }

    /// S17: a verification mail dies with its address, also where the address comes back.
    func testS17_AVerificationMailDiesWithItsAddress() async throws {
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let verification = try world.code(.verifyEmail, to: "ann@example.com")
        try await ann.updateEmail(to: "other@example.com")
        try await ann.updateEmail(to: "ann@example.com")
        try await world.refusal(.invalidActionCode) { try await world.device("mail").applyActionCode(verification) }
    }

    /// S17: a replacement that leaves the address where it is leaves its verification alone.
    func testS17_AVerificationMailOutlivesAReplacementUnderTheSameAddress() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await ann.sendEmailVerification()
        let verification = try world.code(.verifyEmail, to: "ann@example.com")
        try await ann.replace(.password, with: World.annsPassword)
        try await world.device("mail").applyActionCode(verification)
        let account = try await world.account(ann)
        XCTAssertTrue(account.evidence.contains { $0.source == .mailboxCode && $0.count == 2 }, "\(account.evidence)")
    }

    /// S22: a number whose proof is old is no proof of who one is, in a session as at the door.
    func testS22_AnOldNumberRenewsNoLogin() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.evesNumber, from: world.device()))
        world.clock.advance(by: .seconds(100 * 86400))
        let session = try await world.device().signIn(with: World.annsPassword).user
        let number = try await world.digits(to: world.evesNumber, from: world.device())
        try await world.refusal(.requiresRecentLogin, .numberVerificationIsOld) {
            try await session.reauthenticate(with: number)
        }
    }

    /// S4: a changed address at the provider that runs the mailbox makes what was shown of the old one stale.
    func testS4_AChangedAddressAtItsProviderMakesTheOldOnesEvidenceStale() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        try await world.verifyAddress(of: ann)
        let moved = SimulatedToken(email: .text("ann.smith@example.com"), hostedDomain: "example.com")
        _ = try await world.device("laptop").signIn(with: world.google(.ann, moved))
        let after = try await world.account(ann)
        XCTAssertFalse(world.service.isEmailVerified(after))
    }

    /// S18: the address that the provider runs and now names is one at which its person is told.
    func testS18_TheAddressThatAProviderMovedToIsTold() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        let moved = SimulatedToken(email: .text("ann.smith@example.com"), hostedDomain: "example.com")
        let again = try await world.device("laptop").signIn(with: world.google(.ann, moved)).user
        XCTAssertEqual(again.uid, ann.uid)
        try await again.link(with: world.gitHub(.ben))
        XCTAssertNotNil(world.outbox.last(to: "ann.smith@example.com", .methodAdded))
    }

    /// S4: a proof that is shown again is as old as the last time.
    func testS4_AProofThatIsShownAgainIsFresh() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google(.ann, world.work)).user
        for _ in 0..<14 {
            world.clock.advance(by: .seconds(30 * 86400))
            _ = try await world.device("laptop").signIn(with: world.google(.ann, world.work))
        }
        let user = try await world.device("mail").signIn(
            with: world.mailedLink(to: "ann@example.com", from: world.device("mail"))
        ).user
        XCTAssertEqual(user.uid, ann.uid)
        let account = try await world.account(ann)
        XCTAssertGreaterThan(
            try XCTUnwrap(account.evidence.first?.lastAt),
            world.clock.timestamp - .seconds(365 * 86400)
        )
    }

    func testS4_AnIdentityThatReauthenticatesIsFresh() async throws {
        let ann = try await world.device().signIn(with: world.google(.ann, world.work)).user
        for _ in 0..<14 {
            world.clock.advance(by: .seconds(25 * 86400))
            try await ann.reauthenticate(with: world.google(.ann, world.work))
        }
        let evidence = try await world.account(ann).evidence
        let last = try XCTUnwrap(evidence.first?.lastAt, "what Google said of the address")
        XCTAssertGreaterThan(last, world.clock.timestamp - .seconds(60 * 86400), "when Google said it last")
    }

    /// S22 and S20: a number that a recovery suspended, and that another person has by now, is theirs to start fresh
    /// with.
    func testS22_ASuspendedNumberDoesNotKeepItsNextHolderOut() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.evesNumber, from: world.device()))
        try await world.reset()
        let auth = world.device("next")
        let early = try await world.digits(to: world.evesNumber, from: auth)
        try await world.refusal(.rejectedCredential, .methodIsSuspended) { try await auth.signIn(with: early) }
        world.clock.advance(by: .seconds(91 * 86400))
        let late = try await world.digits(to: world.evesNumber, from: auth)
        let met = try await world.conflict { try await auth.signIn(with: late) }
        let next = try await auth.createSeparateAccount(from: met).user
        XCTAssertNotEqual(next.uid, ann.uid)
        let account = try await world.account(ann)
        XCTAssertEqual(account.providerData.map(\.provider), [.password])
    }

    /// S20: a number that somebody else put there gives way to the owner's, as an identity does.
    func testS20_ASuspendedNumberGivesWayToTheOwnersOwn() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.digits(to: world.evesNumber, from: world.device()))
        try await world.reset()
        let back = try await world.device().signIn(with: .password(email: "ann@example.com", password: "anns own word"))
            .user
        try await back.link(with: world.digits(to: world.number, from: world.device()))
        let account = try await world.account(back)
        XCTAssertEqual(account.phoneNumber?.text, world.number)
        XCTAssertTrue(account.methods.allSatisfy(\.isActive))
    }

    /// S7 and S9: what was blocked stays so through a claim of another person's identity and a merge.
    func testS15_ABlockedIssuerStaysBlockedThroughARecovery() async throws {
        let gmail = SimulatedToken(email: "ann@gmail.com")
        let ann = try await world.device().signUp(email: "ann@gmail.com", password: World.password).user
        try await world.verifyAddress(of: ann)
        try await ann.link(with: world.google(.ann, gmail))
        try await ann.unlink(.google)
        let met = try await world.conflict {
            try await world.device("eve").signIn(with: gitHubWithAddress("ann@gmail.com"))
        }
        _ = try await world.device("eve").resolve(
            met,
            signingInWith: world.mailedLink(to: "ann@gmail.com", from: world.device("eve"))
        )
        let after = try await world.account(ann)
        XCTAssertEqual(
            Set(after.blockedIssuers.map(\.text)),
            SimulatedProvider.google.issuers,
            "the issuers that stay blocked"
        )
        try await world.refusal(.accountExistsWithDifferentCredential, .issuerIsBlocked, "the removed identity") {
            try await world.device("google").signIn(with: world.google(.ann, gmail))
        }
    }

    private func gitHubWithAddress(_ email: String) -> AuthCredential {
        let token = SimulatedToken(email: .text(email), address: .verified)
        return .simulated(.gitHub, .ben, saying: token, at: world.clock.now)
    }

    /// S27 and S21: the moment that a server's token states outlasts the question for the factor.
    func testS27_AStatedMomentOutlastsTheQuestionForTheFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        for (stated, isRecent) in [(world.clock.now, true), (world.clock.now.addingTimeInterval(-3600), false)] {
            world.clock.advance(by: .seconds(30))
            let token = try await world.service.makeCustomToken(
                for: ann.account.id,
                claims: ["plan": "gold"],
                authenticatedAt: stated
            )
            let auth = world.device("server")
            let owed = try await world.challenge { try await auth.signIn(with: .customToken(token)) }
            let user = try await auth.resolve(owed, with: .totp(world.totp(enrollment))).user
            let claims = try await user.idTokenResult().claims
            XCTAssertEqual(claims["plan"], "gold")
            XCTAssertEqual(claims["auth_time"], .integer(Int64(stated.timeIntervalSince1970)))
            let links = await world.succeeds {
                try await user.link(with: isRecent ? world.gitHub(.ben) : world.facebook(.ben))
            }
            XCTAssertEqual(links, isRecent)
        }
    }

    /// S21: whoever can object to a recovery hears of it.
    func testS21_TheBeginningOfAFactorRecoveryIsTold() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let auth = world.device("eve")
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        _ = try await world.service.client(RequestContext(device: "eve")).recoverFromLostFactors(with: link.mailed)
        let told = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .factorRecoveryBegun))
        XCTAssertEqual(told.code, "")
        XCTAssertNil(told.link)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S31: visits to providers and nonces, each of which leaves a record for a while.
final class VisitLimitTests: LimitedTestCase {
    private var world = World(.standard)

    override func setUp() {
        var policy = AuthPolicy.standard
        policy.limits?.visitsFromOrigin = 20
        policy.limits?.visitsOfAccount = 10
        world.policy = policy
    }

    func testS31_AnOriginBeginsALimitedNumberOfVisits() async throws {
        let world = world
        let (here, elsewhere) = (world.stranger(at: "192.0.2.9"), world.stranger(at: "192.0.2.10"))
        var counts = await outcomes(inParallel: 100) { index in
            if index.isMultiple(of: 2) { _ = try await here.nonce(for: .signIn) } else { try await world.begin(here) }
        }
        XCTAssertEqual(counts, [nil: 20, .tooManyRequests: 80], "visits and nonces of one origin")
        try await world.begin(elsewhere)
        // Whoever is signed in there still links and authenticates, up to a number of their own.
        try await world.signUpVerifiedAnn()
        let ann = try await here.signIn(with: World.annsPassword).user
        counts = await outcomes(of: 12) { index in
            switch index % 3 {
            case 0: _ = try await ann.nonce(for: .link)
            case 1: _ = try await ann.nonce(for: .reauthenticate)
            default: try await world.begin(here, ann)
            }
        }
        XCTAssertEqual(counts, [nil: 10, .tooManyRequests: 2], "visits and nonces of one session")
        // A stolen session does not keep its owner from anything; all sessions together have five times as many.
        let other = try await elsewhere.signIn(with: World.annsPassword).user
        counts = await outcomes(of: 11) { _ in _ = try await other.nonce(for: .reauthenticate) }
        XCTAssertEqual(counts, [nil: 10, .tooManyRequests: 1], "nonces of another session of the account")
        world.clock.advance(by: .seconds(600))
        try await world.begin(here)
        _ = try await ann.nonce(for: .reauthenticate)
    }

    /// One token, shown again and again, would fill the store with what waits for an answer.
    func testS31_AnOriginLeavesALimitedNumberOfConflictsAndChallenges() async throws {
        let world = world
        try await world.signUpVerifiedAnn()
        let says = SimulatedToken(email: .text("eve@gmail.com"))
        let eve = try await world.signUp("eve@example.com", linking: world.google(.eve, says))
        try await world.enrollTOTP(eve)
        let cases: [(String, AuthErrorCode, AuthCredential)] = [
            ("challenges", .secondFactorRequired, world.google(.eve, says)),
            ("conflicts", .accountExistsWithDifferentCredential, world.facebook()),
        ]
        for (index, (what, code, token)) in cases.enumerated() {
            let here = world.stranger(at: "192.0.2.\(index)")
            let counts = await outcomes(inParallel: 100) { _ in try await here.signIn(with: token) }
            XCTAssertEqual(counts, [code: 20, .tooManyRequests: 80], what)
            let elsewhere = await outcome { try await world.stranger(at: "192.0.2.99").signIn(with: token) }
            XCTAssertEqual(elsewhere, code, "\(what) of another origin")
        }
        let account = Lookup.Reference.account(eve.account.id)
        let seen = try await world.store.whole.load([.records(of: account, .factorChallenge)])
        XCTAssertEqual(seen.records(of: account, .factorChallenge).count, 21, "challenges that wait")
        // Who needs no factor never waits.
        let here = world.stranger(at: "192.0.2.0")
        let plain = await outcomes(of: 30) { _ in try await here.signIn(with: world.gitHub(.ben)) }
        XCTAssertEqual(plain, [nil: 30], "sign-ins with a known identity")
    }

    /// Strangers at the same origin, such as behind one router, use up its visits; on a device that the account knows,
    /// its owner is still asked for the factor, up to a number of challenges of their own.
    func testS31_AKnownDeviceHasChallengesOfItsOwn() async throws {
        let world = world
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let (here, known) = (
            world.stranger(at: "192.0.2.9"), world.service.client(for: ann.device, origin: .address("192.0.2.9"))
        )
        let flood = await outcomes(of: 30) { _ in _ = try await here.nonce(for: .signIn) }
        XCTAssertEqual(flood, [nil: 20, .tooManyRequests: 10], "nonces of the origin")
        let counts = await outcomes(of: 11) { _ in try await known.signIn(with: World.annsPassword) }
        XCTAssertEqual(counts, [.secondFactorRequired: 10, .tooManyRequests: 1], "challenges on a known device")
        let unknown = await outcome { try await here.signIn(with: World.annsPassword) }
        XCTAssertEqual(unknown, .tooManyRequests, "a challenge on an unknown device at the same origin")
        let elsewhere = await outcome { try await world.stranger(at: "192.0.2.10").signIn(with: World.annsPassword) }
        XCTAssertEqual(elsewhere, .secondFactorRequired, "a challenge elsewhere")
    }

    func testConflictsOfAMailboxOnAKnownDeviceAreNotCountedByOrigin() async throws {
        let world = world
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.gitHub())
        let (here, known) = (
            world.stranger(at: "192.0.2.9"), world.service.client(for: ann.device, origin: .address("192.0.2.9"))
        )
        let flood = await outcomes(of: 21) { _ in _ = try await here.nonce(for: .signIn) }
        XCTAssertEqual(flood, [nil: 20, .tooManyRequests: 1], "nonces of the origin")
        for (client, expected) in [
            (known, AuthErrorCode.accountExistsWithDifferentCredential), (here, .tooManyRequests),
        ] {
            try await client.sendSignInLink(to: "ann@example.com")
            let link = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .signInLink)?.link)
            await assertThrows(expected, "a mailed link to an account that it does not cover") {
                try await client.signIn(with: .emailLink(email: "ann@example.com", link: link))
            }
        }
    }

    func testAVisitThatIsRefusedBeforeItBeginsIsNotCounted() async throws {
        self.world.policy.disabledProviders = [.gitHub]
        let world = world
        let long = "https://example.com/" + String(repeating: "a", count: 3000)
        let cases: [(String, AuthErrorCode, (AuthClient) async throws -> Void)] = [
            ("a provider that is disabled", .operationNotAllowed, { try await world.begin($0, with: .gitHub) }),
            ("an address that is too long", .textTooLong, { try await world.begin($0, redirectURI: long) }),
        ]
        for (index, (what, code, begin)) in cases.enumerated() {
            let here = world.stranger(at: "192.0.2.\(index)")
            let counts = await outcomes(of: 21) { _ in try await begin(here) }
            XCTAssertEqual(counts, [code: 21], what)
            let visit = await outcome { try await world.begin(here) }
            XCTAssertNil(visit, "a visit after \(what)")
        }
    }

    /// Each leaves records for a week, and asks the app's hooks.
    func testS31_AnOriginMergesALimitedNumberOfAccounts() async throws {
        self.world.policy.linkNonce = .never
        let world = world
        let here = world.stranger(at: "192.0.2.9")
        _ = try await here.signIn(with: world.gitHub())
        _ = try await here.signIn(with: world.facebook(.ben))
        var (from, to) = (world.gitHub(), world.facebook(.ben))
        _ = try await here.signIn(with: from).user.link(with: world.google())
        let counts = await outcomes(of: 25) { _ in
            _ = try await here.move(.google, from: .verified(here.verify(from)), to: .verified(here.verify(to)))
            (from, to) = (to, from)
        }
        XCTAssertEqual(counts, [nil: 20, .tooManyRequests: 5], "moves of one origin")
    }

    /// Strangers at the same origin, such as behind one router, use up its visits.
    func testAMergeIntoAnAccountThatKnowsTheDeviceIsNotCountedByOrigin() async throws {
        let world = world
        let ann = try await world.signUpVerifiedAnn()
        try await world.device("ben").signIn(with: world.gitHub(.ben))
        let (here, known) = (
            world.stranger(at: "192.0.2.9"), world.service.client(for: ann.device, origin: .address("192.0.2.9"))
        )
        let flood = await outcomes(of: 21) { _ in _ = try await here.nonce(for: .signIn) }
        XCTAssertEqual(flood, [nil: 20, .tooManyRequests: 1], "nonces of the origin")
        for (client, expected) in [(here, AuthErrorCode.tooManyRequests), (known, nil)] {
            let outcome = await outcome {
                let source = try await client.verify(world.gitHub(.ben))
                try await client.merge(.verified(source), into: .verified(client.verify(World.annsPassword)))
            }
            XCTAssertEqual(outcome, expected, "a merge into Ann's account")
        }
    }

    func testARefusalThatStoresNothingIsNoVisit() async throws {
        let here = world.stranger(at: "192.0.2.9")
        let counts = await outcomes(of: 30) {
            try await here.signIn(with: self.world.guess(0, "p\($0)@example.com"))
        }
        XCTAssertEqual(counts, [.invalidCredential: 30], "wrong passwords, which leave nothing in the store")
        let visit = await outcome { try await world.begin(here) }
        XCTAssertNil(visit, "a visit after them")
    }

    func testS31_ASessionLeavesALimitedNumberOfConflicts() async throws {
        self.world.policy.linkNonce = .never
        let world = world
        try await world.device("ben").signIn(with: world.gitHub(.ben))
        try await world.signUpVerifiedAnn()
        let ann = try await world.stranger(at: "192.0.2.9").signIn(with: World.annsPassword).user
        let counts = await outcomes(of: 12) { _ in try await ann.link(with: world.gitHub(.ben)) }
        XCTAssertEqual(counts, [.credentialAlreadyInUse: 10, .tooManyRequests: 2], "conflicts of one session")
    }

    func testS31_OperatorsAreWarnedOfRequestsWhoseOriginIsUnknown() async throws {
        _ = await outcome { try await self.world.stranger().signIn(with: self.world.guess(0)) }
        _ = await outcome {
            try await self.world.service.client(for: nil, origin: .local).signIn(with: self.world.guess(1))
        }
        XCTAssertEqual(world.service.warnings, [])
        for origin in [RequestOrigin.unknown, .unknown, .address("")] {
            _ = await outcome {
                try await self.world.service.client(for: nil, origin: origin).signIn(with: self.world.guess(2))
            }
            XCTAssertEqual(world.service.warnings, [.originIsUnknown])
        }
        let another = World(world.policy).service
        _ = await outcome { try await another.client(for: nil, origin: .address("")).signIn(with: self.world.guess(2)) }
        XCTAssertEqual(another.warnings, [.originIsUnknown], "an empty address is none")
    }
}

extension World {
    /// Begins a visit to a provider, to sign in or to link.
    fileprivate func begin(
        _ client: AuthClient,
        _ user: User? = nil,
        with provider: ProviderID = .google,
        redirectURI: String = "https://example.com/back"
    ) async throws {
        let intent: Store.Authorization.Intent = user.map { .link($0.session.id) } ?? .signIn
        _ = try await service.beginAuthorization(
            intent,
            with: provider,
            redirectURI: redirectURI,
            by: user?.handle,
            client.context
        )
    }
}

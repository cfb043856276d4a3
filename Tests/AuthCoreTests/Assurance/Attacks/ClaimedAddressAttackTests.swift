import AuthCore
import AuthCoreTesting
import XCTest

/// AT-36: what strangers make does not decide what the owner's operations cost, and no race hides it from a decision.
final class ClaimedAddressAttackTests: LimitedTestCase {
    /// Two identities whose providers confirmed one address sign in at once: the second decision sees the first
    /// account.
    func testAT36_OfTwoSignInsThatBothSawNoAccountWithAnAddressOnlyOneMakesOne() async throws {
        let world = World(.standard)
        let outcomes = await race(in: world)
        XCTAssertEqual(outcomes.count { $0 == nil }, 1, "both made an account: \(outcomes)")
        XCTAssertEqual(outcomes.compactMap { $0 }, [.accountExistsWithDifferentCredential])
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts.count, 1, "accounts that display the address")
    }

    /// Nothing but the precondition on the list of references decides that race.
    func testAStoreThatIgnoresThePreconditionOnReferencesLetsBothMakeAnAccount() async throws {
        let world = World(.standard) { $0.store = CarelessStore(whole: $0.store) }
        let outcomes = await race(in: world)
        XCTAssertEqual(outcomes, [nil, nil], "something else than the precondition decides the race")
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts.compactMap(\.email?.text), ["ann@example.com", "ann@example.com"])
    }

    /// One sign-in decides and waits; another one is complete before it commits.
    private func race(in world: World) async -> [AuthErrorCode?] {
        let gate = Gate()
        world.store.script(.commit, [.waitsBefore(gate)])
        let slow = world.device("slow")
        async let first = result(of: { try await slow.signIn(with: world.credential(.google)) })
        await gate.waitForArrivals()
        let second = await result(of: {
            try await world.device("quick").signIn(with: world.credential(.apple))
        })
        gate.open()
        return [await first, second]
    }

    /// Strangers who add themselves behind the eighth account do not disturb a decision that is being made.
    func testAT36_ClaimantsBehindTheEighthDisturbNobody() async throws {
        let world = World(.standard) { $0.retries = 1 }
        for number in 0..<9 { try await claim(number, world) }
        let gate = Gate()
        world.store.script(.commit, [.waitsBefore(gate)])
        let ann = world.device("ann")
        async let first = result(of: { try await ann.signIn(with: world.credential(.google)) })
        await gate.waitForArrivals()
        try await claim(9, world)
        gate.open()
        let refused = await first
        XCTAssertNil(refused, "a ninth claimant made the owner's sign-in decide again")
    }

    /// The owner's sign-in reads as much when ten strangers claim the address as when hundreds do.
    func testAT36_TheOwnersSignInReadsNoMoreForManyClaimants() async throws {
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        var reads: [Int] = []
        for count in [10, 300] {
            let world = World(.standard)
            for number in 0..<count { try await claim(number, world) }
            let found = try await world.store.load([.referencing(email)]).accounts(referencing: email)
            XCTAssertEqual(found.count, Store.EmailReference.lookupLimit)
            let before = world.store.calls(of: .load)
            let user = try await world.device("ann").signIn(with: world.credential(.google)).user
            XCTAssertEqual(user.email, "ann@example.com")
            reads.append(world.store.calls(of: .load) - before)
        }
        XCTAssertEqual(reads[1], reads[0], "reads of the sign-in for 300 claimants and for ten")
    }

    /// Strangers make accounts that claim the address, and delete them; the owner's sign-in does not complete that.
    func testAT36_DeletedClaimantsDoNotKeepTheOwnerOut() async throws {
        let world = World(.standard)
        for number in 0..<70 {
            let stranger = try await claim(number, world)
            try await stranger.delete()
        }
        world.clock.advance(by: .seconds(7 * 86_400))
        let commits = world.store.calls(of: .commit)
        let user = try await world.device("ann").signIn(with: world.credential(.google)).user
        XCTAssertEqual(user.email, "ann@example.com")
        XCTAssertEqual(world.store.calls(of: .commit) - commits, 1, "commits of one sign-in")
        let before = world.store.calls(of: .commit)
        try await world.device("other").sendSignInMethods(to: "ann@example.com")
        XCTAssertEqual(world.store.calls(of: .commit) - before, 1, "commits of one mail")
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 70, "the accounts that a sweep removes")
    }

    /// What is due on the person's own account is cleaned up first, which is no try of the operation.
    func testAnAccountThatIsDueIsCleanedUpBeforeTheOnlyTry() async throws {
        let world = World(.standard) { $0.retries = 1 }
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await ann.applyActionCode(world.newestCode(to: "ann@example.net"))
        world.clock.advance(by: .seconds(15 * 86_400))
        let credential = AuthCredential.password(email: "ann@example.net", password: World.password)
        let back = try await world.device("tablet").signIn(with: credential).user
        XCTAssertEqual(back.account.id, ann.account.id, "the account")
        let account = try await world.account(back)
        XCTAssertEqual(account.reservations, [], "the former address")
    }

    /// A stranger whose provider only repeats what the stranger entered gets an account of their own.
    @discardableResult
    private func claim(_ number: Int, _ world: World) async throws -> User {
        world.clock.advance(by: .seconds(1))
        let stranger = SimulatedPerson(name: "stranger\(number)", email: "ann@example.com")
        let claim = SimulatedToken(address: .silent)
        let credential = AuthCredential.simulated(.gitHub, stranger, saying: claim, at: world.clock.now)
        return try await world.device("stranger\(number)").signIn(with: credential).user
    }
}

/// A store that does not check whether the list of accounts with an address is as it was read.
private struct CarelessStore: ForwardingStore {
    let whole: any IdentityStore

    func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        var changes = changes
        changes.referenceReads = []
        return try await whole.commit(changes)
    }
}

/// The code with which an operation is refused; nil if it is not.
private func result<Answer>(of operation: () async throws -> Answer) async -> AuthErrorCode? {
    do {
        _ = try await operation()
        return nil
    } catch {
        return (error as? AuthError)?.code ?? .internalError
    }
}

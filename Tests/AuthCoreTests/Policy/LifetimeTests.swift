@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Each lifetime of the policy is that of its own things, and of no others.
///
/// Several are equal in every preset, so here each is a different one.
final class LifetimeTests: LimitedTestCase {
    private let policy: AuthPolicy = {
        var policy = AuthPolicy.standard
        policy.lifetimes.mailCode = .seconds(601)
        policy.lifetimes.signInLink = .seconds(602)
        policy.lifetimes.phoneCode = .seconds(603)
        policy.lifetimes.pendingIdentity = .seconds(604)
        policy.lifetimes.nonce = .seconds(605)
        policy.lifetimes.factorChallenge = .seconds(606)
        policy.lifetimes.emailRecovery = .seconds(607)
        policy.lifetimes.notice = .seconds(608)
        policy.lifetimes.mergeIntent = .seconds(609)
        policy.lifetimes.mergeUndo = .seconds(610)
        policy.lifetimes.idToken = .seconds(611)
        return policy
    }()

    /// The lifetimes of records of each purpose.
    private let records: [OneTimeRecord.Purpose: Int] = [
        .verifyEmail: 601, .changeEmail: 601, .resetPassword: 601,
        .signInLink: 602,
        .phoneCode: 603,
        .pendingIdentity: 604, .phoneOwnership: 604, .authorization: 604,
        .nonce: 605,
        .factorChallenge: 606, .totpSeed: 606,
        .recoverEmail: 607,
        .changeReport: 608,
        .undo: 610, .mergePlan: 610,
    ]

    func testEachLifetimeHasATestHere() {
        let lifetimes = Mirror(reflecting: policy.lifetimes).children.compactMap { $0.value as? Duration }
        XCTAssertEqual(Set(lifetimes), Set((601...611).map { .seconds($0) }), "a lifetime is not set, or set twice")
        XCTAssertEqual(Set(records.values).union([609, 611]), Set(601...611), "a lifetime is not looked at")
    }

    func testRecordsLiveAsLongAsTheLifetimeOfTheirPurpose() async throws {
        let store = WitnessStore()
        let world = World(policy) { $0.store = store }
        let client = world.service.client(world.context)
        try await act(in: world, client)
        var found: [OneTimeRecord.Purpose: Set<Duration>] = [:]
        for case .put(let record) in store.changes.flatMap(\.records) {
            guard let end = record.expiresAt else { continue }
            found[record.purpose, default: []].insert(end - record.createdAt)
        }
        for (purpose, seconds) in records {
            XCTAssertEqual(found[purpose], [.seconds(seconds)], "the lifetimes of \(purpose)")
        }
    }

    /// Makes at least one record of each purpose.
    private func act(in world: World, _ client: AuthClient) async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await client.sendSignInLink(to: "ann@example.com")
        try await client.sendPasswordReset(to: "ann@example.com")
        _ = try await client.nonce(for: .signIn)
        _ = try await world.service.beginAuthorization(
            .signIn,
            with: .gitHub,
            redirectURI: "https://app.example/back",
            by: nil,
            world.context
        )
        _ = try await world.conflict { try await world.device("tablet").signIn(with: world.facebook()) }
        try await world.device("tablet").signIn(with: world.digits(to: world.number, from: world.device("tablet")))
        _ = try await world.refusal(.credentialAlreadyInUse) {
            try await ann.link(with: world.digits(to: world.number))
        }
        try await ann.link(with: world.gitHub())
        try await world.signIn(.gitHub, .eve)
        try await world.signUp("ben@example.com")
        try await client.merge(world.side(.gitHub, .eve), into: world.passwordSide("ben@example.com"))
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        try await ann.reload()
        try await world.enrollTOTP(ann)
        _ = try await world.challenge {
            try await client.signIn(with: .password(email: "new@example.com", password: World.password))
        }
    }

    func testAnAddressThatWasLeftIsReservedAsLongAsItCanBeRestored() async throws {
        let world = World(policy)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("mail").applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.reservations.map(\.until), [world.clock.timestamp + .seconds(607)])
    }

    func testAMergeLocksBothAccountsForTheTimeOfItsHooks() async throws {
        var world = World(policy)
        world.addHooks("orders")
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        world.journal.fail("prepare orders", CancellationError())
        await assertThrows(.outcomeUnknown) { try await world.mergeAnnIntoBen() }
        for user in [source, target] {
            let lock = try await world.storedAccount(user)?.mergeLock
            XCTAssertEqual(lock?.until, world.clock.timestamp + .seconds(609), "the lock of \(user.uid)")
        }
    }

    func testAnIDTokenExpiresAfterItsOwnLifetime() async throws {
        let world = World(policy)
        let token = try await world.signUpVerifiedAnn().idTokenResult()
        XCTAssertEqual(token.expirationDate, world.clock.now + 611)
    }
}

#if PostgreSQL
import AuthCore
import AuthCoreSQL
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What goes over the wire, counted by a proxy.
final class PostgresRoundTripTests: LimitedTestCase {
    func testALoadIsOneRoundTripAndACommitIsOne() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        // The first of each prepares its statement.
        _ = try await store.commit(Samples.creation("first"))
        _ = try await store.load([.account("first")])

        var before = proxy.roundTrips
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        XCTAssertEqual(proxy.roundTrips - before, 1, "a commit that writes every table")

        before = proxy.roundTrips
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        let seen = try await store.load([
            .account("ann"), .owner(.primaryEmail(email)), .referencing(email), .sessions(of: .account("ann")),
            .records(of: .owner(.primaryEmail(email)), .usedAssertion), .account("nobody"),
        ])
        XCTAssertEqual(seen.accounts(referencing: email).map(\.id), ["ann"])
        XCTAssertEqual(proxy.roundTrips - before, 1, "a load of six lookups")

        before = proxy.roundTrips
        let violated = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(violated, .violated(.absent("ann")))
        XCTAssertEqual(proxy.roundTrips - before, 1, "a commit whose precondition does not hold")
    }

    func testAKnownSignInIsOneLoadAndOneCommit() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        let clock = ManualClock()
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        let client = AuthService(configuration).client(for: nil, origin: .local)
        let credential = { AuthCredential.simulated(.google, .ann, at: clock.now) }
        for _ in 0..<2 { _ = try await client.signIn(with: credential()) }

        var before = proxy.roundTrips
        let user = try await client.signIn(with: credential()).user
        XCTAssertEqual(proxy.roundTrips - before, 2, "a known sign-in")

        _ = try await user.link(with: .simulated(.gitHub, .ann, at: clock.now))
        _ = try await user.unlink(.gitHub)
        before = proxy.roundTrips
        _ = try await user.link(with: .simulated(.gitHub, .ann, at: clock.now))
        XCTAssertLessThanOrEqual(proxy.roundTrips - before, 4, "a link, and the delivery of its notice")
    }

    func testAKnownSignInDecodesTheAccountOnceAndEncodesWhatItChanges() async throws {
        let (database, counts) = (try TestDatabase(), Counts())
        let store = try await PostgresStore(
            database.connection,
            options: database.options,
            coder: RowCoder { kind, use in counts.all.withLock { $0["\(use) \(kind.rawValue)", default: 0] += 1 } }
        )
        let clock = ManualClock()
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        let service = AuthService(configuration)
        let credential = { AuthCredential.simulated(.google, .ann, at: clock.now) }
        // On a device that is not known, each sign-in adds it to the account.
        let device = try await service.client(for: nil, origin: .local).signIn(with: credential()).device
        let client = service.client(for: device, origin: .local)
        _ = try await client.signIn(with: credential())
        counts.all.withLock { $0 = [:] }
        _ = try await client.signIn(with: credential())
        XCTAssertEqual(
            counts.all.withLock { $0 },
            ["decoding account": 1, "encoding session": 1, "encoding event": 1]
        )
    }

    private final class Counts: Sendable {
        let all = Mutex<[String: Int]>([:])
    }

    func testAttemptsAreOneRoundTripWhereNoneFailed() async throws {
        let proxy = try LoopbackProxy(to: try TestDatabase.server())
        defer { proxy.close() }
        let store = try await TestDatabase(proxy.connection) { $0.connections = 1 }.open()
        let takes = [1, 2].map { hash in
            Store.Take(Store.AttemptKey(purpose: .password, hash: hash), .number(5, each: .seconds(60)))
        }
        _ = try await store.take(
            [Store.Take(.init(purpose: .code, hash: 1), .number(1, each: .seconds(1)))],
            at: Samples.now
        )

        let before = proxy.roundTrips
        let answer = try await store.take(takes, at: Samples.now)
        XCTAssertEqual(answer, .taken)
        try await store.refund(takes, clearing: [], at: Samples.now)
        XCTAssertEqual(proxy.roundTrips - before, 2, "an attempt that is taken and given back")
    }
}
#endif

#if PostgreSQL
import AuthCore
import AuthCoreTesting
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// Several services, each with connections of its own as a process has, do random things to the same few people at
/// once.
final class PostgresHammerTests: LimitedTestCase {
    private static var steps: Int { ProcessInfo.processInfo.environment["AUTHCORE_LONG"] == nil ? 25 : 400 }
    private static let providers: [ProviderID] = [.google, .gitHub, .facebook]

    func testNoKeyHasTwoOwnersAndNothingIsLeftBehindWhateverMeets() async throws {
        let database = try TestDatabase()
        var stores: [PostgresStore] = []
        for _ in 0..<3 { stores.append(try await database.open()) }
        let people = (0..<4).map { SimulatedPerson(name: "Person \($0)", email: "person\($0)@example.com") }
        let failures = try await withThrowingTaskGroup(of: [AuthError].self) { group in
            for runner in 0..<9 {
                let service = service(stores[runner % stores.count])
                group.addTask { try await Self.play(people, on: service, seed: UInt64(runner)) }
            }
            return try await group.reduce([], +)
        }
        let unexpected = failures.filter {
            [.internalError, .outcomeUnknown].contains($0.code) || $0.cause is PostgresError
        }
        XCTAssertTrue(unexpected.isEmpty, "\(unexpected.first.map { "\($0) \(String(describing: $0.cause))" } ?? "")")
        try await assertConsistency(of: stores[0], database)
    }

    /// Each of them writes the account, since its device is new to it, so only one at a time can be written.
    func testManySignInsToOneAccountAtOnceFromNewDevicesAllSucceed() async throws {
        let store = try await TestDatabase().open()
        let service = service(store)
        let person = SimulatedPerson(name: "Ann", email: "ann@example.com")
        let first = try await service.client(for: nil, origin: .local).signIn(with: .simulated(.google, person))
        let others = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let client = service.client(for: nil, origin: .local)
                    return try await client.signIn(with: .simulated(.google, person)).user.uid
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertEqual(others.count, 200, "the sign-ins")
        XCTAssertEqual(Set(others), [first.user.uid], "the accounts that they reached")
    }

    private func service(_ store: PostgresStore) -> AuthService {
        let configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            secretKey: Array(repeating: 7, count: 32)
        )
        return AuthService(configuration)
    }

    private static func play(_ people: [SimulatedPerson], on service: AuthService, seed: UInt64) async throws
        -> [AuthError]
    {
        var generator = SeededGenerator(seed: seed)
        let client = service.client(for: nil, origin: .local)
        var (user, failures): (AuthCore.User?, [AuthError]) = (nil, [])
        for _ in 0..<steps {
            let person = people[Int.random(in: 0..<people.count, using: &generator)]
            let provider = providers[Int.random(in: 0..<providers.count, using: &generator)]
            do throws(AuthError) {
                switch Int.random(in: 0..<8, using: &generator) {
                case 0...2: user = try await client.signIn(with: .simulated(provider, person)).user
                case 3: user = try await client.signInAnonymously().user
                case 4, 5: _ = try await user?.link(with: .simulated(provider, person))
                case 6: user = try await user?.unlink(provider) ?? user
                default: _ = try await user?.delete()
                }
            } catch {
                failures.append(error)
            }
        }
        return failures
    }

    /// What the rows of all tables say of each other.
    private func assertConsistency(of store: PostgresStore, _ database: TestDatabase) async throws {
        let accounts = try await store.accounts(after: nil, limit: 10_000)
        XCTAssertFalse(accounts.isEmpty)
        var (keys, references) = (0, 0)
        for account in accounts {
            for key in account.ownedKeys(under: .mailbox) {
                keys += 1
                let owner = try await store.load([.owner(key)]).owner(of: key)?.id
                XCTAssertEqual(owner, account.id, "the owner of \(key)")
            }
            let addresses = [account.email] + account.methods.map { $0.identity?.email }
            references += Set(addresses.compactMap { $0.map(Store.KeyRule.mailbox.spelling) }).count
            let sessions = Store.Lookup.Reference.account(account.id)
            let found = try await store.load([.sessions(of: sessions)]).sessions(of: sessions)
            XCTAssertLessThanOrEqual(found.count, 50, "sessions of one account")
        }
        let schema = database.options.schema
        let count = { (text: String) in
            try await store.run("SELECT count(*) FROM \(schema).\(text)", []).first?.number(0)
        }
        let (storedKeys, storedReferences) = (try await count("keys"), try await count("email_references"))
        XCTAssertEqual(storedKeys, Int64(keys), "keys that no account has")
        XCTAssertEqual(storedReferences, Int64(references), "references that no account has")
        let orphans = try await count(
            "sessions s WHERE NOT EXISTS (SELECT FROM \(schema).accounts a WHERE a.id = s.account)"
        )
        XCTAssertEqual(orphans, 0, "sessions without an account")
        let methods = try await count("methods")
        XCTAssertEqual(methods, Int64(accounts.reduce(0) { $0 + $1.methods.count }), "rows of methods")
        let wrong = try await count(
            "email_lists l WHERE NOT EXISTS (SELECT FROM \(schema).email_references r WHERE r.email = l.email)"
        )
        XCTAssertEqual(wrong, 0, "versions of empty lists")
    }
}
#endif

import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What a year of traffic leaves in the store of a service that sweeps.
final class YearOfTrafficTests: XCTestCase {
    func testTheSecondHalfOfAYearLeavesNoMoreThanTheFirst() async throws {
        let store = InMemoryIdentityStore(eventLimit: 500)
        let world = World(.standard) { $0.store = store }
        let client = world.service.client(for: nil, origin: .local)
        for week in 1...52 {
            world.clock.advance(by: 7 * 86_400)
            for person in 1...2 {
                let user = try await client.signIn(with: google(person, world)).user
                try await user.link(with: facebook(person, isEmailVerified: false, world))
                try await user.unlink(.facebook)
                do {
                    _ = try await client.signIn(with: facebook(person, isEmailVerified: true, world))
                    XCTFail("week \(week): an address that is only confirmed signed in to the account that has it")
                } catch let error as AuthError {
                    XCTAssertEqual(error.code, .accountExistsWithDifferentCredential, "week \(week)")
                }
                _ = try await client.signInAnonymously()
            }
            while try await !world.service.sweep().isComplete {}
            let rows = rows(of: store)
            // Two people, and the guests of fifteen weeks: an unused session lasts thirteen, and its account goes with later sweeps.
            XCTAssertLessThanOrEqual(rows.accounts, 2 + 2 * 15, "accounts in week \(week)")
            XCTAssertLessThanOrEqual(rows.sessions, 2 * 30, "sessions in week \(week)")
            XCTAssertLessThanOrEqual(rows.records, 2 * 2 * 3, "one-time records in week \(week)")
            XCTAssertEqual(rows.messages, 0, "messages in week \(week)")
        }
    }

    /// What the store holds, without the tombstones of the guests, of which each account that is gone leaves one.
    private func rows(
        of store: InMemoryIdentityStore
    ) -> (accounts: Int, sessions: Int, records: Int, messages: Int) {
        store.tables.withLock { tables in
            (
                tables.accounts.all.count,
                tables.sessions.all.count,
                tables.records.all.values.filter { $0.record.purpose != .tombstone }.count,
                tables.outbox.messages(.waiting, after: nil, limit: .max).count
            )
        }
    }

    private func google(_ person: Int, _ world: World) throws -> VerifiedCredential {
        var assertion = ProviderAssertion(
            provider: .google,
            issuer: "https://accounts.google.com",
            subject: "google-\(person)"
        )
        assertion.email = "person\(person)@gmail.com"
        assertion.isEmailVerified = true
        return try verified(assertion, world)
    }

    private func facebook(_ person: Int, isEmailVerified: Bool, _ world: World) throws -> VerifiedCredential {
        var assertion = ProviderAssertion(provider: .facebook, subject: "facebook-\(person)")
        assertion.email = "person\(person)@gmail.com"
        assertion.isEmailVerified = isEmailVerified
        return try verified(assertion, world)
    }

    private func verified(_ assertion: ProviderAssertion, _ world: World) throws -> VerifiedCredential {
        let proof = try XCTUnwrap(FederatedProof(assertion, under: world.policy))
        return VerifiedCredential(proof: .federated(proof), verifiedAt: world.clock.timestamp)
    }
}

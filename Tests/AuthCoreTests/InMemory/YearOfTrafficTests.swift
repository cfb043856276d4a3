import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCore

/// What a year of traffic leaves in the store of a service that sweeps.
final class YearOfTrafficTests: LimitedTestCase {
    func testTheSecondHalfOfAYearLeavesNoMoreThanTheFirst() async throws {
        let store = InMemoryIdentityStore(eventLimit: 500)
        let world = World(.standard) { $0.store = store }
        let client = world.service.client(for: nil, origin: .local)
        var weeks: [(accounts: Int, sessions: Int, records: Int, messages: Int)] = []
        for week in 1...52 {
            world.clock.advance(by: .seconds(7 * 86_400))
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
            weeks.append(rows(of: store))
        }
        // An unused guest's session lasts thirteen weeks; a person's other sessions end with each unlink.
        let idle = try XCTUnwrap(world.policy.sessions.guestIdle)
        let guests = Int(idle / .days(7)) + 1
        // The account of a guest is kept for some time after its session.
        let kept = Int((idle + (try XCTUnwrap(world.policy.unverifiedLifetime))) / .days(7)) + 1
        for (week, rows) in zip(1..., weeks) {
            XCTAssertEqual(rows.sessions, 2 + 2 * min(week, guests), "sessions in week \(week)")
            XCTAssertEqual(rows.messages, 0, "messages in week \(week)")
            XCTAssertEqual(rows.accounts, 2 + 2 * min(week, kept), "accounts in week \(week)")
        }
        let plateau = weeks[kept].records
        XCTAssertLessThanOrEqual(plateau, 2 * 2 * 3, "one-time records of two people")
        for (week, rows) in zip(1..., weeks).dropFirst(kept) {
            XCTAssertEqual(rows.records, plateau, "one-time records in week \(week)")
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

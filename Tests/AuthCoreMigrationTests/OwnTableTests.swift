import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import Foundation
import XCTest

/// The article's import of a table that is not of this library, with a made-up scheme of hashes.
final class OwnTableTests: LimitedTestCase {
    private let hasher = OldHasher(next: CheapPasswordHasher(), matchesOld: { String($0.reversed()) == $1 })
    private let right = AuthCredential.password(email: "ann@example.com", password: "correct horse")

    private func world(_ hasher: (any PasswordHasher)? = nil) -> World {
        World(.standard) { $0.passwordHasher = hasher ?? self.hasher }
    }

    private func imported(isEmailVerified: Bool = true, into world: World) async throws -> ImportReport {
        let person = OldPerson(
            id: "ann",
            email: "ann@example.com",
            isEmailVerified: isEmailVerified,
            passwordHash: "esroh tcerroc",
            createdAt: world.clock.now.addingTimeInterval(-86_400)
        )
        return try await world.service.importAccounts(Stream.of([try XCTUnwrap(try line(of: person))]))
    }

    private func storedHash(_ world: World) async throws -> String? {
        let account = try await world.service.account("ann")
        return account.methods.lazy.compactMap { method in
            if case .password(let hash) = method.kind { hash.tagged } else { nil }
        }.first
    }

    func testAPersonOfAnOldTableSignsInAndTheHashIsMadeAnew() async throws {
        for isEmailVerified in [true, false] {
            let world = world()
            let report = try await imported(isEmailVerified: isEmailVerified, into: world)
            XCTAssertEqual([report.created, report.problemCount, report.unverifiablePasswordCount], [1, 0, 0])
            await assertThrows(.invalidCredential, "a wrong password") {
                try await world.device().signIn(with: .password(email: "ann@example.com", password: "wrong horse"))
            }
            let kept = try await storedHash(world)
            XCTAssertEqual(kept, "old$esroh tcerroc", "a wrong password changes no hash")
            let user = try await world.device().signIn(with: right).user
            XCTAssertEqual(user.uid, "ann")
            XCTAssertEqual(user.isEmailVerified, isEmailVerified, "the evidence of the import verifies the address")
            let hash = try await storedHash(world)
            XCTAssertEqual(hash?.hasPrefix("old$"), false, "the hash is made anew at the next sign-in")
            _ = try await world.device("laptop").signIn(with: right)
        }
    }

    func testAPasswordThatTheFirstImportLeftOutStaysOut() async throws {
        let store = InMemoryIdentityStore()
        let first = World(.standard) { $0.store = store }
        let left = try await imported(into: first)
        XCTAssertEqual([left.created, left.unverifiablePasswordCount], [1, 1])
        let second = World(.standard) { configuration in
            configuration.store = store
            configuration.passwordHasher = self.hasher
        }
        let again = try await imported(into: second)
        XCTAssertEqual([again.created, again.existing, again.unverifiablePasswordCount], [0, 1, 0], "existing only")
        let hash = try await storedHash(second)
        XCTAssertNil(hash, "a later import changes no account that exists")
    }
}

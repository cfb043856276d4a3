#if SQLite
import AuthCore
import AuthCoreSQL
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreSQLite

/// How often an operation encodes and decodes: each record that it reads once, and only what it changes.
final class CodingCountTests: XCTestCase {
    private final class Counts: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func count(_ kind: Store.RecordKind, _ use: RowCoder.Use) {
            counts.withLock { $0["\(use) \(kind.rawValue)", default: 0] += 1 }
        }

        /// What was counted since the last call.
        func take() -> [String: Int] {
            counts.withLock { counts in
                defer { counts = [:] }
                return counts
            }
        }
    }

    func testAnOperationDecodesEachRecordOnceAndEncodesWhatItChanges() async throws {
        let (database, counts) = (try TestDatabase(), Counts())
        let store = try await SQLiteStore(
            path: database.path,
            options: SQLiteStore.Options(),
            coder: RowCoder { counts.count($0, $1) }
        )
        let clock = ManualClock()
        var configuration = AuthConfiguration(
            store: store,
            providers: .simulated,
            passwordHasher: CheapPasswordHasher(),
            environment: .manual(clock),
            secretKey: Array(repeating: 7, count: 32)
        )
        configuration.attempts = store
        let service = AuthService(configuration)
        let sign = { AuthCredential.simulated(.google, .ann, at: clock.now) }
        // On a device that is not known, each sign-in adds it to the account.
        let device = try await service.client(for: nil, origin: .local).signIn(with: sign()).device
        let client = service.client(for: device, origin: .local)
        _ = counts.take()

        let user = try await client.signIn(with: sign()).user
        XCTAssertEqual(
            counts.take(),
            ["decoding account": 1, "encoding session": 1, "encoding event": 1],
            "a known sign-in"
        )
        let token = try await user.issueTokens().refreshToken
        _ = counts.take()
        _ = try await client.refresh(token)
        let refresh = counts.take()
        XCTAssertEqual(refresh["decoding account"], 1, "a refresh: \(refresh)")
        XCTAssertEqual(refresh["decoding session"], 1, "a refresh: \(refresh)")
        XCTAssertEqual(refresh["encoding session"], 1, "a refresh: \(refresh)")
        XCTAssertNil(refresh["encoding account"], "a refresh changes no account: \(refresh)")

        _ = try await user.reload()
        let reload = counts.take()
        XCTAssertEqual(reload, ["decoding account": 1, "decoding session": 1], "a look at the account")

        _ = try await user.link(with: .simulated(.gitHub, .ann, at: clock.now))
        let link = counts.take()
        XCTAssertEqual(link["encoding account"], 1, "a link: \(link)")
        XCTAssertEqual(link["encoding session"], 1, "a link: \(link)")
        XCTAssertEqual(link["encoding event"], 1, "a link: \(link)")
    }
}
#endif

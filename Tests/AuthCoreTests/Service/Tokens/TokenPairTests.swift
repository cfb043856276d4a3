@testable import AuthCore
import AuthCoreTesting
import XCTest

/// An ID token and the refresh token that is issued with it.
final class TokenPairTests: LimitedTestCase {
    func testAPairIsIssuedAtTheFirstTry() async throws {
        try await inTime {
            let user = try await World().device().signInAnonymously().user
            _ = try await user.issueTokens()
            XCTAssertEqual(user.session.refreshCount, 1, "how often the refresh token was replaced")
        }
    }

    /// A store in which another client issues a token for the same session before each load.
    private struct BusyStore: ForwardingStore {
        let whole: any IdentityStore = InMemoryIdentityStore()

        func load(_ lookups: Lookups) async throws -> Snapshot {
            let seen = try await whole.load(lookups)
            for case .session(let id) in seen.asked {
                guard var session = seen.session(id) else { continue }
                let count = session.refreshCount
                session.refreshCount += 1
                let operation = OperationID(bits: UInt128(count) + 1)
                var changes = ChangeSet(operation: operation, at: session.createdAt)
                changes.sessions = [.update(session, refreshCount: count)]
                _ = try await whole.commit(changes)
            }
            return try await whole.load(lookups)
        }
    }

    func testAPairThatOthersAlwaysReplaceIsGivenUp() async throws {
        let world = World { $0.store = BusyStore() }
        let user = try await world.device().signInAnonymously().user
        let error = await authError { try await user.issueTokens() }
        XCTAssertEqual(error?.code, .storeUnavailable)
        XCTAssertEqual(error?.message, "Others kept issuing tokens for the same session; try again.")
    }

    func testTheTokenOfAPairIsTheUsersUntilItExpires() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        world.clock.advance(by: .seconds(60))
        let later = try await user.idToken()
        XCTAssertEqual(later, pair.idToken.token, "another token was signed")
    }

    func testNeitherResultNorPairShowsItsTokens() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let pair = try await user.issueTokens()
        var dumped = ""
        dump(pair, to: &dumped)
        for text in [pair.description, dumped, String(reflecting: pair.idToken)] {
            XCTAssertFalse(text.contains(pair.refreshToken))
            XCTAssertFalse(text.contains(pair.idToken.token))
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What tests expect of an operation that does not go through.
extension World {
    /// The conflict that a sign-in or a link meets.
    func conflict(
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async throws -> Conflict {
        let error = try await refusal(.accountExistsWithDifferentCredential, file: file, line: line, act)
        return try XCTUnwrap(error.conflict, file: file, line: line)
    }

    /// A person presents the number that Ann verified too long ago.
    func conflictOverARecycledNumber() async throws -> (ann: User, other: Auth, Conflict) {
        let phone = device()
        let ann = try await signUpVerifiedAnn(phone)
        try await ann.link(with: digits(to: number, from: phone))
        clock.advance(by: .seconds(91 * 86400))
        let auth = device("new owner of the number")
        let credential = try await digits(to: number, from: auth)
        let conflict = try await conflict { try await auth.signIn(with: credential) }
        return (ann, auth, conflict)
    }

    /// Expects a refusal with this code and this last reason, after which accounts and events are as they were.
    @discardableResult
    func refusal(
        _ code: AuthErrorCode,
        _ reason: Reason? = nil,
        _ what: String = "",
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> some Any
    ) async throws -> AuthError {
        let accounts = try await service.accounts(limit: .max)
        let events = try await service.events(limit: .max).events
        var refused: (any Error)?
        do { _ = try await act() } catch { refused = error }
        // A closure loses the type of what it throws, so the type is one more thing to expect.
        let error = try XCTUnwrap(refused as? AuthError, "\(what) goes through", file: file, line: line)
        XCTAssertEqual(error.code, code, what, file: file, line: line)
        if let reason { XCTAssertEqual(error.reasons.last, reason, what, file: file, line: line) }
        let accountsAfter = try await service.accounts(limit: .max)
        let eventsAfter = try await service.events(limit: .max).events
        XCTAssertEqual(accounts, accountsAfter, "\(what) changed an account", file: file, line: line)
        XCTAssertEqual(events, eventsAfter, "\(what) told of something", file: file, line: line)
        return error
    }
}

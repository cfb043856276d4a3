@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What people do when they are asked for more than they came with.
extension World {
    var day: Double { 86400 }

    /// Signs in, and answers a conflict with the credential that the person is asked for.
    @discardableResult
    func tap(
        _ credential: AuthCredential,
        in auth: Auth,
        answeringConflictWith answer: () throws -> AuthCredential
    ) async throws -> User {
        do {
            return try await auth.signIn(with: credential).user
        } catch {
            guard let conflict = (error as AuthError).conflict else { throw error }
            return try await auth.resolve(conflict, signingInWith: try answer()).user
        }
    }

    /// Does what needs a recent login, and shows the credential that the person is asked for where the login is too
    /// old.
    func freshly(_ user: User, _ answer: @autoclosure () -> AuthCredential, _ act: () async throws -> Void) async throws
    {
        do {
            try await act()
        } catch let error as AuthError where error.code == .requiresRecentLogin {
            try await user.reauthenticate(with: answer())
            try await act()
        }
    }

    func assertOpens(
        _ credential: AuthCredential,
        _ user: User,
        file: StaticString = #filePath,
        line: UInt = #line
    ) async throws {
        let came = try await device("check").signIn(with: credential).user
        XCTAssertEqual(came.uid, user.uid, file: file, line: line)
    }
}

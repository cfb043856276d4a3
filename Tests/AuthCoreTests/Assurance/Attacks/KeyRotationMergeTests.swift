@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S35: merges of accounts with an authenticator app, around a rotation of the secret key.
final class KeyRotationMergeTests: LimitedTestCase {
    private let world = World(.standard)
    private let (old, new) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 9, count: 32))
    private let ben = AuthCredential.password(email: "ben@example.com", password: World.password)

    private func client(_ key: [UInt8], former: [[UInt8]] = []) -> AuthClient {
        var configuration = world.service.configuration
        configuration.setSecretKey(key, former: former)
        return AuthService(configuration).client(world.context)
    }

    private func side(_ credential: AuthCredential, _ client: AuthClient) async throws -> Merge.Side {
        .verified(try await client.verify(credential))
    }

    /// Two accounts, the first with the app that is returned.
    private func signUpBoth() async throws -> (source: User, app: MultiFactor.TOTPEnrollment) {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let app = try await world.enrollTOTP(source)
        try await world.signUp("ben@example.com")
        world.clock.advance(by: .seconds(60))
        return (source, app)
    }

    private func merge(_ app: MultiFactor.TOTPEnrollment, _ client: AuthClient) async throws -> Merge.Result {
        let owed = await authError {
            try await client.merge(try await side(world.credential(.gitHub), client), into: try await side(ben, client))
        }
        let challenge = try XCTUnwrap(owed?.secondFactor)
        return try await client.merge(
            .answering(challenge, .totp(try world.totp(app))),
            into: try await side(ben, client)
        )
    }

    func testS35_AnAccountWhoseSeedIsUnderAFormerKeyIsMerged() async throws {
        let (_, app) = try await signUpBoth()
        let merged = try await merge(app, client(new, former: [old]))
        XCTAssertEqual(merged.plan.factors.count, 1, "the factors that moved")
    }

    func testS35_AnUndoneMergeGivesBackASeedThatTheCurrentKeyReads() async throws {
        let (source, app) = try await signUpBoth()
        let merged = try await merge(app, client(old))
        world.clock.advance(by: .seconds(60))
        // The app is used once under the new key; from then on its seed needs the former one no more.
        let rotated = client(new, former: [old])
        let first = await authError { try await rotated.signIn(with: world.credential(.gitHub)) }
        try await rotated.resolve(try XCTUnwrap(first?.secondFactor), with: .totp(try world.totp(app)))
        world.clock.advance(by: .seconds(60))
        let later = client(new)
        let owed = await authError {
            try await later.undoMerge(merged.id, verifiedBy: try await side(world.credential(.gitHub), later))
        }
        let challenge = try XCTUnwrap(owed?.secondFactor)
        try await later.undoMerge(merged.id, verifiedBy: .answering(challenge, .totp(try world.totp(app))))
        world.clock.advance(by: .seconds(60))
        let again = await authError { try await later.signIn(with: world.credential(.gitHub)) }
        let user = try await later.resolve(try XCTUnwrap(again?.secondFactor), with: .totp(try world.totp(app))).user
        XCTAssertEqual(user.uid, source.uid, "the account that is its own again")
    }
}

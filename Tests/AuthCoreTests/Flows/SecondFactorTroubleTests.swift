@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Answers to a challenge where the service's key or what the store keeps is not what it was.
final class SecondFactorTroubleTests: SecondFactorTestCase {
    func testASeedThatWasSealedWithAnotherKeyIsNoWrongCode() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        var configuration = service.configuration
        configuration.secretSealer = KeyedSecretSealer()
        let other = Auth(service: AuthService(configuration), seat: SeatID("tablet"), deviceName: "tablet")
        let error = try await refusal(.internalError) {
            try await other.resolve(challenge, with: .totp(totp(enrollment)))
        }
        XCTAssertEqual(error.cause as? SealingError, .unreadable)
        try await auth.resolve(challenge, with: .totp(totp(enrollment)))
    }

    func testAChallengeThatOnlyANewPasswordWaitsBehindSignsNobodyIn() async throws {
        let ann = try await signUpProvenAnn()
        let enrollment = try await enrollTOTP(ann)
        clock.advance(by: 60)
        let auth = seat("tablet")
        let challenge = try await passwordChallenge(in: auth)
        let kept = try await service.capability(challenge.id)
        var capability = try XCTUnwrap(kept)
        let there = try await account(ann)
        let hash = try XCTUnwrap(there.passwordHash)
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        capability.content = .factorChallenge(
            FactorChallenge(purpose: .signIn, proof: .newPassword(email, hash), completes: nil, generation: nil)
        )
        var changes = ChangeSet(operation: OperationID(bits: 99), at: clock.timestamp)
        changes.capabilities = [.replace(capability)]
        _ = try await service.store.commit(changes)
        try await refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await auth.resolve(challenge, with: .totp(totp(enrollment)))
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S31: who knows the password guesses at the factor no faster by signing in again.
final class FactorGuessingTests: LimitedTestCase {
    private let world = World(.standard)

    private func wrong(_ enrollment: MultiFactor.TOTPEnrollment) throws -> String {
        let right = try (-1...1).map { try world.totp(enrollment, steps: $0) }
        return ["000000", "111111", "222222", "333333"].first { !right.contains($0) } ?? "444444"
    }

    func testS31_AFreshChallengeDoesNotMakeGuessingFree() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let known = try await world.passwordChallenge(in: world.device())
        try await world.device().resolve(known, with: .totp(world.totp(enrollment)))
        world.clock.advance(by: .seconds(60))
        var waited = false
        for round in 0..<20 where !waited {
            let auth = world.device("eve \(round)")
            let challenge = try await world.passwordChallenge(in: auth)
            for _ in 0..<4 where !waited {
                let error = await authError { try await auth.resolve(challenge, with: .totp(wrong(enrollment))) }
                waited = error?.code == .tooManyRequests
            }
        }
        XCTAssertTrue(waited, "eighty guesses at one factor cost nothing")
        // A person who has shown the factor on this device before is not locked out.
        let auth = world.device()
        let challenge = try await world.passwordChallenge(in: auth)
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
    }

    func testS31_AFewWrongAnswersStopNobody() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("new phone")
        let first = try await world.passwordChallenge(in: auth)
        for _ in 0..<5 {
            try await world.refusal(.invalidVerificationCode) {
                try await auth.resolve(first, with: .totp(wrong(enrollment)))
            }
        }
        let second = try await world.passwordChallenge(in: auth)
        try await auth.resolve(second, with: .totp(world.totp(enrollment)))
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Answers to a challenge where the service's key or what the store keeps is not what it was.
final class SecondFactorTroubleTests: LimitedTestCase {
    private let world = World(.firebase)

    /// A service over the same store that seals with another key.
    private var serviceWithAnotherKey: AuthService {
        var configuration = world.service.configuration
        configuration.secretSealer = KeyedSecretSealer()
        return AuthService(configuration)
    }

    func testASeedThatWasSealedWithAnotherKeyIsNoWrongCode() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let other = Auth(service: serviceWithAnotherKey, device: DeviceID(named: "tablet"), deviceName: "tablet")
        let error = try await world.refusal(.sealedSecretUnreadable) {
            try await other.resolve(challenge, with: .totp(world.totp(enrollment)))
        }
        XCTAssertEqual(error.cause as? Secret.SealingError, .unreadable)
        XCTAssertEqual(other.service.refusals().first?.code, .sealedSecretUnreadable, "operators are told")
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
    }

    func testASecondReadableAuthenticatorIsAskedWhenTheFirstCannotBeRead() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let elsewhere = try await serviceWithAnotherKey.client("phone").user(forIDToken: ann.idToken())
        try await world.enrollTOTP(elsewhere)
        let readable = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let code = await outcome { try await auth.resolve(challenge, with: .totp(world.totp(readable))) }
        XCTAssertNil(code, "the code of the second app, whose seed can be read")
        XCTAssertEqual(auth.currentUser?.session.factor?.factor, challenge.hints.last?.id, "the app that was asked")
    }

    func testASeedUnderTheCurrentKeyIsNotSealedAgain() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        let before = try await sealedSeeds(of: ann)
        XCTAssertEqual(before.count, 1, "the seeds that are stored")
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        let after = try await sealedSeeds(of: ann)
        XCTAssertEqual(after, before, "the seeds that are stored after a sign-in")
    }

    private func sealedSeeds(of user: User) async throws -> [[UInt8]] {
        try await world.account(user).factors.compactMap {
            if case .totp(let seed, _) = $0.kind { seed } else { nil }
        }
    }

    func testAChallengeThatOnlyANewPasswordWaitsBehindSignsNobodyIn() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(60))
        let auth = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: auth)
        let kept = try await world.service.record(challenge.key)
        var record = try XCTUnwrap(kept)
        let there = try await world.account(ann)
        let hash = try XCTUnwrap(there.passwordHash)
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        record.content = .factorChallenge(
            Store.FactorChallenge(
                purpose: .signIn,
                proof: .newPassword(email, hash),
                verifiedAt: world.clock.timestamp,
                completes: nil
            )
        )
        var changes = ChangeSet(operation: OperationID(bits: 99), at: world.clock.timestamp)
        changes.records = [.replace(record)]
        _ = try await world.service.store.commit(changes)
        try await world.refusal(.invalidMultiFactorSession, .challengeIsOver) {
            try await auth.resolve(challenge, with: .totp(world.totp(enrollment)))
        }
    }

    func testTheFactorOfOneAccountDoesNotCountInASessionOfAnotherToWhichTheIdentityMoved() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.google(.ben))
        try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        let tablet = world.device("tablet")
        let challenge = try await world.challenge { try await tablet.signIn(with: world.google(.ben)) }
        try await ann.unlink(.google)
        let ben = try await world.signIn(.google, .ben)

        let user = try await tablet.resolve(challenge, with: .recoveryCode(codes[0])).user
        XCTAssertEqual(user.uid, ben.uid, "the identity is that of the other account now")
        XCTAssertNil(user.session.factor, "a factor of one account counts in a session of another")

        try await world.enrollPhone(ben)
        world.clock.advance(by: .seconds(60))
        try await user.reload()
        try await world.refusal(.secondFactorRequired, .secondFactorIsRequired) {
            try await user.link(with: world.gitHub(.ben))
        }
    }

    func testARecoveryCodeDoesNotCountForFactorsFromAfterIt() async throws {
        let world = World(.firebase)
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        let tablet = world.device("tablet")
        let challenge = try await world.passwordChallenge(in: tablet)
        let user = try await tablet.resolve(challenge, with: .recoveryCode(codes[0])).user
        try await ann.multiFactor.unenroll(try XCTUnwrap(ann.multiFactor.enrolledFactors.first?.id))
        world.clock.advance(by: .seconds(1))
        try await world.enrollPhone(ann)
        try await user.reload()
        try await world.refusal(.secondFactorRequired, .secondFactorIsRequired) {
            try await user.link(with: world.gitHub(.ann))
        }
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// How many wrong answers a conflict takes, and until when it takes any.
final class ConflictAnswerLimitTests: LimitedTestCase {
    func testAConflictEndsAfterFiveWrongPasswordsWhereThePolicyTellsOfThem() async throws {
        let world = World(.weakened { ($0.disclosure, $0.limits) = (.detailed, AuthPolicy.AttemptLimits()) })
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let counts = await outcomes(of: 5) { try await auth.resolve(conflict, signingInWith: world.guess($0)) }
        XCTAssertEqual(counts, [.wrongPassword: 5], "wrong answers to one conflict")
        world.clock.advance(by: .seconds(300))
        await assertThrows(.tooManyRequests, "the right answer after five wrong ones") {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
    }

    /// A person who guesses could otherwise cancel every wrong answer.
    func testAnAnswerThatWasCanceledCounts() async throws {
        let world = World(.standard) { $0.passwordHasher = CancelingHasher() }
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        try await world.device().applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let counts = await outcomes(of: 5) { _ in try await auth.resolve(conflict, signingInWith: World.annsPassword) }
        XCTAssertEqual(counts, [.canceled: 5])
        world.clock.advance(by: .seconds(300))
        await assertThrows(.tooManyRequests, "a sixth answer") {
            try await auth.resolve(conflict, signingInWith: World.annsPassword)
        }
    }

    func testAWrongAnswerToAConflictThatIsOverIsNotCompared() async throws {
        let hasher = CountingHasher()
        let world = World(.standard) { $0.passwordHasher = hasher }
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        world.clock.advance(by: .seconds(600))
        let before = hasher.checks
        try await world.refusal(.invalidCredential, .pendingIdentityIsOver, "a wrong password after ten minutes") {
            try await auth.resolve(conflict, signingInWith: world.guess(0))
        }
        XCTAssertEqual(hasher.checks, before, "passwords that were compared")
    }
}

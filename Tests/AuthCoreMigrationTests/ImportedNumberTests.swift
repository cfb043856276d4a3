@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import XCTest

/// What becomes of a Firebase user's number that signs in and is a second factor as well.
final class ImportedNumberTests: LimitedTestCase {
    /// Firebase lets one number sign in and be the second factor.
    private static let numberThatIsAFactor =
        #""phoneNumber":"+15550001234","mfaInfo":[{"phoneInfo":"+15550001234","mfaEnrollmentId":"1"}]"#

    /// Digits to one number are no two factors.
    func testANumberThatIsAFactorSignsInNoMore() async throws {
        let line = FirebaseSample.user(
            "a",
            FirebaseSample.verified,
            Self.numberThatIsAFactor,
            FirebaseSample.identity(.google, SimulatedPerson.ann.subject(at: .google))
        )
        let world = World(.standard)
        let report = try await world.bring(users: [line])
        XCTAssertEqual(report.created, 1)
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("phoneNumber")])
        let account = try await world.service.account(phoneNumber: "+15550001234")
        XCTAssertNil(account, "the number signs in, and is the second factor as well")
        let device = world.device()
        let error = await authError { try await device.signIn(with: world.credential(.google)) }
        XCTAssertEqual(error?.secondFactor?.hints.count, 1)
    }

    func testAnAddressBesideANumberThatIsAFactorSignsInByAMailedLink() async throws {
        let line = FirebaseSample.user("a", FirebaseSample.unverified, Self.numberThatIsAFactor)
        let world = World(.standard)
        let report = try await world.bring(users: [line])
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("phoneNumber")])
        let error = await authError { try await world.openLink("ann@example.com") }
        XCTAssertEqual(error?.secondFactor?.hints.count, 1, "the owner cannot sign in: \(error as Any)")
    }

    /// Its owner verified it once, so the account does not wait for another proof.
    func testAnAccountWhoseNumberIsAFactorIsNotRemovedAsOneThatNeverProvedAnything() async throws {
        let world = World(.standard)
        _ = try await world.bring(users: [
            FirebaseSample.user("a", FirebaseSample.unverified, Self.numberThatIsAFactor)
        ])
        var account = try await world.service.account("a")
        XCTAssertTrue(account.wasEverVerified, "the number was verified at Firebase")
        world.clock.advance(by: .seconds(60 * 86_400))
        _ = try await world.service.sweep()
        account = try await world.service.account("a")
        XCTAssertEqual(account.factors.count, 1, "the factor of an account that was swept")
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

final class PasswordSignInTests: LimitedTestCase {
    private let world = World(.firebase)

    func testTheRightPasswordSignsInAndProvesNothingElse() async throws {
        let ann = try await world.signUpAnn()
        world.clock.advance(by: .seconds(60))
        let result = try await world.device("tablet").signIn(
            with: .password(email: "ANN@example.com", password: World.password)
        )
        XCTAssertEqual(result.user.uid, ann.uid)
        XCTAssertFalse(result.isNewUser)
        XCTAssertFalse(result.user.isEmailVerified)
        XCTAssertEqual(result.user.metadata.lastSignInDate, world.clock.now)
        XCTAssertEqual(result.user.account, ann.account)
    }

    func testAHashThatIsTooCheapIsReplacedAtTheNextSignIn() async throws {
        let world = World(.firebase) { $0.passwordHasher = DearerHasher() }
        let ann = try await world.signUpAnn()
        let before = try await world.storedAccount(ann)?.passwordHash
        try await world.device("tablet").signIn(with: .password(email: "ann@example.com", password: World.password))
        let after = try await world.storedAccount(ann)?.passwordHash
        XCTAssertNotNil(after, "the account has a hash")
        XCTAssertNotEqual(after, before, "the hash is the one from before")
    }

    func testAHashThatIsTooCheapIsReplacedOnceTheSecondFactorIsShown() async throws {
        let world = World(.standard) { $0.passwordHasher = DearerHasher() }
        let ann = try await world.signUpVerifiedAnn()
        let enrollment = try await world.enrollTOTP(ann)
        let before = try await world.storedAccount(ann)?.passwordHash
        world.clock.advance(by: .seconds(60))
        let tablet = world.device("tablet")
        let challenge = try await world.challenge { try await tablet.signIn(with: World.annsPassword) }
        try await tablet.resolve(challenge, with: .totp(world.totp(enrollment)))
        let after = try await world.storedAccount(ann)?.passwordHash
        XCTAssertNotNil(after, "the account has a hash")
        XCTAssertNotEqual(after, before, "the hash is the one from before")
    }

    func testAnyOtherPasswordIsWrong() async throws {
        try await world.signUpAnn()
        for password in ["Correct horse", "correct horse ", "correct", ""] {
            try await world.refusal(.wrongPassword, .passwordDiffers, password) {
                try await world.device().signIn(with: .password(email: "ann@example.com", password: password))
            }
        }
    }

    func testAnAccountWithoutAPasswordIsNotEnteredByOne() async throws {
        try await world.device().signIn(with: world.google())
        try await world.device().signIn(with: world.mailedLink(to: "ben@example.com", from: world.device()))
        for email in ["ann@example.com", "ben@example.com"] {
            try await world.refusal(.wrongPassword, .accountHasNoPassword) {
                try await world.device().signIn(with: .password(email: email, password: World.password))
            }
        }
    }

    func testAnUnknownAddressIsSaidToBeUnknown() async throws {
        try await world.refusal(.userNotFound, .addressIsUnknown) {
            try await world.device().signIn(with: World.annsPassword)
        }
    }

    func testADisabledAccountIsSaidToBeDisabledBeforeThePasswordCounts() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        for password in [World.password, "another"] {
            try await world.refusal(.userDisabled, .accountIsDisabled) {
                try await world.device().signIn(with: .password(email: "ann@example.com", password: password))
            }
        }
    }

    /// What an app verified before may be out of date when the app presents it.
    func testASignInByAVerifiedPasswordReadsTheAccountAgain() async throws {
        let ann = try await world.signUpAnn()
        let client = world.service.client("tablet")
        try await world.service.setDisabled(true, account: ann.account.id)
        let verified = try await client.verify(World.annsPassword)
        try await world.service.setDisabled(false, account: ann.account.id)
        let user = try await client.signIn(with: verified).user
        XCTAssertEqual(user.uid, ann.uid, "an account that was disabled only while the password was verified")
    }

    func testOnlyThePrimaryAddressGoesWithThePassword() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: world.google(.ben))
        try await world.refusal(.userNotFound) {
            try await world.device().signIn(with: .password(email: "ben@example.com", password: World.password))
        }
    }

    func testAVerifiedPasswordSignsInLaterUnlessItWasReplaced() async throws {
        let ann = try await world.signUpAnn()
        let auth = world.device("tablet")
        let verified = try await auth.verify(World.annsPassword)
        try await auth.signIn(with: verified)
        try await ann.updatePassword(to: "battery staple")
        try await world.refusal(.wrongPassword, .passwordWasReplaced) { try await auth.signIn(with: verified) }
    }
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// What a user can do after another `Auth` than that of the sign-in made it its current user.
final class AdoptedUserTests: LimitedTestCase {
    private let world = World()
    private lazy var tablet = world.device("tablet")

    func testANumberIsLinkedByDigitsOfTheAuthThatTheUserWasSetFor() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await tablet.updateCurrentUser(user)
        XCTAssertEqual(user.core.device, tablet.client.device, "the device of the user who was set")
        let linked = try? await user.link(with: world.phone("+15550001234", in: tablet)).user
        XCTAssertEqual(linked?.phoneNumber, "+15550001234", "the number whose digits the tablet asked for")
    }

    func testANumberIsLinkedByDigitsThatWereSentBeforeTheUserWasSet() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let digits = try await world.phone("+15550001234", in: world.auth)
        try await tablet.updateCurrentUser(user)
        let linked = try? await user.link(with: digits).user
        XCTAssertEqual(linked?.phoneNumber, "+15550001234", "the number whose digits were sent before")
    }

    func testAFactorIsShownToTheAuthThatTheUserWasSetFor() async throws {
        let user = try await world.personWithFactor()
        try await tablet.updateCurrentUser(user)
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let error = await failure { try await user.reauthenticate(with: password) }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        XCTAssertTrue(resolver.auth === tablet, "the Auth that answers the challenge")
        let result = try? await resolver.resolveSignIn(with: world.assertion(for: resolver))
        XCTAssertEqual(result?.user.uid, user.uid, "the user who showed the factor")
    }

    func testACredentialInUseSignsInToTheAuthThatTheUserWasSetFor() async throws {
        let owner = try await world.auth.signIn(with: world.facebook(.ben)).user.uid
        let guest = try await world.auth.signInAnonymously().user
        try await tablet.updateCurrentUser(guest)
        let brief = SimulatedToken(lifetime: 1)
        let token = SimulatedProvider.facebook.token(for: .ben, saying: brief, at: world.clock.now)
        let error = await failure {
            try await guest.link(with: FacebookAuthProvider.credential(withAccessToken: token))
        }
        let updated = error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential
        // By its token it could sign in on every device.
        world.clock.advance(by: .seconds(120))
        let result = try? await tablet.signIn(with: XCTUnwrap(updated))
        XCTAssertEqual(result?.user.uid, owner, "who signs in by what the service kept of the identity")
    }

    func testTheDeviceOfAUserWhoWasSetStaysKnownToTheAccount() async throws {
        let world = World(.standard)
        let tablet = world.device("tablet")
        let word = "correct horse battery"
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: word).user
        try await tablet.updateCurrentUser(user)
        await world.letStrangersGuess()
        let back = try? await tablet.signIn(withEmail: "ann@example.com", password: word).user
        XCTAssertEqual(back?.uid, user.uid, "who signs in on the device that the user was set on while strangers guess")
    }

    /// The first `Auth` still has the user as its current one until someone else signs in.
    func testAnotherSignInWhereTheUserWasLeavesTheUserOnItsDevice() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        try await tablet.updateCurrentUser(user)
        try await world.auth.createUser(withEmail: "ben@example.com", password: "correct horse")
        XCTAssertEqual(user.core.device, tablet.client.device, "the device of the user who was set on the tablet")
        let linked = try? await user.link(with: world.phone("+15550001234", in: tablet)).user
        XCTAssertEqual(linked?.phoneNumber, "+15550001234", "the number whose digits the tablet asked for")
    }
}

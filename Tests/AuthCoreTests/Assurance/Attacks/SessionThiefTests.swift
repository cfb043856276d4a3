@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S12 to S14: somebody who holds a live session, and what they can make of it.
final class SessionThiefTests: LimitedTestCase {
    private let world = World(.standard)

    /// A session whose login is older than five minutes is renewed by nothing that the account does not have already.
    func testS12_LinkingSomethingNewIsNoLogin() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(240))
        try await ann.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(120))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.link(with: world.facebook(.eve))
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.updatePassword(to: world.evesPassword)
        }
    }

    func testS12_LinkingANumberIsNoLogin() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(240))
        try await ann.link(with: world.digits(to: world.evesNumber, from: world.device()))
        world.clock.advance(by: .seconds(120))
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.link(with: world.gitHub(.eve))
        }
    }

    /// Whoever shows the younger method again has the age of that one, whatever the session began with.
    func testS13_AYoungerMethodIsNotOldBecauseTheSessionBeganWithAnOlderOne() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook())
        world.clock.advance(by: .seconds(30 * 86400))
        let session = try await world.device("stolen").signIn(with: World.annsPassword).user
        world.clock.advance(by: .seconds(60))
        try await session.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(600))
        try await session.reauthenticate(with: world.gitHub(.eve))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await session.unlink(.facebook) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await session.updatePassword(to: world.evesPassword)
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await session.delete() }
        // Its owner shows the older one again and goes on.
        try await session.reauthenticate(with: World.annsPassword)
        try await session.unlink(.gitHub)
    }

    /// In one sitting nothing is asked twice.
    func testSeveralChangesAfterOneLoginNeedNoOther() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook())
        world.clock.advance(by: .seconds(30 * 86400))
        let session = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await session.link(with: world.gitHub())
        try await session.unlink(.facebook)
        try await session.link(with: world.google())
        try await session.updatePassword(to: "anns own word")
        try await session.unlink(.gitHub)
        let providers = session.providerData.map(\.provider)
        XCTAssertEqual(providers, [.password, .google], "methods after all the changes")
    }

    func testS14_NoReplacementPutsAnUnverifiedAddressInThePlaceOfAVerifiedOne() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.facebook(.ben))
        try await world.refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified) {
            try await ann.replace(.password, with: .password(email: "eve@example.com", password: world.evesPassword))
        }
        try await world.refusal(.emailChangeNeedsVerification, .addressStaysUntilVerified) {
            try await ann.replace(.facebook, with: .password(email: "eve@example.com", password: world.evesPassword))
        }
    }

    func testS14_NorDoesAnIdentityThatReplacesThePasswordOfIt() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.replace(.password, with: world.facebook(.ben))
        XCTAssertNil(ann.email, "the unverified address of the new identity is shown")
    }

    func testS21_NorIsItTakenFromAFactor() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ben))
        try await world.enrollTOTP(ann)
        try await world.refusal(.unverifiedEmail, .factorNeedsAddress) {
            try await ann.replace(.password, with: world.facebook(.ben))
        }
    }

    /// An identity that was reported, and that a second stolen session confirms, is as new as one that it links.
    func testS13_AConfirmedIdentityRemovesNoOlderMethodAtOnce() async throws {
        _ = try await world.annWithAPlantedIdentity()
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        world.clock.advance(by: .seconds(30 * 86400))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.eveAtGoogle)
        world.clock.advance(by: .seconds(3600))
        let thief = try await world.device("eve").signIn(with: world.eveAtGoogle).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await thief.updatePassword(to: "eves own word")
        }
    }
}

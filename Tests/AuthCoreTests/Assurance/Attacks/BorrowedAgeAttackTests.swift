@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S13: what was added a moment ago does not pass for what the account has had for long.
final class BorrowedAgeAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let day = 86_400.0

    /// A session that was stolen long after its login, of an account that signs in with Facebook.
    private func stolenSession() async throws -> User {
        _ = try await world.device("phone").signIn(with: world.facebook()).user
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.facebook()).user
        world.clock.advance(by: .seconds(600))
        return stolen
    }

    /// A mailed link, where the account has no such method, must not bring back the age of the session's own.
    func testS13_AMailedLinkToANewMailboxBringsNoOlderMethodsAge() async throws {
        let stolen = try await stolenSession()
        try await stolen.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: world.device("stolen")))
        try await stolen.link(with: world.gitHub(.eve))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await stolen.unlink(.facebook) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await stolen.delete() }
    }

    func testS13_ALinkToAMailboxOfLongStandingCountsAsBefore() async throws {
        let ann = try await world.device("phone").signIn(with: world.facebook()).user
        try await world.verifyAddress(of: ann)
        // Neither is the session's own method forgotten by a link from when the mailbox was young.
        world.clock.advance(by: .seconds(60))
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: world.device("phone")))
        world.clock.advance(by: .seconds(10 * day))
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@example.com", from: world.device("phone")))
        try await ann.link(with: world.gitHub())
        try await ann.unlink(.facebook)
        XCTAssertEqual(ann.providerData.map(\.provider), [.gitHub])
    }

    /// The mailbox of a moment ago must not put an identity of the same provider in the place of the owner's.
    func testS13_AYoungMailboxReplacesNoOlderIdentityOfTheSameProvider() async throws {
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        _ = try await world.device("phone").signIn(with: world.google(gmail)).user
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.google(gmail)).user
        try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@gmail.com")
        try await stolen.applyActionCode(world.code(.changeEmail, to: "eve@gmail.com"))
        let eve = world.device("eve")
        let conflict = try await world.conflict { try await eve.signIn(with: world.eveAtGoogle) }
        let link = try await world.mailedLink(to: "eve@gmail.com", from: eve)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.resolve(conflict, signingInWith: link)
        }
    }
}

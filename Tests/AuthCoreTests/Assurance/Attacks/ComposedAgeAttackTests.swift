@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Steps that are allowed one by one lend no session the recency or the age that a change needs.
final class ComposedAgeAttackTests: LimitedTestCase {
    /// S12, S13: a session that falls back to an older method must not keep the recency of the younger one.
    func testASessionThatFallsBackToAnOlderMethodIsNotRecent() async throws {
        let world = World(.standard)
        let stolen = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(20 * 86_400))
        let laptop = try await world.device("laptop").signIn(with: World.annsPassword).user
        try await laptop.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(86_400))
        // The thief has the old session and the young identity, neither password nor mailbox.
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await stolen.delete(permanently: true) }
        try await stolen.reauthenticate(with: world.gitHub(.ben))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await stolen.delete(permanently: true) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
        try await stolen.unlink(.gitHub)
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "the address") {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "the password") {
            try await stolen.updatePassword(to: "eves own word")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent, "the deletion") {
            try await stolen.delete(permanently: true)
        }
    }

    /// S19: a change is final where the session began with a link to the old mailbox, if that was recent.
    func testAFallBackToAnOldLinkMakesNoChangeFinal() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let auth = world.device("tablet")
        let stolen = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await ann.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(10 * 86_400))
        try await stolen.reauthenticate(with: world.gitHub(.ben))
        try await stolen.unlink(.gitHub)
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
    }

    /// An account with an address that was verified twenty days ago, and the session of a GitHub identity that was
    /// linked yesterday, which has set a password.
    private func youngMethod(_ world: World) async throws -> User {
        let auth = world.device("phone")
        let ann = try await auth.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await auth.applyActionCode(try world.code(.changeEmail, to: "ann@example.net"))
        world.clock.advance(by: .seconds(20 * 86_400))
        let stolen = try await world.device("tablet").signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await stolen.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(86_400))
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await eve.updatePassword(to: "eves own word")
        return eve
    }

    /// S13: a password that a young method set takes no old address with it.
    func testAYoungMethodRemovesNoOldAddress() async throws {
        let world = World(.standard)
        let eve = try await youngMethod(world)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "directly") {
            try await eve.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, "with the password") {
            try await eve.unlink(.password)
        }
    }

    /// S13: the same in one step.
    func testAReplacementMovesNoOldAddress() async throws {
        let world = World(.standard)
        let eve = try await youngMethod(world)
        let link = try await world.mailedLink(to: "eve@example.net", from: world.device("eve"))
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.replace(.password, with: link)
        }
    }

    /// S13: a mailbox that replaces the only method replaces the address, too.
    func testAReplacementOfTheOnlyMethodMovesNoOldAddress() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(20 * 86_400))
        let tablet = world.device("tablet")
        let user = try await tablet.signIn(with: World.annsPassword).user
        try await user.link(with: world.gitHub(.ann))
        try await user.unlink(.password)
        world.clock.advance(by: .seconds(86_400))
        let evesDevice = world.device("eve")
        let eve = try await evesDevice.signIn(with: world.gitHub(.ann)).user
        let before = try await world.account(ann)
        XCTAssertTrue(world.service.isEmailVerified(before))
        let link = try await world.mailedLink(to: "eve@example.net", from: evesDevice)
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await eve.link(with: link) }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await eve.replace(.gitHub, with: link) }
    }

    /// S14, S19 where unverified addresses may replace verified ones: linking a password is such a change.
    func testALinkedPasswordThatMovesTheAddressOffersAWayBack() async throws {
        var policy = AuthPolicy.pinned
        policy.unverifiedEmailChange = .allowed
        for links in [false, true] {
            let world = World(policy)
            let ann = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work))
                .user
            XCTAssertTrue(ann.isEmailVerified)
            if links {
                try await ann.link(with: .password(email: "eve@example.net", password: "eves own word"))
            } else {
                try await ann.updateEmail(to: "eve@example.net")
            }
            let after = try await world.account(ann)
            XCTAssertEqual(after.email?.text, "eve@example.net")
            XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "no way back, links: \(links)")
        }
    }

    /// The same with a young login.
    func testALinkedPasswordMovesNoOlderAddress() async throws {
        var policy = AuthPolicy.pinned
        policy.unverifiedEmailChange = .allowed
        let world = World(policy)
        let ann = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work)).user
        world.clock.advance(by: .seconds(20 * 86_400))
        let again = try await world.device("phone").signIn(with: world.credential(.google, .ann, saying: world.work))
            .user
        try await again.link(with: world.gitHub(.eve))
        world.clock.advance(by: .seconds(86_400))
        let eve = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.updateEmail(to: "eve@example.net")
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await eve.link(with: .password(email: "eve@example.net", password: "eves own word"))
        }
        XCTAssertEqual(eve.uid, ann.uid)
    }

    /// S27: a custom token is never recent, to resolve a conflict neither.
    func testACustomTokenResolvesNoConflict() async throws {
        let world = World(.pinned)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        let auth = world.device("eve")
        let user = try await auth.signIn(with: .customToken(token)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) { try await user.link(with: world.gitHub()) }
        let conflict = try await world.conflict { try await auth.signIn(with: world.gitHub()) }
        let error = await authError { try await auth.resolve(conflict, signingInWith: .customToken(token)) }
        XCTAssertEqual(error?.reasons.last, .loginIsNotRecent)
    }

    /// An account with a password and GitHub, made a day ago, where unlinking needs no recent login.
    private func yesterdaysAnn() async throws -> (World, User) {
        var policy = AuthPolicy.pinned
        policy.recency.operations.remove(.unlink)
        let world = World(policy)
        let ann = try await world.signUp("ann@example.com", linking: world.gitHub(.ann), in: world.device("phone"))
        world.clock.advance(by: .seconds(86_400))
        return (world, ann)
    }

    /// A replacement is a link, too.
    func testAReplacementNeedsTheRecencyOfALink() async throws {
        let (world, ann) = try await yesterdaysAnn()
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.link(with: world.facebook(.eve))
        }
        try await world.refusal(.requiresRecentLogin, .loginIsNotRecent) {
            try await ann.replace(.gitHub, with: world.facebook(.eve))
        }
    }

    /// S13, S27: a token that states no time is as young as its session.
    func testACustomTokenIsAsYoungAsItsSession() async throws {
        let (world, ann) = try await yesterdaysAnn()
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        let user = try await world.device("eve").signIn(with: .customToken(token)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await user.unlink(.gitHub) }
    }
}

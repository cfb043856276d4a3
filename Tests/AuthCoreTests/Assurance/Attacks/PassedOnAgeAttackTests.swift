@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a password, or a method that was confirmed, must not do with an age that was passed on to it.
final class PassedOnAgeAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    func testS24_APasswordChangedInAStolenSessionMovesNoIdentityAway() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(30 * day))
        let stolen = try await world.device("stolen").signIn(with: world.gitHub(.ann)).user
        try await stolen.updatePassword(to: world.evesPassword)
        try await assertNotSenior("ann@example.com") { try await $0.move(.gitHub, from: $1, to: $2) }
        let after = try await world.storedProviders(ann)
        XCTAssertEqual(after, [.password, .gitHub], "a live session moved the owner's identity to the thief's account")
    }

    func testS24_APasswordOfAResetMovesNoIdentityAway() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.ann))
        world.clock.advance(by: .seconds(31 * day))
        try await world.reset(to: world.evesPassword)
        try await assertNotSenior("ann@example.com") { try await $0.move(.gitHub, from: $1, to: $2) }
        let after = try await world.storedProviders(ann)
        XCTAssertEqual(after, [.password, .gitHub], "the mailbox alone moved the owner's identity away")
    }

    func testS24_APasswordThatAStolenSessionLinkedMergesNoAccountAwayThatGetsNoNotices() async throws {
        let owners: [(String, (Auth) async throws -> AuthCredential)] = [
            ("Facebook without an address", { _ in self.silent() }),
            ("a number", { try await self.world.digits(to: self.world.evesNumber, from: $0) }),
            ("GitHub", { _ in self.world.gitHub(.ben) }),
        ]
        for (name, credential) in owners {
            world.startOver(.standard)
            let phone = world.device("phone")
            let owner = try await phone.signIn(with: credential(phone)).user
            world.clock.advance(by: .seconds(30 * day))
            let stolen = world.device("stolen")
            let thief = try await stolen.signIn(with: credential(stolen)).user
            XCTAssertEqual(thief.uid, owner.uid)
            try await thief.link(with: .password(email: "eve@example.org", password: world.evesPassword))
            try await assertNotSenior("eve@example.org") { try await $0.merge($1, into: $2) }
            let left = try await world.storedAccount(owner)
            XCTAssertNotNil(left, "\(name): a live session merged the account away")
        }
    }

    func testS13_AMethodThatWasConfirmedDeletesNothingForGood() async throws {
        let phone = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(phone)
        world.clock.advance(by: .seconds(30 * day))
        let tablet = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await tablet.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(40 * day))
        try await world.reset(to: "owners own word")
        let own = try await world.device("own").signIn(
            with: .password(email: "ann@example.com", password: "owners own word")
        ).user
        try await own.link(with: world.gitHub(.ben))
        world.clock.advance(by: .seconds(60))
        let other = try await world.device("other").signIn(with: world.gitHub(.ben)).user
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior) { try await other.delete(permanently: true) }
        let left = try await world.storedAccount(ann)
        XCTAssertNotNil(left, "a method that counts as new deleted the account for good")
    }

    /// Expects that Eve's password for this address gives nothing of its account away, to her own account.
    private func assertNotSenior(
        _ email: String,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: (AuthClient, Merge.Side, Merge.Side) async throws -> Merge.Result
    ) async throws {
        try await world.signUp("eve@example.net", in: world.device("eve"))
        let source = try await world.side(.password(email: email, password: world.evesPassword))
        let target = try await world.passwordSide("eve@example.net")
        try await world.refusal(.requiresRecentLogin, .loginIsNotSenior, file: file, line: line) {
            try await act(world.service.client(world.context), source, target)
        }
    }

    private func silent(_ person: SimulatedPerson = .ben) -> AuthCredential {
        world.credential(.facebook, person, saying: SimulatedToken(email: .absent))
    }

    /// S13: mailed links are as old as the proof of their mailbox, whenever they are used first.
    func testMailedLinksAreAsOldAsTheProofOfTheirMailbox() async throws {
        try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(30 * 86_400))
        let tablet = world.device("tablet")
        let user = try await tablet.signIn(with: world.mailedLink(to: "ann@example.com", from: tablet)).user
        try await user.updatePassword(to: "another good word")
        let signsIn = await world.succeeds {
            try await world.device("phone").signIn(
                with: .password(email: "ann@example.com", password: "another good word")
            )
        }
        XCTAssertTrue(signsIn, "a login by a mailbox that was verified a month ago changes the password")
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// AT-26: what a token is worth that was issued before a change of privileges.
final class OutdatedTokenAttackTests: LimitedTestCase {
    private var world = World(.standard)

    /// The methods by which a guest becomes a person, each in a world of its own.
    private func upgrades() -> [(name: String, act: (World, Auth, User) async throws -> Void)] {
        [
            ("a password", { _, _, guest in try await guest.link(with: World.annsPassword) }),
            ("an identity", { world, _, guest in try await guest.link(with: world.google()) }),
            (
                "a number",
                { world, auth, guest in
                    try await guest.link(with: world.digits(to: world.number, from: auth))
                }
            ),
            (
                "a mailed link",
                { world, auth, guest in
                    try await guest.link(with: world.mailedLink(to: "ann@example.com", from: auth))
                }
            ),
        ]
    }

    /// Eve plants a session of her own on Ann's device and keeps its tokens; Ann makes it her account.
    func testAT26_TokensOfAPlantedGuestSessionOpenNothingAfterItsUpgrade() async throws {
        for policy in [AuthPolicy.standard, .firebase] {
            for upgrade in upgrades() {
                world.startOver(policy)
                let auth = world.device("ann's")
                let guest = try await auth.signInAnonymously().user
                let planted = try await guest.issueTokens()
                let eve = world.service.client("eve's")
                let opened = try await eve.user(forIDToken: planted.idToken.token)
                try await upgrade.act(world, auth, guest)
                try await world.refusal(.userTokenExpired, .tokenIsOutdated, "ID token, \(upgrade.name)") {
                    try await eve.user(forIDToken: planted.idToken.token)
                }
                try await world.refusal(.userTokenExpired, .tokenIsOutdated, "refresh token, \(upgrade.name)") {
                    try await eve.refresh(planted.refreshToken)
                }
                try await world.refusal(.userTokenExpired, .tokenIsOutdated, "user, \(upgrade.name)") {
                    try await opened.unlink(.password)
                }
                // The session itself goes on, and its answers bring new tokens.
                try await guest.reload()
                let tokens = try await guest.issueTokens()
                let again = try await world.service.client("ann's").refresh(tokens.refreshToken)
                let user = try await world.service.client("ann's").user(forIDToken: again.idToken.token)
                XCTAssertEqual(user.uid, guest.uid, upgrade.name)
            }
        }
    }

    /// Eve gets hold of the link that verifies Ann's address, and opens it with the token that she kept.
    func testAT26_AMailedCodeMakesNoOldTokenGoodAgain() async throws {
        let auth = world.device("ann's")
        let guest = try await auth.signInAnonymously().user
        let opened = try await world.service.client("eve's").user(forIDToken: guest.issueTokens().idToken.token)
        try await guest.link(with: World.annsPassword)
        try await guest.sendEmailVerification()
        try await opened.applyActionCode(world.newestCode(to: "ann@example.com"))
        try await world.refusal(.userTokenExpired, .tokenIsOutdated) { try await opened.reload() }
        let stored = try await world.storedAccount(guest)
        XCTAssertEqual(stored.map(world.service.isEmailVerified), true, "the code itself works")
    }

    /// What an article says of changes that need no new tokens.
    func testALinkAndAMailedChangeOfTheAddressKeepEarlierTokens() async throws {
        let ann = try await world.signUp("ann@example.com")
        let client = world.service.client()
        var token = try await ann.issueTokens().idToken.token
        try await ann.link(with: world.gitHub(.ann))
        _ = try await client.user(forIDToken: token)
        token = try await ann.issueTokens().idToken.token
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann2@example.com")
        try await ann.applyActionCode(world.newestCode(to: "ann2@example.com"))
        let user = try await client.user(forIDToken: token)
        XCTAssertEqual(user.email, "ann2@example.com", "the token from before the change gives the account")
    }

    /// Every change of privileges makes the tokens void that were issued before it, and only such a change does.
    func testAT26_EveryChangeOfPrivilegesBringsNewTokens() async throws {
        let changes: [(name: String, isOne: Bool, act: (World, User) async throws -> Void)] = [
            ("login", true, { _, ann in try await ann.reauthenticate(with: World.annsPassword) }),
            ("password", true, { _, ann in try await ann.updatePassword(to: "another long one") }),
            ("factor", true, { world, ann in try await world.enrollTOTP(ann) }),
            ("unlink", true, { _, ann in try await ann.unlink(.gitHub) }),
            ("all others end", true, { _, ann in try await ann.revokeOtherSessions() }),
            ("name", false, { _, ann in try await ann.updateProfile(displayName: .set("Ann")) }),
            ("reload", false, { _, ann in try await ann.reload() }),
        ]
        for policy in [AuthPolicy.standard, .firebase] {
            for change in changes {
                world.startOver(policy)
                let ann = try await world.signUp("ann@example.com", linking: world.gitHub())
                let before = try await ann.issueTokens()
                let server = try await world.service.client("ann's").user(forIDToken: before.idToken.token)
                world.clock.advance(by: .seconds(1))
                try await change.act(world, server)
                // The server that made the change goes on with the same user, and answers with its new tokens.
                try await server.reload()
                let after = try await server.issueTokens()
                _ = try await world.service.client("ann's").user(forIDToken: after.idToken.token)
                let isOutdated = await !world.succeeds {
                    try await self.world.service.client("ann's").user(forIDToken: before.idToken.token)
                }
                XCTAssertEqual(isOutdated, change.isOne, change.name)
                // A token from before is no sign of a theft, so the session lives.
                if change.isOne {
                    await assertThrows(.userTokenExpired, change.name) {
                        try await self.world.service.client("ann's").refresh(before.refreshToken)
                    }
                }
                try await ann.reload()
            }
        }
    }

    /// Of a login and an exchange of the refresh token at the same time, neither undoes the other.
    func testAT26_AnExchangeThatRunsBesideALoginBringsNoOldTokenBack() async throws {
        for isLoginFirst in [true, false] {
            world.startOver()
            let what = "where the \(isLoginFirst ? "login" : "exchange") is first"
            let ann = try await world.signUpVerifiedAnn()
            let tokens = try await ann.issueTokens()
            let (client, gate) = (world.service.client("ann's"), Gate())
            world.store.script(.commit, .waitsBefore(gate))
            if isLoginFirst {
                let late = Task { await outcome { try await client.refresh(tokens.refreshToken) } }
                await gate.waitForArrivals()
                try await ann.reauthenticate(with: World.annsPassword)
                gate.open()
                let code = await late.value
                XCTAssertEqual(code, .userTokenExpired, "the exchange \(what)")
            } else {
                let late = Task { try await ann.reauthenticate(with: World.annsPassword) }
                await gate.waitForArrivals()
                let exchanged = try await client.refresh(tokens.refreshToken)
                gate.open()
                _ = try await late.value
                await assertThrows(.userTokenExpired, "the pair from before the login") {
                    try await client.user(forIDToken: exchanged.idToken.token)
                }
                await assertThrows(.userTokenExpired, "the refresh token from before the login") {
                    try await client.refresh(exchanged.refreshToken)
                }
            }
            let after = try await ann.issueTokens()
            let user = try await client.user(forIDToken: after.idToken.token)
            XCTAssertEqual(user.uid, ann.uid, "whose the tokens after the login are, \(what)")
            await assertThrows(.userTokenExpired, "the first refresh token \(what)") {
                try await client.refresh(tokens.refreshToken)
            }
            // A token from before the login is no sign of a theft; one that was exchanged is.
            let goesOn = await world.succeeds { try await ann.reload() }
            XCTAssertEqual(goesOn, isLoginFirst, "whether the session goes on, \(what)")
        }
    }
}

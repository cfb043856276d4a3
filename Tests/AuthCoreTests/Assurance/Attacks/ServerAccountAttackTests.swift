@testable import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

/// An account that the app's own server signs in to: nothing of another person has to stay for its owner to come back,
/// and it is merged like others.
final class ServerAccountAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    private func signIn() async throws -> User {
        let token = try await world.service.makeCustomToken(for: "employee-7", authenticatedAt: world.clock.now)
        return try await world.device("phone").signIn(with: .customToken(token)).user
    }

    /// Its owner has a verified address, but passwords and mailed links are disabled.
    private func ownerOfAnAddress() async throws -> User {
        let ann = try await signIn()
        try await ann.link(with: world.google(.ann.with(email: "ann@gmail.com")))
        try await ann.unlink(.google)
        world.policy.disabledProviders = [.password, .emailLink]
        world.restart()
        world.clock.advance(by: .seconds(60))
        return try await signIn()
    }

    private func assertTheNextHolderIsRefused(on device: String = "next") async throws {
        let next = world.device(device)
        try await world.refusal(.accountExistsWithDifferentCredential, .numberVerificationIsOld) {
            try await next.signIn(with: world.digits(to: world.number, from: next))
        }
    }

    /// Signs in by the server, links a number, and uses the session on for these days.
    private func annInASession(for days: Double) async throws -> User {
        let ann = try await signIn()
        try await ann.link(with: world.digits(to: world.number, from: world.device("phone")))
        for _ in 0..<Int(days / 15) {
            world.clock.advance(by: .seconds(15 * day))
            try await ann.reload()
        }
        return ann
    }

    func testTheNextHolderOfANumberGetsNoAccountThatTheServerSignsInTo() async throws {
        _ = try await annInASession(for: 0)
        world.clock.advance(by: .seconds(400 * day))
        _ = try await signIn()
        world.clock.advance(by: .seconds(90 * day))
        try await assertTheNextHolderIsRefused()
        // The owner comes in the last moment, and shows it to the day.
        _ = try await signIn()
        world.clock.advance(by: .seconds(day - 1))
        _ = try await signIn()
        world.clock.advance(by: .seconds(180 * day))
        try await assertTheNextHolderIsRefused(on: "later")
    }

    func testTheNextHolderOfANumberGetsNoAccountWhoseOwnerStaysInASessionOfTheServer() async throws {
        let ann = try await annInASession(for: 165)
        try await assertTheNextHolderIsRefused()
        try await ann.reload()
    }

    /// Also where a number's proof lasts for less than the day within which no further custom token is noted.
    func testTheNextHolderOfANumberGetsNoAccountThatTheServerSignedInToAMinuteAgo() async throws {
        world.policy.phoneEvidenceLifetime = .seconds(12 * 3600)
        world.policy.sessions.absolute = nil
        world.restart()
        _ = try await annInASession(for: 0)
        world.clock.advance(by: .seconds(20 * 3600))
        _ = try await signIn()
        world.clock.advance(by: .seconds(60))
        try await assertTheNextHolderIsRefused()
    }

    func testReauthenticatingByTheServersWordShowsThatTheServerStillSignsIn() async throws {
        let ann = try await annInASession(for: 165)
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        try await ann.reauthenticate(with: .customToken(token))
        world.clock.advance(by: .seconds(179 * day))
        try await assertTheNextHolderIsRefused()
    }

    func testTheNextHolderOfANumberGetsNoImportedAccountThatTheServerSignsInTo() async throws {
        let ann = try await annInASession(for: 0)
        var account = try await world.account(ann)
        account.customTokenAt = nil
        world.startOver(.standard)
        world.clock.advance(by: .seconds(100 * day))
        _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: true)
        try await assertTheNextHolderIsRefused()
    }

    func testANumberOpensAnAccountThatTheServerLeftLongAgo() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        // One token of a move or of the support is no method of the owner.
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        try await world.device("support").signIn(with: .customToken(token))
        world.clock.advance(by: .seconds(181 * day + 1))
        let again = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        XCTAssertEqual(again.uid, ann.uid)
    }

    /// The word of a server that states no time is never recent, and nothing else would renew the number.
    func testWhoHasOnlyTheServerAndAnOldNumberRenewsItInASession() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.digits(to: world.number, from: phone)).user
        world.clock.advance(by: .seconds(100 * day))
        let token = try await world.service.makeCustomToken(for: ann.account.id)
        let back = try await phone.signIn(with: .customToken(token)).user
        await assertThrows(.requiresRecentLogin) { try await back.link(with: world.google()) }
        try await back.reauthenticate(with: world.digits(to: world.number, from: phone))
        try await back.link(with: world.google())
        // With another method the number that was renewed counts like any.
        world.clock.advance(by: .seconds(100 * day))
        let later = try await phone.signIn(with: world.google()).user
        try await world.refusal(.requiresRecentLogin, .numberVerificationIsOld) {
            try await later.reauthenticate(with: world.digits(to: world.number, from: phone))
        }
    }

    func testAReportSuspendsWhatAThiefAddedThoughNoOtherMethodIsLeft() async throws {
        let ann = try await ownerOfAnAddress()
        try await ann.link(with: world.facebook(.eve))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@gmail.com"))
        let account = try await world.account(ann)
        XCTAssertEqual(account.method(of: .facebook)?.isActive, false, "the thief's Facebook signs in")
        _ = try await signIn()
    }

    func testARecoveredAddressSuspendsWhatAThiefAddedThoughNoOtherMethodIsLeft() async throws {
        // Otherwise no login by the server is old enough for the change.
        world.policy.seniority = nil
        let ann = try await ownerOfAnAddress()
        try await ann.sendEmailVerification(beforeUpdatingTo: "eve@evil.example")
        try await world.device("eve").applyActionCode(world.code(.changeEmail, to: "eve@evil.example"))
        try await signIn().link(with: world.facebook(.eve))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@gmail.com"))
        let account = try await world.account(ann)
        XCTAssertEqual(account.email?.text, "ann@gmail.com", "the address after the recovery")
        XCTAssertEqual(account.method(of: .facebook)?.isActive, false, "the thief's Facebook signs in")
    }

    func testS24_AnAccountOfCustomTokensWithAVerifiedAddressIsStillMerged() async throws {
        let token = try await world.service.makeCustomToken(for: "server-1")
        let device = world.device()
        let ann = try await device.signIn(with: .customToken(token)).user
        let old = try await world.account(ann)
        var verified = old
        verified.email = .ascii("ann@example.com")
        verified.own(.ascii("ann@example.com"), at: old.createdAt)
        var transaction = Transaction(world.service.decisionContext())
        transaction.update(old, to: &verified, by: .administrator)
        _ = try await world.service.store.commit(transaction.changes)
        world.clock.advance(by: .seconds(day))
        try await device.signIn(with: world.digits(to: world.number, from: device))
        let shown = try await world.service.makeCustomToken(for: "server-1", authenticatedAt: world.clock.now)
        let source = try await world.side(.customToken(shown))
        let target = try await world.side(world.digits(to: world.number, from: device))
        try await world.service.client(world.context).merge(source, into: target)
        let left = try await world.storedAccount(ann)
        XCTAssertNil(left, "the account is not merged")
    }
}

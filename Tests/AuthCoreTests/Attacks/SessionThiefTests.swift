@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S12 to S14: somebody who holds a live session, and what they can make of it.
final class SessionThiefTests: AttackTestCase {
    /// A session whose login is older than five minutes is renewed by nothing that the account does not have already.
    func testS12_LinkingSomethingNewIsNoLogin() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 240)
        try await ann.link(with: gitHub(.eve))
        clock.advance(by: 120)
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.link(with: facebook(.eve)) }
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.updatePassword(to: evesPassword) }
    }

    func testS12_LinkingANumberIsNoLogin() async throws {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 240)
        try await ann.link(with: digits(to: evesNumber, from: seat()))
        clock.advance(by: 120)
        try await refusal(.requiresRecentLogin, .loginIsNotRecent) { try await ann.link(with: gitHub(.eve)) }
    }

    /// Whoever shows the younger method again has the age of that one, whatever the session began with.
    func testS13_AYoungerMethodIsNotOldBecauseTheSessionBeganWithAnOlderOne() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: facebook())
        clock.advance(by: 30 * 86400)
        let session = try await seat("stolen").signIn(with: Self.annsPassword).user
        clock.advance(by: 60)
        try await session.link(with: gitHub(.eve))
        clock.advance(by: 600)
        try await session.reauthenticate(with: gitHub(.eve))
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) { try await session.unlink(.facebook) }
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) {
            try await session.updatePassword(to: evesPassword)
        }
        try await refusal(.requiresRecentLogin, .loginIsNotSenior) { try await session.delete() }
        // Its owner shows the older one again and goes on.
        try await session.reauthenticate(with: Self.annsPassword)
        try await session.unlink(.gitHub)
    }

    /// In one sitting nothing is asked twice.
    func testSeveralChangesAfterOneLoginNeedNoOther() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: facebook())
        clock.advance(by: 30 * 86400)
        let session = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await session.link(with: gitHub())
        try await session.unlink(.facebook)
        try await session.link(with: google())
        try await session.updatePassword(to: "anns own word")
        try await session.unlink(.gitHub)
    }

    func testS14_NoReplacementPutsAnUnprovenAddressInThePlaceOfAProvenOne() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.link(with: facebook(.ben))
        try await refusal(.emailChangeNeedsVerification, .addressStaysUntilProven) {
            try await ann.replace(.password, with: .password(email: "eve@example.com", password: evesPassword))
        }
        try await refusal(.emailChangeNeedsVerification, .addressStaysUntilProven) {
            try await ann.replace(.facebook, with: .password(email: "eve@example.com", password: evesPassword))
        }
    }
}

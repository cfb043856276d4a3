import AuthCoreTesting
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// When a listener for tokens is called: at once, and for every new token of the current user.
@MainActor
final class TokenListenerTests: ListenerTestCase {
    func testATokenListenerHearsOfTheTokenThatAnAppliedCodeBrings() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let before = try await user.getIDToken()
        try await user.sendEmailVerification()
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        try await world.auth.applyActionCode(world.newestCode)
        await settle()
        let after = try await user.getIDToken()
        XCTAssertNotEqual(after, before, "the token from before the verification")
        XCTAssertEqual(heard, 2, "calls, the first one included")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testAReloadThatFindsNothingNewKeepsTheToken() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let before = try await user.getIDToken()
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        try await user.reload()
        let after = try await user.getIDToken()
        await settle()
        XCTAssertEqual(after, before, "the token after a reload of the same account")
        XCTAssertEqual(heard, 1, "calls, the first one included")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testATokenListenerHearsOfEveryToken() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        XCTAssertEqual(heard, 1)
        _ = try await user.getIDToken()
        await settle()
        XCTAssertEqual(heard, 1)
        world.clock.advance(by: .seconds(60))
        _ = try await user.getIDToken(forcingRefresh: true)
        await settle()
        XCTAssertEqual(heard, 2)
        world.clock.advance(by: .seconds(3600))
        _ = try await user.getIDToken()
        await settle()
        XCTAssertEqual(heard, 3, "after the token that replaces an expired one")
        world.auth.removeIDTokenDidChangeListener(handle)
        _ = try await user.getIDToken(forcingRefresh: true)
        await settle()
        XCTAssertEqual(heard, 3, "after the listener was removed")
    }

    func testATokenListenerHearsOfAReauthenticationThatANeededFactorCompletes() async throws {
        let user = try await world.personWithFactor()
        let password = EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        let error = await failure { try await user.reauthenticate(with: password) }
        let resolver = try XCTUnwrap(error?.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver)
        let assertion = try await world.assertion(for: resolver)
        await settle()
        var heard: [String?] = []
        let handle = world.auth.addIDTokenDidChangeListener { _, user in heard.append(user?.refreshToken) }
        await settle()
        XCTAssertEqual(heard.count, 1, "at first")
        _ = try await resolver.resolveSignIn(with: assertion)
        await settle()
        XCTAssertEqual(heard.count, 2, "after the factor, which completes the re-authentication and replaces the token")
        XCTAssertEqual(heard.last, user.refreshToken, "the token that the listener finds when it is called")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testATokenListenerHearsOfAReauthentication() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        XCTAssertEqual(heard, 1, "at first")
        try await user.reauthenticate(
            with: EmailAuthProvider.credential(withEmail: "ann@example.com", password: "correct horse")
        )
        await settle()
        XCTAssertEqual(heard, 2, "after the re-authentication, which replaces the token")
        _ = try await user.getIDToken()
        await settle()
        XCTAssertEqual(heard, 2, "the token that the re-authentication brought is kept")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    func testATokenListenerDoesNotHearOfAUserWhoIsNotCurrent() async throws {
        let ben = try await world.auth.signIn(with: world.google(.ben)).user
        _ = try await world.auth.signIn(with: world.facebook(.ann))
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        await settle()
        _ = try await ben.getIDToken(forcingRefresh: true)
        await settle()
        XCTAssertEqual(heard, 1, "calls of the listener: only the first one, about the current user")
        world.auth.removeIDTokenDidChangeListener(handle)
    }

    /// How often a listener for tokens is called, at its start and by this change.
    private func calls(by change: () async throws -> Void) async throws -> Int {
        await settle()
        var heard = 0
        let handle = world.auth.addIDTokenDidChangeListener { _, _ in heard += 1 }
        defer { world.auth.removeIDTokenDidChangeListener(handle) }
        await settle()
        try await change()
        await settle()
        return heard
    }

    func testASignOutWithoutAUserTellsNothing() async throws {
        let heard = try await calls { try world.auth.signOut() }
        XCTAssertEqual(heard, 1, "what a listener heard, the first call included")
    }

    func testATokenListenerHearsOfALink() async throws {
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let heard = try await calls { try await user.link(with: world.gitHub()) }
        XCTAssertEqual(heard, 2, "what a listener heard, the first call included")
    }
}

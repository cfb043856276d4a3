import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// The guides' lines about an account in an app: what its person changes, its sessions, and what is told of it.
final class AccountGuideTests: GuideTestCase {
    func testADeletionAsksForAFreshLoginAndIsCanceledByASignIn() async throws {
        let auth = Auth(service: makeService())
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        clock.advance(by: .seconds(3600))
        try await Guide.deleteAccount(of: user, verifying: .simulated(.google, .ann))
        XCTAssertNil(auth.currentUser)
        let again = try await auth.signIn(with: .simulated(.google, .ann)).user
        XCTAssertEqual(again.uid, user.uid, "a sign-in in the time of grace keeps the account")
    }

    func testRemovingAsksForAFreshLoginAndGoesOn() async throws {
        let auth = Auth(service: makeService())
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        try await user.link(with: .simulated(.gitHub, .ann))
        clock.advance(by: .seconds(3600))
        try await Guide.remove(.gitHub, from: user, verifying: .simulated(.google, .ann))
        XCTAssertEqual(user.providerData.map(\.provider), [.google])
    }

    func testAPersonChangesWhatTheAccountHas() async throws {
        let outbox = outbox
        let auth = Auth(service: makeService())
        let user = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
        try await Guide.verifyAddress(of: user)
        try await auth.applyActionCode(try outbox.code(.verifyEmail, to: "ann@example.com"))
        XCTAssertTrue(user.isEmailVerified, "the mailed code verifies the address")
        try await Guide.changeAddress(of: user, to: "ann@example.org")
        XCTAssertEqual(user.email, "ann@example.com", "the address stays until the new one is verified")
        try await auth.applyActionCode(try outbox.code(.changeEmail, to: "ann@example.org"))
        XCTAssertEqual(user.email, "ann@example.org")
        try await Guide.changePassword(of: user, to: "battery staple correct")
        for number in ["+15550001234", "+15550005678"] {
            try await Guide.changeNumber(
                of: user,
                to: number,
                digits: { (try? outbox.code(.phoneCode, to: number)) ?? "" },
                on: auth
            )
            XCTAssertEqual(user.phoneNumber, number)
        }
        try await Guide.changeName(of: user, to: "Ann Archer")
        XCTAssertEqual(user.displayName, "Ann Archer")
        let again = AuthCredential.password(email: "ann@example.org", password: "battery staple correct")
        let back = try await Auth(service: auth.service).signIn(with: again).user
        XCTAssertEqual(back.uid, user.uid, "the new password signs in at the new address")
    }

    func testSessionsAreListedAndTokensExchanged() async throws {
        let service = makeService()
        let laptop = Auth(service: service, deviceName: "Ann's laptop")
        let user = try await laptop.signIn(with: .simulated(.google, .ann)).user
        clock.advance(by: .seconds(60))
        let phone = Auth(service: service)
        try await phone.signIn(with: .simulated(.google, .ann))
        let devices = try await Guide.devices(of: user)
        XCTAssertEqual(devices, ["Ann's laptop (this one)", "an unnamed device"])
        let tokens = try await user.issueTokens()
        let next = try await Guide.exchange(tokens.refreshToken, on: laptop.client)
        XCTAssertNotEqual(next.refresh, tokens.refreshToken)
        let bearer = try await laptop.client.user(forIDToken: next.bearer)
        XCTAssertEqual(bearer.uid, user.uid)
    }

    func testAnAppIsSignedInAfterARelaunch() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "authcore-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let service = makeService()
        let key: [UInt8] = Array(repeating: 3, count: 32)
        let first = try await Guide.launch(service, keeping: path, key: key)
        XCTAssertNil(first.currentUser)
        let user = try await first.signIn(with: .simulated(.google, .ann)).user
        let second = try await Guide.launch(service, keeping: path, key: key)
        XCTAssertEqual(second.currentUser?.uid, user.uid)
        let tampered = try await Guide.launch(service, keeping: path, key: Array(repeating: 4, count: 32))
        XCTAssertNil(tampered.currentUser, "a file of another key signs a person in")
    }

    func testAnObserverIsToldOfEveryChange() async throws {
        let auth = Auth(service: makeService())
        let shown = Notebook<String>()
        let (steps, step) = AsyncStream<Void>.makeStream()
        let follower = Task {
            await Guide.follow(auth) { text in
                shown.note(text)
                step.yield()
            }
        }
        var waits = steps.makeAsyncIterator()
        await waits.next()
        let user = try await auth.signIn(with: .simulated(.google, .ann)).user
        await waits.next()
        try await auth.signOut()
        await waits.next()
        try await auth.signIn(with: .simulated(.google, .ann))
        await waits.next()
        try await auth.service.revokeSessions(of: user.accountID)
        try? await auth.currentUser?.reload()
        await waits.next()
        follower.cancel()
        XCTAssertEqual(
            shown.entries,
            ["signed out", "Ann Archer", "signed out", "Ann Archer", "signed out elsewhere (userTokenExpired)"]
        )
    }
}

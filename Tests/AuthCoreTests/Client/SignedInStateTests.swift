import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCore

/// Who the current user is and what observers hear of it, where several things happen to an app at once.
final class SignedInStateTests: LimitedTestCase {
    private let world = World(.standard)

    func testAResetAndAReportSignTheCurrentUserOutWhoseSessionsTheyEnd() async throws {
        let auth = world.device("phone")
        try await world.signUpVerifiedAnn(auth)
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: code, newPassword: "anns own word")
        XCTAssertNil(auth.currentUser, "after a reset")
        let user = try await auth.signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        try await user.link(with: world.gitHub())
        try await auth.reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        XCTAssertNil(auth.currentUser, "after a report")
        let ben = try await auth.signIn(with: world.google(.ben)).user
        try await auth.sendPasswordReset(to: "ann@example.com")
        let second = try world.code(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: second, newPassword: "anns other word")
        XCTAssertIdentical(auth.currentUser, ben, "after a reset of another account")
    }

    func testARecoveryFromLostFactorsSignsTheCurrentUserOut() async throws {
        let auth = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(auth)
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86_400))
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        XCTAssertIdentical(auth.currentUser, ann, "before the recovery")
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: World.annsPassword)
        XCTAssertEqual(answer, .removed, "what became of the factor")
        XCTAssertNil(auth.currentUser, "the recovery ended every session")
    }

    func testAUserWhoseSessionEndedElsewhereIsSignedOutByANonceAndByAnAnswer() async throws {
        let auth = world.device("phone")
        for intent in [User.Intent.link, .reauthenticate] {
            let user = try await auth.signIn(with: world.google(.ann, world.work)).user
            try await world.service.revokeSessions(of: user.accountID)
            await assertThrows(.userTokenExpired) { _ = try await user.nonce(for: intent) }
            XCTAssertNil(auth.currentUser, "a nonce for \(intent)")
        }
        let user = try await auth.signIn(with: world.google(.ann, world.work)).user
        let app = try await world.enrollTOTP(user)
        world.clock.advance(by: .seconds(600))
        let challenge = try await world.challenge {
            try await user.reauthenticate(with: world.google(.ann, world.work))
        }
        let desk = world.device("desk")
        let other = try await world.challenge { try await desk.signIn(with: world.google(.ann, world.work)) }
        let ann = try await desk.resolve(other, with: .totp(world.totp(app))).user
        try await ann.revokeSession(user.session.id)
        world.clock.advance(by: .seconds(60))
        let digits = try world.totp(app)
        await assertThrows(.userTokenExpired) { try await auth.resolve(challenge, with: .totp(digits)) }
        XCTAssertNil(auth.currentUser, "an answer to a challenge")
    }

    func testTheEndOfAnEarlierSessionOfTheSameAccountKeepsTheCurrentUser() async throws {
        let device = world.device()
        let earlier = try await world.signUpVerifiedAnn(device)
        let user = try await device.signIn(with: .password(email: "ann@example.com", password: World.password)).user
        try await user.revokeSession(earlier.session.id)
        await assertThrows(.userTokenExpired) { try await earlier.reload() }
        XCTAssertIdentical(device.currentUser, user, "the user of the later session was signed out")
    }

    func testAnAnswerThatKeepsTheCurrentUserIsNoOtherSignIn() async throws {
        try await inTime { [world] in
            let auth = world.device("phone")
            let user = try await auth.signIn(with: world.google(.ann, world.work)).user
            let app = try await world.enrollTOTP(user)
            world.clock.advance(by: .seconds(600))
            let challenge = try await world.challenge {
                try await user.reauthenticate(with: world.google(.ann, world.work))
            }
            var changes = auth.changes().makeAsyncIterator()
            guard case .current? = await changes.next() else { return XCTFail("no user at first") }
            try await auth.resolve(challenge, with: .totp(world.totp(app)))
            try await auth.signOut()
            guard case .signedOut? = await changes.next() else { return XCTFail("the answer was told as a sign-in") }
        }
    }

    func testATokenThatWasSignedDuringAChangeOfPrivilegesIsNotHandedOutAgain() async throws {
        try await inTime {
            let signer = SlowSigner()
            let world = World(.standard) { $0.tokenSigner = signer }
            let user = try await world.signUpVerifiedAnn()
            async let older = user.idToken()
            await signer.gate.waitForArrivals()
            try await user.updatePassword(to: "another fine word")
            signer.gate.open()
            _ = try await older
            let token = try await user.idToken()
            let found = try await authResult { try await world.service.client().user(forIDToken: token) }
            XCTAssertNotNil(found, "a token from before the change was handed out after it")
        }
    }

    func testObserversAreToldInTheOrderOfTheChanges() async throws {
        try await inTime { [world] in
            for _ in 0..<5 {
                let auth = world.device()
                let results = try await [auth.signInAnonymously(), auth.signInAnonymously()]
                // Telling so many takes long enough for another change to come between.
                let streams = (0..<10_000).map { _ in auth.changes() }
                await withTaskGroup { group in
                    for result in results { group.addTask { _ = await auth.setCurrentUser(result) } }
                }
                for stream in streams {
                    var last: Auth.Change?
                    var iterator = stream.makeAsyncIterator()
                    for _ in 0..<3 { last = await iterator.next() }
                    XCTAssertIdentical(last?.user, auth.currentUser, "the last change was not told last")
                    if last?.user !== auth.currentUser { return }
                }
            }
        }
    }

    func testAReaderThatWaitsIsToldThatTheSignedInStateIsGone() async throws {
        try await inTime {
            var auth: Auth? = Auth()
            let changes = try XCTUnwrap(auth).changes()
            let reader = Task {
                var count = 0
                for await _ in changes { count += 1 }
                return count
            }
            for _ in 0..<1000 { await Task.yield() }
            auth = nil
            let count = await reader.value
            XCTAssertEqual(count, 1)
        }
    }

    func testTheClockOfAnAppMayAskTheAuthThatReadsIt() async throws {
        final class Watched: Sendable {
            let auth = Mutex<Auth?>(nil)
        }
        let watched = Watched()
        var configuration = AuthConfiguration(policy: .firebase)
        configuration.environment = AuthEnvironment(clock: {
            _ = watched.auth.withLock(\.self)?.currentUser
            return Date(timeIntervalSince1970: 1_767_268_800)
        })
        let auth = Auth(configuration)
        watched.auth.withLock { $0 = auth }
        defer { watched.auth.withLock { $0 = nil } }
        try await inTime {
            try await auth.signInAnonymously()
            await auth.use(auth.device)
        }
        XCTAssertNotNil(auth.currentUser, "the user who signed in")
    }
}

/// The value, or nil if an `AuthError` is thrown.
private func authResult<Value>(_ act: () async throws -> Value) async throws -> Value? {
    do { return try await act() } catch is AuthError { return nil }
}

/// A signer that signs when its gate is open.
private struct SlowSigner: TokenSigner {
    let gate = Gate()
    private let signer = HMACTokenSigner([Array(repeating: 1, count: 32)])

    var algorithm: String { signer.algorithm }
    var keyID: String { signer.keyID }

    func sign(_ input: [UInt8]) async throws -> [UInt8] {
        await gate.pass()
        return try await signer.sign(input)
    }

    func isValid(_ signature: [UInt8], of input: [UInt8], keyID: String) async throws -> Bool {
        try await signer.isValid(signature, of: input, keyID: keyID)
    }
}

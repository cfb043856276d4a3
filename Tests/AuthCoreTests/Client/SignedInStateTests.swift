import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

@testable import AuthCore

/// The signed-in state of an app where several things happen to it at once.
final class SignedInStateTests: LimitedTestCase {
    private let world = World(.standard)

    func testASlowSaveOfAUserDoesNotReplaceTheLaterSaveOfTheSignOut() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            let auth = world.device(persistence: place)
            async let signIn = auth.signInAnonymously()
            await place.gate.waitForArrivals()
            async let signOut: Void = auth.signOut()
            for _ in 0..<1000 where place.saved.isEmpty { await Task.yield() }
            place.gate.open()
            _ = try await signIn
            try await signOut
            XCTAssertNil(auth.currentUser)
            XCTAssertNotNil(place.saved.last)
            XCTAssertNil(place.saved.last?.user, "the user who signed out was saved after the sign-out")
        }
    }

    func testASaveGoesOnWhereTheCallerIsCanceled() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            let auth = world.device(persistence: place)
            place.gate.open()
            try await auth.signInAnonymously()
            let gate = Gate()
            let signOut = Task {
                await gate.pass()
                try await auth.signOut()
            }
            signOut.cancel()
            gate.open()
            _ = await signOut.result
            XCTAssertNil(auth.currentUser)
            XCTAssertNil(place.saved.last?.user, "the user who signed out is still saved")
        }
    }

    func testAUserWhoSignsInDuringALaunchStaysTheCurrentOne() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            try await world.device("home", persistence: place).signInAnonymously()
            let auth = world.device("home", persistence: place)
            let (answer, ben) = try await auth.restore(in: world) {
                try await auth.signUp(email: "ben@example.com", password: World.password).user
            }
            XCTAssertIdentical(auth.currentUser, ben, "the saved user replaced the one who signed in meanwhile")
            XCTAssertIdentical(answer, ben, "the answer of the launch")
            XCTAssertEqual(place.saved.last?.user?.account, ben.accountID, "the user who is saved")
        }
    }

    func testAUserWhoSignsInDuringALaunchIsNotSignedOutByTheEndOfTheSavedSession() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            let old = try await world.device("home", persistence: place).signInAnonymously().user
            try await world.service.deleteAccount(old.accountID)
            let auth = world.device("home", persistence: place)
            let (_, ben) = try await auth.restore(in: world) {
                try await auth.signUp(email: "ben@example.com", password: World.password).user
            }
            XCTAssertIdentical(auth.currentUser, ben, "the end of the saved session signed another user out")
            XCTAssertEqual(place.saved.last?.user?.account, ben.accountID, "the user who is saved")
        }
    }

    func testASignOutDuringALaunchHoldsBeforeTheSavedUserIsSignedIn() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            let before = world.device("home", persistence: place)
            try await before.signInAnonymously()
            let auth = Auth(service: world.service, persistence: place)
            let (answer, _) = try await auth.restore(in: world) {
                try await auth.signOut()
                XCTAssertNil(place.saved.last?.user, "the user who is saved after the sign-out")
            }
            XCTAssertNil(answer, "the answer of the launch")
            XCTAssertNil(auth.currentUser, "the saved user was signed in after the sign-out")
            XCTAssertNil(place.saved.last?.user, "the user who is saved after the launch")
            XCTAssertEqual(place.saved.last?.device, before.device, "the device that is saved")
        }
    }

    func testAUserWhoSignsInAndOutDuringALaunchIsNotFollowedByTheSavedOne() async throws {
        try await inTime { [world] in
            let place = SlowPersistence()
            place.gate.open()
            try await world.device("home", persistence: place).signInAnonymously()
            let auth = world.device("home", persistence: place)
            let (answer, _) = try await auth.restore(in: world) {
                try await auth.signInAnonymously()
                try await auth.signOut()
            }
            XCTAssertNil(answer, "the answer of the launch")
            XCTAssertNil(auth.currentUser, "the saved user was signed in after the sign-out")
            XCTAssertNil(place.saved.last?.user, "the user who is saved")
        }
    }

    func testALaunchThatIsCanceledDoesNotCallWhatIsSavedUnreadable() async throws {
        let place = SlowPersistence()
        let auth = world.device("home", persistence: place)
        let gate = Gate()
        let launch = Task {
            await gate.pass()
            return await authError { try await auth.restore() }?.code
        }
        launch.cancel()
        gate.open()
        let code = await launch.value
        XCTAssertEqual(code, .canceled, "an app may remove what cannot be read")
    }

    func testTheCurrentUserLeavesByWhicheverObjectOfItsSessionEndsIt() async throws {
        let place = SlowPersistence()
        place.gate.open()
        try await world.device("home", persistence: place).signInAnonymously()
        let auth = world.device("home", persistence: place)
        let restored = try await auth.restore()
        let first = try XCTUnwrap(restored, "the user was not restored")
        let same = SignedIn(AccountReference(first.account), first.session, lastSignIn: nil)
        let second = User(client: auth.client, signedIn: same)
        _ = await auth.setCurrentUser(
            AuthResult(user: second, isNewUser: false, provider: .anonymous, additionalUserInfo: nil)
        )
        XCTAssertTrue(auth.currentUser === second, "another object of the session is the current user")
        try await first.delete()
        XCTAssertNil(auth.currentUser, "a user whose account the same session deleted")
        XCTAssertNil(place.saved.last?.user, "the user who is saved")
    }

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

    func testALaunchThatEndsLateKeepsTheDeviceOnWhichAPasswordWasSetMeanwhile() async throws {
        try await inTime { [world] in
            let ann = try await world.signUpVerifiedAnn(world.device("laptop"))
            let place = SlowReading(device: world.device("saved").device)
            let auth = world.device("tablet", persistence: place)
            async let restored = auth.restore()
            await place.gate.waitForArrivals()
            try await auth.sendPasswordReset(to: "ann@example.com")
            let code = try world.code(.resetPassword, to: "ann@example.com")
            async let report = auth.confirmPasswordReset(code: code, newPassword: "anns own word")
            // The reset has changed the device, and looks for what is saved, too.
            await place.gate.waitForArrivals(2)
            place.gate.open()
            _ = try await (restored, report)
            let account = try await world.account(ann)
            XCTAssertNotNil(account.keyForPasswords(of: auth.device), "the account does not know the device any more")
            XCTAssertTrue(auth.device.keys.contains(place.device.key), "what the saved device had")
        }
    }

    func testTheEndOfAnEarlierSessionOfTheSameAccountKeepsTheCurrentUser() async throws {
        let device = world.device()
        let earlier = try await world.signUpVerifiedAnn(device)
        let user = try await device.signIn(with: .password(email: "ann@example.com", password: World.password)).user
        try await user.revokeSession(earlier.session.id)
        await assertThrows(.userTokenExpired) { try await earlier.reload() }
        XCTAssertIdentical(device.currentUser, user, "the user of the later session was signed out")
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

    func testADeviceKeepsWhatItGotElsewhereWhenTheUserGetsAnother() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device("phone")
        let guest = try await auth.signInAnonymously().user
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        let report = try await auth.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        let known = try XCTUnwrap(report.device?.key)
        XCTAssertTrue(auth.device.keys.contains(known))
        XCTAssertEqual(guest.device, auth.device, "the device on which the current user goes on")
        try await guest.link(with: world.google(.ben))
        XCTAssertTrue(auth.device.keys.contains(known), "the device lost the secret by which Ann's account knows it")
    }

    func testASignInThatEndsLateKeepsTheDeviceOnWhichAPasswordWasSetMeanwhile() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.signUp("ben@example.com", in: world.device("desk"))
        let auth = world.device("tablet")
        let ben = AuthCredential.password(email: "ben@example.com", password: World.password)
        // The sign-in began with the device as it was, and its answer comes last.
        let inFlight = try await auth.client.signIn(with: ben)
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(
            code: world.code(.resetPassword, to: "ann@example.com"),
            newPassword: "anns own word"
        )
        var account = try await world.account(ann)
        XCTAssertNotNil(account.keyForPasswords(of: auth.device))
        _ = await auth.setCurrentUser(inFlight)
        account = try await world.account(ann)
        XCTAssertNotNil(account.keyForPasswords(of: auth.device), "the account does not know the device any more")
        XCTAssertEqual(auth.currentUser?.device, auth.device, "the device on which the current user goes on")
    }

    /// Digits are bound to the secret that the device had when they were sent.
    func testAPasswordResetThatEndsLateKeepsTheDeviceToWhichDigitsWereSentMeanwhile() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device("tablet")
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        // The reset began with the device as it was, and its answer comes last.
        let inFlight = try await auth.client.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        try await auth.signIn(with: world.google(.ben))
        let digits = try await world.digits(to: world.number, from: auth)
        await auth.use(try XCTUnwrap(inFlight.device))
        let refusal = await outcome { try await auth.signIn(with: digits) }
        XCTAssertNil(refusal, "the device lost the secret to which the digits are bound")
    }

    func testAPasswordResetThatEndsLateKeepsTheSecretThatTheDeviceUsedMeanwhile() async throws {
        try await world.signUpVerifiedAnn(world.device("laptop"))
        let auth = world.device("tablet")
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        // The reset replaced the secret, and its answer takes a second.
        let inFlight = try await auth.client.confirmPasswordReset(code: code, newPassword: "a fresh new word")
        world.clock.advance(by: .seconds(1))
        let digits = try await world.digits(to: world.number, from: auth)
        await auth.use(try XCTUnwrap(inFlight.device))
        let refusal = await outcome { try await auth.signIn(with: digits) }
        XCTAssertNil(refusal, "the digits were sent when the device still had the secret to which they are bound")
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

    func testAClientOnANewerDeviceKeepsItsFormerSecrets() {
        let (phone, tablet) = (DeviceID(named: "phone"), DeviceID(named: "tablet"))
        let kept = world.service.client(phone).keeping(tablet, at: world.clock.timestamp).device
        XCTAssertEqual(Array(kept.keys), [tablet.key, phone.key], "the keys of the device, the newest first")
    }

    func testAClientOnANewerDeviceKeepsTheRestOfItsContext() {
        let context = RequestContext(device: "phone", origin: .address("192.0.2.1"), deviceName: "Ann's phone")
        let newer = world.service.client(context).on(DeviceID(named: "tablet")).context
        XCTAssertEqual(newer.device, DeviceID(named: "tablet"), "the device")
        XCTAssertEqual(newer.deviceName, context.deviceName, "the name in the list of sessions")
        XCTAssertEqual(newer.origin, context.origin, "the origin of requests")
    }
}

/// The value, or nil if an `AuthError` is thrown.
private func authResult<Value>(_ act: () async throws -> Value) async throws -> Value? {
    do { return try await act() } catch is AuthError { return nil }
}

/// A place that takes its time for a record with a user, until its gate is open, and heeds cancellation.
private final class SlowPersistence: UserPersistence {
    let gate = Gate()
    private let records = Mutex<[Auth.Persisted]>([])

    var saved: [Auth.Persisted] { records.withLock { $0 } }

    func load() async throws -> Auth.Persisted? {
        try Task.checkCancellation()
        return saved.last
    }

    func save(_ record: Auth.Persisted) async throws {
        if record.user != nil { await gate.pass() }
        try Task.checkCancellation()
        records.withLock { $0.append(record) }
    }
}

/// A place that takes its time to read a device until its gate is open.
private struct SlowReading: UserPersistence {
    let device: DeviceID
    let gate = Gate()

    func load() async throws -> Auth.Persisted? {
        await gate.pass()
        return Auth.Persisted(device: device, user: nil)
    }

    func save(_ record: Auth.Persisted) async throws {}
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

extension Auth {
    /// Restores the saved user, and does this while the store is read.
    fileprivate func restore<Value>(
        in world: World,
        while meanwhile: () async throws -> Value
    ) async throws -> (answer: User?, meanwhile: Value) {
        let gate = Gate()
        world.store.script(.load, [.waitsBefore(gate)])
        async let restored = restore()
        await gate.waitForArrivals()
        do {
            let value = try await meanwhile()
            gate.open()
            return (try await restored, value)
        } catch {
            gate.open()
            throw error
        }
    }
}

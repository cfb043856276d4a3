@testable import AuthCore
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

final class AuthTests: SavedUserTestCase {
    func testAClientGoesOnAfterARelaunch() async throws {
        let world = World()
        let user = try await world.device(persistence: try persistence()).signInAnonymously().user
        let relaunched = world.device(persistence: try persistence())
        XCTAssertNil(relaunched.currentUser)
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, user.uid)
        XCTAssertEqual(relaunched.currentUser?.uid, user.uid)
        try await restored?.updateProfile(displayName: .set("Ann"))
    }

    /// A session that cannot be saved must not be followed by the one that was saved before it.
    func testAfterASaveThatFailsTheNextLaunchSignsNobodyIn() async throws {
        let (world, place) = (World(), FailingPersistence())
        let auth = world.device(persistence: place)
        try await auth.signInAnonymously()
        XCTAssertNotNil(auth.currentUser, "the sign-in itself succeeded")
        XCTAssertEqual(place.saved, [Auth.Persisted(device: auth.device, user: nil)])
        let restored = try await world.device(persistence: place).restore()
        XCTAssertNil(restored, "the next launch")
    }

    func testAClientRemembersWhoSignedInWithoutOne() async throws {
        let world = World()
        let result = try await world.service.client().signInAnonymously()
        XCTAssertNil(result.user.session.device)
        _ = await world.device("kiosk", persistence: try persistence()).setCurrentUser(result)
        let record = try await persistence().load()
        XCTAssertEqual(record?.device, "kiosk")
        XCTAssertEqual(record?.user?.account, result.user.account.id)
    }

    func testAClientAfterASignOutStaysEmpty() async throws {
        let world = World()
        let device = world.device(persistence: try persistence())
        try await device.signInAnonymously()
        try await device.signOut()
        let restored = try await world.device(persistence: try persistence()).restore()
        XCTAssertNil(restored)
    }

    func testASessionThatEndedMeanwhileIsNotRestored() async throws {
        let place = try persistence()
        try await inTime {
            let world = World()
            let user = try await world.device(persistence: place).signInAnonymously().user
            try await world.service.revokeSessions(of: user.account.id)
            let relaunched = world.device(persistence: place)
            var changes = relaunched.changes().makeAsyncIterator()
            _ = await changes.next()
            let restored = try await relaunched.restore()
            XCTAssertNil(restored)
            guard case .sessionEnded(.userTokenExpired)? = await changes.next() else {
                return XCTFail("no word of the end")
            }
        }
    }

    func testAClientShowsTheMessagesThatAreKeptInMemory() async throws {
        let device = Auth()
        try await device.signUp(email: "ann@example.com", password: "correct horse battery")
        try await device.currentUser?.sendEmailVerification()
        XCTAssertNotNil(device.outbox?.last(to: "ann@example.com", .verifyEmail))
        struct Mailer: MessageSender {
            func send(_ message: Message) async throws {}
        }
        XCTAssertNil(Auth(AuthConfiguration(messageSender: Mailer())).outbox)
    }

    func testAMailedCodeThatTheAppAppliesIsTheCurrentUsers() async throws {
        let world = World()
        let device = world.device()
        let user = try await world.signUpAnn(device)
        try await user.sendEmailVerification()
        try await device.applyActionCode(world.newestCode(to: "ann@example.com"))
        XCTAssertEqual(user.isEmailVerified, true, "the code was applied without the user's session")
    }

    func testACredentialThatWasVerifiedBeforeSignsInTheCurrentUser() async throws {
        let world = World()
        let device = world.device()
        let result = try await device.signIn(with: device.verify(world.google()))
        XCTAssertIdentical(device.currentUser, result.user, "who is signed in")
    }

    func testAnAppWithProvidersOfItsOwnHasThePolicyThatItNames() {
        let policy = Auth(providers: .simulated, policy: .firebase).client.service.policy
        XCTAssertEqual(policy.addressTrust, .verifiedFlag, "the trust in addresses under the policy of Firebase")
        let unnamed = Auth(providers: .simulated).client.service.policy
        XCTAssertEqual(unnamed.addressTrust, .authorities(.wellKnown), "the trust in addresses where none is named")
    }

    func testAClientSignsItselfOutWhenItsAccountOrSessionIsGoneAndSaysSo() async throws {
        try await inTime {
            let world = World()
            for (expected, end) in [
                (AuthErrorCode.userTokenExpired, { try await world.service.revokeSessions(of: $0) }),
                (.userDisabled, { _ = try await world.service.setDisabled(true, account: $0) }),
                (.userNotFound, { try await world.service.deleteAccount($0) }),
            ] as [(AuthErrorCode, (AccountID) async throws -> Void)] {
                let device = world.device()
                let user = try await device.signInAnonymously().user
                var changes = device.changes().makeAsyncIterator()
                _ = await changes.next()
                try await end(user.account.id)
                await assertThrows(expected) { try await user.updateProfile(displayName: .set("x")) }
                XCTAssertNil(device.currentUser)
                guard case .sessionEnded(expected)? = await changes.next() else { return XCTFail("\(expected)") }
            }
        }
    }

    func testARelaunchedAppAnswersTheChallengesOfTheRestoredUser() async throws {
        let world = World()
        let user = try await world.device("old key", persistence: try persistence()).signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: try persistence())
        XCTAssertNotEqual(relaunched.device, "old key")
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, user.uid)
        XCTAssertEqual(relaunched.device, "old key")
        XCTAssertEqual(relaunched.client.context.device, "old key")
        XCTAssertEqual(restored?.context.device, "old key")
    }

    func testSigningOutWithoutTheStoreLeavesNobodySignedIn() async throws {
        let store = FaultyStore(InMemoryIdentityStore())
        let world = World { $0.store = store }
        let device = world.device()
        try await device.signInAnonymously()
        store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable) { try await device.signOut() }
        XCTAssertNil(device.currentUser)
    }

    func testARefusedOperationKeepsTheUser() async throws {
        let world = World()
        let device = world.device()
        let user = try await device.signUp(email: "ann@example.com", password: "correct horse").user
        await assertThrows(.emailAlreadyInUse) {
            try await device.signUp(email: "ann@example.com", password: "other one")
        }
        await assertThrows(.wrongPassword) {
            try await device.signIn(with: .password(email: "ann@example.com", password: "wrong one"))
        }
        XCTAssertIdentical(device.currentUser, user)
        try await user.reload()
    }

    func testChangesTellWhoSitsThereAndWhoCameAndWent() async throws {
        try await inTime {
            let world = World()
            let device = world.device()
            var changes = device.changes().makeAsyncIterator()
            guard case .current(nil)? = await changes.next() else { return XCTFail("there is a user at first") }
            let user = try await device.signInAnonymously().user
            guard case .signedIn(let came)? = await changes.next() else { return XCTFail("no sign-in was announced") }
            XCTAssertIdentical(came, user)
            try await device.signOut()
            guard case .signedOut? = await changes.next() else { return XCTFail("no sign-out was announced") }
        }
    }

    func testAPersonWhoDeletesTheAccountIsSignedOutAndNotToldThatTheSessionEnded() async throws {
        try await inTime {
            let device = World().device()
            let user = try await device.signInAnonymously().user
            var changes = device.changes().makeAsyncIterator()
            _ = await changes.next()
            try await user.delete()
            guard case .signedOut? = await changes.next() else { return XCTFail("no sign-out was announced") }
            XCTAssertNil(device.currentUser, "the user of a deleted account")
        }
    }

    func testAListenerIsToldAtOnceWhoIsSignedIn() async throws {
        try await inTime {
            let auth = World().device()
            let user = try await auth.signInAnonymously().user
            var changes = auth.changes().makeAsyncIterator()
            guard case .current(let current)? = await changes.next() else { return XCTFail("no first word") }
            XCTAssertTrue(current === user, "who is signed in when a listener comes")
        }
    }

    func testAListenerThatKeepsOnlyTheNewestChangeGetsNoOlderOne() async throws {
        try await inTime {
            let auth = World().device()
            var changes = auth.changes(bufferingPolicy: .bufferingNewest(1)).makeAsyncIterator()
            try await auth.signInAnonymously()
            try await auth.signOut()
            guard case .signedOut? = await changes.next() else { return XCTFail("an older change was kept") }
        }
    }

    func testAChangeHasTheUserWhoIsSignedInAfterIt() async throws {
        let user = try await World().device().signInAnonymously().user
        XCTAssertTrue(Auth.Change.current(user).user === user, "the first word to a listener")
        XCTAssertTrue(Auth.Change.signedIn(user).user === user, "a sign-in")
        for change in [Auth.Change.current(nil), .signedOut, .sessionEnded(.userDisabled)] {
            XCTAssertNil(change.user, "\(change)")
        }
    }
}

extension AuthTests {
    /// A person who signs in while the saved session is read keeps the device of that sign-in.
    func testASavedDeviceDoesNotTakeThePlaceOfThatOfANewSignIn() async throws {
        try await assertTheDeviceStays("after the sign-in") { _ in }
    }

    /// Accounts know the device of a sign-in by its secret, also after the sign-out.
    func testASavedDeviceDoesNotTakeThePlaceOfThatOfASignInAndSignOut() async throws {
        try await assertTheDeviceStays("after the sign-out") { try await $0.signOut() }
    }

    /// Signs in, and does this, while the saved device is read, and asserts that the device of then stays.
    private func assertTheDeviceStays(_ when: String, _ next: (Auth) async throws -> Void) async throws {
        let world = World()
        let persistence = SlowPersistence(record: Auth.Persisted(device: DeviceID(named: "kiosk"), user: nil))
        let auth = world.device(persistence: persistence)
        let restoring = Task { try await auth.restore() }
        await persistence.gate.waitForArrivals(1)
        try await auth.signIn(with: world.gitHub(.ben))
        try await next(auth)
        let device = auth.device
        persistence.gate.open()
        _ = try await restoring.value
        XCTAssertEqual(auth.device.secrets.first?.id, device.secrets.first?.id, "the device \(when)")
    }
}

/// A place whose record is read for the first time when its gate is open.
private final class SlowPersistence: UserPersistence {
    let gate = Gate()
    private let record: Auth.Persisted
    private let hasWaited = Mutex(false)

    init(record: Auth.Persisted) { self.record = record }

    func load() async throws -> Auth.Persisted? {
        let isFirst = hasWaited.withLock { hasWaited in
            defer { hasWaited = true }
            return !hasWaited
        }
        if isFirst { await gate.pass() }
        return record
    }

    func save(_ record: Auth.Persisted) async throws {}
}

/// A place that takes no session, only that nobody is signed in.
private final class FailingPersistence: UserPersistence {
    private let records = Mutex<[Auth.Persisted]>([])

    var saved: [Auth.Persisted] { records.withLock { $0 } }

    func load() async throws -> Auth.Persisted? { saved.last }

    func save(_ record: Auth.Persisted) async throws {
        if record.user != nil { throw User.PersistenceError.failed("full") }
        records.withLock { $0.append(record) }
    }
}

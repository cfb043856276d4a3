@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

private final class SlowPlace: UserPersistence {
    let gate: Gate?
    let kept: Mutex<Auth.Persisted?>

    init(_ record: Auth.Persisted?, gate: Gate? = nil) {
        kept = Mutex(record)
        self.gate = gate
    }

    func load() async throws -> Auth.Persisted? {
        let record = kept.withLock { $0 }
        await gate?.pass()
        return record
    }

    func save(_ record: Auth.Persisted) async throws { kept.withLock { $0 = record } }
}

/// A saved session is restored while a user signs in, or is signed in already.
final class RestoreMeanwhileTests: LimitedTestCase {
    private let world = World(.standard)

    func testASignInDuringARestoreKeepsTheDeviceThatWasSaved() async throws {
        try await world.signUpVerifiedAnn(world.device("elsewhere"))
        let first = SlowPlace(nil)
        let auth = Auth(service: world.service, persistence: first)
        try await auth.signIn(with: World.annsPassword)
        try await auth.signOut()
        let known = try XCTUnwrap(first.kept.withLock { $0 }?.device)
        let found = try await world.service.account(email: "ann@example.com")
        let account = try XCTUnwrap(found)
        XCTAssertNotNil(account.key(of: known), "the device is known")
        let gate = Gate()
        let place = SlowPlace(first.kept.withLock { $0 }, gate: gate)
        let relaunched = Auth(service: world.service, persistence: place)
        async let restoring = relaunched.restore()
        await gate.waitForArrivals()
        async let signingIn = relaunched.signInAnonymously()
        await wait(for: "the anonymous user becomes the current one") { relaunched.currentUser != nil }
        gate.open()
        _ = try await (restoring, signingIn)
        XCTAssertNotNil(account.key(of: relaunched.device), "the device that the app has")
        XCTAssertNotNil(account.key(of: place.kept.withLock { $0 }?.device), "the device that is saved")
    }

    func testASecondRestoreDoesNotReplaceTheUserWhoIsThere() async throws {
        let place = SlowPlace(nil)
        let auth = Auth(service: world.service, persistence: place)
        let user = try await auth.signInAnonymously().user
        let relaunched = Auth(service: world.service, persistence: place)
        let restored = try await relaunched.restore()
        XCTAssertEqual(restored?.uid, user.uid)
        let again = try await relaunched.restore()
        XCTAssertIdentical(again, restored)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Since when a login counts, and what becomes of its session when it removes what it rests on.
final class LoginAgeTests: LimitedTestCase {
    private var world = World(.firebase)

    func testAPasswordThatTakesThePlaceOfAnotherIsAsOldAsTheLoginThatSetIt() async throws {
        world.startOver(.standard)
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(3600))
        let again = try await world.device("desk").signIn(with: World.annsPassword).user
        try await again.link(with: world.gitHub(.eve))
        let replacement = AuthCredential.password(email: "ann@example.com", password: "battery staple")
        try await again.replace(.password, with: replacement)
        let senior = try await world.account(ann).methods.first { $0.kind.methodKind == .password }?.seniorSince
        XCTAssertEqual(senior, ann.account.createdAt)
        // So the login may still touch what is as old as the password.
        try await again.delete()
    }

    func testWhoUnlinksTheOnlyMethodOfASessionLeavesNoSessionBehind() async throws {
        world.startOver(.standard)
        let phone = world.device()
        let google = world.google(.ann.with(email: "ann@gmail.com"))
        let ann = try await phone.signIn(with: google).user
        try await ann.link(with: Self.facebookOfEve(at: world.clock))
        let again = try await world.device("desk").signIn(with: google).user
        try await again.unlink(.google)
        await assertThrows(.userTokenExpired) { try await again.reload() }
        let reference = Lookup.Reference.account(ann.account.id)
        let left = try await world.service.store.load([.sessions(of: reference)]).sessions(of: reference)
        XCTAssertEqual(left.count, 0)
    }

    func testWhoUnlinksTheOnlyMethodOfTheirSessionIsSignedOutAtOnce() async throws {
        world.startOver(.standard)
        let google = world.google(.ann.with(email: "ann@gmail.com"))
        let ann = try await world.device().signIn(with: google).user
        try await ann.link(with: Self.facebookOfEve(at: world.clock))
        let kept = Kept()
        let desk = world.device("desk", persistence: kept)
        let again = try await desk.signIn(with: google).user
        let changes = desk.changes()
        try await again.unlink(.google)
        XCTAssertNil(desk.currentUser, "the current user after the session has ended")
        let saved = await kept.saved
        XCTAssertNotNil(saved, "the device is saved")
        XCTAssertNil(saved?.user, "the session that the next launch would restore")
        // So that there is a change to read in any case.
        try await desk.signInAnonymously()
        var reported = changes.makeAsyncIterator()
        _ = await reported.next()
        guard case .sessionEnded(.userTokenExpired)? = await reported.next() else {
            return XCTFail("the end of the session is not reported")
        }
        guard case .signedIn? = await reported.next() else { return XCTFail("something is reported twice") }
    }

    private static func facebookOfEve(at clock: ManualClock) -> AuthCredential {
        .simulated(.facebook, .eve, at: clock.now)
    }
}

private actor Kept: UserPersistence {
    private(set) var saved: Auth.Persisted?

    func load() async throws -> Auth.Persisted? { saved }

    func save(_ record: Auth.Persisted) async throws { saved = record }
}

import AuthCore
import AuthCoreTesting
import XCTest

@testable import BoatsApp

@MainActor
final class AccountModelTests: XCTestCase {
    func testAConflictIsAskedAboutAndAnswered() async throws {
        let auth = Auth(providers: .simulated)
        try await auth.signIn(with: .simulated(.google, .ann))
        try await auth.signOut()
        let model = AccountModel(auth)
        await model.signIn(with: .simulated(.gitHub, .ann))
        guard case .existingMethod(let conflict) = model.question else { return XCTFail("no question is asked") }
        XCTAssertEqual(conflict.provider, .gitHub)
        await model.answer(with: .simulated(.google, .ann))
        XCTAssertNil(model.question)
        XCTAssertEqual(model.methods, [.google, .gitHub])
    }

    func testACodeIsAskedForAndAWrongOneSaysSo() async throws {
        let clock = ManualClock()
        let outbox = Message.Outbox()
        let auth = Auth(
            AuthConfiguration(providers: .simulated, messageSender: outbox, environment: .manual(clock))
        )
        try await auth.sendSignInLink(to: "ann@example.com")
        let ann = try await auth.signIn(with: .emailLink(outbox.signInLink(to: "ann@example.com"))).user
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let app = try AuthenticatorApp(enrollment, clock: clock)
        try await ann.multiFactor.enroll(enrollment, code: app.nextCode())
        try await auth.signOut()

        let model = AccountModel(auth)
        try await auth.sendSignInLink(to: "ann@example.com")
        await model.signIn(with: .emailLink(try outbox.signInLink(to: "ann@example.com")))
        guard case .code = model.question else { return XCTFail("no code is asked for") }
        await model.answer(withDigits: "000000")
        XCTAssertNotNil(model.message, "a wrong code is reported")
        await model.answer(withDigits: app.nextCode())
        XCTAssertNil(model.question)
        XCTAssertEqual(auth.currentUser?.uid, ann.uid)
    }

    func testTheScreenFollowsTheUser() async throws {
        let auth = Auth(providers: .simulated)
        let model = AccountModel(auth)
        let follower = Task { await model.follow() }
        try await auth.signIn(with: .simulated(.google, .ann))
        let limit = ContinuousClock.now + .seconds(30)
        while model.name == nil, ContinuousClock.now < limit { await Task.yield() }
        XCTAssertEqual(model.name, "Ann Archer")
        await model.signOut()
        while model.name != nil, ContinuousClock.now < limit { await Task.yield() }
        XCTAssertNil(model.name, "the name after the sign-out")
        follower.cancel()
    }
}

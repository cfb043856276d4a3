import AuthCore
import AuthCoreTesting
import XCTest

@testable import BoatsServer

final class RoutesTests: XCTestCase {
    private let routes = Routes(service: AuthService(AuthConfiguration(providers: .simulated)))

    func testAPersonSignsInLinksRefreshesAndSignsOut() async throws {
        var request = Request(address: "192.0.2.1")
        let signedIn = await routes.signIn(with: .simulated(.google, .ann), request)
        XCTAssertEqual(signedIn.status, 200, "\(signedIn)")
        request.deviceCookie = try XCTUnwrap(signedIn.deviceCookie)
        request.bearer = try XCTUnwrap(signedIn.body["idToken"])

        let page = await routes.linkNonce(request)
        let nonce = try XCTUnwrap(page.body["nonce"])
        let apple = AuthCredential.simulated(.apple, .ann, saying: SimulatedToken(nonce: nonce))
        let linked = await routes.link(apple, request)
        XCTAssertEqual(linked.status, 200, "\(linked)")

        request.bearer = try XCTUnwrap(linked.body["idToken"])
        let refreshed = await routes.refresh(try XCTUnwrap(linked.body["refreshToken"]), request)
        XCTAssertEqual(refreshed.status, 200, "\(refreshed)")
        let out = await routes.signOut(try XCTUnwrap(refreshed.body["refreshToken"]), request)
        XCTAssertEqual(out.status, 204, "\(out)")
        let after = await routes.linkNonce(request)
        XCTAssertEqual(after.status, 401, "the session is over: \(after)")
    }

    func testAConflictIsAStatusOfItsOwn() async throws {
        let request = Request(address: "192.0.2.1")
        _ = await routes.signIn(with: .simulated(.google, .ann), request)
        let refused = await routes.signIn(with: .simulated(.gitHub, .ann), request)
        XCTAssertEqual(refused.status, 409, "\(refused)")
        XCTAssertEqual(refused.body["error"], "accountExistsWithDifferentCredential")
        XCTAssertNotNil(refused.body["reason"], "the rule that refused")
    }

    func testAConflictIsResolvedOnTheDeviceWhereItBegan() async throws {
        var request = Request(address: "192.0.2.1")
        let first = await routes.signIn(with: .simulated(.google, .ann), request)
        request.deviceCookie = first.deviceCookie
        let refused = await routes.signIn(with: .simulated(.gitHub, .ann), request)
        let conflict = try XCTUnwrap(refused.conflict, "\(refused)")
        let resolved = await routes.resolve(conflict, with: .simulated(.google, .ann), request)
        XCTAssertEqual(resolved.status, 200, "\(resolved)")
        XCTAssertEqual(resolved.body["uid"], first.body["uid"])
    }

    func testAChallengeIsAnsweredByACodeOfAnAuthenticatorApp() async throws {
        let clock = ManualClock()
        let service = AuthService(AuthConfiguration(providers: .simulated, environment: .manual(clock)))
        let routes = Routes(service: service)
        var request = Request(address: "192.0.2.1")
        // Google runs the mailbox of this address, and a factor needs a verified address.
        let google = AuthCredential.simulated(.google, .ann.with(email: "ann@gmail.com"))
        let first = await routes.signIn(with: google, request)
        let device = try XCTUnwrap(first.deviceCookie)
        request.deviceCookie = device
        let client = service.client(for: DeviceID(rawValue: device), origin: .address(request.address))
        let user = try await client.user(forIDToken: try XCTUnwrap(first.body["idToken"]))
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        let app = try AuthenticatorApp(enrollment, clock: clock)
        try await user.multiFactor.enroll(enrollment, code: app.nextCode())

        let refused = await routes.signIn(with: google, request)
        XCTAssertEqual(refused.status, 403, "\(refused)")
        XCTAssertEqual(refused.body["error"], "secondFactorRequired")
        let challenge = try XCTUnwrap(refused.challenge, "\(refused)")
        let resolved = await routes.resolve(challenge, digits: app.nextCode(), request)
        XCTAssertEqual(resolved.status, 200, "\(resolved)")
        XCTAssertEqual(resolved.body["uid"], first.body["uid"])
    }
}

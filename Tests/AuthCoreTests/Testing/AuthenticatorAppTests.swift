import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

final class AuthenticatorAppTests: LimitedTestCase {
    private let clock = ManualClock()
    private let outbox = Message.Outbox()

    private func makeAuth() -> Auth {
        Auth(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
    }

    func testItsCodesEnrollAndAnswerWithoutAWait() async throws {
        let auth = makeAuth()
        try await auth.sendSignInLink(to: "ann@example.com")
        let user = try await auth.signIn(with: .emailLink(outbox.signInLink(to: "ann@example.com"))).user
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        let app = try AuthenticatorApp(enrollment, clock: clock)
        try await user.multiFactor.enroll(enrollment, code: app.nextCode())
        for _ in 0..<2 {
            try await auth.signOut()
            try await auth.sendSignInLink(to: "ann@example.com")
            let link = AuthCredential.emailLink(try outbox.signInLink(to: "ann@example.com"))
            do {
                try await auth.signIn(with: link)
                XCTFail("signed in without the factor")
            } catch {
                let challenge = try XCTUnwrap(error.secondFactor, "\(error)")
                try await auth.resolve(challenge, with: .totp(app.nextCode()))
            }
            XCTAssertEqual(auth.currentUser?.uid, user.uid, "the factor opens the account")
        }
    }

    func testEachCodeIsReturnedOnceAndFollowsTheClock() throws {
        let app = try AuthenticatorApp(sharedSecret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", clock: clock)
        clock.set(Date(timeIntervalSince1970: 59))
        // The published values of RFC 6238 for the times 59, 1111111109 and 1111111111, cut to six digits.
        XCTAssertEqual([app.nextCode(), app.nextCode()].last, "287082", "the code of the second half minute")
        clock.set(Date(timeIntervalSince1970: 1_111_111_109))
        XCTAssertEqual([app.nextCode(), app.nextCode()].last, "081804", "the code of the current half minute")
        clock.set(Date(timeIntervalSince1970: 1_111_111_111))
        XCTAssertEqual(app.nextCode(), "050471", "the next half minute has one code that was not returned yet")
    }

    func testAnAppWithoutAClockFollowsTheSystems() throws {
        let app = try AuthenticatorApp(sharedSecret: "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
        let (code, secret) = (TimeBasedCode(), Array("12345678901234567890".utf8))
        let before = code.step(at: Int64(Date().timeIntervalSince1970))
        let shown = app.nextCode()
        let after = code.step(at: Int64(Date().timeIntervalSince1970))
        // The first code is that of the half minute before.
        let codes = (before - 1...after - 1).map { code.code(forStep: $0, secret: secret) }
        XCTAssertTrue(codes.contains(shown), "\(shown) is not a code of this minute: \(codes)")
    }

    func testTextThatIsNoSecretMakesNoApp() {
        for text in ["", "1", "not base32!"] {
            XCTAssertThrowsError(try AuthenticatorApp(sharedSecret: text), text) {
                XCTAssertEqual($0 as? AuthenticatorApp.Failure, .malformedSecret)
            }
        }
    }
}

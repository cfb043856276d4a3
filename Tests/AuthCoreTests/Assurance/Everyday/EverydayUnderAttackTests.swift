import AuthCore
import AuthCoreTesting
import XCTest

/// The everyday flows on devices that the account knows, while strangers use up every number that they can.
final class EverydayUnderAttackTests: LimitedTestCase {
    private let world = World(.standard)
    private let home = "192.0.2.44"

    /// A client of the device at home; strangers share the address.
    private func client(_ device: DeviceID) -> AuthClient {
        world.service.client(for: device, origin: .address(home))
    }

    /// What strangers do to a person whose address and number they know, also from the person's own network.
    private func storm() async {
        let world = world
        for address in [home, "203.0.113.1", "203.0.113.2"] {
            let (number, stranger) = (world.number, world.stranger(at: address))
            let counts = [
                "passwords": await outcomes(of: 60) {
                    try await world.stranger(at: address).signIn(with: world.guess($0))
                },
                "texts": await outcomes(of: 30) { _ in
                    try await world.stranger(at: address).sendPhoneCode(to: number)
                },
                "resets": await outcomes(of: 20) { _ in
                    try await world.stranger(at: address).sendPasswordReset(to: "ann@example.com")
                },
                "links": await outcomes(of: 20) { _ in
                    try await world.stranger(at: address).sendSignInLink(to: "ann@example.com")
                },
                "lists": await outcomes(of: 20) { _ in
                    try await world.stranger(at: address).sendSignInMethods(to: "ann@example.com")
                },
                "guests": await outcomes(of: 110) { _ in try await world.stranger(at: address).signInAnonymously() },
                "mails": await outcomes(of: 120) { try await stranger.sendSignInLink(to: "p\($0)@example.com") },
            ]
            for (kind, counts) in counts {
                XCTAssertNotNil(counts[.tooManyRequests], "\(kind) from \(address) use nothing up: \(counts)")
            }
        }
    }

    /// Ann with a password and a number, and two devices that her account knows.
    private func ann() async throws -> (laptop: AuthClient, phone: AuthClient) {
        let first = try await world.stranger(at: home).signUp(email: "ann@example.com", password: World.password).user
        try await first.sendEmailVerification()
        try await first.applyActionCode(world.newestCode(to: "ann@example.com"))
        let laptop = client(first.device)
        let id = try await laptop.sendPhoneCode(to: world.number)
        try await first.link(with: .phone(verificationID: id, code: world.newestCode(to: world.number)))
        let phone = try await world.stranger(at: home).signIn(with: World.annsPassword)
        world.clock.advance(by: .seconds(86_400))
        return (laptop, client(phone.device))
    }

    func testSigningInByPasswordAndByDigitsNeedsNoWait() async throws {
        let (laptop, phone) = try await ann()
        for _ in 0..<3 {
            await storm()
            let byPassword = try await laptop.signIn(with: World.annsPassword).user
            let id = try await phone.sendPhoneCode(to: world.number)
            let digits = AuthCredential.phone(verificationID: id, code: try world.newestCode(to: world.number))
            let byDigits = try await phone.signIn(with: digits).user
            XCTAssertEqual(byDigits.uid, byPassword.uid, "whom the digits sign in")
            XCTAssertEqual(byPassword.email, "ann@example.com", "whom the password signs in")
            world.clock.advance(by: .seconds(3600))
        }
    }

    func testAForgottenPasswordIsReplacedAndTheNewOneWorksAtOnce() async throws {
        let (laptop, phone) = try await ann()
        await storm()
        try await laptop.sendPasswordReset(to: "ann@example.com")
        let code = try world.newestCode(to: "ann@example.com")
        let report = try await laptop.confirmPasswordReset(code: code, newPassword: "one that I keep")
        await storm()
        let new = AuthCredential.password(email: "ann@example.com", password: "one that I keep")
        try await client(try XCTUnwrap(report.device)).signIn(with: new)
        // The other device was forgotten: the old password may have been known to a thief who used one.
        await assertThrows(.tooManyRequests) { try await phone.signIn(with: new) }
        // Mail opens it, from an address that the strangers do not share.
        let outside = world.stranger(at: "198.51.100.7")
        try await outside.sendPasswordReset(to: "ann@example.com")
        let again = try world.newestCode(to: "ann@example.com")
        try await outside.confirmPasswordReset(code: again, newPassword: "one that I keep now")
    }

    func testGoogleIsLinkedAndAnswersLaterAndTheLoginIsRenewedBySteps() async throws {
        let (laptop, _) = try await ann()
        let user = try await laptop.signIn(with: World.annsPassword).user
        await storm()
        let nonce = try await user.nonce(for: .link)
        var token = world.work
        token.nonce = nonce
        try await user.link(with: world.google(.ann, token))
        world.clock.advance(by: .seconds(3600))
        await storm()
        let stale = await outcome { try await user.unlink(.phone) }
        XCTAssertEqual(stale, .requiresRecentLogin)
        try await user.reauthenticate(with: World.annsPassword)
        try await user.unlink(.phone)
        try await client(user.device).signIn(with: world.google(.ann, world.work))
    }

    func testAFactorIsAnsweredAndTokensAreRefreshed() async throws {
        let (laptop, _) = try await ann()
        let user = try await laptop.signIn(with: World.annsPassword).user
        let app = try await world.enrollTOTP(user)
        let tokens = try await user.issueTokens()
        world.clock.advance(by: .seconds(60))
        // A stranger who knows the password uses up the answers of unknown devices.
        for round in 0..<4 {
            let eve = world.stranger(round)
            let challenge = try await world.challenge { try await eve.signIn(with: World.annsPassword) }
            let wrong = try world.wrongTOTP(app)
            _ = await outcomes(of: 6) { _ in try await eve.resolve(challenge, with: .totp(wrong)) }
        }
        await storm()
        let here = client(user.device)
        let challenge = try await world.challenge { try await here.signIn(with: World.annsPassword) }
        let back = try await here.resolve(challenge, with: .totp(world.totp(app))).user
        XCTAssertEqual(back.uid, user.uid, "who answered with the factor")
        let fresh = try await here.refresh(tokens.refreshToken)
        XCTAssertNotEqual(fresh.refreshToken, tokens.refreshToken, "the refresh token that follows")
    }
}

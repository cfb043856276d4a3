@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Synchronization
import XCTest

/// S35: secret keys rotate, and nothing that was made with a former one is lost.
final class KeyRotationTests: LimitedTestCase {
    private final class Flaky: MessageSender {
        struct Away: Error {}

        private let state = Mutex((isAway: false, sent: [Message]()))

        var isImmediate: Bool { true }
        var isAway: Bool {
            get { state.withLock { $0.isAway } }
            set { state.withLock { $0.isAway = newValue } }
        }
        var sent: [Message] { state.withLock { $0.sent } }

        func send(_ message: Message) async throws {
            try state.withLock { state in
                if state.isAway { throw Away() }
                state.sent.append(message)
            }
        }
    }

    private let (first, second) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
    private let store = InMemoryIdentityStore()
    private let clock = ManualClock()
    private let sender = Flaky()

    private func service(_ key: [UInt8], former: [[UInt8]] = []) -> AuthService {
        var configuration = AuthConfiguration(
            store: store,
            passwordHasher: CheapPasswordHasher(),
            messageSender: sender,
            environment: AuthEnvironment(clock: { [clock] in clock.now })
        )
        configuration.setSecretKey(key, former: former)
        return AuthService(configuration)
    }

    private var before: AuthService { service(first) }
    private var after: AuthService { service(second, former: [first]) }

    private func device(_ service: AuthService) -> Auth { Auth(service: service, device: "phone") }

    private func annsTOTP(_ user: User) async throws -> ([UInt8], MultiFactor.TOTPEnrollment) {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        let seed = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        return (seed, enrollment)
    }

    private func digits(_ seed: [UInt8]) -> String {
        let code = TimeBasedCode()
        return code.code(forStep: code.step(at: clock.timestamp.seconds), secret: seed)
    }

    private func verifiedAnn(_ service: AuthService) async throws -> User {
        let auth = device(service)
        let ann = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
        try await ann.sendEmailVerification()
        try await service.client("phone").applyActionCode(
            try XCTUnwrap(sender.sent.last?.code),
            openedIn: ann.handle
        )
        try await ann.reload()
        return ann
    }

    /// Only a caller who knows the password gets so far that a seed is read.
    func testS29_ALostKeyShowsNoStrangerThatAnAccountHasAFactor() async throws {
        let ann = try await verifiedAnn(before)
        let (seed, enrollment) = try await annsTOTP(ann)
        try await ann.multiFactor.enroll(enrollment, code: digits(seed))
        let stranger = service(second).client(for: nil, origin: .address("192.0.2.1"))
        try await stranger.signUp(email: "eve@example.org", password: "eves own word")
        for email in ["ann@example.com", "nobody@example.com"] {
            let guess = try await stranger.verify(.password(email: email, password: "a guess"))
            let own = try await stranger.verify(.password(email: "eve@example.org", password: "eves own word"))
            await assertThrows(.invalidCredential, email) {
                try await stranger.previewMerge(.verified(guess), into: .verified(own))
            }
        }
    }

    func testS35_TokensOfAFormerKeyStayGoodAndNewOnesAreMadeWithTheNewKey() async throws {
        let ann = try await device(before).signUp(email: "ann@example.com", password: "correct horse battery").user
        let pair = try await ann.issueTokens()
        let bearer = try await after.client("phone").user(forIDToken: pair.idToken.token)
        XCTAssertEqual(bearer.uid, ann.uid)
        let next = try await after.client("phone").refresh(pair.refreshToken)
        XCTAssertNotEqual(
            try XCTUnwrap(CompactToken.parse(next.idToken.token)).header.keyID,
            try XCTUnwrap(CompactToken.parse(pair.idToken.token)).header.keyID
        )
        let again = try await service(second).client("phone").refresh(next.refreshToken)
        XCTAssertEqual(again.idToken.claims["sub"], .string(ann.uid))
        await assertThrows(.invalidUserToken, "a key that is in no ring") {
            try await service(second).client("phone").user(forIDToken: pair.idToken.token)
        }
    }

    func testS35_SecondFactorsWorkAfterTheKeyWasRotated() async throws {
        let ann = try await verifiedAnn(before)
        let (seed, enrollment) = try await annsTOTP(ann)
        // The seed waits for its first code while the key is rotated.
        let bearer = try await after.client(ann.device)
            .user(forIDToken: ann.issueTokens().idToken.token)
        try await bearer.multiFactor.enroll(enrollment, code: digits(seed))
        let codes = try await bearer.multiFactor.makeRecoveryCodes()
        clock.advance(by: .seconds(60))
        for answer in [SecondFactor.Assertion.totp(digits(seed)), .recoveryCode(codes[0])] {
            let newest = device(service([UInt8](repeating: 3, count: 32), former: [second, first]))
            let error = await authError {
                try await newest.signIn(with: .password(email: "ann@example.com", password: "correct horse battery"))
            }
            let result = try await newest.resolve(try XCTUnwrap(error?.secondFactor), with: answer)
            XCTAssertEqual(result.user.uid, ann.uid)
        }
    }

    func testS35_WhatIsInFlightArrives() async throws {
        let auth = device(before)
        sender.isAway = true
        try await auth.sendSignInLink(to: "ann@example.com")
        sender.isAway = false
        let id = try await auth.sendPhoneCode(to: "+15550001234")
        let code = try XCTUnwrap(sender.sent.last?.code)
        let byNumber = try await device(after).signIn(with: .phone(verificationID: id, code: code)).user
        XCTAssertEqual(byNumber.phoneNumber, "+15550001234")
        clock.advance(by: .seconds(60))
        let sent = try await after.deliverPendingMessages()
        XCTAssertEqual(sent, 1)
        let link = try XCTUnwrap(sender.sent.last?.link)
        let byMail = try await device(after).signIn(with: .emailLink(email: "ann@example.com", link: link)).user
        XCTAssertEqual(byMail.email, "ann@example.com")
    }

    /// A text that no process sent before the rotation is sent after it, with the digits that were issued.
    func testATextThatIsSentAfterARotationHasTheDigitsOfTheFormerKey() async throws {
        sender.isAway = true
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        let request = RequestPhoneCode(number: number, code: before.issueDigits())
        let id = try await before.perform(request, RequestContext(device: "phone")).text
        sender.isAway = false
        clock.advance(by: .seconds(60))
        try await after.deliverPendingMessages()
        let code = try XCTUnwrap(sender.sent.last?.code)
        let error = await outcome { try await device(after).signIn(with: .phone(verificationID: id, code: code)) }
        XCTAssertNil(error, "the digits of the text are not those that were issued")
    }

    func testS35_PasswordsDoNotDependOnTheKey() async throws {
        _ = try await device(before).signUp(email: "ann@example.com", password: "correct horse battery")
        let user = try await device(service(second))
            .signIn(with: .password(email: "ann@example.com", password: "correct horse battery")).user
        XCTAssertEqual(user.email, "ann@example.com")
    }

    func testAKeyThatIsReplacedEndsDigitsAndTokensAndNoCodeThatWasMailed() async throws {
        let stranger = service(second)
        let ann = try await verifiedAnn(before)
        let token = try await ann.idToken()
        let tokens = try await ann.issueTokens()
        let id = try await device(before).sendPhoneCode(to: "+15550001234")
        let digits = try XCTUnwrap(sender.sent.last?.code)
        try await device(before).sendSignInLink(to: "ann@example.com")
        let link = try XCTUnwrap(sender.sent.last?.link)
        await assertThrows(.invalidVerificationCode, "digits of the former key") {
            try await device(stranger).signIn(with: .phone(verificationID: id, code: digits))
        }
        await assertThrows(.invalidUserToken, "an ID token of the former key") {
            try await stranger.client("phone").user(forIDToken: token)
        }
        await assertThrows(.invalidUserToken, "a refresh token of the former key") {
            try await stranger.client("phone").refresh(tokens.refreshToken)
        }
        let user = try await device(stranger).signIn(with: .emailLink(email: "ann@example.com", link: link)).user
        XCTAssertEqual(user.uid, ann.uid, "a code that was mailed does not depend on the key")
    }

    private func challenge(_ auth: Auth) async throws -> SecondFactor.Challenge {
        let error = await authError {
            try await auth.signIn(with: .password(email: "ann@example.com", password: "correct horse battery"))
        }
        return try XCTUnwrap(error?.secondFactor)
    }

    func testS35_ASeedThatWasUsedNeedsNoFormerKeyAnyMore() async throws {
        let ann = try await verifiedAnn(before)
        let (seed, enrollment) = try await annsTOTP(ann)
        try await ann.multiFactor.enroll(enrollment, code: digits(seed))
        for next in [after, service(second)] {
            clock.advance(by: .seconds(60))
            let auth = device(next)
            let result = try await auth.resolve(try await challenge(auth), with: .totp(digits(seed)))
            XCTAssertEqual(result.user.uid, ann.uid)
        }
    }

    func testS35_ASeedThatWaitedForItsFirstCodeIsEnrolledUnderTheCurrentKey() async throws {
        let ann = try await verifiedAnn(before)
        let (seed, enrollment) = try await annsTOTP(ann)
        let bearer = try await after.client(ann.device).user(forIDToken: ann.issueTokens().idToken.token)
        try await bearer.multiFactor.enroll(enrollment, code: digits(seed))
        clock.advance(by: .seconds(60))
        let auth = device(service(second))
        let back = try await auth.resolve(try await challenge(auth), with: .totp(digits(seed))).user
        XCTAssertEqual(back.uid, ann.uid, "whom the seed signs in under the new key alone")
    }

    func testS35_RecoveryCodesMadeAfterARotationOutliveTheFormerKey() async throws {
        let ann = try await verifiedAnn(after)
        let (seed, enrollment) = try await annsTOTP(ann)
        try await ann.multiFactor.enroll(enrollment, code: digits(seed))
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        let later = device(service(second))
        let back = try await later.resolve(try await challenge(later), with: .recoveryCode(codes[0])).user
        XCTAssertEqual(back.uid, ann.uid, "whom a recovery code signs in under the new key alone")
    }

    func testS35_RecoveryCodesOfALostKeyAreNotCalledWrong() async throws {
        let ann = try await verifiedAnn(before)
        let (seed, enrollment) = try await annsTOTP(ann)
        try await ann.multiFactor.enroll(enrollment, code: digits(seed))
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        let (stranger, ring) = (service(second), after)
        let auth = device(stranger)
        let lost = try await challenge(auth)
        await assertThrows(.sealedSecretUnreadable) { try await auth.resolve(lost, with: .recoveryCode(codes[0])) }
        XCTAssertEqual(stranger.refusals().first?.code, .sealedSecretUnreadable)
        let other = device(ring)
        let waiting = try await challenge(other)
        await assertThrows(.invalidVerificationCode, "a wrong code where the key is in the ring") {
            try await other.resolve(waiting, with: .recoveryCode("aaaa-bbbb-cccc-dddd"))
        }
        try await other.resolve(waiting, with: .recoveryCode(codes[0]))
    }

    func testS35_WhatNoKeyReadsIsAPreciseErrorAndOperatorsAreTold() async throws {
        let ann = try await verifiedAnn(before)
        let (seed, enrollment) = try await annsTOTP(ann)
        try await ann.multiFactor.enroll(enrollment, code: digits(seed))
        clock.advance(by: .seconds(60))
        let stranger = service(second)
        let auth = device(stranger)
        let error = await authError {
            try await auth.signIn(with: .password(email: "ann@example.com", password: "correct horse battery"))
        }
        let challenge = try XCTUnwrap(error?.secondFactor)
        await assertThrows(.sealedSecretUnreadable) { try await auth.resolve(challenge, with: .totp(digits(seed))) }
        XCTAssertEqual(stranger.refusals().first?.code, .sealedSecretUnreadable)
        XCTAssertEqual(stranger.refusals().first?.account, ann.account.id)
    }

    func testS35_AMessageWhoseCodeNoKeyMakesIsGivenUpAndOperatorsAreTold() async throws {
        let ann = try await device(before).signUp(email: "ann@example.com", password: "correct horse battery").user
        sender.isAway = true
        try await device(before).sendPasswordReset(to: "ann@example.com")
        sender.isAway = false
        clock.advance(by: .seconds(60))
        let stranger = service(second)
        let sent = try await stranger.deliverPendingMessages()
        XCTAssertEqual(sent, 0)
        XCTAssertEqual(sender.sent.count, 0, "a mail with a code that opens nothing")
        XCTAssertEqual(stranger.refusals().first?.code, .sealedSecretUnreadable)
        XCTAssertEqual(stranger.refusals().first?.operation.rawValue, "deliverMessage", "what is recorded")
        XCTAssertEqual(stranger.refusals().first?.account, ann.account.id, "whose message it is")
        let failed = try await stranger.failedMessages()
        XCTAssertEqual(failed.count, 1)
    }

    /// A variable of the environment that was not set looks like an empty key, which everybody knows.
    func testS35_AnEmptyOrShortKeyOpensNothing() async throws {
        let (everybody, guesser) = (service([]), service(Array("changeme".utf8)))
        let victims = [
            ("an empty former key", service(second, former: [[]]), everybody),
            ("an empty key in memory", service([]), everybody),
            ("a short former key", service(second, former: [Array("changeme".utf8)]), guesser),
        ]
        for (name, victim, attacker) in victims {
            let ann = try await device(victim).signInAnonymously().user
            let token = try await attacker.makeCustomToken(for: ann.account.id)
            await assertThrows(.invalidCustomToken, "\(name): anybody signs in to any account") {
                try await victim.client("attacker").signIn(with: .customToken(token))
            }
        }
    }

    func testS35_AServiceIsMadeWithTheFormerKeysToo() async throws {
        let token = try await service(first).makeCustomToken(for: "employee-7")
        let configuration = AuthConfiguration(
            store: store,
            passwordHasher: CheapPasswordHasher(),
            messageSender: sender,
            environment: AuthEnvironment(clock: { [clock] in clock.now }),
            secretKey: second,
            formerSecretKeys: [first]
        )
        let user = try await AuthService(configuration).client().signIn(with: .customToken(token)).user
        XCTAssertEqual(user.uid, "employee-7", "whom a token names that was made with the former key")
    }
}

@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

/// No secret shows in anything that printing, dumping, reflecting or encoding a public value shows.
final class SecrecyTests: LimitedTestCase {
    private let clock = ManualClock()
    private let password = "correct horse battery staple"

    private func assertHides(_ values: [(String, Any)], _ secrets: [String: String], line: UInt = #line) {
        let leaks = Leaks(secrets)
        for (name, value) in values { XCTAssertEqual(leaks.found(in: value), [], name, line: line) }
    }

    private func refusal(_ act: () async throws -> Void, line: UInt = #line) async -> AuthError? {
        do {
            try await act()
            XCTFail("nothing was refused", line: line)
            return nil
        } catch {
            return error as? AuthError
        }
    }

    func testTheSearchFindsASecretWhereverItIs() {
        struct Outer {
            let inner: Inner
            let bytes: [UInt8]
        }
        struct Inner: Encodable {
            let text: String
        }
        let leaks = Leaks(["word": "open sesame"])
        XCTAssertEqual(leaks.found(in: Inner(text: "say open sesame now")).count, 5)
        XCTAssertFalse(leaks.found(in: [Outer(inner: Inner(text: "open sesame"), bytes: [])]).isEmpty)
        XCTAssertFalse(leaks.found(in: Outer(inner: Inner(text: ""), bytes: Array("open sesame".utf8))).isEmpty)
        XCTAssertFalse(leaks.found(in: Optional(AuthError(.internalError, message: "open sesame")) as Any).isEmpty)
        XCTAssertFalse(leaks.found(in: ["bytes": Array("say open sesame".utf8)]).isEmpty)
        XCTAssertEqual(leaks.found(in: Outer(inner: Inner(text: "open"), bytes: [1, 2])), [])
    }

    func testAMailedLinkHidesItsCode() throws {
        let code = "a-mailed-code-that-is-secret"
        let link = try XCTUnwrap(ActionCode.Link("https://auth.invalid/?mode=resetPassword&oobCode=\(code)"))
        XCTAssertEqual(link.code, code)
        assertHides([("the link", link)], ["code": code])
        XCTAssertEqual("\(link)", "ActionCode.Link(resetPassword)")
    }

    func testCredentialsHideWhatIsPresented() {
        let secrets = [
            "password": password, "link": "https://auth.invalid/?oobCode=a-mailed-code", "digits": "493817",
            "ID token": "header.payload.signature", "access token": "gho_accessToken", "second half": "halfOfAToken",
            "nonce": "a raw nonce", "code": "exchange me", "custom token": "custom.token.text",
        ]
        var federated = AuthCredential.Federated(provider: .google)
        federated.idToken = Secret(secrets["ID token"] ?? "")
        federated.accessToken = Secret(secrets["access token"] ?? "")
        federated.tokenSecret = Secret(secrets["second half"] ?? "")
        federated.authorizationCode = Secret(secrets["code"] ?? "")
        federated.nonce = Secret(secrets["nonce"] ?? "")
        let credentials: [AuthCredential] = [
            .password(email: "ann@example.com", password: password),
            .emailLink(email: "ann@example.com", link: secrets["link"] ?? ""),
            .phone(verificationID: "id", code: secrets["digits"] ?? ""),
            .google(idToken: "header.payload.signature", accessToken: "gho_accessToken", nonce: "a raw nonce"),
            .apple(idToken: "header.payload.signature", nonce: "a raw nonce", fullName: "Ann"),
            .facebook(accessToken: "gho_accessToken"), .gitHub(accessToken: "gho_accessToken"),
            .oauth(.twitter, accessToken: "gho_accessToken", secret: "halfOfAToken"),
            .federated(federated), .customToken("custom.token.text"),
        ]
        var values: [(String, Any)] = credentials.map { ("\($0)", $0) }
        values.append(("AuthCredential.Federated", federated))
        values.append(("a dictionary of them", ["key": [credentials]]))
        values.append(("phone factor", SecondFactor.Assertion.phone(verificationID: "id", code: "493817")))
        values.append(("totp factor", SecondFactor.Assertion.totp("493817")))
        values.append(("recovery code", SecondFactor.Assertion.recoveryCode("493817")))
        assertHides(values, secrets)
    }

    func testVerifiedCredentialsAndSignInsHideWhatWasPresented() async throws {
        let auth = Auth(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock)
            )
        )
        let token = SimulatedProvider.google.token(
            for: .ann,
            saying: SimulatedToken(nonce: "a raw nonce"),
            at: clock.now
        )
        let credential = AuthCredential.google(idToken: token, nonce: "a raw nonce")
        let verified = try await auth.verify(credential)
        let result = try await auth.signIn(with: verified)
        try await result.user.link(with: .password(email: "ann@example.com", password: password))
        let verifiedPassword = try await auth.verify(.password(email: "ann@example.com", password: password))
        let account = try await auth.service.account(result.user.account.id)
        let sessions = try await result.user.sessions()
        let events = try await auth.service.events().events
        assertHides(
            [
                ("VerifiedCredential", verified), ("VerifiedCredential of a password", verifiedPassword),
                ("AdditionalUserInfo", result.additionalUserInfo as Any), ("Account", account),
                ("the account of the user", result.user.account), ("UserInfo", result.user.providerData),
                ("Session", sessions), ("IdentityEvent", events),
            ],
            ["password": password, "token": token, "signature": String(token.suffix(20)), "nonce": "a raw nonce"]
        )
    }

    func testErrorsHideWhatWasPresented() async throws {
        let auth = Auth(
            AuthConfiguration(
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock)
            )
        )
        try await auth.signUp(email: "ann@example.com", password: password)
        let token = SimulatedProvider.google.token(for: .ann, at: clock.now)
        let id = try await auth.sendPhoneCode(to: "+15550001234")
        let wrong = "wrong horse battery staple"
        let attempts: [(String, () async throws -> Void)] = [
            ("wrong password", { try await auth.signIn(with: .password(email: "ann@example.com", password: wrong)) }),
            ("unknown address", { try await auth.signIn(with: .password(email: "ben@example.com", password: wrong)) }),
            ("weak password", { try await auth.signUp(email: "ben@example.com", password: "weak!") }),
            ("taken address", { try await auth.signUp(email: "ann@example.com", password: wrong) }),
            ("wrong token", { try await auth.signIn(with: .google(idToken: token + "AAAA")) }),
            ("needless nonce", { try await auth.signIn(with: .google(idToken: token, nonce: "a raw nonce")) }),
            ("foreign token", { try await auth.signIn(with: .gitHub(accessToken: token)) }),
            ("wrong digits", { try await auth.signIn(with: .phone(verificationID: id, code: "49381")) }),
            ("wrong link", { try await auth.signIn(with: .emailLink(email: "ann@example.com", link: "mailedCode")) }),
            ("wrong code", { try await auth.applyActionCode("mailedCode") }),
            ("custom token", { try await auth.signIn(with: .customToken("custom.token.text")) }),
        ]
        for (name, attempt) in attempts {
            let refused = await refusal(attempt)
            let error = try XCTUnwrap(refused)
            assertHides(
                [(name, error), ("cause of \(name)", error.cause as Any), ("message of \(name)", error.message)],
                [
                    "password": password, "wrong password": wrong, "weak password": "weak!", "token": token,
                    "nonce": "a raw nonce", "digits": "49381", "code": "mailedCode",
                    "custom token": "custom.token.text",
                ]
            )
        }
    }

    func testConflictsAndChallengesHideWhatWasPresented() async throws {
        let auth = Auth(
            AuthConfiguration(
                policy: .firebase,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                environment: .manual(clock)
            )
        )
        let ann = try await auth.signIn(with: .simulated(.google, .ann, at: clock.now)).user
        try await ann.link(with: .password(email: "ann@example.com", password: password))
        let token = SimulatedProvider.gitHub.token(for: .ann, at: clock.now)
        let met = await refusal { try await auth.signIn(with: .gitHub(accessToken: token)) }
        let conflict = try XCTUnwrap(met?.conflict)

        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        XCTAssertEqual("\(enrollment)", "MultiFactor.TOTPEnrollment", "what is printed of a seed")
        let seed = enrollment.sharedSecret
        let code = TimeBasedCode()
        let digits = code.code(
            forStep: code.step(at: clock.timestamp.seconds),
            secret: try XCTUnwrap(Base32.decode(seed))
        )
        try await ann.multiFactor.enroll(enrollment, code: digits)
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        let owed = await refusal {
            try await auth.signIn(with: .password(email: "ann@example.com", password: self.password))
        }
        let challenge = try XCTUnwrap(owed?.secondFactor)
        let account = try await auth.service.account(ann.account.id)
        assertHides(
            [
                ("the conflict's error", met as Any), ("Conflict", conflict), ("its credential", conflict.credential),
                ("the challenge's error", owed as Any), ("SecondFactor.Challenge", challenge),
                ("MultiFactor.TOTPEnrollment", enrollment), ("Account", account),
                ("MultiFactor", ann.multiFactor.enrolledFactors),
            ],
            [
                "password": password, "token": token, "seed": seed, "digits": digits, "recovery code": codes[0],
                "bare recovery code": codes[0].filter { $0 != "-" },
            ]
        )
        XCTAssertEqual(Leaks(bytes: try XCTUnwrap(Base32.decode(seed)), name: "seed").found(in: account), [])
    }

    func testMessagesAndTheOutboxHideTheirCodes() async throws {
        let outbox = Message.Outbox()
        let auth = Auth(
            AuthConfiguration(
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
        let ann = try await auth.signUp(email: "ann@example.com", password: password).user
        try await ann.sendEmailVerification()
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.sendSignInLink(to: "ben@example.com")
        _ = try await auth.sendPhoneCode(to: "+15550001234")
        XCTAssertEqual(outbox.messages.count, 4)
        for message in outbox.messages {
            assertHides(
                [("Message", message), ("Message.Outbox", outbox), ("all messages", outbox.messages)],
                ["code": message.code, "link": message.link ?? message.code]
            )
        }
    }

    func testWhatAStoreIsGivenHoldsNoSecretInTheClear() async throws {
        let store = WitnessStore()
        let outbox = Message.Outbox()
        let auth = Auth(
            AuthConfiguration(
                store: store,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
        let ann = try await auth.signUp(email: "ann@example.com", password: password).user
        try await ann.sendEmailVerification()
        try await auth.applyActionCode(outbox.last(to: "ann@example.com")?.code ?? "")
        let token = SimulatedProvider.google.token(for: .ann, at: clock.now)
        try await ann.link(with: .google(idToken: token))
        let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        let digits = try XCTUnwrap(outbox.last(to: "+15550001234")?.code)
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: digits)
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let codes = try await ann.multiFactor.makeRecoveryCodes()
        try await auth.sendPasswordReset(to: "ann@example.com")
        let reset = try XCTUnwrap(outbox.last(to: "ann@example.com")?.code)
        try await auth.confirmPasswordReset(code: reset, newPassword: "another horse")
        let secrets = [
            "password": password, "new password": "another horse", "token": token, "seed": enrollment.sharedSecret,
            "recovery code": codes[0], "bare recovery code": codes[0].filter { $0 != "-" }, "mailed code": reset,
        ]
        XCTAssertGreaterThan(store.changes.count, 8)
        for changes in store.changes {
            assertHides([("ChangeSet", changes)], secrets)
            // Six digits may stand in a number by chance, so they are looked for where the code travels.
            for message in changes.messages {
                XCTAssertEqual(Leaks(["digits": digits]).found(in: message), [])
            }
            for change in changes.records {
                guard case .put(let record) = change, case .phoneCode(let sent) = record.content else {
                    continue
                }
                XCTAssertEqual(Leaks(["digits": digits]).found(in: sent), [])
            }
            let seed = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
            XCTAssertEqual(Leaks(bytes: seed, name: "seed").found(in: changes), [])
        }
    }
}

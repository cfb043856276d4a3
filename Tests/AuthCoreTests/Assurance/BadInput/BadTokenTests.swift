@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// Tokens, codes and provider names that are none, at every door that takes one.
final class BadTokenTests: LimitedTestCase {
    func testATokenThatIsNoneIsRefusedAtEveryDoor() async throws {
        let bench = try await BadInputBench()
        let (auth, user, service) = (bench.auth, bench.user, bench.service)
        let doors: [(String, (AuthCredential) async throws -> Void)] = [
            ("signIn", { try await auth.signIn(with: $0) }),
            ("service.signIn", { try await service.client().signIn(with: $0) }),
            ("verify", { _ = try await service.client().verify($0) }),
            ("link", { try await user.link(with: $0) }),
            ("reauthenticate", { try await user.reauthenticate(with: $0) }),
            ("updatePhoneNumber", { try await user.updatePhoneNumber(with: $0) }),
        ]
        for token in BadText.tokens + [""] {
            let credentials: [AuthCredential] = [
                .google(idToken: token), .google(idToken: token, nonce: token),
                .apple(idToken: token, nonce: nil),
                .facebook(accessToken: token), .gitHub(accessToken: token), .oauth(.twitter, accessToken: token),
                .oauth(.twitter, accessToken: token, secret: token), .oauth(.microsoft, idToken: token),
            ]
            for (door, act) in doors {
                for credential in credentials {
                    try await bench.refuses("\(door) \(credential) \(BadText.name(token))", .invalidCredential) {
                        try await act(credential)
                    }
                }
            }
        }
        for (door, act) in doors {
            try await bench.refuses("\(door) without any token", .invalidCredential) {
                try await act(.federated(AuthCredential.Federated(provider: .google)))
            }
            for token in BadText.tokens + [""] {
                try await bench.refuses("\(door) custom token \(BadText.name(token))", .invalidCustomToken) {
                    try await act(.customToken(token))
                }
            }
        }
    }

    func testAProviderNameThatIsNoneIsRefused() async throws {
        let bench = try await BadInputBench()
        let names = ["", " ", "goo gle", "google.com\u{0}", "gööglé", "password", "Phone", "firebase", BadText.huge]
        for name in names {
            let provider = ProviderID(name)
            let credential = AuthCredential.oauth(provider, idToken: "token")
            try await bench.refuses("sign in by \(BadText.name(name))", .invalidProviderID) {
                try await bench.auth.signIn(with: credential)
            }
            try await bench.refuses("link \(BadText.name(name))", .invalidProviderID) {
                try await bench.user.link(with: credential)
            }
            if provider == .password { continue }
            try await bench.refuses("unlink \(BadText.name(name))", .noSuchProvider) {
                try await bench.user.unlink(provider)
            }
        }
        try await bench.refuses("a provider without a verifier", .operationNotAllowed) {
            try await bench.auth.signIn(with: .oauth("oidc.unknown", idToken: "token"))
        }
    }

    func testAMailedCodeThatIsNoneIsRefusedAtEveryDoor() async throws {
        let bench = try await BadInputBench()
        let (auth, user, service) = (bench.auth, bench.user, bench.service)
        let doors: [(String, (String) async throws -> Void)] = [
            ("inspect", { _ = try await auth.checkActionCode($0) }),
            ("apply", { try await auth.applyActionCode($0) }),
            ("confirm", { try await auth.confirmPasswordReset(code: $0, newPassword: "battery staple") }),
            ("service.inspect", { _ = try await service.client().checkActionCode($0) }),
            ("service.apply", { try await service.client().applyActionCode($0) }),
            (
                "service.confirm",
                { try await service.client().confirmPasswordReset(code: $0, newPassword: "battery staple") }
            ),
            ("emailLink", { try await auth.signIn(with: .emailLink(email: "ann@example.com", link: $0)) }),
            ("link", { try await user.link(with: .emailLink(email: "ann@example.com", link: $0)) }),
            ("reauthenticate", { try await user.reauthenticate(with: .emailLink(email: "ann@example.com", link: $0)) }),
        ]
        for (door, act) in doors {
            for code in BadText.codes + [""] {
                try await bench.refuses("\(door) \(BadText.name(code))", .invalidActionCode) { try await act(code) }
            }
        }
    }

    func testDigitsThatAreNoneAreRefusedAtEveryDoor() async throws {
        let bench = try await BadInputBench()
        let (auth, user) = (bench.auth, bench.user)
        let id = try await auth.sendPhoneCode(to: "+15550001234")
        let factor = try await user.multiFactor.sendPhoneCode(to: "+15550001234")
        let doors: [(String, (String, String) async throws -> Void)] = [
            ("signIn", { try await auth.signIn(with: .phone(verificationID: $0, code: $1)) }),
            ("link", { try await user.link(with: .phone(verificationID: $0, code: $1)) }),
            ("reauthenticate", { try await user.reauthenticate(with: .phone(verificationID: $0, code: $1)) }),
            ("updatePhoneNumber", { try await user.updatePhoneNumber(with: .phone(verificationID: $0, code: $1)) }),
            ("enroll", { try await user.multiFactor.enroll(phoneVerificationID: $0, code: $1) }),
        ]
        for (door, act) in doors {
            let id = door == "enroll" ? factor : id
            for text in BadText.codes + ["12345", "1234567", "12345６", "-12345"] {
                try await bench.refuses("\(door), digits \(BadText.name(text))", .invalidVerificationCode) {
                    try await act(id, text)
                }
                try await bench.refuses("\(door), id \(BadText.name(text))", .invalidVerificationID) {
                    try await act(text, "123456")
                }
            }
            try await bench.refuses("\(door) without digits", .missingVerificationCode) { try await act(id, "") }
            try await bench.refuses("\(door) without an id", .missingVerificationID) { try await act("", "123456") }
        }
    }

    func testASecondFactorThatIsNoneIsRefused() async throws {
        let bench = try await BadInputBench()
        let enrollment = try await bench.user.multiFactor.startTOTP(issuer: BadText.huge, accountName: "\u{0}")
        for text in BadText.codes + ["", "000 000", "12345６"] {
            try await bench.refuses("enrol with \(BadText.name(text))", .invalidVerificationCode) {
                try await bench.user.multiFactor.enroll(enrollment, code: text)
            }
        }
        try await bench.user.multiFactor.enroll(enrollment, code: code(of: enrollment, at: bench.clock))
        let challenge = try await challenge(bench)
        for text in BadText.codes + ["", "000000"] {
            for (kind, assertion) in [
                ("totp", SecondFactor.Assertion.totp(text)), ("recovery", .recoveryCode(text)),
            ] {
                try await bench.refuses("\(kind) \(BadText.name(text))", .invalidVerificationCode) {
                    try await bench.auth.resolve(challenge, with: assertion)
                }
            }
            if text.isEmpty { continue }
            try await bench.refuses("phone \(BadText.name(text))", .invalidVerificationID) {
                try await bench.auth.resolve(challenge, with: .phone(verificationID: text, code: "123456"))
            }
        }
    }

    private func code(of enrollment: MultiFactor.TOTPEnrollment, at clock: ManualClock) -> String {
        let code = TimeBasedCode()
        return code.code(
            forStep: code.step(at: clock.timestamp.seconds),
            secret: Base32.decode(enrollment.sharedSecret) ?? []
        )
    }

    private func challenge(_ bench: BadInputBench) async throws -> SecondFactor.Challenge {
        do {
            try await bench.auth.signIn(with: .password(email: "ann@example.com", password: "correct horse"))
        } catch {
            return try XCTUnwrap(error.secondFactor)
        }
        throw NoChallenge()
    }
}

/// A sign-in that should have met a challenge did not.
private struct NoChallenge: Error {}

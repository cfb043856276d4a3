@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Passwords that are none, at every door that takes one.
final class BadPasswordTests: LimitedTestCase {
    private let unacceptable = ["", "12345", "\u{0}", BadText.huge, String(repeating: "a", count: 4097)]

    func testAPasswordThatIsTooShortOrTooLongCannotBeSet() async throws {
        let bench = try await BadInputBench()
        let (auth, user, service) = (bench.auth, bench.user, bench.service)
        let guest = try await Auth(service: service, device: "tablet").signInAnonymously().user
        try await auth.sendPasswordReset(to: "ann@example.com")
        let code = try XCTUnwrap(bench.outbox.last(to: "ann@example.com")?.code)
        let doors: [(String, (String) async throws -> Void)] = [
            ("signUp", { try await auth.signUp(email: "ben@example.com", password: $0) }),
            ("service.signUp", { try await service.client().signUp(email: "ben@example.com", password: $0) }),
            ("link", { try await guest.link(with: .password(email: "ben@example.com", password: $0)) }),
            ("updatePassword", { try await user.updatePassword(to: $0) }),
            ("confirmPasswordReset", { try await auth.confirmPasswordReset(code: code, newPassword: $0) }),
        ]
        for (door, act) in doors {
            for password in unacceptable {
                try await bench.refuses("\(door) \(BadText.name(password))", .weakPassword) { try await act(password) }
            }
        }
    }

    func testAPasswordThatCouldNeverBeSetIsWrong() async throws {
        let bench = try await BadInputBench()
        for password in unacceptable {
            let credential = AuthCredential.password(email: "ann@example.com", password: password)
            try await bench.refuses("sign in with \(BadText.name(password))", .wrongPassword) {
                try await bench.auth.signIn(with: credential)
            }
            try await bench.refuses("re-authenticate with \(BadText.name(password))", .wrongPassword) {
                try await bench.user.reauthenticate(with: credential)
            }
            try await bench.refuses("an unknown address with \(BadText.name(password))", .userNotFound) {
                try await bench.auth.signIn(with: .password(email: "ben@example.com", password: password))
            }
        }
    }

    func testANULInAPasswordCountsAsAnyOtherByte() async throws {
        let bench = try await BadInputBench()
        try await bench.auth.signUp(email: "ben@example.com", password: "correct\u{0}horse")
        for other in ["correct", "correct\u{0}", "correct\u{0}cow", "correcthorse"] {
            try await bench.refuses(other.debugDescription, .wrongPassword) {
                try await bench.auth.signIn(with: .password(email: "ben@example.com", password: other))
            }
        }
        try await bench.auth.signIn(with: .password(email: "ben@example.com", password: "correct\u{0}horse"))
    }
}

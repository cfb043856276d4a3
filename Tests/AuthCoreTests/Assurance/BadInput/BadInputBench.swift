@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A service with one signed-in person, and the means to say that a call was refused and left no trace.
struct BadInputBench {
    let clock = ManualClock()
    let store = WitnessStore()
    let outbox = Message.Outbox()
    let service: AuthService
    let auth: Auth
    let user: User

    init() async throws {
        service = AuthService(
            AuthConfiguration(
                store: store,
                policy: .firebase,
                providers: .simulated,
                passwordHasher: CheapPasswordHasher(),
                messageSender: outbox,
                environment: .manual(clock)
            )
        )
        auth = Auth(service: service, device: "phone")
        user = try await auth.signUp(email: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await auth.applyActionCode(outbox.last(to: "ann@example.com")?.code ?? "")
        try await user.reload()
    }

    /// Everything that a refused call must leave as it was.
    private struct Trace: Equatable {
        let accounts: [Account]
        let events: [IdentityEvent]
        let pending: [OutboxEntry]
        let sent: Int
        let commits: Int
        let sitting: String?
    }

    private func trace() async throws -> Trace {
        Trace(
            accounts: try await service.accounts(limit: .max),
            events: try await service.events(limit: .max).events,
            pending: try await store.pendingMessages(limit: .max),
            sent: outbox.messages.count,
            commits: store.changes.count,
            sitting: auth.currentUser?.uid
        )
    }

    /// Expects the call to be refused with this code, within a second and without a trace.
    func refuses(
        _ what: String,
        _ code: AuthErrorCode,
        line: UInt = #line,
        _ act: () async throws -> Void
    ) async throws {
        let before = try await trace()
        let time = try await ContinuousClock().measure {
            do {
                try await act()
                XCTFail("\(what) is accepted", line: line)
            } catch let error as AuthError {
                XCTAssertEqual(error.code, code, what, line: line)
            }
        }
        XCTAssertLessThan(time, .seconds(1), what, line: line)
        let after = try await trace()
        XCTAssertEqual(before, after, "\(what) leaves a trace", line: line)
    }
}

/// Text that nobody's address, number or token looks like.
enum BadText {
    static let huge = String(repeating: "a", count: 10_000_000)
    static let nothing = ""
    static let withNUL = "ann\u{0}@example.com"

    /// The text with words for what would fill the screen.
    static func name(_ text: String) -> String {
        text.utf8.count > 100 ? "\(text.utf8.count) bytes" : text.debugDescription
    }

    static let emails = [
        "ann", "@", "ann@", "@example.com", "ann@example", "ann@@example.com", "ann@example..com", "ann@exam ple.com",
        " ann@example.com", "ann@example.com ", "ann@example.com\r\nBcc: eve@example.com", "ann@-example.com",
        "ann@127.0.0.1", "ann@[127.0.0.1]", "\"ann\"@example.com", "änn@example.com", "ann@exämple.com",
        "Ann <ann@example.com>", ".ann@example.com", "ann.@example.com", "ann@example.com\u{0}", withNUL, "\u{0}",
        huge, huge + "@example.com", "ann@" + huge + ".com",
    ]

    static let numbers = [
        "+", "15550001234", "+0155500012", "+1 555 000 1234", "+1-555-000-1234", "+1555000123456789", "+155500",
        "+1555000１２３４", "+15550001234\u{0}", "\u{0}", "ann@example.com", huge, "+" + huge,
        "+" + String(repeating: "1", count: 10_000_000),
    ]

    static let tokens = [
        "token", ".", "..", "a.b.c", "e30.e30.e30", "eyJhbGciOiJub25lIn0.e30.", "null", "{}", "\u{0}", "ä",
        "eyJ\u{0}", huge, huge + "." + huge + "." + huge,
    ]

    static let codes = ["x", "🔑", "\u{0}", "code\u{0}", "https://auth.invalid/action?mode=verifyEmail", huge]
}

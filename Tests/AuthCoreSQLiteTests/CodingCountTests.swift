#if SQLite
import AuthCore
import AuthCoreSQL
import AuthCoreTesting
import Synchronization
import XCTest

@testable import AuthCoreSQLite
@testable import StoreInvariants

/// How often an operation encodes and decodes: a load decodes each record once, and a commit encodes what it changes.
///
/// What is decoded twice was loaded twice, because the operation looks at something before it decides; a comment says
/// at what.
final class CodingCountTests: LimitedTestCase {
    private final class Counts: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func count(_ kind: Store.RecordKind, _ use: RowCoder.Use) {
            counts.withLock { $0["\(use) \(kind.rawValue)", default: 0] += 1 }
        }

        /// What was counted since the last call.
        func take() -> [String: Int] {
            counts.withLock { counts in
                defer { counts = [:] }
                return counts
            }
        }
    }

    /// One service on one file, and what its operations encode and decode.
    private struct Stage {
        let store: SQLiteStore
        let service: AuthService
        let clock = ManualClock()
        let outbox = Message.Outbox()
        private let database: TestDatabase
        private let counts = Counts()

        init() async throws {
            database = try TestDatabase()
            let counts = counts
            store = try await SQLiteStore(
                path: database.path,
                options: SQLiteStore.Options(),
                coder: RowCoder { counts.count($0, $1) }
            )
            service = store.service(clock, sender: outbox)
            try await store.execute(
                """
                CREATE TABLE updates (old TEXT, new TEXT);
                CREATE TRIGGER account AFTER UPDATE OF record ON accounts BEGIN
                    INSERT INTO updates VALUES (OLD.record, NEW.record); END;
                CREATE TRIGGER session AFTER UPDATE OF record ON sessions BEGIN
                    INSERT INTO updates VALUES (OLD.record, NEW.record); END
                """
            )
        }

        var password: AuthCredential { password(of: "ann@example.com") }

        func password(of email: String) -> AuthCredential { .password(email: email, password: "correct horse") }

        func credential(_ provider: ProviderID, _ person: SimulatedPerson = .ann) -> AuthCredential {
            .simulated(provider, person, at: clock.now)
        }

        func code(_ kind: Message.Kind, to email: String = "ann@example.com") throws -> String {
            try XCTUnwrap(outbox.last(to: email, kind)?.code, "\(kind)")
        }

        /// Runs an operation, and compares what it decoded and encoded with what it must.
        @discardableResult
        func expect<Value>(
            _ operation: String,
            decodes: String,
            encodes: String,
            file: StaticString = #filePath,
            line: UInt = #line,
            _ run: () async throws -> Value
        ) async throws -> Value {
            _ = counts.take()
            let value = try await run()
            let found = counts.take()
            XCTAssertEqual(found.text(.decoding), decodes, "\(operation) decodes", file: file, line: line)
            XCTAssertEqual(found.text(.encoding), encodes, "\(operation) encodes", file: file, line: line)
            let (old, new) = (
                try await store.column("SELECT old FROM updates ORDER BY rowid"),
                try await store.column("SELECT new FROM updates ORDER BY rowid")
            )
            for (old, new) in zip(old, new) {
                XCTAssertNotEqual(old, new, "\(operation) encodes what has not changed", file: file, line: line)
            }
            try await store.execute("DELETE FROM updates")
            return value
        }
    }

    func testSignInsDecodeEachRecordOnceAndEncodeWhatTheyChange() async throws {
        let stage = try await Stage()
        let stranger = stage.service.client(for: nil, origin: .local)
        let device = try await stage.expect("a sign-up", decodes: "", encodes: "account, event x2, session") {
            try await stranger.signUp(email: "ann@example.com", password: "correct horse")
        }.device
        let client = stage.service.client(for: device, origin: .local)
        // An account that nothing verified is removed when it is unused, and so its version tells of each sign-in.
        let user = try await stage.expect(
            "a first sign-in by password",
            decodes: "account",
            encodes: "account, event, session"
        ) {
            try await client.signIn(with: stage.password)
        }.user
        try await stage.expect("a link", decodes: "account, session", encodes: "account, event, session") {
            try await user.link(with: stage.credential(.google))
        }
        try await stage.expect("a sign-in by password", decodes: "account", encodes: "event, session") {
            try await client.signIn(with: stage.password)
        }
        try await stage.expect("a known sign-in", decodes: "account", encodes: "event, session") {
            try await client.signIn(with: stage.credential(.google))
        }
        let tokens = try await stage.expect("issuing tokens", decodes: "account, session", encodes: "session") {
            try await user.issueTokens()
        }
        try await stage.expect("a refresh", decodes: "account, session", encodes: "session") {
            try await client.refresh(tokens.refreshToken)
        }
        try await stage.expect("a look at the account", decodes: "account, session", encodes: "") {
            try await user.reload()
        }
        try await stage.expect("a list of four sessions", decodes: "account, session x4", encodes: "") {
            try await user.sessions()
        }
        let guest = try await stage.expect("a guest", decodes: "", encodes: "account, event x2, session") {
            try await stranger.signInAnonymously()
        }.user
        try await stage.expect(
            "an upgrade of a guest",
            decodes: "account, session",
            encodes: "account, event x2, session"
        ) {
            try await guest.link(with: stage.credential(.facebook, .ben))
        }
        try await stage.expect("a sign-out", decodes: "account, session", encodes: "event") {
            try await guest.signOut()
        }
        try await stage.expect(
            "ending other sessions",
            decodes: "account, session x4",
            encodes: "account, event, session"
        ) {
            try await user.revokeOtherSessions()
        }
        // The credential is compared with the account first; then the decision reads the session and the account.
        try await stage.expect("a re-authentication", decodes: "account x2, session", encodes: "event, session") {
            try await user.reauthenticate(with: stage.password)
        }
    }

    func testChangesDecodeEachRecordOnceAndEncodeWhatTheyChange() async throws {
        let stage = try await Stage()
        let client = stage.service.client(for: nil, origin: .local)
        let user = try await client.signUp(email: "ann@example.com", password: "correct horse").user
        // How many mails the address may have depends on the account, so that it is read before the decision.
        try await stage.expect("asking for a verification", decodes: "account x2, session", encodes: "message, record")
        {
            try await user.sendEmailVerification()
        }
        // What the code is for is looked at before it is used; so it is with the next codes.
        try await stage.expect(
            "verifying an address",
            decodes: "account x2, record x2, session",
            encodes: "account, event, session"
        ) {
            try await client.applyActionCode(stage.code(.verifyEmail))
        }
        try await stage.expect(
            "a link",
            decodes: "account, session",
            encodes: "account, event, message, record, session"
        ) {
            try await user.link(with: stage.credential(.google))
        }
        try await stage.expect(
            "an unlink",
            decodes: "account, session",
            encodes: "account, event, message, record, session"
        ) {
            try await user.unlink(.google)
        }
        try await stage.expect("a profile", decodes: "account, session", encodes: "account, event") {
            try await user.updateProfile(displayName: .set("Ann"))
        }
        try await stage.expect("the same profile", decodes: "account, session", encodes: "") {
            try await user.updateProfile(displayName: .set("Ann"))
        }
        try await stage.expect(
            "a new password",
            decodes: "account, session",
            encodes: "account, event, message, record, session"
        ) {
            try await user.updatePassword(to: "another horse")
        }
        // The account gets another version, so that its session cannot end beside the request.
        try await stage.expect(
            "asking for another address",
            decodes: "account, session",
            encodes: "account, message, record"
        ) {
            try await user.sendEmailVerification(beforeUpdatingTo: "ann@example.org")
        }
        try await stage.expect(
            "another address",
            decodes: "account x2, record x2, session",
            encodes: "account, event, message x2, record x2, session"
        ) {
            try await client.applyActionCode(stage.code(.changeEmail, to: "ann@example.org"))
        }
        try await stage.expect("asking for a new password", decodes: "account x2", encodes: "message, record") {
            try await client.sendPasswordReset(to: "ann@example.org")
        }
        // A code that is refused must cost no hash, and the rule of passwords needs the account.
        try await stage.expect(
            "a new password by mail",
            decodes: "account, record",
            encodes: "account, event, message, record"
        ) {
            try await client.confirmPasswordReset(
                code: stage.code(.resetPassword, to: "ann@example.org"),
                newPassword: "correct horse"
            )
        }
        let ann = try await client.signIn(with: stage.password(of: "ann@example.org")).user
        let ben = try await client.signIn(with: stage.credential(.facebook, .ben)).user
        stage.clock.advance(by: .seconds(1))
        let source = try await client.verify(stage.credential(.facebook, .ben))
        let target = try await client.verify(stage.password(of: "ann@example.org"))
        // Whose accounts the sides are, and whether one of them is in another merge, is looked up first.
        let merged = try await stage.expect(
            "a merge",
            decodes: "account x6",
            encodes: "account, event x4, message, record x4, session"
        ) {
            try await client.merge(.verified(source), into: .verified(target))
        }.result.user
        XCTAssertEqual(merged.account.id, ann.account.id, "the account that stays is not the target")
        XCTAssertNotEqual(merged.account.id, ben.account.id)
        // A notice can still report the method that deletes for good.
        try await stage.expect(
            "a deletion for good",
            decodes: "account, record x6, session",
            encodes: "event, message, record"
        ) {
            try await merged.delete(permanently: true)
        }
    }

    func testSecondFactorsDecodeEachRecordOnceAndEncodeWhatTheyChange() async throws {
        let stage = try await Stage()
        let client = stage.service.client(for: nil, origin: .local)
        let user = try await client.signUp(email: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await client.applyActionCode(stage.code(.verifyEmail))
        try await user.reload()
        let enrollment = try await stage.expect("a seed", decodes: "account, session", encodes: "record") {
            try await user.multiFactor.startTOTP(issuer: "Boats")
        }
        let app = try AuthenticatorApp(enrollment, clock: stage.clock)
        let first = app.nextCode()
        // The code is compared with the seed before the decision.
        try await stage.expect(
            "a second factor",
            decodes: "account x2, record x2, session",
            encodes: "account, event, message, record, session"
        ) {
            try await user.multiFactor.enroll(enrollment, code: first)
        }
        try await stage.expect(
            "recovery codes",
            decodes: "account, session",
            encodes: "account, event, message, record"
        ) {
            try await user.multiFactor.makeRecoveryCodes()
        }
        let challenge = try await stage.expect("a challenge", decodes: "account", encodes: "record") {
            await Self.challenge { _ = try await client.signIn(with: stage.password) }
        }
        stage.clock.advance(by: .seconds(30))
        let answer = SecondFactor.Assertion.totp(app.nextCode())
        let met = try XCTUnwrap(challenge)
        // So is the answer of a challenge.
        let signedIn = try await stage.expect(
            "an answer",
            decodes: "account x2, record x2",
            encodes: "account, event, session"
        ) {
            try await client.resolve(met, with: answer)
        }.user
        let factor = try XCTUnwrap(signedIn.multiFactor.enrolledFactors.first?.id)
        try await stage.expect(
            "removing a factor",
            decodes: "account, session",
            encodes: "account, event, message, record, session"
        ) {
            try await signedIn.multiFactor.unenroll(factor)
        }
    }

    /// The challenge that a sign-in meets.
    private static func challenge(_ signIn: () async throws -> Void) async -> SecondFactor.Challenge? {
        do {
            try await signIn()
            return nil
        } catch {
            return (error as? AuthError)?.secondFactor
        }
    }
}

extension [String: Int] {
    /// The kinds of records of one use, with their numbers where they are not one.
    fileprivate func text(_ use: RowCoder.Use) -> String {
        filter { $0.key.hasPrefix("\(use) ") }.map { key, count in
            key.dropFirst("\(use) ".count) + (count == 1 ? "" : " x\(count)")
        }.sorted().joined(separator: ", ")
    }
}
#endif

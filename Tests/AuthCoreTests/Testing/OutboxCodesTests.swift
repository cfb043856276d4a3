import AuthCore
import AuthCoreTesting
import XCTest

final class OutboxCodesTests: LimitedTestCase {
    func testAPersonReadsTheNewestCodeAndLinkOfAKind() async throws {
        let outbox = Message.Outbox()
        let auth = Auth(AuthConfiguration(passwordHasher: CheapPasswordHasher(), messageSender: outbox))
        let user = try await auth.signUp(email: "ann@example.com", password: "correct horse battery").user
        try await user.sendEmailVerification()
        try await user.applyActionCode(outbox.code(.verifyEmail, to: "ann@example.com"))
        try await user.reload()
        XCTAssertTrue(user.isEmailVerified, "the code verifies the address")
        try await auth.sendPasswordReset(to: "ann@example.com")
        let link = try outbox.link(.resetPassword, to: "ann@example.com")
        try await auth.confirmPasswordReset(code: link, newPassword: "another horse battery")
        let id = try await auth.sendPhoneCode(to: "+15550001234")
        let digits = try outbox.code(.phoneCode, to: "+15550001234")
        try await auth.signIn(with: .phone(verificationID: id, code: digits))
        XCTAssertEqual(auth.currentUser?.phoneNumber, "+15550001234")
    }

    func testAMissingMessageSaysWhatWasSentAndNoCode() async throws {
        let outbox = Message.Outbox()
        let auth = Auth(AuthConfiguration(messageSender: outbox))
        XCTAssertThrowsError(try outbox.signInLink(to: "ann@example.com")) {
            XCTAssertEqual("\($0)", "No signInLink with a code was sent to ann@example.com, only: nothing")
        }
        try await auth.sendSignInLink(to: "ann@example.com")
        let code = try outbox.code(.signInLink, to: "Ann@Example.com")
        XCTAssertThrowsError(try outbox.code(.resetPassword, to: "ann@example.com")) {
            XCTAssertTrue("\($0)".contains("only: Message(signInLink to"), "\($0)")
            XCTAssertFalse("\($0)".contains(code), "the error shows no code")
        }
        XCTAssertThrowsError(try outbox.link(.phoneCode, to: "+15550001234"))
    }

    func testOfSeveralCodesOfAKindTheNewestIsRead() async throws {
        let outbox = Message.Outbox()
        let auth = Auth(AuthConfiguration(messageSender: outbox, environment: .manual(ManualClock())))
        for _ in 0..<2 { _ = try await auth.sendPhoneCode(to: "+15550001234") }
        let codes = outbox.messages.map(\.code)
        XCTAssertEqual(Set(codes).count, 2, "two codes that differ")
        XCTAssertEqual(try outbox.code(.phoneCode, to: "+15550001234"), codes.last, "the code that was sent last")
    }

    func testAMissingMessageNamesTheTenNewestThatWereSent() async throws {
        let outbox = Message.Outbox()
        let auth = Auth(AuthConfiguration(messageSender: outbox))
        for number in 0..<12 { try await auth.sendSignInLink(to: "a\(number)@example.com") }
        XCTAssertThrowsError(try outbox.code(.resetPassword, to: "a0@example.com")) { error in
            let sent = (error as? Message.Outbox.MissingMessage)?.sent ?? []
            XCTAssertEqual(sent.count, 10, "how many of twelve messages are named")
            XCTAssertEqual(sent, outbox.messages.suffix(10).map(\.description), "which of them, in which order")
        }
    }

    func testAMessageWithoutACodeHasNone() async throws {
        let outbox = Message.Outbox()
        let auth = Auth(AuthConfiguration(messageSender: outbox))
        try await auth.sendSignInMethods(to: "ann@example.com")
        XCTAssertEqual(outbox.messages.map(\.kind), [.signInMethods], "what was sent")
        XCTAssertThrowsError(try outbox.code(.signInMethods, to: "ann@example.com"), "a code of a mail without one")
    }
}

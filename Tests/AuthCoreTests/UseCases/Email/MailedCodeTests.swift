@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

final class MailedCodeTests: LimitedTestCase {
    func testAMailedCodeExpires() async throws {
        let world = World()
        let device = world.device()
        _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
        try await device.sendPasswordReset(to: "ann@example.com")
        let code = world.newestCode
        world.clock.advance(by: .seconds(3600))
        await assertThrows(.expiredActionCode) { try await device.checkActionCode(code) }
        await assertThrows(.expiredActionCode) {
            try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
        }
    }

    func testOneLiveCodeIsTheFewest() async throws {
        for count in [Int.min, -1, 0] {
            var policy = AuthPolicy.firebase
            policy.liveMailCodes = count
            let world = World(policy)
            let device = world.device()
            _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
            try await device.sendPasswordReset(to: "ann@example.com")
            let first = world.newestCode
            try await device.sendPasswordReset(to: "ann@example.com")
            await assertThrows(.invalidActionCode) { try await device.checkActionCode(first) }
            _ = try await device.checkActionCode(world.newestCode)
        }
    }

    func testOnlyWhatWasMailedIsACode() async throws {
        let world = World()
        let id = try await world.device().sendPhoneCode(to: "+15550001234")
        let key = try XCTUnwrap(OneTimeRecordID(id))
        let decision = try await world.service.decision(of: InspectAction(code: key))
        XCTAssertEqual(decision.refusal?.code, .invalidActionCode)
    }

    func testARefusedAttemptDoesNotBurnACode() async throws {
        let world = World()
        let device = world.device()
        _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
        try await device.sendPasswordReset(to: "ann@example.com")
        let code = world.newestCode
        await assertThrows(.weakPassword) { try await device.confirmPasswordReset(code: code, newPassword: "short") }
        await assertThrows(.invalidActionCode) { try await device.applyActionCode(code) }
        try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
        await assertThrows(.invalidActionCode) {
            try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
        }
    }

    func testSeveralCodesLiveSideBySideUpToACap() async throws {
        let world = World()
        let device = world.device()
        let user = try await device.signUp(email: "ann@example.com", password: "correct horse").user
        var codes: [String] = []
        for _ in 0..<7 {
            world.clock.advance(by: .seconds(1))
            try await user.sendEmailVerification()
            codes.append(world.newestCode)
        }
        for code in codes.prefix(2) {
            await assertThrows(.invalidActionCode) { try await device.checkActionCode(code) }
        }
        for code in codes.suffix(5) {
            let action = try await device.checkActionCode(code)
            XCTAssertEqual(action.kind, .verifyEmail)
            XCTAssertEqual(action.email, "ann@example.com")
        }
        try await device.applyActionCode(codes[4])
    }

    func testALinkCarriesCodeContinueURLAndLanguage() async throws {
        let world = World { $0.continueHosts = ["app.example"] }
        let device = world.device()
        let settings = Message.Settings(
            continueURL: "https://app.example/done?a=b&c=d",
            handlesCodeInApp: true,
            language: "de"
        )
        try await device.sendSignInLink(to: "ann@example.com", settings: settings)
        let message = try XCTUnwrap(world.outbox.messages.last)
        let link = try XCTUnwrap(message.link.flatMap { ActionCode.Link($0) })
        XCTAssertEqual(link.mode, "signIn")
        XCTAssertEqual(link.code, message.code)
        XCTAssertEqual(link.continueURL, settings.continueURL)
        XCTAssertEqual(link.languageCode, "de")
        XCTAssertEqual(message.settings, settings)
        try await device.signIn(with: .emailLink(email: "ann@example.com", link: try XCTUnwrap(message.link)))
    }

    func testEveryMailHasTheSettingsOfItsRequest() async throws {
        let world = World()
        let device = world.device()
        let user = try await world.signUpAnn(device)
        let settings = Message.Settings(handlesCodeInApp: true, language: "de")
        try await device.sendSignInLink(to: "ann@example.com", settings: settings)
        try await device.sendSignInMethods(to: "ann@example.com", settings: settings)
        try await device.sendPasswordReset(to: "ann@example.com", settings: settings)
        try await user.sendEmailVerification(settings: settings)
        try await user.sendEmailVerification(beforeUpdatingTo: "new@example.com", settings: settings)
        let messages = world.outbox.messages
        let kinds: [Message.Kind] = [.signInLink, .signInMethods, .resetPassword, .verifyEmail, .changeEmail]
        XCTAssertEqual(messages.map(\.kind), kinds)
        for message in messages { XCTAssertEqual(message.settings, settings, "the settings of \(message.kind)") }
    }

    func testAContinueURLMustBeOne() async throws {
        let device = World().device()
        for (url, code) in [
            ("", AuthErrorCode.missingContinueURI), ("nonsense", .invalidContinueURI),
            ("javascript:alert(1)", .invalidContinueURI), ("https://", .invalidContinueURI),
        ] {
            await assertThrows(code, url) {
                try await device.sendSignInLink(to: "ann@example.com", settings: Message.Settings(continueURL: url))
            }
        }
    }

    func testAPhoneCodeBelongsToItsDeviceAndPurpose() async throws {
        let world = World()
        let device = world.device("a")
        let user = try await world.verifiedUser(in: device)
        let signIn = try await world.digits(to: "+15555550100", from: device)
        await assertThrows(.deviceMismatch) { try await world.device("b").signIn(with: signIn) }
        let enrollment = try await user.multiFactor.sendPhoneCode(to: "+15555550101")
        let code = world.newestCode
        await assertThrows(.invalidVerificationID) {
            try await device.signIn(with: .phone(verificationID: enrollment, code: code))
        }
        try await user.multiFactor.enroll(phoneVerificationID: enrollment, code: code)
    }

    func testAFailureToSendIsToldToTheSignedInAndTheCodeIsRevoked() async throws {
        let sender = BrokenSender()
        let world = World { $0.messageSender = sender }
        let device = world.device()
        let user = try await device.signUp(email: "ann@example.com", password: "correct horse").user
        await assertThrows(.messageNotSent) { try await user.sendEmailVerification() }
        let code = try XCTUnwrap(sender.offered.first)
        await assertThrows(.invalidActionCode) { try await device.checkActionCode(code) }
        let pending = try await world.store.pendingMessages(limit: 10)
        XCTAssertEqual(pending, [])
    }

    /// Somebody asked for a reset, and the mail did not leave.
    private func resetUnsent(by sender: BrokenSender) async throws -> (World, Auth) {
        let world = World { $0.messageSender = sender }
        let device = world.device()
        _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
        try await device.sendPasswordReset(to: "ann@example.com")
        return (world, device)
    }

    func testAFailureToSendIsKeptFromStrangersAndTriedAgain() async throws {
        let sender = BrokenSender()
        let (world, device) = try await resetUnsent(by: sender)
        let early = try await world.service.deliverPendingMessages()
        XCTAssertEqual(early, 0)
        XCTAssertEqual(sender.offered.count, 1, "a try is followed by a wait")
        world.clock.advance(by: .seconds(30))
        let failed = try await world.service.deliverPendingMessages()
        XCTAssertEqual(failed, 0)
        XCTAssertEqual(sender.offered.count, 2)
        sender.isBroken = false
        world.clock.advance(by: .seconds(60))
        let sent = try await world.service.deliverPendingMessages()
        XCTAssertEqual(sent, 1)
        XCTAssertEqual(Set(sender.ids).count, 1, "a sender cannot tell that the message is the same")
        let code = try XCTUnwrap(sender.offered.last)
        try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
    }

    func testWhatIsSentLateOfAnAccountThatIsGoneListsNothing() async throws {
        let sender = BrokenSender()
        let world = World { $0.messageSender = sender }
        let device = world.device()
        let ann = try await device.signUp(email: "ann@example.com", password: "correct horse").user
        try await device.sendSignInMethods(to: "ann@example.com")
        XCTAssertEqual(sender.listed, [[.password]])
        try await ann.delete()
        sender.isBroken = false
        world.clock.advance(by: .seconds(60))
        let sent = try await world.service.deliverPendingMessages()
        XCTAssertEqual(sent, 1)
        XCTAssertEqual(sender.listed, [[.password], []])
    }

    func testADeliveryThatIsCanceledEndsAndTheMessageIsOfferedAgain() async throws {
        let sender = BrokenSender()
        let (world, _) = try await resetUnsent(by: sender)
        sender.isCancelled = true
        world.clock.advance(by: .seconds(30))
        let delivery = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await world.service.deliverPendingMessages()
        }
        delivery.cancel()
        await assertThrows(.canceled) { _ = try await delivery.value }
        sender.isCancelled = false
        sender.isBroken = false
        world.clock.advance(by: .seconds(60))
        let sent = try await world.service.deliverPendingMessages()
        XCTAssertEqual(sent, 1, "the lease of the delivery that ended is over")
    }

    func testASenderThatGivesUpByItselfFailedToSend() async throws {
        let sender = BrokenSender()
        let (world, _) = try await resetUnsent(by: sender)
        sender.isCancelled = true
        world.clock.advance(by: .seconds(30))
        let none = try await world.service.deliverPendingMessages()
        XCTAssertEqual(none, 0, "the delivery was not canceled, so the message waits for its next try")
        sender.isCancelled = false
        sender.isBroken = false
        world.clock.advance(by: .seconds(60))
        let sent = try await world.service.deliverPendingMessages()
        XCTAssertEqual(sent, 1)
    }

    func testASenderThatTakesTimeIsNotWaitedForWhereAStrangerCouldMeasureIt() async throws {
        try await inTime {
            let sender = SlowSender()
            let world = World { $0.messageSender = sender }
            let device = world.device()
            _ = try await device.signUp(email: "ann@example.com", password: "correct horse")
            try await device.sendPasswordReset(to: "ann@example.com")
            // The answer is there, and the message has not left.
            await sender.gate.waitForArrivals()
            let pending = try await world.store.pendingMessages(limit: 10)
            XCTAssertEqual(pending.map(\.kind), [.resetPassword])
            sender.gate.open()
            var codes = sender.codes.makeAsyncIterator()
            let sent = await codes.next()
            let code = try XCTUnwrap(sent)
            try await device.confirmPasswordReset(code: code, newPassword: "battery staple")
        }
    }

    func testACodeForANumberAlwaysHasSixDigits() {
        let codes = World().service.messageCodes
        let digits = (1...100 as ClosedRange<UInt128>).map { codes.digits(of: OperationID(bits: $0)) }
        XCTAssertEqual(digits.filter { $0.count != 6 }, [], "codes of another length")
        XCTAssertTrue(digits.contains { $0.hasPrefix("0") }, "none of a hundred codes begins with a zero")
    }

    func testNoticesGoBesideWhatWasAskedForAndFailingToSendThemIsNoFailure() async throws {
        let sender = BrokenSender()
        let world = World { $0.messageSender = sender }
        func message(_ number: UInt128, _ kind: Message.Kind) throws -> OutboxEntry {
            let code = world.service.messageCodes.mailCode(of: OperationID(bits: number))
            return OutboxEntry(
                id: code.message,
                kind: kind,
                recipient: .email(try XCTUnwrap(EmailAddress("ann@example.com"))),
                record: code.key,
                account: nil,
                settings: nil,
                createdAt: world.clock.timestamp,
                leasedUntil: world.clock.timestamp + .minutes(1),
                expiresAt: nil
            )
        }
        let (notice, asked) = (try message(1, .methodAdded), try message(2, .verifyEmail))
        try await world.service.deliver([notice], saying: [], .awaited)
        XCTAssertEqual(sender.kinds, [.methodAdded])
        await assertThrows(.messageNotSent) {
            try await world.service.deliver([asked, notice], saying: [], .awaited)
        }
        XCTAssertEqual(sender.kinds, [.methodAdded, .methodAdded, .verifyEmail])
    }
}

/// Fails as long as it is told to, and remembers what it was offered.
private final class BrokenSender: MessageSender {
    private struct Failure: Error {}
    private let state = Mutex((isBroken: true, isCancelled: false, offered: [Message]()))

    var isImmediate: Bool { true }

    var isBroken: Bool {
        get { state.withLock { $0.isBroken } }
        set { state.withLock { $0.isBroken = newValue } }
    }

    var isCancelled: Bool {
        get { state.withLock { $0.isCancelled } }
        set { state.withLock { $0.isCancelled = newValue } }
    }

    var offered: [String] { state.withLock { $0.offered.map(\.code) } }
    var ids: [OperationID] { state.withLock { $0.offered.map(\.id) } }
    var kinds: [Message.Kind] { state.withLock { $0.offered.map(\.kind) } }
    var listed: [[ProviderID]] { state.withLock { $0.offered.map(\.signInMethods) } }

    func send(_ message: Message) async throws {
        let (isBroken, isCancelled) = state.withLock { state in
            state.offered.append(message)
            return (state.isBroken, state.isCancelled)
        }
        if isCancelled { throw CancellationError() }
        if isBroken { throw Failure() }
    }
}

/// Sends when a test lets it, and says what it sent.
private final class SlowSender: MessageSender {
    let gate = Gate()
    let codes: AsyncStream<String>
    private let sent: AsyncStream<String>.Continuation

    init() { (codes, sent) = AsyncStream.makeStream() }

    func send(_ message: Message) async throws {
        await gate.pass()
        sent.yield(message.code)
    }
}

@testable import AuthCore
import AuthCoreTesting
import Synchronization
import XCTest

/// The owner, where one can be reached, is told of every change of the sign-in methods, and may report it as
/// unauthorized.
final class NoticeTests: LimitedTestCase {
    static let annsPassword = AuthCredential.password(email: "ann@example.com", password: "correct horse")

    func notices(_ world: World) -> [Message] { world.outbox.messages.filter(\.kind.isNotice) }

    func code(_ kind: Message.Kind, _ world: World, to address: String = "ann@example.com") throws -> String {
        try XCTUnwrap(world.outbox.last(to: address, kind)?.code, "no \(kind) to \(address)")
    }

    func error(_ act: () async throws -> some Any) async -> AuthError? {
        do {
            _ = try await act()
            return nil
        } catch {
            return error as? AuthError
        }
    }

    // MARK: Who is told

    func testAMessageIsANoticeIfItReportsAChange() {
        let notices: [Message.Kind] = [
            .methodAdded, .methodRemoved, .methodReplaced, .factorAdded, .factorRemoved, .addressChanged,
            .recoveryCodesMade, .recoveryCodeUsed, .factorRecoveryBegun, .deletionRequested, .accountDeleted,
            .accountMerged,
        ]
        for kind in notices { XCTAssertTrue(kind.isNotice, "\(kind)") }
        let requests: [Message.Kind] = [
            .signInLink, .signInMethods, .resetPassword, .verifyEmail, .changeEmail, .recoverEmail,
        ]
        for kind in requests { XCTAssertFalse(kind.isNotice, "\(kind)") }
    }

    func testFirebaseSendsNone() async throws {
        let world = World(.firebase)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        _ = try await ann.link(with: world.credential(.gitHub))
        _ = try await ann.unlink(.gitHub)
        try await ann.updatePassword(to: "battery staple")
        XCTAssertEqual(notices(world), [])
    }

    func testWhereNobodyCouldBeReachedBeforeNobodyIsTold() async throws {
        let world = World(.standard)
        let device = world.device()
        let guest = try await device.signInAnonymously().user
        let gmail = SimulatedPerson.ann.with(email: "ann@gmail.com")
        _ = try await guest.link(with: world.credential(.google, gmail))
        _ = try await world.verifiedUser(in: device)
        XCTAssertEqual(notices(world), [])
    }

    func testEveryChangeIsToldToTheVerifiedAddressOnce() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        let steps: [(Message.Kind, () async throws -> Void)] = [
            (.methodAdded, { _ = try await ann.link(with: world.credential(.gitHub)) }),
            (.methodRemoved, { _ = try await ann.unlink(.gitHub) }),
            (.methodReplaced, { try await ann.updatePassword(to: "battery staple") }),
            (
                .factorAdded,
                {
                    let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
                    try await ann.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
                }
            ),
            (.factorRemoved, { try await ann.multiFactor.unenroll(ann.account.factors[0].id) }),
        ]
        for (kind, act) in steps {
            world.outbox.removeAll()
            try await act()
            let told = notices(world)
            XCTAssertEqual(told.map(\.kind), [kind])
            XCTAssertEqual(told.map { "\($0.recipient)" }, [#"email(ann@example.com)"#], "\(kind)")
            XCTAssertEqual(told.first?.link.flatMap { ActionCode.Link($0) }?.mode, "changeReport")
            XCTAssertEqual(told.first?.account, ann.account.id)
        }
        let pending = try await world.store.pendingMessages(limit: 100)
        XCTAssertEqual(pending, [])
    }

    func testAJoinAndAResetAreToldToo() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser("ann@gmail.com", in: device)
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        _ = try await world.device("desk").signIn(with: world.credential(.google, person))
        XCTAssertEqual(notices(world).map(\.kind), [.methodAdded])
        _ = try await device.signIn(with: .password(email: "ann@gmail.com", password: "correct horse"))
        _ = try await device.currentUser?.link(with: world.credential(.facebook))
        world.outbox.removeAll()
        try await device.sendPasswordReset(to: "ann@gmail.com")
        try await device.confirmPasswordReset(code: world.newestCode, newPassword: "battery staple")
        let told = notices(world)
        XCTAssertEqual(told.map(\.kind), [.methodReplaced, .methodRemoved])
        XCTAssertEqual(Set(told.map(\.code)).count, 2)
        XCTAssertEqual(Set(told.map(\.account)), [ann.account.id])
    }

    func testAReplacementIsOneChangeWithOneEventAndOneNotice() async throws {
        let world = World(.standard)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        _ = try await ann.link(with: world.credential(.gitHub))
        world.outbox.removeAll()
        let before = try await world.service.events(limit: .max).events.last?.position ?? .start
        _ = try await ann.replace(.gitHub, with: world.credential(.gitHub, .eve))
        let told = notices(world)
        XCTAssertEqual(told.map(\.kind), [.methodReplaced])
        let page = try await world.service.events(after: before)
        XCTAssertEqual(page.events.filter { $0.kind == .methodsChanged }.count, 1)
        XCTAssertEqual(page.events.first { $0.kind == .methodsChanged }?.before?.count, 2)
        _ = try await ann.replace(.gitHub, with: world.credential(.facebook))
        XCTAssertEqual(notices(world).map(\.kind), [.methodReplaced, .methodAdded, .methodRemoved])
        for message in notices(world) { _ = try await device.checkActionCode(message.code) }
        let pending = try await world.store.pendingMessages(limit: 100)
        XCTAssertEqual(pending, [])
    }

    func testAReplacementThatWaitsForAFactorLeavesNothingToContest() async throws {
        var policy = AuthPolicy.standard
        policy.revokesSessionsOn.remove(.firstFactor)
        policy.recencyNeedsFactor = false
        let world = World(policy)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        _ = try await ann.link(with: world.credential(.gitHub))
        let other = try await world.device("desk").signIn(with: Self.annsPassword).user
        let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
        let before = try await contestable(ann, world)
        let waits = await error { try await other.replace(.gitHub, with: world.credential(.gitHub, .eve)) }
        XCTAssertEqual(waits?.code, .secondFactorRequired)
        let after = try await contestable(ann, world)
        XCTAssertEqual(before, after)
        XCTAssertEqual(before, 2)
    }

    /// How many codes there are that contest a change.
    private func contestable(_ user: User, _ world: World) async throws -> Int {
        let reference = Lookup.Reference.account(user.account.id)
        return try await world.store.load([.records(of: reference, .changeReport)]).records(
            of: reference,
            .changeReport
        ).count
    }

    func testALostSenderFailsNoOperationAndTheNoticeIsSentLater() async throws {
        let sender = UnsteadySender()
        let world = World(.standard) { $0.messageSender = sender }
        let device = world.device()
        let user = try await device.signUp(email: "ann@example.com", password: "correct horse").user
        try await user.sendEmailVerification()
        try await device.applyActionCode(sender.sent.last?.code ?? "")
        sender.fails = true
        _ = try await user.link(with: world.credential(.gitHub))
        XCTAssertEqual(sender.sent.filter(\.kind.isNotice), [])
        sender.fails = false
        world.clock.advance(by: .seconds(30))
        let count = try await world.service.deliverPendingMessages()
        XCTAssertEqual(count, 1)
        XCTAssertEqual(sender.sent.last?.kind, .methodAdded)
        try await device.reportUnauthorizedChange(code: sender.sent.last?.code ?? "")
    }

    // MARK: Another address

    /// Ann with two verified mailboxes: her own address, and that of her Google identity.
    private func annWithTwoMailboxes(_ world: World, ownForDays days: Double = 0) async throws -> User {
        let own = try XCTUnwrap(EmailAddress("ann@example.com"))
        let gmail = try XCTUnwrap(EmailAddress("ann@gmail.com"))
        let person = SimulatedPerson.ann.with(email: gmail.text)
        let elsewhere = World(.standard)
        let google = try await elsewhere.device().signIn(with: elsewhere.credential(.google, person)).user
        var account = google.account
        account.email = own
        account.reservesEmail = true
        account.note(.email(own), .mailboxCode, at: world.clock.timestamp - .seconds(days * 86400))
        _ = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: true)
        return try await world.device().signIn(with: world.credential(.google, person)).user
    }

    func testAllVerifiedAddressesAreToldOfAnotherAddressAndTheOldOneByItsStrongerCode() async throws {
        let world = World(.standard)
        let ann = try await annWithTwoMailboxes(world)
        try await ann.sendEmailVerification(beforeUpdatingTo: "thief@example.com")
        try await world.device().applyActionCode(world.newestCode)
        let told = world.outbox.messages.dropFirst().map { "\($0.kind) \($0.recipient)" }
        XCTAssertEqual(
            Set(told),
            [
                "recoverEmail email(ann@example.com)", "addressChanged email(ann@gmail.com)",
                "addressChanged email(thief@example.com)",
            ]
        )
        XCTAssertEqual(told.count, 3)

        try await world.device().reportUnauthorizedChange(
            code: try code(.addressChanged, world, to: "thief@example.com")
        )
        var account = try await world.service.account(ann.account.id)
        XCTAssertEqual(account.email?.text, "thief@example.com")
        try await world.device().reportUnauthorizedChange(code: try code(.addressChanged, world, to: "ann@gmail.com"))
        account = try await world.service.account(ann.account.id)
        XCTAssertNil(account.email)
        XCTAssertTrue(account.methods.allSatisfy(\.isActive))
        try await world.device().applyActionCode(try code(.recoverEmail, world))
        account = try await world.service.account(ann.account.id)
        XCTAssertEqual(account.email?.text, "ann@example.com")
    }

    /// The address that was verified for the longest contests what it was told of even after it left.
    func testS18_TheLongestVerifiedAddressContestsWhatItWasToldBeforeItLeft() async throws {
        let world = World(.standard)
        let ann = try await annWithTwoMailboxes(world)
        _ = try await ann.link(with: world.credential(.gitHub))
        let early = try code(.methodAdded, world, to: "ann@gmail.com")
        _ = try await ann.unlink(.google)
        try await world.device().reportUnauthorizedChange(code: early)
        let account = try await world.service.account(ann.account.id)
        XCTAssertEqual(account.method(of: .gitHub)?.isActive, false)
    }

    func testAnotherAddressThatLeftContestsNothingThatItWasToldBefore() async throws {
        let world = World(.standard)
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let ann = try await annWithTwoMailboxes(world, ownForDays: 10)
        world.clock.advance(by: .seconds(86400))
        try await ann.reauthenticate(with: world.credential(.google, person))
        try await ann.link(with: world.credential(.facebook, .ben))
        world.clock.advance(by: .seconds(10 * 86400))
        let session = try await world.device("facebook").signIn(with: world.credential(.facebook, .ben)).user
        _ = try await session.link(with: world.credential(.gitHub))
        let early = try code(.methodAdded, world, to: "ann@gmail.com")
        let other = try await world.device("google").signIn(with: world.credential(.google, person)).user
        _ = try await other.unlink(.google)
        let refused = await error { try await world.device().reportUnauthorizedChange(code: early) }
        XCTAssertEqual(refused?.code, .invalidActionCode)
        XCTAssertEqual(refused?.reasons.last, .codeIsOutdated)
        // The notice of its own removal ends the sessions, since who is told may be the one who was robbed.
        try await world.device().reportUnauthorizedChange(code: try code(.methodRemoved, world, to: "ann@gmail.com"))
        let kept = try await world.service.account(ann.account.id)
        XCTAssertTrue(kept.methods.allSatisfy(\.isActive))
    }
}

/// A sender that can be told to fail.
private final class UnsteadySender: MessageSender {
    private struct Failure: Error {}
    private let state = Mutex((sent: [Message](), fails: false))

    var isImmediate: Bool { true }
    var sent: [Message] { state.withLock { $0.sent } }
    var fails: Bool {
        get { state.withLock { $0.fails } }
        set { state.withLock { $0.fails = newValue } }
    }

    func send(_ message: Message) async throws {
        let fails = state.withLock { state in
            if !state.fails { state.sent.append(message) }
            return state.fails
        }
        if fails { throw Failure() }
    }
}

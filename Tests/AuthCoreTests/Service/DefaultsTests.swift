@testable import AuthCore
@testable import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

/// What holds where an app says nothing: the values that the documentation names.
final class DefaultsTests: LimitedTestCase {
    func testAConfigurationBeginsWithValuesThatWorkInOneProcess() {
        let configuration = AuthConfiguration()
        XCTAssertEqual(configuration.issuer, "https://auth.invalid", "no issuer that exists")
        XCTAssertEqual(configuration.audience, "authcore")
        XCTAssertEqual(configuration.actionURL, "https://auth.invalid/action", "no page that exists")
        XCTAssertEqual(configuration.continueHosts, [], "no host besides the page's")
        XCTAssertEqual(configuration.retries, 64, "how often a decision is made again")
        XCTAssertEqual(configuration.keptRefusals, 10_000, "how many refusals are kept")
        XCTAssertTrue(configuration.mergeHooks.isEmpty)
        XCTAssertNil(configuration.passwordBlocklist)
        XCTAssertNil(configuration.tokenSigner)
        XCTAssertNil(configuration.secretSealer)
    }

    func testAPageOfAccountsEventsOrRefusalsHasAHundred() async throws {
        let world = World()
        for _ in 0..<101 { _ = try await world.service.client(for: nil, origin: .local).signInAnonymously() }
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts.count, 100, "accounts")
        let events = try await world.service.events()
        XCTAssertEqual(events.events.count, 100, "events")
        for _ in 0..<101 {
            _ = try? await world.service.client(for: nil, origin: .local).signIn(
                with: .password(email: "", password: "")
            )
        }
        let all = world.service.refusals(limit: .max).count
        XCTAssertEqual(world.service.refusals().count, min(all, 100), "refusals of \(all)")
        XCTAssertGreaterThan(all, 100, "the test needs more than a hundred refusals")
    }

    func testARoundOfDeliverySendsAHundredMessages() async throws {
        let world = World()
        // What was sent and could not be settled is sent once more.
        world.store.script(.settleMessages, [], then: .failsBefore())
        for number in 0..<101 { try await world.device().sendSignInLink(to: "p\(number)@example.com") }
        world.store.script(.settleMessages)
        world.clock.advance(by: .seconds(60))
        let sent = try await world.service.deliverPendingMessages()
        XCTAssertEqual(sent, 100, "messages of one round")
        let rest = try await world.service.deliverPendingMessages()
        XCTAssertEqual(rest, 1, "messages of the next round")
    }

    func testAPageOfFailedMessagesHasAHundred() async throws {
        struct Broken: MessageSender {
            var isImmediate: Bool { true }

            func send(_ message: Message) async throws { throw StoreFailure() }
        }
        var policy = AuthPolicy.firebase
        policy.delivery.tries = 1
        let world = World(policy) { $0.messageSender = Broken() }
        for number in 0..<101 { try await world.device().sendSignInLink(to: "p\(number)@example.com") }
        let page = try await world.service.failedMessages()
        XCTAssertEqual(page.count, 100, "messages of the first page")
        let rest = try await world.service.failedMessages(after: page.last?.entry.id)
        XCTAssertEqual(rest.count, 1, "messages of the next page")
    }

    func testASweepRemovesAThousandRows() async throws {
        let world = World()
        _ = try await world.store.commit(.expiredRecords(1001))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.records, 1000, "records that one sweep removed")
        XCTAssertFalse(report.isComplete, "a record is left")
        let rest = try await world.service.sweep()
        XCTAssertEqual(rest.records, 1, "records that the next sweep removed")
    }

    func testAStoreInMemoryKeepsAHundredThousandEvents() {
        XCTAssertEqual(InMemoryIdentityStore().retention.events, .newest(100_000))
    }

    func testALinkSaysNothingBesidesItsCodeAndNoAppOpensIt() {
        let settings = Message.Settings()
        XCTAssertNil(settings.continueURL, "where the link continues to")
        XCTAssertFalse(settings.handlesCodeInApp, "whether the app opens the link itself")
        XCTAssertNil(settings.language, "the language of the message")
    }

    func testAWaitEndsWhenItsTaskIsCanceled() async {
        let wait = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await AuthEnvironment().sleep(for: .seconds(3600))
        }
        let outcome = await wait.result
        XCTAssertThrowsError(try outcome.get(), "a wait that is over at once") {
            XCTAssertTrue($0 is CancellationError, "\($0)")
        }
    }

    func testAnOutboxKeepsAThousandMessages() async throws {
        let outbox = Message.Outbox()
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        let few = Message.Outbox(limit: 2)
        for number in 0..<1001 {
            let message = Message(
                id: OperationID(bits: UInt128(number)),
                kind: .verifyEmail,
                recipient: .email(mail),
                code: "\(number)",
                link: nil,
                account: nil,
                signInMethods: [],
                settings: nil,
                createdAt: Date(timeIntervalSince1970: 0)
            )
            try await outbox.send(message)
            try await few.send(message)
        }
        XCTAssertEqual(outbox.messages.count, 1000, "the newest thousand")
        XCTAssertEqual(outbox.messages.first?.code, "1", "the oldest of them")
        XCTAssertEqual(few.messages.map(\.code), ["999", "1000"], "the newest two")
    }

    func testEachRandomTextIsAsLongAsItMustBe() async throws {
        let world = World(.standard)
        let client = world.service.client(for: nil, origin: .local)
        let nonce = try await client.nonce(for: .signIn)
        let random = String(nonce.dropFirst(Nonce.text([]).count))
        XCTAssertEqual(Base64URL.decode(random)?.count, 18, "random bytes of a nonce")
        let user = try await world.signUpVerifiedAnn()
        let seed = try await user.multiFactor.startTOTP(issuer: "Boats").sharedSecret
        XCTAssertEqual(Base32.decode(seed)?.count, 20, "bytes of the seed of an authenticator app")
        let secrets = try await world.service.beginAuthorization(
            .signIn,
            with: .google,
            redirectURI: "https://boats.example/back",
            by: nil,
            RequestContext(device: "phone")
        )
        let texts = [secrets.state, secrets.codeVerifier, secrets.nonce]
        for text in texts { XCTAssertEqual(Base64URL.decode(text)?.count, 32, "bytes of a secret of a visit") }
        XCTAssertEqual(Set(texts).count, 3, "one secret of a visit tells another")
        let forced = try await user.idTokenResult(forcingRefresh: true).claims["jti"]?.stringValue
        XCTAssertEqual(Base64URL.decode(try XCTUnwrap(forced))?.count, 12, "bytes of the ID of a token")
        let parts = try await user.issueTokens().refreshToken.split(separator: ".").map(String.init)
        XCTAssertEqual(parts.count, 7, "parts of a refresh token")
        XCTAssertEqual(Base64URL.decode(try XCTUnwrap(parts.dropFirst(5).first))?.count, 16, "its random bytes")
    }

    func testADebuggerShowsForWhomAServiceIsAndNoKey() {
        let children = Mirror(reflecting: AuthService(AuthConfiguration())).children
        XCTAssertEqual(children.map(\.label), ["issuer", "audience"], "what a debugger shows of a service")
    }

    func testThereAreTenRecoveryCodes() async throws {
        let world = World()
        let user = try await world.verifiedUser(in: world.device())
        try await world.enrollTOTP(user)
        let codes = try await user.multiFactor.makeRecoveryCodes()
        XCTAssertEqual(codes.count, 10)
        XCTAssertEqual(Set(codes).count, 10, "each code once")
        for code in codes {
            let groups = code.split(separator: "-", omittingEmptySubsequences: false)
            XCTAssertEqual(groups.map(\.count), [4, 4, 4, 4], "letters in the groups of a recovery code")
            let isPlain = code.allSatisfy { $0 == "-" || "abcdefghijklmnopqrstuvwxyz234567".contains($0) }
            XCTAssertTrue(isPlain, "a recovery code has small letters of Base32 only")
        }
        let (none, many) = (
            try await user.multiFactor.makeRecoveryCodes(count: 0),
            try await user.multiFactor.makeRecoveryCodes(count: 1000)
        )
        XCTAssertEqual(none.count, 1, "at least one code is made")
        XCTAssertEqual(many.count, 32, "at most 32 codes are made")
    }

    func testTheLimitsOfWhatIsReadAndWaitedForAreTheDocumentedOnes() {
        XCTAssertEqual(Store.RecordCoder.sizeLimit, 4_194_304, "a record has at most four mebibytes")
        XCTAssertEqual(Store.RecordCoder.depthLimit, 64, "how deep a record may be nested")
        XCTAssertEqual(TimeBasedCode.period, 30, "seconds that a code of an authenticator app lasts")
        XCTAssertEqual(DeviceID.secretLimit, 11, "the secrets of a device")
        XCTAssertEqual(EmailReference.lookupLimit, 8, "the accounts that a look-up of an address finds")
        XCTAssertEqual(Account.evidenceLimit, 16, "the pieces of evidence of an account")
        XCTAssertEqual(PasswordScheme.iterations, 1...10_000_000)
        XCTAssertEqual(PasswordScheme.yescryptCosts, 1...10)
    }

    func testAKeyOfAttemptsIsTheFirstEightBytesOfATagOfItsParts() {
        let service = World().service
        let tag = service.attemptKey.authenticate(Array("ann@example.com\u{0}reset".utf8))
        let key = service.key(.mail, "ann@example.com", "reset")
        XCTAssertEqual(key.purpose, .mail)
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: key.hash >> (56 - 8 * UInt64($0))) }
        XCTAssertEqual(bytes, Array(tag.prefix(8)), "the highest byte first")
        XCTAssertNotEqual(service.key(.mail, "a", "bc"), service.key(.mail, "ab", "c"), "parts are kept apart")
    }

    func testAStoredHashMayCostFourTimesAsMuchAsOneOfTheScheme() {
        let cases: [(PasswordScheme, PasswordScheme, Bool)] = [
            (.pbkdf2(iterations: 1000), .pbkdf2(iterations: 2_400_000), true),
            (.pbkdf2(iterations: 1000), .pbkdf2(iterations: 2_400_001), false),
            (.pbkdf2(iterations: 1_000_000), .pbkdf2(iterations: 4_000_000), true),
            (.pbkdf2(iterations: 1_000_000), .pbkdf2(iterations: 4_000_001), false),
            (.yescrypt(cost: 1), .yescrypt(cost: 7), true), (.yescrypt(cost: 1), .yescrypt(cost: 8), false),
            (.yescrypt(cost: 7), .yescrypt(cost: 9), true), (.yescrypt(cost: 7), .yescrypt(cost: 10), false),
            (.yescrypt(cost: 1), .pbkdf2(iterations: 2_400_000), true),
            (.yescrypt(cost: 9), .pbkdf2(iterations: 2_400_001), false),
            (.pbkdf2(iterations: 1000), .yescrypt(cost: 7), true),
            (.pbkdf2(iterations: 1000), .yescrypt(cost: 8), false),
        ]
        for (own, other, isAllowed) in cases {
            XCTAssertEqual(own.allows(other), isAllowed, "\(own) checks \(other)")
        }
        XCTAssertEqual(PasswordScheme.pbkdf2(iterations: 0).withinBounds, .pbkdf2(iterations: 1))
        XCTAssertEqual(PasswordScheme.pbkdf2(iterations: .max).withinBounds, .pbkdf2(iterations: 10_000_000))
        XCTAssertEqual(PasswordScheme.yescrypt(cost: 0).withinBounds, .yescrypt(cost: 1))
        XCTAssertEqual(PasswordScheme.yescrypt(cost: 11).withinBounds, .yescrypt(cost: 10))
    }
}

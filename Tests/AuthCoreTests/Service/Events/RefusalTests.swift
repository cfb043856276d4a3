@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is refused is recorded, apart from the event log, with nothing in it that was typed.
final class RefusalTests: LimitedTestCase {
    private func refused(_ act: () async throws -> some Any) async -> Bool {
        do {
            _ = try await act()
            return false
        } catch {
            return true
        }
    }

    /// The account that has the address is not the one that asked.
    func testARefusedSignInThatBelongsToNoAccountNamesNone() async throws {
        let world = World(.standard)
        try await world.device("ben").signIn(with: world.google())
        let isRefused = await refused { try await world.device("other").signIn(with: world.gitHub()) }
        XCTAssertTrue(isRefused)
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.code, .accountExistsWithDifferentCredential, "what was refused")
        XCTAssertNil(entry.account, "the refusal names the account that has the address")
    }

    func testARefusalOfARuleIsRecordedWithWhoAskedAndWhy() async throws {
        let world = World()
        let ann = try await world.verifiedUser(in: world.device())
        world.clock.advance(by: .seconds(5))
        let context = RequestContext(device: "kitchen", origin: .address("192.0.2.1"), deviceName: "laptop")
        let isRefused = await refused {
            try await world.service.client(context).signUp(email: "Ann@example.com", password: "correct horse")
        }
        XCTAssertTrue(isRefused)
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.operation.rawValue, "signUp")
        XCTAssertEqual(entry.code, .emailAlreadyInUse)
        XCTAssertEqual(entry.reason, .addressIsOwned)
        XCTAssertEqual(entry.account, ann.account.id)
        XCTAssertEqual(entry.at, world.clock.timestamp)
        XCTAssertEqual(entry.device, DeviceID(named: "kitchen").key)
        XCTAssertEqual(entry.origin, "192.0.2.1")
        XCTAssertEqual(entry.deviceName, "laptop")
        XCTAssertEqual(entry.number, 1)
    }

    func testATextOfTheRequestThatIsTooLongIsRefusedByEveryOperationAndRecorded() async throws {
        let world = World()
        let name = String(repeating: "n", count: 100_000)
        let client = world.service.client(for: nil, origin: .local, deviceName: name)
        let error = await authError { try await client.signInAnonymously() }
        XCTAssertEqual(error?.code, .textTooLong, "the name of the device")
        XCTAssertEqual(world.service.refusals().map(\.code), [.textTooLong], "what was recorded")
        XCTAssertTrue(
            world.service.refusals().allSatisfy { $0.deviceName == nil },
            "the log of refusals keeps a text of any length"
        )
        let accounts = try await world.service.accounts()
        XCTAssertEqual(accounts, [], "nothing was written")
    }

    func testARefusalBeforeTheRulesKeepsNoTextThatIsTooLong() async throws {
        let world = World()
        let text = String(repeating: "1", count: 100_000)
        let client = world.service.client(for: nil, origin: .address(text), deviceName: text)
        await assertThrows(.invalidCustomToken) { try await client.signIn(with: .customToken("none")) }
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertTrue(entry.deviceName == nil, "the log of refusals keeps a name of any length")
        XCTAssertTrue(entry.origin == nil, "the log of refusals keeps an origin of any length")
    }

    func testAPreviewOfARequestWithATextThatIsTooLongIsRefused() async throws {
        let world = World()
        let name = String(repeating: "n", count: 100_000)
        let verified = try await world.service.client().verify(world.google())
        let client = world.service.client(for: nil, origin: .local, deviceName: name)
        let error = await authError { try await client.previewSignIn(with: verified) }
        XCTAssertEqual(error?.code, .textTooLong, "the name of the device")
    }

    func testARefusedMergeIsRecordedWithTheAccountThatWouldHaveGone() async throws {
        let world = World()
        let ann = try await world.signUpVerifiedAnn()
        let ben = try await world.device("ben").signIn(with: world.google(.ben)).user
        let client = world.service.client()
        let source = Merge.Side.verified(try await client.verify(World.annsPassword))
        let target = Merge.Side.verified(try await client.verify(world.google(.ben)))
        try await world.service.setDisabled(true, account: ben.account.id)
        await assertThrows(.userDisabled) { try await client.merge(source, into: target) }
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.operation.rawValue, "beginMerge")
        XCTAssertEqual(entry.account, ann.account.id, "of the two accounts, the one that was to be merged")
    }

    func testARefreshTokenThatComesBackIsRecordedWithItsAccount() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let token = try await user.issueTokens().refreshToken
        _ = try await world.service.client().refresh(token)
        let server = world.service.client(for: "kitchen", origin: .address("192.0.2.1"))
        let isRefused = await refused { try await server.refresh(token) }
        XCTAssertTrue(isRefused)
        let entries = world.service.refusals()
        XCTAssertEqual(entries.map(\.origin), ["192.0.2.1"], "from where the token came")
        XCTAssertEqual(entries.map(\.device), [DeviceID(named: "kitchen").key], "the device that presented it")
        XCTAssertEqual(entries.map(\.operation.rawValue), ["refreshSession"], "operations of what was recorded")
        XCTAssertEqual(entries.map(\.reason), [.refreshTokenWasReused], "reasons of what was recorded")
        XCTAssertEqual(entries.map(\.account), [user.account.id], "accounts of what was recorded")
    }

    func testARefusedMailedCodeIsRecordedWithTheAccountThatItWasMadeFor() async throws {
        let world = World()
        let ann = try await world.signUpAnn()
        try await ann.sendEmailVerification()
        let code = world.newestCode
        world.clock.advance(by: .seconds(30 * 86_400))
        await assertThrows(.expiredActionCode) { try await world.service.client().checkActionCode(code) }
        let accounts = world.service.refusals().map(\.account)
        XCTAssertEqual(accounts, [ann.account.id], "the account that the refusal is recorded with")
    }

    func testAConflictOfAProviderThatIsGoneIsRecordedAsACredentialThatDoesNotHold() async throws {
        let world = World()
        try await world.signUpVerifiedAnn()
        let conflict = try await world.conflict { try await world.device("tablet").signIn(with: world.facebook()) }
        var configuration = world.service.configuration
        configuration.providers = [SimulatedProvider(.google)]
        let service = AuthService(configuration)
        let tablet = Auth(service: service, device: DeviceID(named: "tablet"), deviceName: "tablet")
        try await world.refusal(.invalidCredential) {
            try await tablet.resolve(conflict, signingInWith: World.annsPassword)
        }
        XCTAssertEqual(service.refusals().map(\.operation.rawValue), ["verify"], "operations of what was recorded")
    }

    func testASubscriberThatWaitsHearsOfTheNextRefusal() async throws {
        try await inTime {
            let world = World()
            let stream = world.service.refusalStream()
            _ = try? await world.device().checkActionCode("nonsense")
            var iterator = stream.makeAsyncIterator()
            let first = await iterator.next(isolation: nil)
            guard case .refused(let entry)? = first else { return XCTFail("what was refused before") }
            XCTAssertEqual(entry.number, 1)
            let refusals = Task {
                for _ in 0..<100 { await Task.yield() }
                _ = try? await world.device().checkActionCode("nonsense")
            }
            let second = await iterator.next(isolation: nil)
            await refusals.value
            guard case .refused(let next)? = second else { return XCTFail("what is refused while it waits") }
            XCTAssertEqual(next.number, 2)
        }
    }

    func testEveryCheckThatSaysNoIsRecordedOnce() async throws {
        var policy = AuthPolicy.firebase
        policy.limits = AuthPolicy.AttemptLimits()
        let world = World(policy)
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        let checks: [(String, AuthErrorCode, () async throws -> Void)] = [
            ("verify", .invalidCredential, { _ = try await device.signIn(with: .google(idToken: "nonsense")) }),
            (
                "verify", .operationNotAllowed,
                { _ = try await device.signIn(with: .oauth("none.example", idToken: "x")) }
            ),
            ("verify", .invalidEmail, { _ = try await device.signIn(with: .password(email: "ann", password: "x")) }),
            (
                "verify", .invalidVerificationCode,
                {
                    let id = try await device.sendPhoneCode(to: "+15550001234")
                    _ = try await device.signIn(with: .phone(verificationID: id, code: "no"))
                }
            ),
            (
                "signIn", .wrongPassword,
                { _ = try await device.signIn(with: .password(email: "ann@example.com", password: "wrong horse")) }
            ),
            ("inspectAction", .invalidActionCode, { _ = try await device.checkActionCode("nonsense") }),
            ("refreshSession", .invalidUserToken, { _ = try await world.service.client().refresh("nonsense") }),
            ("verifyIDToken", .invalidUserToken, { _ = try await world.service.client().user(forIDToken: "nonsense") }),
            ("unlink", .noSuchProvider, { try await ann.unlink(.google) }),
            (
                "sendMessage", .tooManyRequests,
                { for _ in 0..<100 { try await device.sendPasswordReset(to: "ann@example.com") } }
            ),
        ]
        for (number, (operation, code, act)) in checks.enumerated() {
            let isRefused = await refused { try await act() }
            XCTAssertTrue(isRefused, operation)
            let entries = world.service.refusals()
            XCTAssertEqual(entries.count, number + 1, operation)
            XCTAssertEqual(entries.first?.operation.rawValue, operation)
            XCTAssertEqual(entries.first?.code, code, operation)
        }
    }

    func testWrongAnswersToAChallengeAreRecordedWithTheirAccount() async throws {
        let world = World()
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        let isWrong = await refused { try await ann.multiFactor.enroll(phoneVerificationID: id, code: "000") }
        XCTAssertTrue(isWrong)
        XCTAssertEqual(world.service.refusals().first?.operation.rawValue, "enrollFactor")
        XCTAssertEqual(world.service.refusals().first?.account, ann.account.id, "who was to get the factor")
        try await ann.multiFactor.enroll(phoneVerificationID: id, code: world.newestCode)
        do {
            _ = try await device.signIn(with: .password(email: "ann@example.com", password: "correct horse"))
            XCTFail("no factor was asked for")
        } catch {
            XCTAssertEqual(world.service.refusals().first?.code, .secondFactorRequired)
            guard case .secondFactor(let challenge) = error.detail else { return XCTFail("no challenge") }
            let isWrong = await refused { try await device.resolve(challenge, with: .totp("123456")) }
            XCTAssertTrue(isWrong)
        }
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.operation.rawValue, "resolveChallenge")
        XCTAssertEqual(entry.account, ann.account.id)
    }

    func testARefusedPreviewIsRecordedLikeTheCall() async throws {
        let world = World()
        let device = world.device()
        _ = try await world.verifiedUser(in: device)
        let wrong = AuthCredential.password(email: "ann@example.com", password: "wrong horse")
        _ = try await world.service.client().previewSignIn(with: try await device.verify(wrong))
        _ = await refused { try await device.signIn(with: wrong) }
        let entries = world.service.refusals()
        XCTAssertEqual(entries.map(\.operation.rawValue), ["signIn", "signIn"])
        let recipient = try XCTUnwrap(entries.first?.recipient, "the preview's entry names no recipient")
        XCTAssertEqual(recipient, entries.last?.recipient, "the recipients of the preview and of the call")
    }

    func testBothNamesOfAMailboxAreOneRecipient() async throws {
        let world = World(.standard)
        let client = world.service.client(for: nil, origin: .address("192.0.2.1"))
        let names = ["eve@gmail.com", "eve@googlemail.com"]
        for name in names {
            _ = await refused { try await client.signIn(with: .password(email: name, password: "a wrong word")) }
            _ = await refused { try await client.signIn(with: .emailLink(email: name, link: "no link")) }
        }
        for _ in 0..<50 where world.service.refusals().first?.operation.rawValue != "sendMessage" {
            _ = await refused { try await client.sendSignInLink(to: names[1]) }
        }
        let entries = world.service.refusals()
        XCTAssertEqual(Set(entries.map(\.operation.rawValue)), ["signIn", "verify", "sendMessage"], "what was refused")
        XCTAssertFalse(entries.contains { $0.recipient == nil }, "an entry names no recipient")
        XCTAssertEqual(Set(entries.map(\.recipient)).count, 1, "the hashes of one mailbox, by any name and check")
    }

    func testTheRecordShowsTheAddressOfARequestAndNotItsNetwork() async throws {
        let world = World(.standard)
        let client = world.service.client(for: nil, origin: .address("2001:db8:0:1::7"))
        _ = await refused { try await client.signIn(with: World.annsPassword) }
        XCTAssertEqual(world.service.refusals().map(\.origin), ["2001:db8:0:1::7"], "limits count by the network alone")
    }

    func testWhatBreaksIsNoRefusal() async throws {
        let store = FaultyStore()
        let world = World { $0.store = store }
        store.script(.load, [], then: .failsBefore())
        let didFail = await refused { try await world.device().signUp(email: "ann@example.com", password: "correct") }
        XCTAssertTrue(didFail)
        XCTAssertEqual(world.service.refusals(), [])
    }

    func testAnEntryHoldsAnAddressOnlyAsAKeyedHash() async throws {
        let world = World()
        let device = world.device()
        let password = "zebra-wrong-battery"
        for address in ["nobody@example.com", "Nobody@Example.com", "somebody@example.com"] {
            _ = await refused { try await device.signIn(with: .password(email: address, password: password)) }
        }
        let entries = world.service.refusals()
        XCTAssertEqual(entries.count, 3)
        let recipient = try XCTUnwrap(entries[2].recipient, "the entry has no hash of the address")
        XCTAssertEqual(entries[1].recipient, recipient)
        XCTAssertNotEqual(try XCTUnwrap(entries[0].recipient), recipient)
        var dumped = ""
        dump(entries, to: &dumped)
        for secret in ["nobody", "somebody", password] { XCTAssertFalse(dumped.lowercased().contains(secret), secret) }
        let other = World { $0.setSecretKey(Array(repeating: 8, count: 32)) }
        _ = await refused {
            try await other.device().signIn(with: .password(email: "nobody@example.com", password: password))
        }
        let elsewhere = try XCTUnwrap(other.service.refusals().first?.recipient, "the entry of the other service")
        XCTAssertNotEqual(elsewhere, recipient, "the hash of the address under another key")
    }

    func testAFloodOfRefusalsPushesOutOlderRefusalsAndNoEvent() async throws {
        let world = World { $0.keptRefusals = 3 }
        _ = try await world.device().signUp(email: "ann@example.com", password: "correct horse")
        let before = try await world.service.events()
        for _ in 0..<10 {
            _ = await refused { try await world.device().signUp(email: "ann@example.com", password: "correct horse") }
        }
        XCTAssertEqual(world.service.refusals().map(\.number), [10, 9, 8])
        XCTAssertEqual(world.service.refusals(limit: 1).map(\.number), [10])
        XCTAssertEqual(world.service.refusals(limit: -1), [])
        let after = try await world.service.events()
        XCTAssertEqual(before, after)
    }

    func testASubscriberIsToldHowManyRefusalsItLost() async throws {
        try await inTime {
            let world = World { $0.keptRefusals = 2 }
            let stream = world.service.refusalStream()
            for _ in 0..<5 { _ = try? await world.device().checkActionCode("nonsense") }
            var numbers: [UInt64] = []
            var lost = 0
            for await update in stream {
                switch update {
                case .refused(let entry): numbers.append(entry.number)
                case .lost(let count): lost += count
                }
                if numbers.count == 2 { break }
            }
            XCTAssertEqual(numbers, [4, 5])
            XCTAssertEqual(lost, 3)
        }
    }

    func testAReaderThatHasNothingLeftToReadWaitsForTheNextRefusal() async throws {
        try await inTime {
            let log = RefusalLog(limit: 10)
            // A reader that waits for news gets some as soon as a refusal was recorded.
            let news = AsyncStream<Void> {
                log.record(Self.entry)
                return ()
            }
            var reader = log.updates(after: 0, news).makeAsyncIterator()
            for number in 1...3 as ClosedRange<UInt64> {
                let update = await reader.next(isolation: nil)
                guard case .refused(let entry)? = update else { return XCTFail("refusal \(number) was not told") }
                XCTAssertEqual(entry.number, number, "the number of what is told")
            }
        }
    }

    private static let entry = AuditEntry(
        at: Timestamp(seconds: 1_767_268_800),
        operation: AuditEntry.Operation(named: "SignIn"),
        code: .invalidCredential,
        reason: nil,
        trail: [],
        account: nil,
        recipient: nil,
        device: nil,
        origin: nil,
        deviceName: nil
    )

    func testAStreamOfRefusalsEndsWithItsReader() async throws {
        try await inTime {
            let service = AuthService(AuthConfiguration())
            let stream = service.refusalStream()
            let reader = Task {
                var count = 0
                for await _ in stream { count += 1 }
                return count
            }
            reader.cancel()
            let count = await reader.value
            XCTAssertEqual(count, 0, "a canceled reader was told something")
            for await _ in stream { XCTFail("the stream goes on after its reader left") }
        }
    }

    func testAReaderThatIsCanceledListensNoLonger() async throws {
        try await inTime {
            let log = RefusalLog(limit: 10)
            let sequence = log.updates(after: 0, log.news.listen())
            XCTAssertTrue(log.news.isHeard, "a reader listens")
            let reader = Task { for await _ in sequence { XCTFail("something was told") } }
            reader.cancel()
            await reader.value
            XCTAssertFalse(log.news.isHeard, "the reader that was canceled still listens")
            // Without the sequence, there would be nothing to listen to.
            withExtendedLifetime(sequence) {}
        }
    }

    func testAStreamOfRefusalsEndsWithTheService() async throws {
        try await inTime {
            var service: AuthService? = AuthService(AuthConfiguration())
            let stream = try XCTUnwrap(service?.refusalStream())
            service = nil
            for await _ in stream { XCTFail("something was told") }
        }
    }

    func testARefusalAboutANumberIsRecordedWithIt() async throws {
        let world = World(.standard)
        let number = "+15550001234"
        let ann = try await world.device().signIn(with: world.digits(to: number, from: world.device())).user
        try await world.service.setDisabled(true, account: ann.account.id)
        await assertThrows(.userDisabled) {
            try await world.device().signIn(with: world.digits(to: number, from: world.device()))
        }
        let entry = try XCTUnwrap(world.service.refusals().first, "a refusal is recorded")
        XCTAssertNotNil(entry.recipient, "the number that the refusal is about")
    }

    func testASubscriberIsToldOnlyOfWhatIsRefusedAfterwards() async throws {
        try await inTime {
            let world = World()
            _ = try? await world.device().checkActionCode("before")
            var iterator = world.service.refusalStream().makeAsyncIterator()
            _ = try? await world.device().checkActionCode("after")
            let update = await iterator.next(isolation: nil)
            guard case .refused(let entry)? = update else { return XCTFail("\(String(describing: update))") }
            XCTAssertEqual(entry.number, 2, "the first refusal that the subscriber is told of")
        }
    }

    func testARefusalIsRecordedWithTheReasonsOfEarlierDecisions() throws {
        let service = World().service
        let error = AuthError(.mergeInProgress, reasons: [.mailboxIsVerified, .accountIsBeingMerged])
        service.audit(error, of: "SignIn", RequestContext())
        let entry = try XCTUnwrap(service.refusals().first)
        XCTAssertEqual(entry.reason, .accountIsBeingMerged, "the reason that decided")
        XCTAssertEqual(entry.trail, [.mailboxIsVerified], "the reasons before it")
    }

    func testAMailedLinkThatIsRefusedIsRecordedWithItsAddress() async throws {
        let world = World()
        _ = try? await world.device().signIn(with: .emailLink(email: "Ann@example.com", link: "nonsense"))
        _ = try? await world.device().signIn(with: .password(email: "ann@example.com", password: "nonsense"))
        let recipients = world.service.refusals().map(\.recipient)
        XCTAssertEqual(recipients.count, 2, "refusals that were recorded")
        XCTAssertNotNil(recipients.last ?? nil, "the address of the link")
        XCTAssertEqual(recipients.first, recipients.last, "the address of a password and that of a link")
    }

    func testAMailedLinkWhereNothingElseIsAcceptedIsRecordedWithItsAddressInOneSpelling() async throws {
        let world = World()
        for email in ["Ann@Example.com", "ann@example.com"] {
            let link = AuthCredential.EmailLink(email: email, link: "nonsense")
            await assertThrows(.invalidActionCode) { try await world.device().recoverFromLostFactors(with: link) }
        }
        let recipients = world.service.refusals().map(\.recipient)
        XCTAssertNotNil(recipients.first ?? nil, "the address of the link")
        XCTAssertEqual(recipients.first, recipients.last, "one address in two spellings")
    }

    func testALogForNoRefusalKeepsTheLastOne() async throws {
        let world = World { $0.keptRefusals = 0 }
        for _ in 0..<2 { await assertThrows(.invalidActionCode) { try await world.device().checkActionCode("none") } }
        XCTAssertEqual(world.service.refusals().map(\.number), [2], "the refusals that are kept")
    }

    func testAnIDTokenThatIsRefusedIsRecordedWithWhoAsked() async throws {
        let world = World()
        let context = RequestContext(device: "kitchen", origin: .address("192.0.2.1"), deviceName: "laptop")
        await assertThrows(.invalidUserToken) { try await world.service.client(context).user(forIDToken: "none") }
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.operation.rawValue, "verifyIDToken", "what was refused")
        XCTAssertEqual(entry.device, DeviceID(named: "kitchen").key, "the device that asked")
        XCTAssertEqual(entry.origin, "192.0.2.1", "where the request came from")
        XCTAssertEqual(entry.deviceName, "laptop", "the name of the device")
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What is refused is recorded, apart from the event log, with nothing in it that was typed.
final class RefusalTests: LimitedTestCase {
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
            let isRefused = await !world.succeeds { try await act() }
            XCTAssertTrue(isRefused, operation)
            let entries = world.service.refusals()
            XCTAssertEqual(entries.count, number + 1, operation)
            XCTAssertEqual(entries.first?.operation.rawValue, operation)
            XCTAssertEqual(entries.first?.code, code, operation)
        }
    }

    func testARefusalOfARuleIsRecordedWithWhoAskedAndWhy() async throws {
        let world = World()
        let ann = try await world.verifiedUser(in: world.device())
        world.clock.advance(by: .seconds(5))
        let context = RequestContext(device: "kitchen", origin: .address("192.0.2.1"), deviceName: "laptop")
        let isRefused = await !world.succeeds {
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

    func testARefusedPreviewIsRecordedLikeTheCall() async throws {
        let world = World()
        let device = world.device()
        _ = try await world.verifiedUser(in: device)
        let wrong = AuthCredential.password(email: "ann@example.com", password: "wrong horse")
        _ = try await world.service.client().previewSignIn(with: try await device.verify(wrong))
        _ = await world.succeeds { try await device.signIn(with: wrong) }
        let entries = world.service.refusals()
        XCTAssertEqual(entries.map(\.operation.rawValue), ["signIn", "signIn"])
        let recipient = try XCTUnwrap(entries.first?.recipient, "the preview's entry names no recipient")
        XCTAssertEqual(recipient, entries.last?.recipient, "the recipients of the preview and of the call")
    }

    func testARefusalIsRecordedWithTheReasonsOfEarlierDecisions() throws {
        let service = World().service
        let error = AuthError(.mergeInProgress, reasons: [.mailboxIsVerified, .accountIsBeingMerged])
        service.audit(error, of: "SignIn", RequestContext())
        let entry = try XCTUnwrap(service.refusals().first)
        XCTAssertEqual(entry.reason, .accountIsBeingMerged, "the reason that decided")
        XCTAssertEqual(entry.trail, [.mailboxIsVerified], "the reasons before it")
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

    func testTheRecordShowsTheAddressOfARequestAndNotItsNetwork() async throws {
        let world = World(.standard)
        let client = world.service.client(for: nil, origin: .address("2001:db8:0:1::7"))
        _ = await world.succeeds { try await client.signIn(with: World.annsPassword) }
        XCTAssertEqual(world.service.refusals().map(\.origin), ["2001:db8:0:1::7"], "limits count by the network alone")
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

    func testWhatBreaksIsNoRefusal() async throws {
        let store = FaultyStore()
        let world = World { $0.store = store }
        store.script(.load, [], then: .failsBefore())
        let didFail = await !world.succeeds {
            try await world.device().signUp(email: "ann@example.com", password: "correct")
        }
        XCTAssertTrue(didFail)
        XCTAssertEqual(world.service.refusals(), [])
    }

    func testAFloodOfRefusalsPushesOutOlderRefusalsAndNoEvent() async throws {
        let world = World { $0.keptRefusals = 3 }
        _ = try await world.device().signUp(email: "ann@example.com", password: "correct horse")
        let before = try await world.service.events()
        for _ in 0..<10 {
            _ = await world.succeeds {
                try await world.device().signUp(email: "ann@example.com", password: "correct horse")
            }
        }
        XCTAssertEqual(world.service.refusals().map(\.number), [10, 9, 8])
        XCTAssertEqual(world.service.refusals(limit: 1).map(\.number), [10])
        XCTAssertEqual(world.service.refusals(limit: -1), [])
        let after = try await world.service.events()
        XCTAssertEqual(before, after)
    }

    func testALogForNoRefusalKeepsTheLastOne() async throws {
        let world = World { $0.keptRefusals = 0 }
        for _ in 0..<2 { await assertThrows(.invalidActionCode) { try await world.device().checkActionCode("none") } }
        XCTAssertEqual(world.service.refusals().map(\.number), [2], "the refusals that are kept")
    }
}

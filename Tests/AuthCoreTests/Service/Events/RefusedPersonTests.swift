@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Whom a refusal names: the account that asked or was meant, and the mailbox or number as a keyed hash.
final class RefusedPersonTests: LimitedTestCase {
    /// The account that has the address is not the one that asked.
    func testARefusedSignInThatBelongsToNoAccountNamesNone() async throws {
        let world = World(.standard)
        try await world.device("ben").signIn(with: world.google())
        let isRefused = await !world.succeeds { try await world.device("other").signIn(with: world.gitHub()) }
        XCTAssertTrue(isRefused)
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.code, .accountExistsWithDifferentCredential, "what was refused")
        XCTAssertNil(entry.account, "the refusal names the account that has the address")
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
        let isRefused = await !world.succeeds { try await server.refresh(token) }
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

    func testWrongAnswersToAChallengeAreRecordedWithTheirAccount() async throws {
        let world = World()
        let device = world.device()
        let ann = try await world.verifiedUser(in: device)
        let id = try await ann.multiFactor.sendPhoneCode(to: "+15550001234")
        let isWrong = await !world.succeeds { try await ann.multiFactor.enroll(phoneVerificationID: id, code: "000") }
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
            let isWrong = await !world.succeeds { try await device.resolve(challenge, with: .totp("123456")) }
            XCTAssertTrue(isWrong)
        }
        let entry = try XCTUnwrap(world.service.refusals().first)
        XCTAssertEqual(entry.operation.rawValue, "resolveChallenge")
        XCTAssertEqual(entry.account, ann.account.id)
    }

    func testBothNamesOfAMailboxAreOneRecipient() async throws {
        let world = World(.standard)
        let client = world.service.client(for: nil, origin: .address("192.0.2.1"))
        let names = ["eve@gmail.com", "eve@googlemail.com"]
        for name in names {
            _ = await world.succeeds { try await client.signIn(with: .password(email: name, password: "a wrong word")) }
            _ = await world.succeeds { try await client.signIn(with: .emailLink(email: name, link: "no link")) }
        }
        for _ in 0..<50 where world.service.refusals().first?.operation.rawValue != "sendMessage" {
            _ = await world.succeeds { try await client.sendSignInLink(to: names[1]) }
        }
        let entries = world.service.refusals()
        XCTAssertEqual(Set(entries.map(\.operation.rawValue)), ["signIn", "verify", "sendMessage"], "what was refused")
        XCTAssertFalse(entries.contains { $0.recipient == nil }, "an entry names no recipient")
        XCTAssertEqual(Set(entries.map(\.recipient)).count, 1, "the hashes of one mailbox, by any name and check")
    }

    func testAnEntryHoldsAnAddressOnlyAsAKeyedHash() async throws {
        let world = World()
        let device = world.device()
        let password = "zebra-wrong-battery"
        for address in ["stranger@example.com", "Stranger@Example.com", "visitor@example.com"] {
            _ = await world.succeeds { try await device.signIn(with: .password(email: address, password: password)) }
        }
        let entries = world.service.refusals()
        XCTAssertEqual(entries.count, 3)
        let recipient = try XCTUnwrap(entries[2].recipient, "the entry has no hash of the address")
        XCTAssertEqual(entries[1].recipient, recipient)
        XCTAssertNotEqual(try XCTUnwrap(entries[0].recipient), recipient)
        var dumped = ""
        dump(entries, to: &dumped)
        for secret in ["stranger", "visitor", password] { XCTAssertFalse(dumped.lowercased().contains(secret), secret) }
        let other = World { $0.setSecretKey(Array(repeating: 8, count: 32)) }
        _ = await world.succeeds {
            try await other.device().signIn(with: .password(email: "stranger@example.com", password: password))
        }
        let elsewhere = try XCTUnwrap(other.service.refusals().first?.recipient, "the entry of the other service")
        XCTAssertNotEqual(elsewhere, recipient, "the hash of the address under another key")
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
}

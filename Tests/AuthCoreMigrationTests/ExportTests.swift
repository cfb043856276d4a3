@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

final class ExportTests: LimitedTestCase {
    /// Without what belongs to the place where an account is.
    private func plain(_ accounts: [Account]) -> [Account] {
        accounts.map { account in
            var account = account
            account.version = 0
            return account
        }
    }

    func testEachAccountIsExportedOnceAndInTheOrderOfTheIDs() async throws {
        let world = World()
        _ = try await world.bring(try Samples.lines(3))
        let accounts = try await world.accounts().map(\.id)
        var lines = world.service.exportAccounts(pageSize: 1).makeAsyncIterator()
        // At most so many times, since an export that goes on for ever has no end.
        var exported: [AccountID] = []
        for _ in 0..<5 { if let line = try await lines.next() { exported.append(line.account) } }
        XCTAssertEqual(exported, accounts.sorted(), "the accounts of an export, page by page")
    }

    /// That an account was deleted stays in the old store.
    func testADeletedAccountIsInNoExportAndACustomTokenForItsIDMakesAnAccountInTheNewStore() async throws {
        let (old, new) = (World(), World())
        let token = try await old.service.makeCustomToken(for: "employee-7")
        let user = try await old.device().signIn(with: .customToken(token)).user
        try await user.delete()
        let lines = try await old.exportedLines()
        XCTAssertEqual(lines, [], "the accounts that exist")
        let refused = await authError { try await old.device().signIn(with: .customToken(token)) }
        XCTAssertEqual(refused?.code, .userNotFound, "the ID of a deleted account in the old store")
        let again = try await new.service.makeCustomToken(for: "employee-7")
        let made = try await new.device().signIn(with: .customToken(again))
        XCTAssertTrue(made.isNewUser, "an account for the ID in the new store")
    }

    /// The one-time record of a provisional sign-up does not move, and without it the password is valid nowhere.
    func testAProvisionalAccountMovesOnlyWithItsOtherMethods() async throws {
        var policy = AuthPolicy.standard
        policy.concealsSignUp = true
        let (old, new) = (World(policy), World(policy))
        let ann = try await old.device("laptop").signUp(email: "ann@example.com", password: "correct horse battery")
        let tablet = old.device("tablet")
        let ben = try await tablet.signUp(email: "ben@example.com", password: "correct horse battery").user
        try await ben.link(with: old.credential(.gitHub, .ben))
        XCTAssertTrue(ben.account.isProvisional, "the test needs a provisional password and an identity")
        let report = try await new.bring(try await old.exportedLines())
        XCTAssertEqual(report.created, 1, "the accounts that can be opened")
        XCTAssertEqual(report.failed, 1, "the accounts that could not be opened")
        let problems = Dictionary(uniqueKeysWithValues: report.problems.map { ($0.account, $0.kind) })
        XCTAssertEqual(problems, [ann.user.account.id: .provisional, ben.account.id: .leftOut("password")])
        let back = try await new.device("phone").signIn(with: new.credential(.gitHub, .ben)).user
        XCTAssertEqual(back.account.id, ben.account.id, "the account of the identity")
        XCTAssertEqual(back.account.methods.map(\.kind.provider), [.gitHub], "the methods that moved")
        XCTAssertFalse(back.account.isProvisional, "whether anything is provisional")
    }

    func testAProvisionalAccountOfTheAppsOwnServerMoves() async throws {
        var account = try Samples.account("ann", email: "ann@example.com")
        _ = account.add(.password(PasswordHash(tagged: "$cheap$AAAA$BBBB")), at: account.createdAt)
        (account.isProvisional, account.acceptsCustomTokens) = (true, true)
        let world = World()
        let report = try await world.bring([try Samples.line(account)])
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("password")], "what does not move")
        let moved = try await world.accounts()
        XCTAssertEqual(moved.map(\.acceptsCustomTokens), [true], "the account that a custom token opens")
    }

    func testALineThatIsShownHasNothingOfItsRecord() async throws {
        let world = World()
        _ = try await world.bring([try Samples.line(try Samples.fullAccount())])
        var count = 0
        for try await exported in world.service.exportAccounts() {
            count += 1
            var shown = ""
            dump(exported, to: &shown)
            XCTAssertTrue(shown.contains("exported account ann"), "what is shown: \(shown)")
            XCTAssertFalse(shown.contains("$cheap$"), "the hash of the password is shown: \(shown)")
            XCTAssertEqual(exported.customMirror.children.count, 0, "the parts that a mirror shows")
        }
        XCTAssertEqual(count, 1, "the lines that were looked at")
    }

    func testAnExportIntoAnEmptyServiceGivesTheSameAccounts() async throws {
        let old = World()
        let device = old.device()
        let ann = try await old.verifiedUser(in: device)
        try await ann.link(with: old.credential(.google))
        try await ann.link(with: try await old.digits(to: "+15550001234", from: device))
        try await old.service.setCustomClaims(["role": "captain", "share": 0.5], account: ann.account.id)
        _ = try await device.signIn(with: old.credential(.gitHub, .ben))
        _ = try await old.device("tablet").signInAnonymously()
        let new = World()
        var options = ImportOptions()
        options.trustedForJoin = true
        let report = try await new.bring(try await old.exportedLines(pageSize: 1), options: options)
        XCTAssertEqual(report.created, 3)
        XCTAssertEqual(report.problems, [])
        XCTAssertTrue(report.isComplete)
        let before = try await old.accounts()
        let accounts = try await new.accounts()
        XCTAssertEqual(accounts, plain(before))
        let exported = try await new.exportedLines()
        XCTAssertEqual(exported, try plain(before).map(Samples.line))
    }

    func testWhoeverSignedInThereSignsInHere() async throws {
        let old = World()
        let device = old.device()
        let ann = try await old.verifiedUser(in: device)
        try await ann.link(with: old.credential(.google))
        try await ann.link(with: try await old.digits(to: "+15550001234", from: device))
        let new = World()
        _ = try await new.bring(try await old.exportedLines())
        let here = new.device()
        let credentials: [AuthCredential] = [
            .password(email: "ann@example.com", password: "correct horse"), new.credential(.google),
            try await new.digits(to: "+15550001234", from: here),
        ]
        for credential in credentials {
            let result = try await here.signIn(with: credential)
            XCTAssertEqual(result.user.uid, ann.uid)
            XCTAssertFalse(result.isNewUser)
            XCTAssertTrue(result.user.isEmailVerified)
        }
        await assertThrows(.wrongPassword) {
            try await here.signIn(with: .password(email: "ann@example.com", password: "wrong horse"))
        }
    }

    func testSecondFactorsAreAskedForAndWorkWhereTheKeyIsTheSame() async throws {
        for policy in [AuthPolicy.standard, .firebase] {
            try await assertThatSecondFactorsMove(under: policy)
        }
    }

    private func assertThatSecondFactorsMove(under policy: AuthPolicy) async throws {
        let (old, new) = (World(policy), World(policy))
        let ann = try await old.verifiedUser(in: old.device())
        let enrollment = try await ann.multiFactor.startTOTP(issuer: "Boats")
        let seed = try XCTUnwrap(Base32.decode(enrollment.sharedSecret))
        let totp = TimeBasedCode()
        try await ann.multiFactor.enroll(
            enrollment,
            code: totp.code(forStep: totp.step(at: old.clock.timestamp.seconds), secret: seed)
        )
        let report = try await new.bring(try await old.exportedLines())
        XCTAssertEqual(report.problems, [], "what does not move")
        new.clock.advance(by: .seconds(30))
        let device = new.device()
        let error = await authError {
            try await device.signIn(with: .password(email: "ann@example.com", password: "correct horse"))
        }
        let challenge = try XCTUnwrap(error?.secondFactor)
        let code = totp.code(forStep: totp.step(at: new.clock.timestamp.seconds), secret: seed)
        let result = try await device.resolve(challenge, with: .totp(code))
        XCTAssertEqual(result.user.uid, ann.uid)
    }

    func testAnExportGoesOnAfterTheLastAccountWritten() async throws {
        let world = World()
        _ = try await world.bring(try Samples.lines(25))
        let whole = try await world.exportedLines(pageSize: 7)
        XCTAssertEqual(whole, try Samples.lines(25))
        var first: [ExportedLine] = []
        for try await exported in world.service.exportAccounts(pageSize: 10) {
            first.append(exported)
            if first.count == 13 { break }
        }
        let rest = try await world.exportedLines(after: first.last?.account, pageSize: 10)
        XCTAssertEqual(first.map(\.line) + rest, whole)
    }

    func testAnExportOfNothingIsEmptyAndAnUnusablePageSizeIsOne() async throws {
        let store = FaultyStore()
        let world = World { $0.store = store }
        let nothing = try await world.exportedLines(pageSize: 0)
        XCTAssertEqual(nothing, [])
        _ = try await world.bring(try Samples.lines(3))
        for size in [-1, 0, 1] {
            let before = store.calls(of: .accounts)
            let lines = try await world.exportedLines(pageSize: size)
            XCTAssertEqual(lines.count, 3)
            let pages = store.calls(of: .accounts) - before
            XCTAssertEqual(pages, 4, "a page for each account and an empty one, with the size \(size)")
        }
    }

    func testAnAccountThatNoRecordHoldsIsNamedAndTheExportGoesOnAfterIt() async throws {
        let world = World()
        _ = try await world.bring(try Samples.lines(2))
        var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
        var odd = Account(id: "person-10000b", createdAt: world.clock.timestamp)
        odd.customClaims = ["claim": .number(.infinity)]
        changes.accounts = [.create(odd)]
        _ = try await world.store.commit(changes)
        // In the middle of a page, at its end, and alone.
        for size in [100, 2, 1] {
            var lines = world.service.exportAccounts(pageSize: size).makeAsyncIterator()
            let first = try await lines.next()
            XCTAssertEqual(first?.account, "person-10000", "pages of \(size)")
            let error = await authError { try await lines.next() }
            XCTAssertEqual(error?.code, .internalError, "pages of \(size)")
            XCTAssertTrue(error?.message.contains("person-10000b") ?? false, "pages of \(size)")
            XCTAssertNotNil(error?.cause, "what the record cannot hold, pages of \(size)")
            let next = try await lines.next()
            XCTAssertEqual(next?.account, "person-10001", "pages of \(size)")
            let end = try await lines.next()
            XCTAssertNil(end, "pages of \(size)")
        }
    }

    func testAnExportReadsFiveHundredAccountsAtOnceUnlessItIsToldAnotherNumber() {
        XCTAssertEqual(World().service.exportAccounts().pageSize, 500, "how many accounts a page has")
    }

    func testACanceledExportEndsWithThatError() async throws {
        let world = World()
        _ = try await world.bring(try Samples.lines(3))
        let task = Task { () async -> AuthError? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return await authError { try await world.exportedLines() }
        }
        let error = await task.value
        XCTAssertEqual(error?.code, .canceled)
    }

    func testEveryPageIsReadOnceAndAnExportThatEndedStaysEnded() async throws {
        let store = FaultyStore()
        let world = World { $0.store = store }
        for number in 0..<3 { _ = try await world.device("phone \(number)").signInAnonymously() }
        var lines = world.service.exportAccounts(pageSize: 2).makeAsyncIterator()
        var ids: [AccountID] = []
        while let line = try await lines.next() { ids.append(line.account) }
        XCTAssertEqual(ids.count, 3, "every account")
        XCTAssertEqual(Set(ids).count, 3, "each account once")
        XCTAssertEqual(store.calls(of: .accounts), 3, "two accounts, one account, and none: each page is read once")
        _ = try await world.device("another phone").signInAnonymously()
        let later = try await lines.next()
        XCTAssertNil(later, "an account that was created after the end")
        XCTAssertEqual(store.calls(of: .accounts), 3, "nothing is read after the end")
    }

    func testAGuestWithAPasswordAndNoAddressMovesAsAGuest() async throws {
        let (old, new) = (World(.firebase), World(.firebase))
        let guest = try await old.device().signInAnonymously().user
        try await guest.updatePassword(to: "correct horse")
        let report = try await new.bring(old.exportedLines())
        XCTAssertEqual(report.problems.map(\.kind), [], "why the guest does not come in")
        let moved = try await new.accounts()
        XCTAssertEqual(moved.map(\.isAnonymous), [true], "whether the account is a guest's")
        XCTAssertEqual(moved.map(\.methods.count), [1], "the methods of the guest")
    }
}

@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import Foundation
import Synchronization
import XCTest

final class ImportTests: LimitedTestCase {
    func testTheSameImportAgainChangesNothing() async throws {
        let world = World()
        let lines = try Samples.lines(5)
        _ = try await world.bring(lines)
        let before = try await world.accounts()
        let events = try await world.service.events().events.count
        let report = try await world.bring(lines)
        XCTAssertEqual(report.created, 0)
        XCTAssertEqual(report.existing, 5)
        XCTAssertEqual(report.problemCount, 0)
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts, before)
        let eventCount = try await world.service.events().events.count
        XCTAssertEqual(eventCount, events)
    }

    func testWhatIsThereIsNotOverwritten() async throws {
        let world = World()
        _ = try await world.bring(try Samples.lines(1))
        var other = try Samples.account("person-10000", email: "other@example.com")
        other.displayName = "Somebody else"
        let report = try await world.bring([try Samples.line(other)])
        XCTAssertEqual(report.existing, 1)
        let account = try await world.service.account("person-10000")
        XCTAssertNil(account.displayName)
        XCTAssertEqual(account.email?.text, "person-10000@example.com")
    }

    func testADeletedAccountDoesNotComeBack() async throws {
        let world = World()
        let user = try await world.device().signInAnonymously().user
        let lines = try await world.exportedLines()
        try await user.delete()
        let report = try await world.bring(lines)
        XCTAssertEqual(report.existing, 1)
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts, [])
    }

    func testATimeInTheFutureBecomesTheTimeOfTheImport() async throws {
        let world = World()
        let now = world.clock.timestamp
        let later = now + .seconds(365 * 86_400)
        let suspension = SignInMethod.Suspension(since: later, reason: .ownerReportsChange)
        var account = try Samples.account("ann", email: "ann@example.com")
        let mail = Evidence.Subject.email(try XCTUnwrap(account.email))
        (account.createdAt, account.emailSetAt, account.customTokenAt) = (later, later, later)
        _ = account.add(.emailLink, at: later, coverage: [Evidence.Verification(mail, at: later)])
        _ = account.addFactor(.totp(sealedSeed: [1], lastUsedStep: nil), named: nil, id: 7, at: later)
        account.note(mail, .mailboxCode, at: later)
        account.evidence[0].staleSince = later
        account.methods[0].suspension = suspension
        account.factors[0].suspension = suspension
        var options = ImportOptions()
        options.trustedForJoin = true
        _ = try await world.bring([try Samples.line(account)], options: options)
        let brought = try await world.service.account("ann")
        let (method, factor) = (try XCTUnwrap(brought.methods.first), try XCTUnwrap(brought.factors.first))
        let evidence = try XCTUnwrap(brought.evidence.first)
        let times: [(String, Timestamp?)] = [
            ("the account", brought.createdAt), ("its address", brought.emailSetAt),
            ("a custom token", brought.customTokenAt), ("the method", method.addedAt),
            ("its age", method.seniorSince), ("its coverage", method.coverage.first?.at),
            ("its suspension", method.suspension?.since), ("the factor", factor.enrolledAt),
            ("the factor's suspension", factor.suspension?.since), ("the first proof", evidence.firstAt),
            ("the last proof", evidence.lastAt), ("the end of the proof", evidence.staleSince),
        ]
        for (name, time) in times { XCTAssertEqual(time, now, "the time of \(name)") }
    }

    func testAnImportGoesOnInTheMiddle() async throws {
        let world = World()
        let lines = try Samples.lines(10)
        _ = try await world.bring(Array(lines.prefix(4)))
        var options = ImportOptions()
        options.startAtLine = 5
        let report = try await world.bring(lines, options: options)
        XCTAssertEqual(report.created, 6)
        XCTAssertEqual(report.existing, 0)
        XCTAssertEqual(report.lines, 10)
    }

    func testEveryKeyOfAnotherAccountIsAConflictThatIsNamed() async throws {
        let world = World()
        let device = world.device()
        let mail = try await device.signUp(email: "ann@example.com", password: "correct horse").user
        let phone = try await device.signIn(with: try await world.digits(to: "+15550001234", from: device)).user
        let identity = try await device.signIn(with: world.credential(.gitHub, .ben)).user
        let key = try XCTUnwrap(identity.account.identities.first).key
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        let withMail = try Samples.account("with-mail", email: "Ann@example.com")
        var withPhone = try Samples.account("with-phone")
        _ = withPhone.add(.phone(number), at: withPhone.createdAt)
        var withIdentity = try Samples.account("with-identity")
        for key in [Identity.Key(issuer: "free", subject: "1"), key] {
            _ = withIdentity.add(.federated(Identity(key: key, provider: .gitHub)), at: withPhone.createdAt)
        }
        let before = try await world.accounts()
        let lines = try [withMail, withPhone, withIdentity].map(Samples.line) + Samples.lines(1)
        let report = try await world.bring(lines)
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        XCTAssertEqual(
            report.problems.map(\.kind),
            [
                .conflict(.primaryEmail(email), owner: mail.account.id),
                .conflict(.phone(number), owner: phone.account.id),
                .conflict(.identity(key), owner: identity.account.id),
            ]
        )
        XCTAssertEqual(report.problems.map(\.line), [1, 2, 3])
        XCTAssertEqual(report.problems.map(\.account?.text), ["with-mail", "with-phone", "with-identity"])
        XCTAssertEqual(report.failed, 3)
        XCTAssertEqual(report.created, 1)
        let accounts = try await world.accounts().count
        XCTAssertEqual(accounts, before.count + 1)
    }

    func testAnAddressThatIsOnlyShownIsAConflictOnlyWhereEveryAddressIsReserved() async throws {
        var account = try Samples.account("shows", email: "ann@example.com")
        account.reservesEmail = false
        for (policy, created) in [(AuthPolicy.standard, 1), (.firebase, 0)] {
            let world = World(policy)
            let owner = try await world.device().signUp(email: "ann@example.com", password: "correct horse").user
            let report = try await world.bring([try Samples.line(account)])
            XCTAssertEqual(report.created, created, "\(policy.addressReservation)")
            let email = try XCTUnwrap(EmailAddress("ann@example.com"))
            let conflict = ImportProblem.Kind.conflict(.primaryEmail(email), owner: owner.account.id)
            XCTAssertEqual(report.problems.map(\.kind), created == 1 ? [] : [conflict])
        }
    }

    func testAnAddressIsReservedAnewByTheRuleOfTheServiceThatImports() async throws {
        let reserving = World(.firebase)
        let ben = SimulatedPerson.ben.with(email: "ben@example.com")
        _ = try await reserving.device().signIn(with: reserving.credential(.facebook, ben))
        let displaying = World(.standard)
        let imported = try await displaying.bring(reserving.exportedLines())
        XCTAssertEqual(imported.created, 1)
        let person = try await displaying.device().signUp(email: "ben@example.com", password: "correct horse").user
        let displayed = try await displaying.accounts().filter { $0.id != person.account.id }
        XCTAssertEqual(displayed.map(\.email?.text), ["ben@example.com"], "the imported account displays it, too")

        let back = World(.firebase)
        _ = try await back.bring(displayed.map(Samples.line))
        await assertThrows(.emailAlreadyInUse, "an address that the account displays is reserved where each is") {
            try await back.device().signUp(email: "ben@example.com", password: "correct horse")
        }
    }

    func testTheFirstProblemEndsTheImportIfItIsToldTo() async throws {
        let world = World()
        var options = ImportOptions()
        options.stopsAtFirstProblem = true
        let lines = try Samples.lines(3)
        let report = try await world.bring([lines[0], "nonsense", lines[1]], options: options)
        XCTAssertEqual(report.lines, 2)
        XCTAssertEqual(report.created, 1)
        XCTAssertEqual(report.failed, 1)
        XCTAssertFalse(report.isComplete)
    }

    func testProgressIsToldEverySoManyLinesAndAtTheEnd() async throws {
        let world = World()
        let progress = Notebook<ImportProgress>()
        var options = ImportOptions()
        options.progressInterval = 2
        _ = try await world.service.importAccounts(Stream.of(try Samples.lines(5)), options: options) {
            progress.note($0)
        }
        XCTAssertEqual(progress.entries.map(\.lines), [2, 4, 5])
        XCTAssertEqual(progress.entries.map(\.created), [2, 4, 5])
        XCTAssertEqual(progress.entries.map(\.existing), [0, 0, 0], "accounts that existed before the import")
    }

    func testTheProgressOfARepeatedImportCreatesNothing() async throws {
        let world = World()
        let lines = try Samples.lines(2)
        _ = try await world.bring(lines)
        let progress = Notebook<ImportProgress>()
        _ = try await world.service.importAccounts(Stream.of(lines)) { progress.note($0) }
        XCTAssertEqual(progress.entries.last?.created, 0, "accounts that the repetition created")
        XCTAssertEqual(progress.entries.last?.existing, 2, "accounts that it found")
    }

    func testAnImportIsAnEventWithItsReasons() async throws {
        let world = World()
        _ = try await world.bring(try Samples.lines(1))
        let event = try await world.service.events().events.last
        XCTAssertEqual(event?.kind, .accountCreated)
        XCTAssertEqual(event?.actor, .administrator)
        XCTAssertEqual(event?.reasons, [.administratorDecides, .importBringsAccount])
    }

    func testWhatGoesOnAtTheOldPlaceStaysThere() async throws {
        let world = World()
        var account = try Samples.fullAccount()
        let report = try await world.bring([try Samples.line(account)])
        XCTAssertEqual(report.problems, [])
        account.version = 0
        account.mergeLock = nil
        account.reservations = []
        // The lines vouch for nothing.
        for index in account.methods.indices { account.methods[index].coverage = [] }
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts, [account])
    }

    func testCancellationLeavesWholeAccountsAndTheWayBack() async throws {
        let world = World()
        let lines = try Samples.lines(10)
        let progress = Notebook<ImportProgress>()
        let task = Task { () async -> AuthError? in
            var options = ImportOptions()
            options.progressInterval = 4
            let canceling = options
            return await authError {
                try await world.service.importAccounts(Stream.of(lines), options: canceling) { step in
                    progress.note(step)
                    if step.lines == 4 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                }
            }
        }
        let error = await task.value
        XCTAssertEqual(error?.code, .canceled)
        XCTAssertEqual(progress.entries.last?.lines, 4)
        let exported = try await world.exportedLines()
        XCTAssertEqual(exported, Array(lines.prefix(4)))
        var options = ImportOptions()
        options.startAtLine = 5
        let report = try await world.bring(lines, options: options)
        XCTAssertEqual(report.created, 6)
    }

    func testAnInputThatEndsBecauseOfTheCancellationIsNotComplete() async throws {
        let world = World()
        let lines = try Samples.lines(3)
        let place = Mutex(0)
        // Such a stream ends where its reader is canceled.
        let input = AsyncStream {
            place.withLock { place -> String? in
                defer { place += 1 }
                return place < lines.count ? lines[place] : nil
            }
        }
        let task = Task {
            var options = ImportOptions()
            options.progressInterval = 1
            let canceling = options
            return await authError {
                try await world.service.importAccounts(input, options: canceling) { _ in
                    unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                }
            }
        }
        let error = await task.value
        XCTAssertEqual(error?.code, .canceled, "an import that was canceled after its first line")
    }

    func testAnImportThatIsCanceledWhileItWaitsForALineIsNotComplete() async throws {
        let world = World()
        let line = try Samples.lines(1)[0]
        let isRead = Mutex(false)
        // A stream that waits for its next line ends where its reader is canceled meanwhile.
        let input = AsyncStream {
            let isFirst = isRead.withLock { isRead in
                defer { isRead = true }
                return !isRead
            }
            if isFirst { return line }
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return nil
        }
        let error = await Task { await authError { try await world.service.importAccounts(input) } }.value
        XCTAssertEqual(error?.code, .canceled, "the stream ended because its reader was canceled")
    }

    func testLinesThatCannotBeReadOnEndTheImportWithAnError() async throws {
        struct Failure: Error {}
        let world = World()
        let lines = try Samples.lines(2)
        let broken = AsyncThrowingStream<String, any Error> { stream in
            stream.yield(lines[0])
            stream.finish(throwing: Failure())
        }
        let error = await authError { try await world.service.importAccounts(broken) }
        XCTAssertEqual(error?.code, .internalError)
        XCTAssertEqual(
            error?.message,
            "What is to be imported could not be read after line 1.",
            "how far the import came"
        )
        XCTAssertTrue(error?.cause is Failure)
        let accounts = try await world.accounts().count
        XCTAssertEqual(accounts, 1)
    }

    func testTwoThousandAccountsComeIn() async throws {
        let world = World()
        let lines = try Samples.lines(2000)
        let report = try await world.bring(lines)
        XCTAssertEqual(report.created, 2000)
        let exported = try await world.exportedLines()
        XCTAssertEqual(exported, lines)
    }
}

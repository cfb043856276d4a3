@testable import AuthCore
@testable import AuthCoreMigration
import Foundation
import XCTest

final class ImportHostileInputTests: LimitedTestCase {
    func testLinesThatAreNoAccountsAreReportedAndTheOthersComeIn() async throws {
        let world = World()
        let good = try Samples.lines(2)
        let lines = [
            good[0], "", "\r", "nonsense", "{}", "[1]", "\u{FEFF}" + good[1],
            #"{"format":1,"kind":"session","value":{}}"#,
            #"{"format":99,"kind":"account","value":{}}"#, good[1] + good[1], good[1] + "\r",
        ]
        let report = try await world.bring(lines)
        XCTAssertEqual(report.created, 2)
        XCTAssertEqual(report.lines, lines.count)
        XCTAssertEqual(report.problems.map(\.line), [4, 5, 6, 8, 9, 10])
        XCTAssertTrue(report.isComplete, "an import that went on after its problems to the last line")
        XCTAssertEqual(report.problems.map(\.kind).filter { $0 != .unreadable }, [.newerFormat(99)])
    }

    func testALineOfTenMegabytesIsOneProblem() async throws {
        let world = World()
        let lines = [String(repeating: "[", count: 10 << 20)] + (try Samples.lines(1))
        let report = try await world.bring(lines)
        XCTAssertEqual(report.problems.map(\.kind), [.unreadable])
        XCTAssertEqual(report.created, 1)
    }

    func testEveryTruncationOfALineIsAProblem() async throws {
        let world = World()
        let line = try Samples.line(try Samples.fullAccount())
        let truncated = line.indices.map { String(line[..<$0]) }.filter { !$0.isEmpty }
        let report = try await world.bring(truncated)
        XCTAssertEqual(report.failed, truncated.count)
        XCTAssertEqual(report.created, 0)
    }

    func testTheReportListsSoManyProblemsAndCountsTheRest() async throws {
        let world = World()
        var options = ImportOptions()
        options.reportLimit = 10
        let report = try await world.bring(Array(repeating: "nonsense", count: 50), options: options)
        XCTAssertEqual(report.problems.count, 10)
        XCTAssertEqual(report.problemCount, 50)
        XCTAssertEqual(report.failed, 50)
    }

    func testOptionsWithoutSenseDoNoHarm() async throws {
        let world = World()
        var options = ImportOptions()
        options.startAtLine = -5
        options.progressInterval = 0
        options.reportLimit = -1
        let report = try await world.bring(try Samples.lines(2) + ["nonsense"], options: options)
        XCTAssertEqual(report.created, 2)
        XCTAssertEqual(report.problemCount, 1)
        XCTAssertEqual(report.problems, [])
        options.startAtLine = .max
        let none = try await world.bring(try Samples.lines(2), options: options)
        XCTAssertEqual(none.existing, 0)
        XCTAssertEqual(none.lines, 2)
    }

    func testAnAccountThatContradictsItselfIsNotMade() async throws {
        let world = World()
        let plain = try Samples.account("plain", email: "plain@example.com")
        let (now, mail) = (plain.createdAt, try XCTUnwrap(plain.email))
        let edits: [(part: String, edit: (inout Account) -> Void)] = [
            ("reservesEmail", { $0.email = nil }),
            ("sessionGeneration", { $0.sessionGeneration = .max }),
            ("displayName", { $0.displayName = String(repeating: "x", count: 2049) }),
            (
                "factors",
                { account in
                    let kind = SecondFactor.Kind.totp(sealedSeed: [], lastUsedStep: nil)
                    _ = account.addFactor(kind, named: "A\0", id: 1, at: now)
                }
            ),
            ("photoURL", { $0.photoURL = String(repeating: "x", count: 2049) }),
            ("methods", { $0.addIdentity(subject: String(repeating: "1", count: 1025)) }),
            ("methods", { $0.addIdentity(subject: "1\n2") }),
            ("methods", { $0.addIdentity(subject: "1", name: String(repeating: "x", count: 2049)) }),
            (
                "knownDevices",
                { $0.knownDevices = (0...10).map { DeviceKey(words: IdentifierWords(high: 0, low: $0)) } }
            ),
            ("nextGeneration", { $0.nextGeneration = .max }),
            (
                "nextGeneration",
                { account in
                    _ = account.add(.emailLink, at: now)
                    account.nextGeneration = 0
                }
            ),
            (
                "nextGeneration",
                { account in
                    _ = account.addFactor(.totp(sealedSeed: [], lastUsedStep: nil), named: nil, id: 1, at: now)
                    account.nextGeneration = 0
                }
            ),
            (
                "generation",
                { account in
                    _ = account.add(.emailLink, at: now)
                    _ = account.add(.password(PasswordHash(tagged: "x")), at: now)
                    account.methods[1].generation = 0
                }
            ),
            (
                "generation",
                { account in
                    _ = account.add(.emailLink, at: now)
                    account.nextGeneration -= 1
                    _ = account.addFactor(.totp(sealedSeed: [], lastUsedStep: nil), named: nil, id: 1, at: now)
                }
            ),
            (
                "methods",
                { account in
                    _ = account.add(.emailLink, at: now)
                    _ = account.add(.emailLink, at: now)
                }
            ),
            (
                "methods",
                { account in
                    for tag in ["x", "y"] { _ = account.add(.password(PasswordHash(tagged: tag)), at: now) }
                }
            ),
            (
                "methods",
                { account in
                    let identity = Identity(key: Identity.Key(issuer: "i", subject: "s"), provider: "Git Hub")
                    _ = account.add(.federated(identity), at: now)
                }
            ),
            (
                "methods",
                { account in
                    for number in ["+15550000001", "+15550000002"] {
                        if let number = PhoneNumber(number) { _ = account.add(.phone(number), at: now) }
                    }
                }
            ),
            (
                "methods",
                { account in
                    let identity = Identity(key: Identity.Key(issuer: "i", subject: "s"), provider: .gitHub)
                    _ = account.add(.federated(identity), at: now)
                    _ = account.add(.federated(identity), at: now)
                }
            ),
            (
                "methods",
                { account in
                    let identity = Identity(key: Identity.Key(issuer: "i", subject: "s"), provider: .password)
                    _ = account.add(.federated(identity), at: now)
                }
            ),
            (
                "isAnonymous",
                { account in
                    _ = account.add(.emailLink, at: now)
                    account.isAnonymous = true
                }
            ),
            ("recoveryCodes", { $0.recoveryCodes = Array(repeating: .init(hash: [7, 7]), count: 10_000) }),
            (
                "methods",
                { account in
                    let coverage = (0..<17).map { _ in Evidence.Verification(.email(mail), at: now) }
                    _ = account.add(.emailLink, at: now, coverage: coverage)
                }
            ),
            ("evidence", { $0.evidence = (0..<17).map { _ in Evidence(.email(mail), .mailboxCode, at: now) } }),
            (
                "factors",
                { account in
                    for _ in 0..<2 {
                        _ = account.addFactor(.totp(sealedSeed: [], lastUsedStep: nil), named: nil, id: 1, at: now)
                    }
                }
            ),
            (
                "evidence",
                { account in
                    if let email = account.email { account.note(.email(email), .mailboxCode, at: now) }
                    account.evidence[0].count = .max
                }
            ),
            (
                "evidence",
                { account in
                    if let email = account.email { account.note(.email(email), .mailboxCode, at: now) }
                    account.evidence[0].count = 0
                }
            ),
            ("customClaims", { $0.customClaims = ["sub": "somebody"] }),
        ]
        let lines = try edits.map { edit in
            var account = plain
            edit.edit(&account)
            return try Samples.line(account)
        }
        let report = try await world.bring(lines + [try Samples.line(plain)])
        XCTAssertEqual(report.problems.map(\.kind), edits.map { .unsound($0.part) })
        XCTAssertEqual(report.problems.map(\.account), edits.map { _ in plain.id })
        XCTAssertEqual(report.created, 1)
    }

    func testAnAccountWithAsMuchAsOneKeepsIsMade() async throws {
        let world = World()
        var account = try Samples.account("full", email: "full@example.com")
        let (now, mail) = (account.createdAt, try XCTUnwrap(account.email))
        account.evidence = (0..<16).map { _ in Evidence(.email(mail), .mailboxCode, at: now) }
        account.knownDevices = (0..<10).map { DeviceKey(words: IdentifierWords(high: 0, low: $0)) }
        account.recoveryCodes = (0..<32).map { SecondFactor.RecoveryCode(hash: [$0]) }
        let coverage = (0..<16).map { _ in Evidence.Verification(.email(mail), at: now) }
        _ = account.add(.emailLink, at: now, coverage: coverage)
        // No policy bounds these.
        account.blockedIssuers = (0..<100).map { ExactText("https://issuer\($0).example") }
        for number in 0..<100 {
            _ = account.addFactor(.totp(sealedSeed: [1], lastUsedStep: nil), named: nil, id: UInt128(number), at: now)
        }
        let report = try await world.bring([try Samples.line(account)])
        XCTAssertEqual(report.problems, [])
        XCTAssertEqual(report.created, 1, "accounts that were made")
    }

    func testAnAccountWithTheGreatestCountIsMade() throws {
        var account = Account(id: "ann", createdAt: Timestamp(seconds: 1))
        account.sessionGeneration = 1 << 30
        XCTAssertNil(account.unsoundPart, "the greatest count that an account may have")
        account.sessionGeneration += 1
        XCTAssertEqual(account.unsoundPart, "sessionGeneration", "a greater count")
        (account.sessionGeneration, account.nextGeneration) = (0, 1 << 30)
        XCTAssertNil(account.unsoundPart, "the greatest generation that an account may have")
        account.nextGeneration += 1
        XCTAssertEqual(account.unsoundPart, "nextGeneration", "a greater generation")
        account.nextGeneration = 0
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        account.evidence = [Evidence(.email(email), .mailboxCode, at: account.createdAt)]
        account.evidence[0].count = 1 << 30
        XCTAssertNil(account.unsoundPart, "evidence that was presented as often as it may have been")
        account.evidence[0].count += 1
        XCTAssertEqual(account.unsoundPart, "evidence", "evidence that was presented more often")
    }

    func testTheProgressCountsProblemsThatTheReportDoesNotList() async throws {
        let progress = Notebook<ImportProgress>()
        var options = ImportOptions()
        options.reportLimit = 1
        let lines = ["nonsense", "nonsense", "nonsense"]
        let report = try await World().service.importAccounts(Stream.of(lines), options: options) { progress.note($0) }
        XCTAssertEqual(report.problems.count, 1, "problems that are listed")
        XCTAssertEqual(progress.entries.last?.problems, 3, "problems that the progress counts")
    }
}

extension Account {
    fileprivate mutating func addIdentity(subject: String, name: String? = nil) {
        let key = Identity.Key(issuer: "github.com", subject: subject)
        _ = add(.federated(Identity(key: key, provider: .gitHub, displayName: name)), at: createdAt)
    }
}

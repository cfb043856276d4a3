@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import XCTest

/// AT-31 and S39: what a file says is not believed until the batch is trusted, and what it brings is no oracle.
final class ImportAttackTests: LimitedTestCase {
    private let googleAnn = SimulatedPerson.ann.with(email: "ann@gmail.com")

    /// The line of an account that AuthCore itself exported, with evidence of every kind.
    private func exportedLines(of email: String) async throws -> [String] {
        let old = World(.standard)
        _ = try await old.verifiedUser(email, in: old.device())
        return try await old.exportedLines()
    }

    func testAT31_EvidenceInAuthCoresOwnFormatJoinsNothing() async throws {
        let lines = try await exportedLines(of: "ann@gmail.com")
        let world = World(.standard)
        let report = try await world.bring(lines)
        XCTAssertEqual(report.created, 1)
        let auth = world.device("tablet")
        let error = await authError { try await auth.signIn(with: world.credential(.google, googleAnn)) }
        XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential, "a file let an identity join")
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts.map(\.methods.count), [1])
    }

    /// Eve's account of Ann's address, which Ann verified without knowing for whom, is as closed to Ann as before the
    /// move.
    func testAnAccountThatAnAttackerPreparedDoesNotOpenToItsVictimByAMove() async throws {
        let (old, new) = (World(.standard), World(.standard))
        let eve = try await old.device("eve").signUp(email: "ann@example.com", password: "eves password").user
        try await eve.link(with: old.credential(.gitHub, .eve))
        try await eve.sendEmailVerification()
        try await old.device("anns mail").applyActionCode(old.newestCode)
        let report = try await new.bring(try await old.exportedLines())
        XCTAssertEqual(report.created, 1)
        for (name, world) in [("before the move", old), ("after it", new)] {
            let ann = world.device("ann")
            try await ann.sendSignInLink(to: "ann@example.com")
            let code = world.newestCode
            let error = await authError(name) {
                try await ann.signIn(with: .emailLink(email: "ann@example.com", link: code))
            }
            XCTAssertEqual(
                error?.code,
                .accountExistsWithDifferentCredential,
                "Ann's link opened Eve's account \(name)"
            )
            XCTAssertEqual(error?.reason, .methodsAreNotCovered, name)
        }
        let brought = try await new.accounts()
        XCTAssertTrue(
            brought.allSatisfy { $0.isEmailVerified(under: .standard) && $0.reservesEmail },
            "it is still verified"
        )
    }

    /// Who verified it has a method of the account.
    func testWhoVerifiedTheirOwnAddressSignsInByMailAfterAMove() async throws {
        let world = World(.standard)
        _ = try await world.bring(try await exportedLines(of: "ann@example.com"))
        let auth = world.device("tablet")
        try await auth.sendSignInLink(to: "ann@example.com")
        let user = try await auth.signIn(with: .emailLink(email: "ann@example.com", link: world.newestCode)).user
        XCTAssertEqual(user.account.methods.map(\.kind.methodKind), [.password, .emailLink])
    }

    func testAT31_TheSameEvidenceJoinsWhereTheBatchIsTrusted() async throws {
        let world = World(.standard)
        var options = ImportOptions()
        options.trustedForJoin = true
        _ = try await world.bring(try await exportedLines(of: "ann@gmail.com"), options: options)
        let user = try await world.device("tablet").signIn(with: world.credential(.google, googleAnn)).user
        XCTAssertEqual(user.email, "ann@gmail.com")
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts.count, 1)
    }

    func testS39_WhatWasVerifiedStillReservesTheAddressAndPermitsAReset() async throws {
        let world = World(.standard)
        _ = try await world.bring(try await exportedLines(of: "ann@example.com"))
        let auth = world.device("tablet")
        await assertThrows(.emailAlreadyInUse) {
            try await auth.signUp(email: "ann@example.com", password: "battery staple")
        }
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(code: world.newestCode, newPassword: "battery staple")
        let user = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        XCTAssertTrue(user.isEmailVerified)
    }

    func testS39_BothNamesOfAMailboxAreOneAddress() async throws {
        let lines =
            try await exportedLines(of: "ann@gmail.com")
            + [Samples.line(Samples.account("ben", email: "ann@googlemail.com"))]
        let batch = World(.standard)
        let report = try await batch.bring(lines)
        XCTAssertEqual(report.created, 1, "two accounts of one mailbox in one batch")
        XCTAssertEqual(report.failed, 1)
        let world = World(.standard)
        _ = try await world.verifiedUser("ann@googlemail.com", in: world.device())
        let against = try await world.bring([Samples.line(Samples.account("ben", email: "ann@gmail.com"))])
        XCTAssertEqual(against.created, 0, "an account of a mailbox that has one under its other name")
        guard case .conflict(.primaryEmail, _)? = against.problems.last?.kind else {
            return XCTFail("the conflict is not named")
        }
    }

    func testS39_UnderFirebaseTheTwoNamesAreTwoAddresses() async throws {
        let world = World(.firebase)
        let lines = [
            try Samples.line(Samples.account("ann", email: "ann@gmail.com")),
            try Samples.line(Samples.account("ben", email: "ann@googlemail.com")),
        ]
        let report = try await world.bring(lines)
        XCTAssertEqual(report.created, 2)
    }

    func testS39_EvidenceFromTheFutureIsNotRecentForLongerThanOtherEvidence() async throws {
        let number = "+15555550111"
        let world = World(.standard)
        var account = try Samples.account("ann", email: "ann@gmail.com")
        let (later, mail) = (world.clock.timestamp + .seconds(3650 * 86_400), try XCTUnwrap(account.email))
        account.wasEverVerified = true
        let phone = try XCTUnwrap(PhoneNumber(number))
        _ = account.add(.phone(phone), at: account.createdAt)
        _ = account.add(.emailLink, at: account.createdAt)
        account.note(.phone(phone), .phoneCode, at: later)
        account.note(.email(mail), .mailboxCode, at: later)
        _ = try await world.bring([Samples.line(account)])
        world.clock.advance(by: .seconds(91 * 86_400))
        let auth = world.device("tablet")
        let credential = try await world.digits(to: number, from: auth)
        let error = await authError("the new owner of the number is signed in to the account") {
            try await auth.signIn(with: credential)
        }
        XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential)
    }

    /// Eve's line says that Ann verifies her address a year later, in a session of Eve's methods.
    func testACoverageFromTheFutureCoversNoMethodByEvidenceThatBeginsLater() async throws {
        let (old, new) = (World(.standard), World(.standard))
        let user = try await old.device("eve").signUp(email: "ann@example.com", password: "eves password").user
        try await user.link(with: old.credential(.gitHub, .eve))
        let accounts = try await old.accounts()
        var account = try XCTUnwrap(accounts.first)
        let mail = Evidence.Subject.email(try XCTUnwrap(account.email))
        for index in account.methods.indices {
            account.methods[index].coverage = [
                Evidence.Verification(mail, at: new.clock.timestamp + .seconds(365 * 86_400))
            ]
        }
        var options = ImportOptions()
        options.trustedForJoin = true
        let report = try await new.bring([Samples.line(account)], options: options)
        XCTAssertEqual(report.created, 1, "accounts that were made")
        new.clock.advance(by: .seconds(86_400))
        let password = AuthCredential.password(email: "ann@example.com", password: "eves password")
        try await new.device("eve").signIn(with: password).user.sendEmailVerification()
        let ann = new.device("ann")
        try await ann.applyActionCode(new.newestCode)
        try await ann.sendSignInLink(to: "ann@example.com")
        let link = AuthCredential.emailLink(email: "ann@example.com", link: new.newestCode)
        let error = await authError("Ann's link opened Eve's account") { try await ann.signIn(with: link) }
        XCTAssertEqual(error?.reason, .methodsAreNotCovered, "what is said of Eve's methods")
    }

    func testS39_AnAccountReservesTheAddressThatItsLineCallsVerifiedOrThatItsPasswordStandsUnder() async throws {
        let mail = try XCTUnwrap(EmailAddress("ann@example.com"))
        let claims: [(String, (inout Account) -> Void)] = [
            ("a verified address", { $0.note(.email(mail), .mailboxCode, at: $0.createdAt) }),
            ("a mailed link", { _ = $0.add(.emailLink, at: $0.createdAt) }),
            ("a password", { _ = $0.add(.password(PasswordHash(tagged: "$cheap$AAAA$BBBB")), at: $0.createdAt) }),
        ]
        for (name, claim) in claims {
            var account = try Samples.account("mallory", email: mail.text)
            account.reservesEmail = false
            claim(&account)
            let line = try Samples.line(account)
            let world = World(.standard)
            _ = try await world.verifiedUser(mail.text, in: world.device())
            let report = try await world.bring([line])
            XCTAssertEqual(report.created, 0, "\(name): a file made a second owner of the address")
            guard case .conflict(.primaryEmail, _)? = report.problems.first?.kind else {
                XCTFail("\(name): the conflict is not named")
                continue
            }
            let empty = World(.standard)
            _ = try await empty.bring([line])
            let accounts = try await empty.accounts()
            XCTAssertEqual(accounts.map(\.reservesEmail), [true], "\(name): another account can take the address")
        }
    }

    // MARK: Hashes

    private static let costly =
        "$authcore1$pbkdf2-sha256$10000000$AAAAAAAAAAAAAAAAAAAAAA$" + String(repeating: "A", count: 43)

    private static let hashes = [
        "$2b$12$abcdefghijklmnopqrstuu1234567890123456789012345678901", "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA",
        "$authcore1$y$jFT$aaaa$" + String(repeating: "a", count: 43), "plain text", "", costly,
    ]

    private func line(_ id: String, _ hash: String) throws -> String {
        var account = try Samples.account(id, email: "\(id)@example.com")
        _ = account.add(.password(PasswordHash(tagged: hash)), at: account.createdAt)
        return try Samples.line(account)
    }

    func testAT31_AHashThatCannotBeCheckedHereIsReportedAndTheAccountComesInWithoutIt() async throws {
        let world = World(.standard) { $0.passwordHasher = StandardPasswordHasher(yescryptCost: 1, iterations: 1000) }
        let told = Notebook<UnverifiablePassword>()
        let lines = try Self.hashes.enumerated().map { try line("person\($0)", $1) }
        let report = try await world.service.importAccounts(
            Stream.of(lines),
            progress: nil,
            onUnverifiablePassword: { told.note($0) }
        )
        XCTAssertEqual(report.created, lines.count)
        XCTAssertEqual(report.unverifiablePasswordCount, lines.count)
        XCTAssertEqual(report.unverifiablePasswords.map(\.hash), Self.hashes)
        XCTAssertEqual(told.entries, report.unverifiablePasswords)
        let accounts = try await world.accounts()
        XCTAssertTrue(accounts.allSatisfy { $0.passwordHash == nil })
    }

    func testAT31_AnImportedHashIsNoOracleAndItsOwnerResetsThePassword() async throws {
        let world = World(.standard) { $0.passwordHasher = StandardPasswordHasher(yescryptCost: 1, iterations: 1000) }
        _ = try await world.bring([try line("ann", Self.costly), try line("ben", "$2b$12$abc")])
        let auth = world.device()
        for email in ["ann@example.com", "ben@example.com", "nobody@example.com"] {
            let error = await authError(email) {
                try await auth.signIn(with: .password(email: email, password: "guess"))
            }
            XCTAssertEqual(error?.code, .invalidCredential, email)
            XCTAssertEqual(error?.reason, .credentialIsWrong, email)
        }
        try await auth.sendPasswordReset(to: "ann@example.com")
        try await auth.confirmPasswordReset(code: world.newestCode, newPassword: "battery staple")
        let user = try await auth.signIn(with: .password(email: "ann@example.com", password: "battery staple")).user
        XCTAssertEqual(user.uid, "ann")
    }

    func testAT31_AHashThatBecameUncheckableAnswersAsAWrongPasswordAndOperatorsAreTold() async throws {
        let world = World(.standard)
        let ann = try await world.device().signUp(email: "ann@example.com", password: "correct horse").user
        let moved = AuthService(
            AuthConfiguration(
                store: world.store,
                passwordHasher: StandardPasswordHasher(yescryptCost: 1, iterations: 1000),
                environment: .manual(world.clock)
            )
        )
        let auth = Auth(service: moved, device: "tablet")
        for password in ["correct horse", "wrong horse"] {
            let error = await authError {
                try await auth.signIn(with: .password(email: "ann@example.com", password: password))
            }
            XCTAssertEqual(error?.code, .invalidCredential)
            XCTAssertEqual(error?.reason, .credentialIsWrong)
        }
        let told = moved.refusals().first { $0.reason == .passwordCannotBeChecked }
        XCTAssertEqual(told?.account, ann.account.id)
    }
}

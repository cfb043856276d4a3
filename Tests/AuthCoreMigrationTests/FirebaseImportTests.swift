@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import Foundation
import XCTest

final class FirebaseImportTests: LimitedTestCase {
    // MARK: What a file says

    func testEverythingThatAFileSaysComesIn() async throws {
        let world = World()
        let report = try await world.bring(users: [FirebaseSample.everything])
        XCTAssertEqual(report.created, 1)
        XCTAssertEqual(report.problems, [])
        XCTAssertTrue(report.isComplete)
        let created = Timestamp(milliseconds: 1_700_000_000_123)
        let seen = Timestamp(seconds: 1_766_620_800)
        let email = try XCTUnwrap(EmailAddress("ann@example.com"))
        let number = try XCTUnwrap(PhoneNumber("+15550001234"))
        let account = try await world.service.account("ann-1")
        XCTAssertEqual(account.email, email)
        XCTAssertTrue(account.reservesEmail)
        XCTAssertEqual(account.displayName, "Ann \"{[,]}\" Archer")
        XCTAssertEqual(account.photoURL, "https://example.com/ann.jpg")
        XCTAssertEqual(account.createdAt, created)
        XCTAssertEqual(account.customClaims, ["role": "captain", "level": 3])
        XCTAssertFalse(account.isDisabled)
        XCTAssertFalse(account.isAnonymous)
        XCTAssertEqual(account.methods.map(\.kind.methodKind), [.federated, .federated, .phone, .emailLink])
        XCTAssertEqual(account.methods.map(\.addedAt), Array(repeating: created, count: 4))
        XCTAssertTrue(account.methods.allSatisfy(\.coverage.isEmpty))
        XCTAssertEqual(account.phoneNumber, number)
        XCTAssertEqual(
            account.identities.map(\.key),
            [
                Identity.Key(issuer: "https://accounts.google.com", subject: "10001"),
                Identity.Key(issuer: "github.com", subject: "77"),
            ]
        )
        XCTAssertEqual(account.identities.map(\.email?.text), ["ann@gmail.com", nil])
        XCTAssertEqual(account.identities.map(\.displayName), ["Ann A.", nil])
        XCTAssertEqual(account.identities.map(\.photoURL), ["https://example.com/google.jpg", nil])
        XCTAssertEqual(account.identities.map(\.username), [nil, "annie"])
        XCTAssertEqual(account.factors.map(\.phoneNumber?.text), ["+15550009999"])
        XCTAssertEqual(account.factors.map(\.displayName), ["work phone"])
        XCTAssertEqual(account.factors.map(\.enrolledAt), [Timestamp(milliseconds: 1_714_979_289_123)])
        XCTAssertEqual(account.evidence.map(\.subject), [.phone(number), .email(email)])
        XCTAssertEqual(account.evidence.map(\.source), Array(repeating: .imported(trusted: false), count: 2))
        XCTAssertEqual(account.evidence.map(\.lastAt), [seen, seen])
        let snapshot = try await world.store.load([.account(account.id)])
        XCTAssertEqual(snapshot.lastSignIn(of: account.id), seen)
        let lines = try await world.exportedLines()
        let line = try XCTUnwrap(lines.first)
        XCTAssertEqual(try Store.RecordCoder().decode(Account.self, from: Array(line.utf8)), account)
    }

    /// The service's own hasher checks what the option makes of Firebase's hashes.
    func testPasswordsThatTheServiceCanCheckAreImported() async throws {
        let world = World()
        let hash = try await CheapPasswordHasher().hash("correct horse")
        var options = ImportOptions()
        options.passwordHash = { password in
            switch password.account {
            case "b": hash
            case "c": PasswordHash(tagged: "$other$\(password.hash)")
            default: nil
            }
        }
        let report = try await world.service.importFirebaseExport(
            FirebaseSample.file(
                ["a", "b", "c"].map {
                    FirebaseSample.user(
                        $0,
                        "\"email\":\"\($0)@example.com\",\"emailVerified\":\($0 == "b")",
                        FirebaseSample.password
                    )
                }
            ),
            options: options
        )
        XCTAssertEqual(report.created, 3)
        XCTAssertEqual(report.unverifiablePasswords.map(\.account), ["a", "c"], "what cannot be checked")
        XCTAssertEqual(report.unverifiablePasswords.map(\.hash), ["aGFzaA==", "aGFzaA=="], "as in the file")
        XCTAssertEqual(report.unverifiablePasswords.map(\.salt), ["c2FsdA==", "c2FsdA=="], "as in the file")
        let left = try await world.service.account("c").methods.map(\.kind.methodKind)
        XCTAssertEqual(left, [.emailLink], "what signs in where the password cannot be checked")
        let client = world.service.client(for: nil, origin: .local)
        let user = try await client.signIn(with: .password(email: "b@example.com", password: "correct horse")).user
        XCTAssertEqual(user.uid, "b")
        XCTAssertEqual(user.account.methods.map(\.kind.methodKind), [.password, .emailLink])
    }

    func testPasswordsAreReportedAndNotLost() async throws {
        let world = World()
        let told = Notebook<UnverifiablePassword>()
        var options = ImportOptions()
        options.reportLimit = 1
        let file = FirebaseSample.file([
            FirebaseSample.everything, FirebaseSample.user("b", #""email":"b@example.com""#, FirebaseSample.password),
            FirebaseSample.user("c", #""email":"c@example.com","passwordHash":"eA==""#),
        ])
        let report = try await world.service.importFirebaseExport(
            file,
            options: options,
            onUnverifiablePassword: { told.note($0) }
        )
        XCTAssertEqual(report.unverifiablePasswordCount, 3)
        XCTAssertEqual(report.unverifiablePasswords.count, 1)
        XCTAssertEqual(told.entries.map(\.account), ["ann-1", "b", "c"])
        XCTAssertEqual(told.entries.map(\.hash), ["aGFzaCBvZiBubyBwYXNzd29yZA==", "aGFzaA==", "eA=="])
        XCTAssertEqual(told.entries.map(\.salt), ["c2FsdA==", "c2FsdA==", nil])
        XCTAssertEqual("\(told.entries[0])", "UnverifiablePassword(ann-1)")
        var shown = ""
        dump(report, to: &shown)
        XCTAssertFalse(shown.contains("aGFzaCBvZiBubyBwYXNzd29yZA"))
        let accounts = try await world.accounts()
        XCTAssertTrue(accounts.allSatisfy { $0.passwordMethod == nil && $0.reservesEmail })
        let again = try await world.service.importFirebaseExport(file)
        XCTAssertEqual(again.existing, 3)
        XCTAssertEqual(again.unverifiablePasswordCount, 3)
        let after = try await world.accounts()
        XCTAssertEqual(after, accounts)
    }

    func testAnAccountIsNotImportedWithoutItsSecondFactor() async throws {
        let world = World()
        let report = try await world.bring(
            users: [
                FirebaseSample.user("app", #""mfaInfo":[{"mfaEnrollmentId":"t","totpInfo":{}}]"#),
                FirebaseSample.user("half", #""mfaInfo":[{"phoneInfo":"+15550009999"},{"phoneInfo":"+*******9998"}]"#),
                FirebaseSample.user("strange", #""mfaInfo":{}"#), FirebaseSample.user("none", #""mfaInfo":[]"#),
                FirebaseSample.user("phone", #""mfaInfo":[{"phoneInfo":"+15550009999"}]"#),
            ]
        )
        XCTAssertEqual(report.problems.map(\.kind), Array(repeating: .unsound("mfaInfo"), count: 3))
        XCTAssertEqual(report.problems.map(\.account?.text), ["app", "half", "strange"])
        let imported = try await world.accounts().map(\.id.text).sorted()
        XCTAssertEqual(imported, ["none", "phone"], "the accounts whose factors all came along")
    }

    func testWhatAnAccountCannotHoldIsNamed() async throws {
        let world = World()
        var options = ImportOptions()
        options.leavesOutFactors = true
        let report = try await world.bring(
            users: [
                FirebaseSample.user(
                    "a",
                    #""email":"not an address","phoneNumber":"555","createdAt":"soon","photoUrl":7,"tenantId":"t""#,
                    #""customAttributes":"{\"role\":\"x\",\"sub\":\"y\",\"aud\":\"z\"}","salt":null"#,
                    #""providerUserInfo":[{"providerId":"github.com"},{"providerId":"anonymous","rawId":"1"},7]"#,
                    #""mfaInfo":[{"mfaEnrollmentId":"t","totpInfo":{}},{"phoneInfo":"+*******9999"}]"#
                ),
                FirebaseSample.user("b", #""customAttributes":"nonsense","mfaInfo":{},"emailVerified":"yes""#),
            ],
            options: options
        )
        XCTAssertEqual(report.created, 2)
        XCTAssertEqual(report.failed, 0)
        let named = report.problems.map { problem -> String in
            guard case .leftOut(let part) = problem.kind, let account = problem.account else { return "?" }
            return "\(problem.line) \(account) \(part)"
        }
        XCTAssertEqual(
            named.sorted(),
            [
                "1 a createdAt", "1 a customAttributes.aud", "1 a customAttributes.sub", "1 a email", "1 a mfaInfo[0]",
                "1 a mfaInfo[1]", "1 a phoneNumber", "1 a photoUrl", "1 a providerUserInfo[0]",
                "1 a providerUserInfo[1]", "1 a providerUserInfo[2]", "1 a tenantId", "2 b customAttributes",
                "2 b emailVerified", "2 b mfaInfo",
            ]
        )
        let account = try await world.service.account("a")
        XCTAssertEqual(account.customClaims, ["role": "x"])
        XCTAssertEqual(account.createdAt, world.clock.timestamp)
        XCTAssertFalse(account.isAnonymous)
    }

    func testAFactorWithoutNameOrDateIsAsOldAsItsAccountAndClaimsMayBeAnObject() async throws {
        let world = World()
        let report = try await world.bring(
            users: [
                FirebaseSample.user(
                    "a",
                    #""createdAt":"1700000000123","customAttributes":{"role":"captain"}"#,
                    #""mfaInfo":[{"phoneInfo":"+15550009999"},{"phoneInfo":"+15550009998"}]"#
                )
            ]
        )
        XCTAssertEqual(report.problems, [])
        let account = try await world.service.account("a")
        XCTAssertEqual(account.customClaims, ["role": "captain"])
        XCTAssertEqual(account.factors.map(\.enrolledAt), [account.createdAt, account.createdAt])
        XCTAssertEqual(Set(account.factors.map(\.id)).count, 2)
    }

    func testUsersThatCannotBeReadDoNotStopTheOthers() async throws {
        let world = World()
        let report = try await world.bring(
            users: [
                "7", FirebaseSample.user(""), "{}", FirebaseSample.user("shut", #""disabled":"true""#),
                FirebaseSample.user("guest"), FirebaseSample.user("off", #""disabled":true"#),
            ]
        )
        XCTAssertEqual(report.problems.map(\.kind), [.unreadable, .unreadable, .unreadable, .unsound("disabled")])
        XCTAssertEqual(report.problems.map(\.line), [1, 2, 3, 4])
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts.map(\.id), ["guest", "off"])
        XCTAssertEqual(accounts.map(\.isAnonymous), [true, true])
        XCTAssertEqual(accounts.map(\.isDisabled), [false, true])
    }

    func testAFileThatEndsEarlyIsReportedAndGoesOnLater() async throws {
        let world = World()
        let people = (0..<5).map { FirebaseSample.user("p\($0)") }
        let file = FirebaseSample.file(people)
        let cut = try XCTUnwrap(file.indices.reversed().first { file[$0] == UInt8(ascii: "}") }) - 5
        let report = try await world.service.importFirebaseExport(Stream.of([Array(file[..<cut])]))
        XCTAssertFalse(report.isComplete)
        XCTAssertEqual(report.problems.map(\.kind), [.incompleteFile])
        XCTAssertEqual(report.failed, 1, "the account that was cut off")
        XCTAssertEqual(report.created, 4)
        var options = ImportOptions()
        options.startAtLine = report.lines + 1
        let pieces = file.map { [$0] }
        let rest = try await world.service.importFirebaseExport(Stream.of(pieces), options: options)
        XCTAssertEqual(rest.created, 1)
        XCTAssertEqual(rest.existing, 0, "users before the line at which the import starts")
        XCTAssertTrue(rest.isComplete)
    }

    func testPiecesThatCannotBeReadOnEndTheImportWithAnErrorAndALastWordOfProgress() async throws {
        struct Failure: Error {}
        let world = World()
        let file = FirebaseSample.file([FirebaseSample.user("a"), FirebaseSample.user("b")])
        let broken = AsyncThrowingStream<[UInt8], any Error> { stream in
            stream.yield(Array(file.dropLast(10)))
            stream.finish(throwing: Failure())
        }
        let progress = Notebook<ImportProgress>()
        let error = await authError {
            try await world.service.importFirebaseExport(broken, progress: progress.note)
        }
        XCTAssertTrue(error?.cause is Failure)
        XCTAssertEqual(progress.entries.map(\.lines), [1])
        let accounts = try await world.accounts().map(\.id)
        XCTAssertEqual(accounts, ["a"])
    }

    func testClaimsThatAreTooLongAreLeftOut() async throws {
        let world = World()
        let long = String(repeating: "x", count: 1000)
        let report = try await world.bring(
            users: [FirebaseSample.user("a", #""customAttributes":"{\"role\":\"\#(long)\"}""#)]
        )
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("customAttributes")])
        let account = try await world.service.account("a")
        XCTAssertEqual(account.customClaims, [:])
    }

    func testIssuersAreTheAppsToSay() async throws {
        let world = World(providers: .simulated(and: ["oidc.acme"]))
        var options = ImportOptions()
        options.issuers["oidc.acme"] = SimulatedProvider.generic("oidc.acme").issuer
        let user = FirebaseSample.user("a", FirebaseSample.identity("oidc.acme", "42"))
        _ = try await world.bring(users: [user], options: options)
        let token = SimulatedToken(subject: "42", email: .absent)
        let result = try await world.device().signIn(with: world.credential("oidc.acme", .ann, saying: token))
        XCTAssertEqual(result.user.uid, "a")
    }

    func testTwoThousandUsersComeIn() async throws {
        let world = World()
        let people = (0..<2000).map { FirebaseSample.user("p\($0)", "\"email\":\"p\($0)@example.com\"") }
        let report = try await world.bring(users: people)
        XCTAssertEqual(report.created, 2000)
    }

    func testLinesThatAreSkippedCountInTheProgress() async throws {
        let world = World()
        let file = FirebaseSample.file(["a", "b", "c", "d"].map { FirebaseSample.user($0) })
        let progress = Notebook<ImportProgress>()
        var options = ImportOptions()
        options.progressInterval = 1
        options.startAtLine = 3
        _ = try await world.service.importFirebaseExport(file, options: options, progress: progress.note)
        XCTAssertEqual(progress.entries.map(\.lines), [1, 2, 3, 4, 4], "how far the import came, line by line")
    }

    func testTheImportOfAWholeFileTellsItsProgress() async throws {
        let world = World()
        let file = FirebaseSample.file([FirebaseSample.user("a"), FirebaseSample.user("b", #""tenantId":"t""#)])
        let progress = Notebook<ImportProgress>()
        _ = try await world.service.importFirebaseExport(file, progress: progress.note)
        XCTAssertEqual(progress.entries.map(\.lines), [2], "how far the import came")
        XCTAssertEqual(progress.entries.map(\.problems), [1], "a part that was left out is a problem")
    }

    func testAnImportThatStoppedAtAProblemIsNotComplete() async throws {
        var options = ImportOptions()
        options.stopsAtFirstProblem = true
        let users = [FirebaseSample.user("a", #""disabled":1"#), FirebaseSample.user("b")]
        let report = try await World().bring(users: users, options: options)
        XCTAssertEqual(report.lines, 1, "the users until the import stopped")
        XCTAssertFalse(report.isComplete, "an import that stopped before the end of the file")
    }

    func testAnImportThatStopsAtAProblemDoesNotStopAtAPartThatWasLeftOut() async throws {
        let world = World()
        var options = ImportOptions()
        options.stopsAtFirstProblem = true
        let users = [FirebaseSample.user("a", #""tenantId":"t""#), FirebaseSample.user("b")]
        let report = try await world.bring(users: users, options: options)
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("tenantId")], "the part that was left out")
        XCTAssertEqual(report.created, 2, "the accounts that were imported")
        XCTAssertTrue(report.isComplete, "the import stopped, although no account failed")
    }

    func testARepeatedImportNamesAgainWhatWasLeftOut() async throws {
        let world = World()
        let users = [FirebaseSample.user("a", #""tenantId":"t""#)]
        let first = try await world.bring(users: users)
        let again = try await world.bring(users: users)
        XCTAssertEqual(again.existing, 1, "the account that exists already")
        XCTAssertEqual(first.problems.map(\.kind), [.leftOut("tenantId")], "what the first import left out")
        XCTAssertEqual(again.problems, first.problems, "what the repeated import names")
    }
}

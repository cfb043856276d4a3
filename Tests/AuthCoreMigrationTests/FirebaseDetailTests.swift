@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreCrypto
import AuthCoreTesting
import XCTest

/// The members of a user that seldom occur, and the boundaries of what is read.
final class FirebaseDetailTests: LimitedTestCase {
    private func account(_ members: String..., in world: World = World()) async throws -> Account {
        let user = FirebaseSample.user("a", members.joined(separator: ","))
        let report = try await world.bring(users: [user])
        XCTAssertEqual(report.problems, [], "everything in \(user) is understood")
        return try await world.service.account("a")
    }

    // MARK: What counts as verified

    func testOnlyWhatTheFileCallsVerifiedMakesAnAccountVerified() async throws {
        let claimed = try await account(#""email":"a@example.com""#)
        XCTAssertFalse(claimed.wasEverVerified, "an address alone")
        XCTAssertEqual(claimed.evidence.map(\.subject), [], "an address alone is evidence of nothing")
        let denied = try await account(#""email":"a@example.com","emailVerified":false"#)
        XCTAssertFalse(denied.wasEverVerified, "an address that is not verified")
        let verified = try await account(#""email":"a@example.com","emailVerified":true"#)
        XCTAssertTrue(verified.wasEverVerified, "a verified address")
        let number = try await account(#""phoneNumber":"+15550001234""#)
        XCTAssertTrue(number.wasEverVerified, "a number, which is only there once verified")
        let nothing = try await account(#""emailVerified":true"#)
        XCTAssertFalse(nothing.wasEverVerified, "a flag without an address")
    }

    // MARK: Times

    func testAnAccountIsNeitherFromTheFutureNorLastSeenBeforeItBegan() async throws {
        let world = World()
        let now = world.clock.timestamp
        let late = now.milliseconds + 60_000
        let future = try await account(
            #""email":"a@example.com","emailVerified":true,"createdAt":"\#(late)","lastSignedInAt":"\#(late)""#,
            in: world
        )
        XCTAssertEqual(future.createdAt, now, "an account that the file says will be created")
        XCTAssertEqual(future.evidence.map(\.lastAt), [now], "an address that the file says will be used")
        let early = try await account(
            #""email":"a@example.com","emailVerified":true,"createdAt":"2000","lastSignedInAt":"1000""#
        )
        XCTAssertEqual(early.createdAt, Timestamp(milliseconds: 2000), "when it was created")
        XCTAssertEqual(early.evidence.map(\.lastAt), [early.createdAt], "a sign-in from before the account")
        let login = try await account(
            #""email":"a@example.com","emailVerified":true,"createdAt":"1000","lastLoginAt":"3000""#
        )
        XCTAssertEqual(
            login.evidence.map(\.lastAt),
            [Timestamp(milliseconds: 3000)],
            "the older name of the last sign-in"
        )
        let both = try await account(
            #""phoneNumber":"+15550001234","createdAt":"1000","lastSignedInAt":"2000","lastLoginAt":"3000""#
        )
        XCTAssertEqual(both.evidence.map(\.lastAt), [Timestamp(milliseconds: 2000)], "the newer name comes first")
        let unused = try await account(#""email":"a@example.com","emailVerified":true,"createdAt":"1000""#)
        XCTAssertEqual(unused.evidence.map(\.lastAt), [unused.createdAt], "an address that no sign-in has shown since")
    }

    func testAnAccountWithoutALastSignInCountsAsLastUsedAtTheImport() async throws {
        let world = World()
        let account = try await account(#""createdAt":"1000""#, in: world)
        let snapshot = try await world.store.load([.account(account.id)])
        XCTAssertEqual(snapshot.lastSignIn(of: account.id), world.clock.timestamp, "when it was last used")
    }

    // MARK: Methods

    func testANumberIsFoundWhereverTheFileHasIt() async throws {
        let listed = try await account(#""providerUserInfo":[{"providerId":"phone","phoneNumber":"+15550001111"}]"#)
        XCTAssertEqual(listed.phoneNumber?.text, "+15550001111", "in the list of providers")
        let raw = try await account(#""providerUserInfo":[{"providerId":"phone","rawId":"+15550002222"}]"#)
        XCTAssertEqual(raw.phoneNumber?.text, "+15550002222", "as the ID in the list of providers")
        let both = try await account(
            #""phoneNumber":"+15550003333","providerUserInfo":[{"providerId":"phone","phoneNumber":"+15550001111"}]"#
        )
        XCTAssertEqual(both.phoneNumber?.text, "+15550003333", "the user's own comes first")
        XCTAssertEqual(both.methods.map(\.kind.methodKind), [.phone], "and is the only method")
    }

    func testAFactorHasTheNumberThatIsNotMasked() async throws {
        let account = try await account(
            #""mfaInfo":[{"phoneInfo":"+15550001111","unobfuscatedPhoneInfo":"+15550002222","displayName":"work"}]"#
        )
        XCTAssertEqual(account.factors.map(\.phoneNumber?.text), ["+15550002222"])
        XCTAssertEqual(account.factors.map(\.displayName), ["work"])
    }

    func testAnAddressAloneMeansMailedLinksAndWithAnIdentityItDoesNot() async throws {
        let alone = try await account(#""email":"a@example.com""#)
        XCTAssertEqual(alone.methods.map(\.kind.methodKind), [.emailLink], "an address that nothing else explains")
        let identity = FirebaseSample.identity(.gitHub, "7")
        let linked = try await account(#""email":"a@example.com","emailVerified":true"#, identity)
        XCTAssertEqual(linked.methods.map(\.kind.methodKind), [.federated], "an address that the identity brought")
        let password = #""providerUserInfo":[{"providerId":"github.com","rawId":"7"},{"providerId":"password"}]"#
        let verified = try await account(#""email":"a@example.com","emailVerified":true"#, password)
        XCTAssertEqual(
            verified.methods.map(\.kind.methodKind),
            [.federated, .emailLink],
            "a password of another scheme is replaced by links to the verified address"
        )
        let unverified = try await account(#""email":"a@example.com","emailVerified":false"#, password)
        XCTAssertEqual(
            unverified.methods.map(\.kind.methodKind),
            [.federated],
            "nothing is sent to an address that is not verified and not the only way"
        )
    }

    func testTheAddressIsReservedForWhomItBelongsTo() async throws {
        let identity = FirebaseSample.identity(.gitHub, "7")
        func reserves(_ members: String..., policy: AuthPolicy = .standard) async throws -> Bool {
            let world = World(policy)
            let user = FirebaseSample.user("a", (members + [identity]).joined(separator: ","))
            _ = try await world.bring(users: [user])
            return try await world.service.account("a").reservesEmail
        }
        let claimed = try await reserves(#""email":"a@example.com""#)
        XCTAssertFalse(claimed, "an address that a provider only repeats")
        let verified = try await reserves(#""email":"a@example.com","emailVerified":true"#)
        XCTAssertTrue(verified, "a verified address")
        let hashed = try await reserves(#""email":"a@example.com""#, FirebaseSample.password)
        XCTAssertTrue(hashed, "the address of a password")
        let every = try await reserves(#""email":"a@example.com""#, policy: .firebase)
        XCTAssertTrue(every, "every address, where the policy says so")
        let none = try await reserves(#""displayName":"Ann""#)
        XCTAssertFalse(none, "no address")
    }

    func testEmptyTextsAreNoValues() async throws {
        let account = try await account(
            #""email":"","displayName":"","photoUrl":"","phoneNumber":"","passwordHash":"","customAttributes":"""#
        )
        XCTAssertNil(account.email, "no address")
        XCTAssertNil(account.displayName, "no name")
        XCTAssertNil(account.photoURL, "no picture")
        XCTAssertNil(account.phoneNumber, "no number")
        XCTAssertEqual(account.customClaims, [:], "no claims")
        XCTAssertTrue(account.isAnonymous, "an account with nothing by which to tell whose it is")
    }

    func testAnAccountThatHadAnAddressNumberOrProviderIsNoGuest() async throws {
        for (what, members, isGuest) in [
            ("an address that cannot be read", #""email":"none""#, false),
            ("a number that cannot be read", #""phoneNumber":"555""#, false),
            ("a provider that cannot be read", #""providerUserInfo":[{"providerId":"github.com"}]"#, false),
            ("a list without providers", #""providerUserInfo":[]"#, true),
            ("a name alone", #""displayName":"A""#, true),
        ] {
            let world = World()
            _ = try await world.bring(users: [FirebaseSample.user("a", members)])
            let account = try await world.service.account("a")
            XCTAssertEqual(account.isAnonymous, isGuest, what)
        }
    }

    func testAFactorHasTheSameIDInEveryImport() async throws {
        let account = try await account(
            #""mfaInfo":[{"mfaEnrollmentId":"0f1e","phoneInfo":"+15550001111"},{"phoneInfo":"+15550002222"}]"#
        )
        let ids = ["factor\u{0}a\u{0}0f1e\u{0}0", "factor\u{0}a\u{0}1\u{0}1"].map { name in
            SecondFactor.ID(bits: SHA256.hash(Array(name.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
        }
        XCTAssertEqual(account.factors.map(\.id), ids, "made of the account, the factor's own ID and its place")
    }

    func testAUserWhoIsRefusedIsNotListedForAPasswordThatCannotBeChecked() async throws {
        let world = World()
        let users = ["a", "b"].map { FirebaseSample.user($0, FirebaseSample.verified, FirebaseSample.password) }
        let report = try await world.bring(users: users)
        XCTAssertEqual(report.failed, 1, "two users with one address")
        XCTAssertEqual(report.unverifiablePasswords.map(\.account), ["a"], "whose passwords cannot be checked")
    }

    func testMethodsAreAsYoungAsTheYoungestFactorWhereverItIsListed() async throws {
        let (older, younger) = ("2023-01-01T00:00:00Z", "2024-05-06T07:08:09Z")
        for dates in [[older, younger], [younger, older]] {
            let factors = dates.enumerated().map { index, date in
                #"{"phoneInfo":"+1555000111\#(index)","enrolledAt":"\#(date)"}"#
            }
            let account = try await account(
                #""createdAt":"1000","phoneNumber":"+15550003333","mfaInfo":[\#(factors.joined(separator: ","))]"#
            )
            let youngest = account.factors.map(\.enrolledAt).max()
            XCTAssertEqual(account.methods.map(\.seniorSince), [try XCTUnwrap(youngest)], "\(dates)")
        }
    }

    func testMembersThatSayNothingOfAnAccountAreNoProblem() async throws {
        let account = try await account(
            #""disabled":false,"createdAt":"1000","lastSignedInAt":"2000","lastLoginAt":"3000","customAttributes":"{}""#,
            #""lastRefreshAt":"x","validSince":"1","passwordUpdatedAt":1,"version":0,"emailVerified":false"#,
            #""displayName":"Ann","photoUrl":"https://example.com/a.jpg","salt":"eA==","tenantId":null"#
        )
        XCTAssertEqual(account.displayName, "Ann")
        XCTAssertEqual(account.photoURL, "https://example.com/a.jpg")
    }

    func testANullIsNoValueAndNoProblem() async throws {
        let account = try await account(#""customAttributes":null,"createdAt":null,"lastSignedInAt":null"#)
        XCTAssertEqual(account.customClaims, [:], "the claims of a user without any")
    }

    func testAMirrorShowsWhoseUserOrPasswordItIs() throws {
        let password = UnverifiablePassword(account: "ann", hash: "h", salt: nil)
        XCTAssertEqual(password.customMirror.children.map(\.label), ["account"])
        var bytes = ArraySlice(FirebaseSample.file([FirebaseSample.user("a")]))
        var export = FirebaseExport()
        let user = try XCTUnwrap(export.nextUser(in: &bytes))
        XCTAssertEqual(user.customMirror.children.map(\.label), ["number"])
    }

    // MARK: Boundaries

    func testWithoutOptionsAThousandProblemsAreListedAndProgressIsToldEveryThousandLines() {
        let options = ImportOptions()
        XCTAssertEqual(options.progressInterval, 1000)
        XCTAssertEqual(options.reportLimit, 1000)
        XCTAssertEqual(options.startAtLine, 1)
        XCTAssertFalse(options.trustedForJoin)
        XCTAssertFalse(options.stopsAtFirstProblem)
        XCTAssertEqual(
            options.issuers,
            [
                .google: "https://accounts.google.com", .apple: "https://appleid.apple.com",
                .gitHub: "github.com", .facebook: "facebook.com",
            ]
        )
    }

    func testAPageOfAnExportHasAtLeastOneAccount() async throws {
        let store = FaultyStore()
        let world = World { $0.store = store }
        for number in 0..<3 { _ = try await world.device("phone \(number)").signInAnonymously() }
        let lines = try await world.exportedLines(pageSize: 0)
        XCTAssertEqual(lines.count, 3, "every account")
        XCTAssertEqual(store.calls(of: .accounts), 4, "one account in each page, and none in the last")
    }

    func testALineIsReadUpToTheLongestRecord() async throws {
        let line = try Samples.line(try Samples.account("a"))
        let padding = String(repeating: " ", count: Store.RecordCoder.sizeLimit - line.utf8.count)
        let longest = try await World().bring([line + padding])
        XCTAssertEqual(longest.created, 1, "a line as long as the longest record")
        let longer = try await World().bring([line + padding + " "])
        XCTAssertEqual(longer.problems.map(\.kind), [.unreadable], "a line that is longer by one byte")
    }

    func testAUserIsReadUpToAMebibyte() async throws {
        let rest = String(repeating: "x", count: (1 << 20) - FirebaseSample.user("a", #""version":"""#).utf8.count)
        let longest = FirebaseSample.user("a", "\"version\":\"\(rest)\"")
        XCTAssertEqual(longest.utf8.count, 1 << 20)
        for (user, problems) in [(longest, []), (longest + " ", [ImportProblem.Kind.unreadable])] {
            // In one line, since a blank after a user counts.
            let report = try await World().service.importFirebaseExport(Array("{\"users\":[\(user)]}".utf8))
            XCTAssertEqual(report.problems.map(\.kind), problems, "a user of \(user.utf8.count) bytes")
            XCTAssertEqual(report.created, problems.isEmpty ? 1 : 0, "the accounts of \(user.utf8.count) bytes")
        }
    }

    func testLinesThatCannotBeReadOnEndTheImportWithALastWordOfProgress() async throws {
        struct Failure: Error {}
        let line = try Samples.line(try Samples.account("a"))
        let broken = AsyncThrowingStream<String, any Error> { stream in
            stream.yield(line)
            stream.finish(throwing: Failure())
        }
        let progress = Notebook<ImportProgress>()
        let error = await authError {
            try await World().service.importAccounts(broken, progress: progress.note)
        }
        XCTAssertTrue(error?.cause is Failure, "the error of the lines")
        XCTAssertEqual(progress.entries.map(\.lines), [1], "how far the import came")
    }

    func testAFileThatIsGivenWholeEndsTheImport() async throws {
        let world = World()
        let ended = expectation(description: "an import of a whole file ends")
        let file = FirebaseSample.file([FirebaseSample.user("a")])
        let whole = Task {
            defer { ended.fulfill() }
            return try await world.service.importFirebaseExport(file)
        }
        await fulfillment(of: [ended], timeout: 30)
        whole.cancel()
        let report = try await whole.value
        XCTAssertEqual(report.created, 1, "the user in it")
    }

    func testOfTwoIdentitiesOfOneProviderTheSecondIsLeftOut() async throws {
        let world = World()
        let identities = #"{"providerId":"github.com","rawId":"7"},{"providerId":"github.com","rawId":"8"}"#
        let user = #"{"localId":"a","providerUserInfo":[\#(identities)]}"#
        let report = try await world.bring(users: [user])
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("providerUserInfo[1]")])
        let account = try await world.service.account("a")
        XCTAssertEqual(account.methods.compactMap(\.identity?.key.subject.text), ["7"], "the identities")
    }

    func testASubjectThatIsTooLongIsLeftOut() async throws {
        for (length, parts) in [(1024, []), (1025, [ImportProblem.Kind.leftOut("providerUserInfo[0]")])] {
            let identity = #"{"providerId":"github.com","rawId":"\#(String(repeating: "7", count: length))"}"#
            let user = #"{"localId":"a","email":"a@example.com","providerUserInfo":[\#(identity)]}"#
            let report = try await World().bring(users: [user])
            XCTAssertEqual(report.problems.map(\.kind), parts, "what is left out for a subject of \(length) bytes")
            XCTAssertEqual(report.created, 1, "the accounts that are made")
        }
    }

    func testAccountsOfOneAddressComeInWhereItMayHaveSeveral() async throws {
        for reservation in [AuthPolicy.AddressReservation.everyAddress, .verifiedAddress] {
            var policy = AuthPolicy.firebase
            policy.accountsPerEmail = .multiple
            policy.addressReservation = reservation
            let world = World(policy)
            let users = [("google.com", "1"), ("github.com", "2")].map { provider, subject in
                let identity = #"{"providerId":"\#(provider)","rawId":"\#(subject)"}"#
                return #"{"localId":"\#(subject)","email":"a@example.com","emailVerified":true,"#
                    + #""providerUserInfo":[\#(identity)]}"#
            }
            let report = try await world.bring(users: users)
            XCTAssertEqual(report.problems.map(\.kind), [], "problems where \(reservation) is reserved")
            XCTAssertEqual(report.created, 2, "the accounts that are made")
        }
    }

    func testATimeThatNoClockReachesIsLeftOut() async throws {
        let user = #"{"localId":"a","email":"a@example.com","createdAt":"9223372036854775807"}"#
        let report = try await World().bring(users: [user])
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("createdAt")], "what was left out")
    }
}

@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import Foundation
import XCTest

/// What people find who come back after their accounts were brought in from Firebase.
final class ImportedFirebaseAccountTests: LimitedTestCase {
    private static let policies: [(name: String, policy: AuthPolicy)] = [
        ("firebase", .firebase), ("standard", .standard),
    ]

    private func world(_ policy: AuthPolicy, _ users: String..., trusted: Bool = false) async throws -> World {
        let world = World(policy)
        var options = ImportOptions()
        options.trustedForJoin = trusted
        let report = try await world.bring(users: users, options: options)
        XCTAssertEqual(report.created, users.count)
        XCTAssertEqual(report.problemCount, 0)
        return world
    }

    func testAnIdentitySignsInToItsAccount() async throws {
        for (name, policy) in Self.policies {
            for provider in [ProviderID.google, .apple, .gitHub] {
                let subject = SimulatedPerson.ann.subject(at: provider)
                let user = FirebaseSample.user("a", FirebaseSample.verified, FirebaseSample.identity(provider, subject))
                let world = try await world(policy, user)
                let result = try await world.device().signIn(with: world.credential(provider))
                XCTAssertEqual(result.user.uid, "a", "\(name) \(provider)")
            }
        }
    }

    func testAnAddressThatOnlyMailedLinksCanHaveUsedIsReserved() async throws {
        let world = try await world(.standard, FirebaseSample.user("a", #""email":"ann@example.com""#))
        let account = try await world.service.account("a")
        XCTAssertEqual(account.methods.map(\.kind), [.emailLink], "how the account is signed in to")
        XCTAssertTrue(account.reservesEmail, "another sign-up takes the address")
    }

    func testANumberSignsInToItsAccount() async throws {
        for (name, policy) in Self.policies {
            let world = try await world(policy, FirebaseSample.user("a", #""phoneNumber":"+15550001234""#))
            let device = world.device()
            let result = try await device.signIn(with: try await world.digits(to: "+15550001234", from: device))
            XCTAssertEqual(result.user.uid, "a", name)
        }
    }

    func testAFactorIsAskedFor() async throws {
        let subject = SimulatedPerson.ann.subject(at: .google)
        let world = try await world(
            .standard,
            FirebaseSample.user(
                "a",
                FirebaseSample.verified,
                FirebaseSample.identity(.google, subject),
                #""mfaInfo":[{"mfaEnrollmentId":"f","phoneInfo":"+15550009999","enrolledAt":"1700000000000"}]"#
            )
        )
        let device = world.device()
        let error = await authError { try await device.signIn(with: world.credential(.google)) }
        let challenge = try XCTUnwrap(error?.secondFactor)
        let hint = try XCTUnwrap(challenge.hints.first)
        let id = try await world.service.client(for: "phone", origin: .unknown).sendPhoneCode(
            for: challenge,
            factor: hint.id
        )
        let result = try await device.resolve(challenge, with: .phone(verificationID: id, code: world.newestCode))
        XCTAssertEqual(result.user.uid, "a")
    }

    func testWhoHadAVerifiedAddressComesBackByMailWithEverything() async throws {
        for (name, policy) in Self.policies {
            let user = FirebaseSample.user(
                "a",
                FirebaseSample.verified,
                FirebaseSample.password,
                #""displayName":"Ann""#,
                FirebaseSample.identity(.gitHub, "77")
            )
            let linked = try await world(policy, user)
            let result = try await linked.openLink("ann@example.com")
            XCTAssertEqual(result.user.uid, "a", name)
            XCTAssertEqual(result.user.displayName, "Ann", name)
            XCTAssertEqual(result.user.account.identities.count, 1, name)

            let reset = try await world(policy, user)
            try await reset.device().sendPasswordReset(to: "ann@example.com")
            try await reset.device().confirmPasswordReset(code: reset.newestCode, newPassword: "correct horse")
            let back = try await reset.device().signIn(
                with: .password(email: "ann@example.com", password: "correct horse")
            )
            XCTAssertEqual(back.user.uid, "a", name)
            XCTAssertTrue(back.user.isEmailVerified, name)
            XCTAssertEqual(back.user.displayName, "Ann", name)
        }
    }

    func testWhoHadAnUnverifiedAddressComesBackByReset() async throws {
        for (name, policy) in Self.policies {
            let world = try await world(
                policy,
                FirebaseSample.user("a", FirebaseSample.unverified, FirebaseSample.password)
            )
            let isVerified = world.service.isEmailVerified(try await world.service.account("a"))
            XCTAssertFalse(isVerified)
            try await world.device().sendPasswordReset(to: "ann@example.com")
            try await world.device().confirmPasswordReset(code: world.newestCode, newPassword: "correct horse")
            let result = try await world.device().signIn(
                with: .password(email: "ann@example.com", password: "correct horse")
            )
            XCTAssertEqual(result.user.uid, "a", name)
        }
    }

    func testALinkDoesNotOpenAnAccountThatSomebodyElseMayHaveMade() async throws {
        let user = FirebaseSample.user(
            "eves",
            FirebaseSample.unverified,
            FirebaseSample.password,
            FirebaseSample.identity(.gitHub, "eve")
        )
        let world = try await world(.standard, user)
        let error = await authError { try await world.openLink("ann@example.com") }
        XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential)
    }

    func testAProvidersWordJoinsOnlyWhereTheFileIsVouchedFor() async throws {
        let ann = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let users = [
            FirebaseSample.user("a", #""email":"ann@gmail.com","emailVerified":true"#, FirebaseSample.password),
            FirebaseSample.user(
                "a",
                #""email":"ann@gmail.com","emailVerified":true"#,
                FirebaseSample.identity(.gitHub, "77")
            ),
        ]
        for user in users {
            let careful = try await world(.standard, user)
            let error = await authError { try await careful.device().signIn(with: careful.credential(.google, ann)) }
            XCTAssertEqual(error?.code, .accountExistsWithDifferentCredential)
            XCTAssertEqual(error?.reasons, [.ownerEvidenceIsNotFresh])

            let trusting = try await world(.standard, user, trusted: true)
            let account = try await trusting.service.account("a")
            XCTAssertEqual(account.evidence.map(\.source), [.imported(trusted: true)])
            let joined = try await trusting.device().signIn(with: trusting.credential(.google, ann))
            XCTAssertEqual(joined.user.uid, "a")

            let likeFirebase = try await world(.firebase, user)
            let result = try await likeFirebase.device().signIn(with: likeFirebase.credential(.google, ann))
            XCTAssertEqual(result.user.uid, "a")
            XCTAssertEqual(result.user.account.methods.count, 2)
        }
    }

    func testAnAccountWithoutAnyMethodIsNotJoinedEither() async throws {
        let world = World(.standard)
        var account = try Samples.account("a", email: "ann@gmail.com")
        account.note(.email(try XCTUnwrap(account.email)), .imported(trusted: false), at: world.clock.timestamp)
        account.wasEverVerified = true
        _ = try await world.bring([try Samples.line(account)])
        let ann = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let error = await authError { try await world.device().signIn(with: world.credential(.google, ann)) }
        XCTAssertEqual(error?.reasons, [.ownerEvidenceIsNotFresh])
    }

    func testATrustedWordIsAsOldAsTheLastSignIn() async throws {
        let user = FirebaseSample.user(
            "a",
            #""email":"ann@icloud.com","emailVerified":true,"createdAt":"1500000000000""#,
            #""lastSignedInAt":"1600000000000""#
        )
        let world = try await world(.standard, user, trusted: true)
        let ann = SimulatedPerson.ann.with(email: "ann@icloud.com")
        let error = await authError { try await world.device().signIn(with: world.credential(.apple, ann)) }
        XCTAssertEqual(error?.reasons, [.ownerEvidenceIsNotFresh])
        let result = try await world.openLink("ann@icloud.com")
        XCTAssertEqual(result.user.uid, "a")
    }

    /// Firebase's last sign-in is the last time that they typed a password, and an app refreshes its token for years.
    func testWhoDidNotSignInForLongHasTheWholeTimeFromTheImport() async throws {
        let world = World(.standard)
        let now = world.clock.timestamp.milliseconds
        let day: Int64 = 86_400_000
        let user = FirebaseSample.user(
            "a",
            #""email":"ann@example.com","emailVerified":false"#,
            #""createdAt":"\#(now - 400 * day)","lastSignedInAt":"\#(now - 60 * day)""#
        )
        _ = try await world.bring(users: [user])
        for (days, left) in [(0, 1), (29, 1), (1, 0)] {
            world.clock.advance(by: .seconds(Double(days) * 86_400))
            try await world.service.sweep()
            let accounts = try await world.accounts()
            XCTAssertEqual(accounts.count, left, "\(days) days later")
        }
    }

    /// The file says when a factor was enrolled, and never when an identity was linked.
    func testAMethodIsNotTakenForOlderThanASecondFactor() async throws {
        let world = try await world(
            .standard,
            FirebaseSample.user(
                "a",
                FirebaseSample.verified,
                FirebaseSample.identity(.gitHub, SimulatedPerson.ann.subject(at: .gitHub)),
                #""createdAt":"1500000000000""#,
                #""mfaInfo":[{"mfaEnrollmentId":"f","phoneInfo":"+15550009999","enrolledAt":"1600000000000"}]"#
            )
        )
        let accounts = try await world.accounts()
        let account = try XCTUnwrap(accounts.first)
        let enrolled = try XCTUnwrap(account.factors.first?.enrolledAt)
        XCTAssertEqual(enrolled, Timestamp(milliseconds: 1_600_000_000_000))
        XCTAssertTrue(account.methods.allSatisfy { $0.setAt >= enrolled }, "a method that may have been linked since")
    }

    func testADateOfAFactorThatCannotBeReadIsNamed() async throws {
        let world = World(.standard)
        let user = FirebaseSample.user(
            "a",
            FirebaseSample.verified,
            #""mfaInfo":[{"mfaEnrollmentId":"f","phoneInfo":"+15550009999","enrolledAt":"last year"}]"#
        )
        let report = try await world.bring(users: [user])
        XCTAssertEqual(report.problems.map(\.kind), [.leftOut("mfaInfo[0].enrolledAt")])
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts.map(\.factors.count), [1], "the factor itself is imported")
    }

    func testAUserOfCustomTokensIsOneAgainWithTheNextToken() async throws {
        let world = try await world(.standard, FirebaseSample.user("a"))
        let token = try await world.service.makeCustomToken(for: "a")
        let user = try await world.device().signIn(with: .customToken(token)).user
        XCTAssertEqual(user.uid, "a")
        XCTAssertFalse(user.isAnonymous)
        try await user.signOut()
        world.clock.advance(by: .seconds(400 * 86_400))
        try await world.service.sweep()
        let accounts = try await world.accounts()
        XCTAssertEqual(accounts.map(\.acceptsCustomTokens), [true], "the account is kept")
    }

    func testAUserOfCustomTokensWhoDoesNotComeBackInTimeIsRemovedUnlessThePolicySetsNoTime() async throws {
        for lifetime in [nil, Duration.seconds(30 * 86_400)] {
            var policy = AuthPolicy.standard
            policy.unverifiedLifetime = lifetime
            let world = try await world(policy, FirebaseSample.user("a"))
            world.clock.advance(by: .seconds(31 * 86_400))
            try await world.service.sweep()
            let token = try await world.service.makeCustomToken(for: "a")
            let user = try? await world.device().signIn(with: .customToken(token)).user
            XCTAssertEqual(user?.uid, lifetime == nil ? "a" : nil, "the lifetime is \(String(describing: lifetime))")
        }
    }

    func testAnAddressThatOnlyAProviderRepeatedIsShownUnderTheStandardPolicy() async throws {
        let user = FirebaseSample.user("a", FirebaseSample.unverified, FirebaseSample.identity(.facebook, "9"))
        let standard = try await world(.standard, user)
        let shown = try await standard.service.account("a")
        XCTAssertFalse(shown.reservesEmail)
        let firebase = try await world(.firebase, user)
        let own = try await firebase.service.account("a")
        XCTAssertTrue(own.reservesEmail)
    }

    func testOddTextsOfAnExportCostNoAccount() async throws {
        let line = FirebaseSample.user(
            "a",
            FirebaseSample.verified,
            #""displayName":"A\u0000""#,
            #""providerUserInfo":[{"providerId":"google.com","rawId":"1\n2"}]"#,
            #""mfaInfo":[{"mfaEnrollmentId":"f","phoneInfo":"+15550009999","unobfuscatedPhoneInfo":null,"#
                + #""displayName":"F\u0000"}]"#
        )
        let world = World(.standard)
        let report = try await world.bring(users: [line])
        XCTAssertEqual(
            report.problems.map(\.kind),
            ["displayName", "providerUserInfo[0]", "mfaInfo[0].displayName"].map { .leftOut($0) }
        )
        let account = try await world.accounts().first
        XCTAssertEqual(account?.factors.map(\.phoneNumber?.text), ["+15550009999"], "the factor of the account")
    }

    /// Some apps stored a whole picture there; it would be in every token.
    func testTextsThatAreTooLongAreLeftOutAndTheAccountIsImported() async throws {
        let longest = String(repeating: "x", count: 2048)
        let tooLong = longest + "x"
        let line = FirebaseSample.user(
            "a",
            FirebaseSample.verified,
            "\"photoUrl\":\"\(tooLong)\",\"displayName\":\"\(longest)\"",
            "\"providerUserInfo\":[{\"providerId\":\"google.com\",\"rawId\":\"\(longest.prefix(1024))\","
                + "\"photoUrl\":\"\(tooLong)\"},"
                + "{\"providerId\":\"github.com\",\"rawId\":\"\(tooLong)\"}]"
        )
        let world = World(.standard)
        let report = try await world.bring(users: [line])
        XCTAssertEqual(
            report.problems.map(\.kind),
            ["photoUrl", "providerUserInfo[0].photoUrl", "providerUserInfo[1]"].map { .leftOut($0) }
        )
        let accounts = try await world.accounts()
        let account = try XCTUnwrap(accounts.first)
        XCTAssertEqual(account.displayName?.utf8.count, 2048, "the length of the longest name that is kept")
        XCTAssertNil(account.photoURL, "the picture of the account")
        XCTAssertEqual(account.identities.map(\.provider), [.google])
    }
}

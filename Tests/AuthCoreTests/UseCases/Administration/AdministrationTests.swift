@testable import AuthCore
import AuthCoreTesting
import XCTest

final class AdministrationTests: LimitedTestCase {
    private let world = World(.firebase)

    func testAnAccountIsFoundByEverythingThatIsItsAlone() async throws {
        let auth = world.device()
        let ann = try await auth.signIn(with: world.google()).user
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        let key = Identity.Key(
            issuer: SimulatedProvider.google.issuer,
            subject: SimulatedPerson.ann.subject(at: .google)
        )
        let found = [
            try await world.service.account(ann.account.id), try await world.service.account(email: "ANN@example.com"),
            try await world.service.account(phoneNumber: "+15550001234"),
            try await world.service.account(identity: key),
        ]
        XCTAssertEqual(found.map { $0?.id }, Array(repeating: ann.account.id, count: 4))
        let nobody = [
            try await world.service.account(email: "nobody@example.com"),
            try await world.service.account(phoneNumber: "+15550009999"),
            try await world.service.account(identity: Identity.Key(issuer: "google.com", subject: "1")),
        ]
        XCTAssertEqual(nobody, [nil, nil, nil])
    }

    func testAnAccountWhoseTimeIsOverIsFoundByNothing() async throws {
        let world = World(.standard)
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.link(with: world.digits(to: "+15550001234", from: auth))
        try await ann.delete()
        world.clock.advance(by: .seconds(7 * 86_400))
        let byMail = try await world.service.account(email: "ann@example.com")
        XCTAssertNil(byMail, "the account with the address")
        let byNumber = try await world.service.account(phoneNumber: "+15550001234")
        XCTAssertNil(byNumber, "the account with the number")
    }

    /// Its administrator may enable it again, and the owner of the mailbox is told that it is disabled.
    func testADisabledAccountThatWasNeverVerifiedKeepsItsAddress() async throws {
        let world = World(.standard)
        let disabled = try await world.device("d").signUp(email: "ann@example.com", password: "a long password").user
        try await world.service.setDisabled(true, account: disabled.account.id)
        let auth = world.device("tablet")
        let user = try await auth.signIn(with: world.gitHub(.ben)).user
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        await assertThrows(.emailAlreadyInUse) { try await user.link(with: link) }
        let kept = try await world.storedAccount(disabled)
        XCTAssertEqual(kept?.email?.text, "ann@example.com", "the address of the disabled account")
        XCTAssertEqual(kept?.methods.count, 1, "its password")
    }

    func testADisabledAccountCanDoNothingUntilItIsEnabledAgain() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        let disabled = try await world.service.setDisabled(true, account: ann.account.id)
        XCTAssertTrue(disabled.isDisabled)
        let acts: [(String, () async throws -> Void)] = [
            ("sign in", { try await auth.signIn(with: World.annsPassword) }),
            ("reload", { try await ann.reload() }),
            ("link", { try await ann.link(with: self.world.facebook()) }),
            ("unlink", { try await ann.unlink(.password) }),
            ("profile", { try await ann.updateProfile(displayName: .set("Annie")) }),
            ("email", { try await ann.updateEmail(to: "new@example.com") }),
            ("verification", { try await ann.sendEmailVerification() }),
            ("sessions", { _ = try await ann.sessions() }),
            ("factor", { _ = try await ann.multiFactor.startTOTP(issuer: "Boats") }),
        ]
        for (name, act) in acts {
            try await world.refusal(.userDisabled, .accountIsDisabled, name) { try await act() }
        }
        try await world.service.setDisabled(false, account: ann.account.id)
        try await ann.reload()
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.suffix(2), [.accountDisabled, .accountEnabled])
    }

    func testDisablingTwiceIsToldOnce() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.service.setDisabled(true, account: ann.account.id)
        let count = try await world.eventKinds().count { $0 == .accountDisabled }
        XCTAssertEqual(count, 1)
    }

    func testClaimsThatAreSetTwiceAreToldOnce() async throws {
        let ann = try await world.signUpAnn()
        for attempt in ["first", "second"] {
            try await world.service.setCustomClaims(["role": "editor"], account: ann.account.id)
            let events = try await world.service.events(limit: .max).events.filter { $0.kind == .claimsChanged }
            XCTAssertEqual(events.map(\.actor), [.administrator], "who set claims, after the \(attempt) time")
        }
    }

    func testTheOwnerOfTheMailboxIsToldThatAnAdministratorDeletesTheAccount() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.deleteAccount(ann.account.id)
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .accountDeleted), "the notice of the deletion")
    }

    func testADisabledAccountIsNotSignedInToByItsIdentity() async throws {
        let ann = try await world.device().signIn(with: world.google()).user
        try await world.service.setDisabled(true, account: ann.account.id)
        try await world.refusal(.userDisabled, .accountIsDisabled) {
            try await world.device("tablet").signIn(with: world.google())
        }
    }

    func testADeletedAccountIsGoneForEverybody() async throws {
        let ann = try await world.signUpAnn()
        try await world.service.deleteAccount(ann.account.id)
        try await world.refusal(.userNotFound) { try await ann.reload() }
        try await world.refusal(.userNotFound) { try await world.service.account(ann.account.id) }
        try await world.refusal(.userNotFound) { try await world.service.deleteAccount(ann.account.id) }
    }

    func testRevokingEndsEverySessionOfTheAccountAndOfNobodyElse() async throws {
        let ann = try await world.signUpAnn()
        let other = try await world.device("tablet").signIn(with: World.annsPassword).user
        let ben = try await world.device("third").signIn(with: world.google(.ben)).user
        try await world.service.revokeSessions(of: ann.account.id)
        for user in [ann, other] { try await world.refusal(.userTokenExpired) { try await user.reload() } }
        try await ben.reload()
        try await world.device().signIn(with: World.annsPassword)
    }

    func testAnIdentityThatMovesToAnotherTenantKeepsWhatItVerified() async throws {
        let world = World(.standard)
        let tenants = ["a", "b"].map {
            SimulatedProvider(.microsoft, issuer: "https://login.microsoftonline.com/tenant-\($0)/v2.0")
        }
        // Only one of the tenants is known at a time, and answers for the addresses of the company.
        let services = tenants.enumerated().map { index, tenant in
            var configuration = world.service.configuration
            if case .authorities(let authorities) = configuration.policy.addressTrust {
                let pinned = authorities.pinning(["example.com"], of: tenant.issuer)
                configuration.policy.addressTrust = .authorities(pinned)
            }
            configuration.providers = AuthProviders([tenant])
            configuration.environment = .manual(world.clock, seed: UInt64(index + 2))
            return AuthService(configuration)
        }
        let before = services[0].client(world.context)
        let ann = try await before.signIn(with: tenants[0].credential(for: .ann, at: world.clock.now)).user
        XCTAssertTrue(ann.isEmailVerified)
        let key = try XCTUnwrap(ann.account.identities.first?.key)
        try await services[1].remap(from: key, to: Identity.Key(issuer: tenants[1].issuer, subject: key.subject.text))
        let after = services[1].client(world.context)
        let again = try await after.signIn(with: tenants[1].credential(for: .ann, at: world.clock.now)).user
        XCTAssertEqual(again.uid, ann.uid)
        XCTAssertTrue(again.isEmailVerified, "the address that the tenant answers for is not verified any more")
    }

    func testAnIdentityThatGetsAnotherSubjectIsAnEventAndNoNotice() async throws {
        let world = World(.standard)
        let ann = try await world.signUp("ann@example.com", linking: world.gitHub())
        let key = try XCTUnwrap(ann.account.identities.first?.key)
        let before = world.outbox.messages.count
        try await world.service.remap(from: key, to: Identity.Key(issuer: key.issuer.description, subject: "4711"))
        XCTAssertEqual(world.outbox.messages.dropFirst(before).map(\.kind), [])
        let kinds = try await world.eventKinds()
        XCTAssertEqual(kinds.last, .methodsChanged)
    }

    func testAnAdministratorRemovesTheFactorsOfAPersonWhoLostThem() async throws {
        for policy in [AuthPolicy.firebase, .standard] {
            let world = World(policy)
            let auth = world.device()
            let ann = try await world.signUpVerifiedAnn(auth)
            let seed = try await world.enrollTOTP(ann)
            _ = try await ann.multiFactor.makeRecoveryCodes()
            let pending = try await ann.multiFactor.startTOTP(issuer: "Boats")
            let challenge = try await world.passwordChallenge(in: world.device("desk"))
            let before = world.outbox.messages.count
            let account = try await world.service.removeFactors(of: ann.account.id)
            XCTAssertEqual(account.factors, [])
            XCTAssertEqual(account.recoveryCodes, [])
            let events = try await world.service.events(limit: .max).events
            XCTAssertEqual(events.last?.kind, .factorsChanged)
            XCTAssertEqual(events.last?.actor, .administrator)
            XCTAssertEqual(events.last?.reasons, [.administratorDecides])
            let notices: [Message.Kind] = policy.sendsNotices ? [.factorRemoved] : []
            XCTAssertEqual(world.outbox.messages.dropFirst(before).map(\.kind), notices)
            try await world.refusal(.userTokenExpired, .sessionIsOver, "a session") { try await ann.reload() }
            try await world.refusal(.invalidMultiFactorSession, .challengeIsOver, "a challenge") {
                try await world.device("desk").resolve(challenge, with: .totp(try world.totp(seed)))
            }
            let again = try await auth.signIn(with: World.annsPassword).user
            try await world.refusal(.invalidMultiFactorSession, .challengeIsOver, "a seed") {
                try await again.multiFactor.enroll(pending, code: try world.totp(pending))
            }
            let count = try await world.eventKinds().count
            try await world.service.removeFactors(of: ann.account.id)
            let after = try await world.eventKinds().count
            XCTAssertEqual(after, count, "an account without factors stays as it is")
            try await again.reload()
        }
    }

    func testPagesGoThroughEveryAccountOnceInOrder() async throws {
        var made: Set<AccountID> = []
        for index in 0..<23 {
            let user = try await world.device("\(index)").signUp(
                email: "p\(index)@example.com",
                password: World.password
            )
            .user
            made.insert(user.account.id)
        }
        for size in [1, 7, 23, 100] {
            var seen: [AccountID] = []
            while true {
                let page = try await world.service.accounts(after: seen.last, limit: size)
                if page.isEmpty { break }
                XCTAssertLessThanOrEqual(page.count, size)
                seen += page.map(\.id)
            }
            XCTAssertEqual(seen, made.sorted(), "\(size)")
        }
    }

    func testEventsAreReadInPagesWithoutGaps() async throws {
        for index in 0..<5 {
            try await world.device().signUp(email: "p\(index)@example.com", password: World.password)
        }
        var seen: [UInt64] = []
        while true {
            let page = try await world.service.events(after: .number(seen.last ?? 0), limit: 3)
            XCTAssertEqual(page.removed, .start)
            if page.events.isEmpty { break }
            seen += page.events.map(\.number)
        }
        XCTAssertEqual(seen, Array(1...10))
    }

    func testASweepRemovesWhatHasExpiredAndNothingElse() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await ann.sendEmailVerification()
        let live = try world.newestCode(to: "ann@example.com")
        _ = try await auth.sendPhoneCode(to: "+15550001234")
        world.clock.advance(by: .seconds(600))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.records, 1)
        XCTAssertEqual(report.sessions, 0)
        try await auth.applyActionCode(live)
        try await ann.reload()
    }

    func testAnAddressThatWasLeftFindsNoAccount() async throws {
        let world = World(.standard)
        let auth = world.device("phone")
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "ann@example.net")
        try await auth.applyActionCode(world.code(.changeEmail, to: "ann@example.net"))
        let left = try await world.service.account(email: "ann@example.com")
        XCTAssertNil(left, "the account has another address")
        let found = try await world.service.account(email: "ann@example.net")
        XCTAssertEqual(found?.id, ann.accountID)
    }

    func testADeletionIsCompletedThoughTheAccountIsDisabled() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await ann.delete()
        _ = try await world.service.setDisabled(true, account: ann.accountID)
        world.clock.advance(by: .seconds(30 * 86_400))
        try await world.service.sweep()
        let left = try await world.service.accounts(limit: .max)
        XCTAssertEqual(left.map(\.id), [])
    }

    func testCodesFromTheMailboxWorkAtADisabledAccountWhichStaysDisabled() async throws {
        let world = World(.standard)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: world.gitHub(.eve))
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("mail").sendPasswordReset(to: "ann@example.com")
        try await world.service.setDisabled(true, account: ann.account.id)
        let mail = world.device("mail")
        try await mail.reportUnauthorizedChange(code: world.code(.methodAdded, to: "ann@example.com"))
        let reported = try await world.storedAccount(ann)
        XCTAssertEqual(reported?.method(of: .gitHub)?.isActive, false, "the method that its owner reported")
        await assertThrows(.invalidActionCode, "a change that a session asked for before") {
            try await mail.applyActionCode(world.code(.changeEmail, to: "new@example.com"))
        }
        try await mail.sendPasswordReset(to: "ann@example.com")
        try await mail.confirmPasswordReset(
            code: world.code(.resetPassword, to: "ann@example.com"),
            newPassword: "another long word"
        )
        let account = try await world.storedAccount(ann)
        XCTAssertEqual(account?.isDisabled, true, "whether the account is still disabled")
        await assertThrows(.userDisabled, "the new password") {
            try await mail.signIn(with: .password(email: "ann@example.com", password: "another long word"))
        }
    }
}

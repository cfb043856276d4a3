@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What was never verified nor used goes after a while, and former addresses become free.
final class SweepTests: LimitedTestCase {
    private var world = World(.standard)

    func testAnUnverifiedUnusedAccountIsRemovedAfterThirtyDays() async throws {
        let auth = world.device()
        let ann = try await world.signUpAnn(auth)
        try await auth.signOut()
        world.clock.advance(by: .seconds(30 * 86400 - 1))
        let early = try await world.service.sweep()
        XCTAssertEqual(early.accounts, 0)
        world.clock.advance(by: .seconds(1))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 1)
        await assertThrows(.userNotFound) { try await self.world.account(ann) }
    }

    func testAnAccountInWhichSomebodyIsSignedInStays() async throws {
        let ann = try await world.signUpAnn()
        let guest = try await world.device("guest").signInAnonymously().user
        for _ in 0..<10 {
            world.clock.advance(by: .seconds(29 * 86400))
            for user in [ann, guest] { try await user.reload() }
            try await ann.reauthenticate(with: World.annsPassword)
        }
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 0)
        try await ann.reload()
        try await guest.reload()
    }

    func testAnAccountThatWasUsedIsLookedAtAgainOnlyWhenItIsDue() async throws {
        let auth = world.device()
        try await world.signUpAnn(auth)
        world.clock.advance(by: .seconds(86400))
        try await auth.signIn(with: World.annsPassword)
        try await auth.signOut()
        world.clock.advance(by: .seconds(29 * 86400))
        try await world.service.sweep()
        let due = try await world.service.accounts(dueBy: world.clock.timestamp, after: nil, limit: 10)
        XCTAssertEqual(due, [], "a sweep left an account due that it had looked at")
        // The session of the sign-up ends now, thirty days after its last use.
        world.clock.advance(by: .seconds(30 * 86400))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 1, "accounts removed thirty days after their last session")
    }

    func testAnImportIsAUseOfAnAccountOfWhichItTellsNone() async throws {
        var ann = Account(id: "ann", createdAt: world.clock.timestamp - .seconds(400 * 86400))
        ann.email = EmailAddress("ann@example.com")
        ann.reservesEmail = true
        _ = ann.add(.emailLink, at: ann.createdAt)
        _ = try await world.service.bring(ann, lastSignIn: nil, trustedForJoin: false)
        let early = try await world.service.sweep()
        XCTAssertEqual(early.accounts, 0)
        world.clock.advance(by: .seconds(30 * 86400))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 1)
    }

    func testOfAccountsThatCameInAndThatNobodyUsesThoseGoThatNobodyEverVouchedFor() async throws {
        var (plain, vouched) = (
            Account(id: "plain", createdAt: world.clock.timestamp),
            Account(id: "vouched", createdAt: world.clock.timestamp)
        )
        plain.email = EmailAddress("plain@example.com")
        let address = try XCTUnwrap(EmailAddress("vouched@example.com"))
        vouched.email = address
        vouched.note(.email(address), .imported(trusted: false), at: world.clock.timestamp)
        vouched.wasEverVerified = false
        for account in [plain, vouched] {
            let outcome = try await world.service.bring(account, lastSignIn: nil, trustedForJoin: false)
            XCTAssertEqual(outcome, .created)
        }
        world.clock.advance(by: .seconds(30 * 86400))
        let swept = try await world.service.sweep()
        XCTAssertEqual(swept.accounts, 1)
        let left = try await world.service.accounts().map(\.id)
        XCTAssertEqual(left, ["vouched"])
    }

    func testNothingIsDueOfAnAccountThatIsGone() async throws {
        let decision = try await world.service.decision(of: ExpireAccount(account: AccountID(bits: 9)))
        guard case .success(false) = decision.result else { return XCTFail("\(decision.result)") }
        XCTAssertTrue(decision.changes.isEmpty)
    }

    func testAVerifiedAccountStays() async throws {
        let auth = world.device()
        try await world.signUpVerifiedAnn(auth)
        try await auth.signOut()
        let other = world.device("tablet")
        try await other.signIn(with: world.gitHub(.ben))
        try await other.signOut()
        world.clock.advance(by: .seconds(300 * 86400))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 0)
    }

    func testFirebasesPolicySweepsNoAccounts() async throws {
        world.startOver(.firebase)
        let auth = world.device()
        try await world.signUpAnn(auth)
        try await auth.signOut()
        world.clock.advance(by: .seconds(300 * 86400))
        let report = try await world.service.sweep()
        XCTAssertEqual(report.accounts, 0)
    }

    func testASweepGoesThroughTheAccountsInPages() async throws {
        for number in 1...5 {
            let auth = world.device("\(number)")
            try await auth.signUp(email: "a\(number)@example.com", password: World.password)
            try await auth.signOut()
        }
        world.clock.advance(by: .seconds(30 * 86400))
        var gone = 0
        var pages = 0
        var report: Store.SweepReport
        repeat {
            report = try await world.service.sweep(limit: 2)
            gone += report.accounts
            pages += 1
        } while !report.isComplete
        XCTAssertEqual(gone, 5)
        XCTAssertEqual(pages, 3)
    }

    func testASweepFreesAFormerAddressOnceTheLockOfAMergeIsOver() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "anna@example.com")
        try await auth.applyActionCode(try world.newestCode(to: "anna@example.com"))
        var account = try await world.account(ann)
        let until = try XCTUnwrap(account.reservations.first?.until)
        var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
        account.version += 1
        account.mergeLock = Account.MergeLock(intent: OneTimeRecordID(bits: 1), until: until + .seconds(60))
        changes.accounts = [.update(account, expected: account.version - 1)]
        let outcome = try await world.store.commit(changes)
        XCTAssertTrue(outcome.isWritten, "the lock")
        world.clock.advance(by: .seconds((until - world.clock.timestamp) / .seconds(1)))
        for count in [1, 0] {
            try await world.service.sweep()
            let left = try await world.store.whole.load([.account(ann.account.id)])[ann.account.id]?.reservations
            XCTAssertEqual(left?.count, count, "former addresses after a sweep; the second is after the lock")
            world.clock.advance(by: .seconds(60))
        }
    }

    func testASweepCleansUpNoMoreAccountsThanItsLimit() async throws {
        try await world.bringUnverifiedAccounts(250)
        world.clock.advance(by: .seconds(31 * 86400))
        let report = try await world.service.sweep(limit: 150)
        XCTAssertEqual(report.accounts, 150, "accounts that one sweep removed")
        XCTAssertFalse(report.isComplete, "a sweep that left accounts says so")
    }

    func testASweepRemovesNoMoreRecordsThanItsLimit() async throws {
        for index in 0..<3 { _ = try await world.device().sendPhoneCode(to: "+1555000000\(index)") }
        world.clock.advance(by: .seconds(86_400))
        let report = try await world.service.sweep(limit: 2)
        XCTAssertEqual(report.records, 2, "codes that one sweep removed")
        XCTAssertFalse(report.isComplete, "a sweep that left codes says so")
    }

    func testASweepKeepsTheSessionOfAnAccountThatItDidNotLookAt() async throws {
        let tablet = world.device("tablet")
        try await tablet.signUp(email: "ben@example.com", password: World.password)
        try await tablet.signOut()
        world.clock.advance(by: .seconds(3600))
        let ann = try await world.signUpAnn()
        world.clock.advance(by: .seconds(25 * 86400))
        try await ann.reload()
        world.clock.advance(by: .seconds(31 * 86400))
        let first = try await world.service.sweep(limit: 1)
        XCTAssertEqual(first.accounts, 1, "the account of Ben, who signed out at once")
        XCTAssertFalse(first.isComplete, "a sweep that did not look at Ann's account says so")
        let second = try await world.service.sweep()
        XCTAssertEqual(second.accounts, 0, "the account of Ann, who was there a month ago, is removed")
    }

    func testAnAccountIsFoundByItsAddressWhenAFormerOneOfItsHasBecomeFree() async throws {
        let auth = world.device()
        let ann = try await world.signUpVerifiedAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await auth.applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
        let reservations = try await world.account(ann).reservations
        XCTAssertEqual(reservations.map(\.email.text), ["ann@example.com"], "addresses that are kept")
        world.clock.advance(by: .seconds(400 * 86400))
        let found = try await world.service.account(email: "new@example.com")
        XCTAssertEqual(found?.id, ann.accountID, "the account that has the address")
        XCTAssertEqual(found?.reservations, [], "the former address is not free")
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What was never proved nor used goes after a while, and former addresses become free.
final class SweepTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    func testAnAccountThatNobodyProvedNorUsesGoesAfterThirtyDays() async throws {
        let auth = seat()
        let ann = try await signUpAnn(auth)
        try await auth.signOut()
        clock.advance(by: 30 * 86400 - 1)
        let early = try await service.sweep()
        XCTAssertEqual(early.accounts, 0)
        clock.advance(by: 1)
        let report = try await service.sweep()
        XCTAssertEqual(report.accounts, 1)
        await assertThrows(.userNotFound) { try await self.account(ann) }
    }

    func testAnAccountInWhichSomebodyIsSignedInStays() async throws {
        let ann = try await signUpAnn()
        let guest = try await seat("guest").signInAnonymously().user
        clock.advance(by: 300 * 86400)
        let report = try await service.sweep()
        XCTAssertEqual(report.accounts, 0)
        try await ann.reload()
        try await guest.reload()
    }

    func testAnImportIsAUseOfAnAccountOfWhichItTellsNone() async throws {
        var ann = Account(id: "ann", createdAt: clock.timestamp - .seconds(400 * 86400))
        ann.email = EmailAddress("ann@example.com")
        ann.reservesEmail = true
        _ = ann.add(.emailLink, at: ann.createdAt)
        _ = try await service.bring(ann, lastSignIn: nil, trustedForJoin: false)
        let early = try await service.sweep()
        XCTAssertEqual(early.accounts, 0)
        clock.advance(by: 30 * 86400)
        let report = try await service.sweep()
        XCTAssertEqual(report.accounts, 1)
    }

    func testOfAccountsThatCameInAndThatNobodyUsesThoseGoThatNobodyEverVouchedFor() async throws {
        var (plain, vouched) = (
            Account(id: "plain", createdAt: clock.timestamp), Account(id: "vouched", createdAt: clock.timestamp)
        )
        plain.email = EmailAddress("plain@example.com")
        let address = try XCTUnwrap(EmailAddress("vouched@example.com"))
        vouched.email = address
        vouched.note(.email(address), .imported(trusted: false), at: clock.timestamp)
        vouched.wasEverProven = false
        for account in [plain, vouched] {
            let outcome = try await service.bring(account, lastSignIn: nil, trustedForJoin: false)
            XCTAssertEqual(outcome, .created)
        }
        clock.advance(by: 30 * 86400)
        let swept = try await service.sweep()
        XCTAssertEqual(swept.accounts, 1)
        let left = try await service.accounts().map(\.id)
        XCTAssertEqual(left, ["vouched"])
    }

    func testNothingIsDueOfAnAccountThatIsGone() async throws {
        let decision = try await service.decision(of: TidyAccount(account: AccountID(bits: 9)))
        guard case .success(.nothing) = decision.result else { return XCTFail("\(decision.result)") }
        XCTAssertTrue(decision.changes.isEmpty)
    }

    func testAProvenAccountStays() async throws {
        let auth = seat()
        try await signUpProvenAnn(auth)
        try await auth.signOut()
        let other = seat("tablet")
        try await other.signIn(with: gitHub(.ben))
        try await other.signOut()
        clock.advance(by: 300 * 86400)
        let report = try await service.sweep()
        XCTAssertEqual(report.accounts, 0)
    }

    func testFirebasesPolicySweepsNoAccounts() async throws {
        startOver(.firebase)
        let auth = seat()
        try await signUpAnn(auth)
        try await auth.signOut()
        clock.advance(by: 300 * 86400)
        let report = try await service.sweep()
        XCTAssertEqual(report.accounts, 0)
    }

    func testASweepGoesThroughTheAccountsInPages() async throws {
        for number in 1...5 {
            let auth = seat("\(number)")
            try await auth.signUp(email: "a\(number)@example.com", password: Self.password)
            try await auth.signOut()
        }
        clock.advance(by: 30 * 86400)
        var gone = 0
        var pages = 0
        var after: AccountID?
        repeat {
            let report = try await service.sweep(after: after, limit: 2)
            gone += report.accounts
            after = report.lastAccount
            pages += 1
        } while after != nil
        XCTAssertEqual(gone, 5)
        XCTAssertEqual(pages, 3)
    }

    func testAFormerAddressIsFreeAfterItsTimeEvenBeforeASweep() async throws {
        let auth = seat()
        let ann = try await signUpProvenAnn(auth)
        try await ann.sendEmailVerification(beforeUpdatingTo: "anna@example.com")
        try await auth.applyActionCode(try newestCode(to: "anna@example.com"))
        try await refusal(.emailAlreadyInUse) {
            try await seat("x").signUp(email: "ann@example.com", password: Self.password)
        }
        clock.advance(by: 14 * 86400)
        let newcomer = try await seat("x").signUp(email: "ann@example.com", password: Self.password)
        XCTAssertNotEqual(newcomer.user.uid, ann.uid)
    }
}

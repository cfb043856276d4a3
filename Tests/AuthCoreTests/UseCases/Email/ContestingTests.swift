@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Who may contest a change by the code of a notice, and what there is to contest beside methods.
final class ContestingTests: LimitedTestCase {
    private var world = World(.standard)

    private func code(_ kind: Message.Kind, to email: String = "ann@example.com") throws -> String {
        try XCTUnwrap(world.outbox.last(to: email, kind)?.code, "\(kind) to \(email)")
    }

    private func told(at email: String) -> [Message.Kind] {
        world.outbox.messages.filter { $0.kind.isNotice && "\($0.recipient)" == "email(\(email))" }.map(\.kind)
    }

    func testTheAddressThatARecoveryLeavesIsNotTold() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "thief@example.com")
        try await world.device("thief").applyActionCode(try code(.changeEmail, to: "thief@example.com"))
        XCTAssertEqual(told(at: "thief@example.com"), [.addressChanged])
        let moved = try code(.addressChanged, to: "thief@example.com")
        try await world.device("mail").applyActionCode(try code(.recoverEmail))
        XCTAssertEqual(told(at: "thief@example.com"), [.addressChanged])
        try await world.refusal(.invalidActionCode, .codeIsUnknown) {
            try await world.device("thief").reportUnauthorizedChange(code: moved)
        }
        XCTAssertEqual(told(at: "ann@example.com"), [.addressChanged])
    }

    func testADeletionIsToldAndCanBeContested() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        XCTAssertEqual(told(at: "ann@example.com"), [.deletionRequested])
        try await world.device("mail").reportUnauthorizedChange(code: try code(.deletionRequested))
        let kept = try await world.account(ann)
        XCTAssertNil(kept.deletedUntil)
        let events = try await world.service.events(limit: .max).events.suffix(2)
        XCTAssertEqual(events.map(\.kind), [.deletionCanceled, .sessionsRevoked])
        XCTAssertEqual(events.map(\.reasons), [[.ownerReportsChange], [.ownerReportsChange]])
        XCTAssertEqual(events.map(\.actor), [.unauthenticated, .unauthenticated], "who only has the mail")
        world.clock.advance(by: .seconds(30 * 86400))
        try await world.device("tablet").signIn(with: World.annsPassword)
    }

    /// A person who changed the address may also have asked for the deletion.
    func testARecoveredAddressTakesADeletionBack() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "thief@example.com")
        let thief = world.device("thief")
        try await thief.applyActionCode(try code(.changeEmail, to: "thief@example.com"))
        try await thief.signIn(with: .password(email: "thief@example.com", password: World.password)).user.delete()
        try await world.device("mail").applyActionCode(try code(.recoverEmail))
        let kept = try await world.account(ann)
        XCTAssertNil(kept.deletedUntil, "the account is still to be deleted")
        let taken = try await world.service.events(limit: .max).events.filter { $0.kind == .deletionCanceled }
        XCTAssertEqual(taken.map(\.account), [kept.id], "the deletion that was taken back is not told")
    }

    func testADeletionAfterAContestedOneIsAnother() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        let first = try code(.deletionRequested)
        world.clock.advance(by: .seconds(60))
        let again = try await world.device("tablet").signIn(with: World.annsPassword).user
        try await again.delete()
        try await world.device("mail").reportUnauthorizedChange(code: first)
        let kept = try await world.account(ann)
        XCTAssertNotNil(kept.deletedUntil)
    }

    func testADeletionForGoodIsToldWithoutACode() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.service.deleteAccount(ann.account.id)
        XCTAssertEqual(told(at: "ann@example.com"), [.accountDeleted])
        let message = try XCTUnwrap(world.outbox.last(to: "ann@example.com", .accountDeleted))
        XCTAssertEqual(message.code, "")
        XCTAssertNil(message.link)
        XCTAssertEqual(message.account, ann.account.id)
        let pending = try await world.service.store.pendingMessages(limit: 10)
        XCTAssertEqual(pending, [])
    }

    func testFirebaseTellsOfNoDeletion() async throws {
        world.startOver(.firebase)
        let ann = try await world.signUpVerifiedAnn()
        try await ann.delete()
        XCTAssertEqual(told(at: "ann@example.com"), [])
    }

    func testNewRecoveryCodesAreToldAndAreVoidOnceContested() async throws {
        let ann = try await world.signUpVerifiedAnn()
        let app = try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 3)
        XCTAssertEqual(told(at: "ann@example.com"), [.factorAdded, .recoveryCodesMade])
        try await world.device("mail").reportUnauthorizedChange(code: try code(.recoveryCodesMade))
        let kept = try await world.account(ann)
        XCTAssertEqual(kept.recoveryCodes, [])
        XCTAssertTrue(kept.factors.allSatisfy { $0.suspension == nil })
        let auth = world.device("tablet")
        let asked = try await world.passwordChallenge(in: auth)
        try await world.refusal(.invalidVerificationCode) {
            try await auth.resolve(asked, with: .recoveryCode(codes[0]))
        }
        try await auth.resolve(asked, with: .totp(try world.totp(app, steps: 1)))
    }

    func testRecoveryCodesThatStoodForThreeDaysAreNotTheMailboxsToTake() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        _ = try await ann.multiFactor.makeRecoveryCodes(count: 3)
        world.clock.advance(by: .seconds(72 * 3600))
        try await world.device("mail").reportUnauthorizedChange(code: try code(.recoveryCodesMade))
        let kept = try await world.account(ann)
        XCTAssertEqual(kept.recoveryCodes.count, 3)
    }

    func testWhereNobodyWaitsForLostFactorsAFactorIsContestedAsLongAsItsNoticeLasts() async throws {
        world.policy.factorRecoveryWait = nil
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(6 * 86400))
        try await world.device("mail").reportUnauthorizedChange(code: try code(.factorAdded))
        let kept = try await world.account(ann)
        XCTAssertTrue(kept.factors.allSatisfy { $0.suspension != nil })
    }

    func testCodesThatAReportVoidsWereNotUsed() async throws {
        for count in [1, 3] {
            world.startOver(.standard)
            let ann = try await world.signUpVerifiedAnn()
            try await world.enrollTOTP(ann)
            _ = try await ann.multiFactor.makeRecoveryCodes(count: count)
            let report = try code(.recoveryCodesMade)
            world.outbox.removeAll()
            try await world.device("mail").reportUnauthorizedChange(code: report)
            let kept = try await world.account(ann)
            XCTAssertEqual(kept.recoveryCodes, [], "the codes after the report")
            XCTAssertFalse(told(at: "ann@example.com").contains(.recoveryCodeUsed), "told of the use of \(count)")
        }
    }

    func testAUsedRecoveryCodeIsTold() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await world.enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 3)
        world.outbox.removeAll()
        let auth = world.device("tablet")
        let user = try await auth.resolve(try await world.passwordChallenge(in: auth), with: .recoveryCode(codes[0]))
            .user
        XCTAssertEqual(told(at: "ann@example.com"), [.recoveryCodeUsed])
        try await world.device("mail").reportUnauthorizedChange(code: try code(.recoveryCodeUsed))
        try await world.refusal(.userTokenExpired) { try await user.reload() }
        let kept = try await world.account(ann)
        XCTAssertEqual(kept.recoveryCodes.count, 2)
    }
}

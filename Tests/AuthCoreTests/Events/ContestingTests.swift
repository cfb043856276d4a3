@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Who may contest a change by the code of a notice, and what there is to contest beside methods.
final class ContestingTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    private func code(_ kind: MessageKind, to email: String = "ann@example.com") throws -> String {
        try XCTUnwrap(outbox.last(to: email, kind)?.code, "\(kind) to \(email)")
    }

    private func told(at email: String) -> [MessageKind] {
        outbox.messages.filter { $0.kind.isNotice && "\($0.recipient)" == "email(\(email))" }.map(\.kind)
    }

    func testTheAddressThatARecoveryLeavesIsNotTold() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.sendEmailVerification(beforeUpdatingTo: "thief@example.com")
        try await seat("thief").applyActionCode(try code(.changeEmail, to: "thief@example.com"))
        XCTAssertEqual(told(at: "thief@example.com"), [.addressChanged])
        let moved = try code(.addressChanged, to: "thief@example.com")
        try await seat("mail").applyActionCode(try code(.recoverEmail))
        XCTAssertEqual(told(at: "thief@example.com"), [.addressChanged])
        try await refusal(.invalidActionCode, .codeIsUnknown) {
            try await seat("thief").reportUnauthorizedChange(code: moved)
        }
        XCTAssertEqual(told(at: "ann@example.com"), [.addressChanged])
    }

    func testADeletionIsToldAndCanBeContested() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.delete()
        XCTAssertEqual(told(at: "ann@example.com"), [.deletionRequested])
        try await seat("mail").reportUnauthorizedChange(code: try code(.deletionRequested))
        let kept = try await account(ann)
        XCTAssertNil(kept.deletedUntil)
        let events = try await service.events(limit: .max).events.suffix(2)
        XCTAssertEqual(events.map(\.kind), [.deletionTakenBack, .sessionsRevoked])
        XCTAssertEqual(events.map(\.reasons), [[.ownerContestsChange], [.ownerContestsChange]])
        clock.advance(by: 30 * 86400)
        try await seat("tablet").signIn(with: Self.annsPassword)
    }

    func testADeletionAfterAContestedOneIsAnother() async throws {
        let ann = try await signUpProvenAnn()
        try await ann.delete()
        let first = try code(.deletionRequested)
        clock.advance(by: 60)
        let again = try await seat("tablet").signIn(with: Self.annsPassword).user
        try await again.delete()
        try await seat("mail").reportUnauthorizedChange(code: first)
        let kept = try await account(ann)
        XCTAssertNotNil(kept.deletedUntil)
    }

    func testADeletionForGoodIsToldWithoutACode() async throws {
        let ann = try await signUpProvenAnn()
        try await service.deleteAccount(ann.account.id)
        XCTAssertEqual(told(at: "ann@example.com"), [.accountDeleted])
        let message = try XCTUnwrap(outbox.last(to: "ann@example.com", .accountDeleted))
        XCTAssertEqual(message.code, "")
        XCTAssertNil(message.link)
        XCTAssertEqual(message.account, ann.account.id)
        let pending = try await service.store.pendingMessages(limit: 10)
        XCTAssertEqual(pending, [])
    }

    func testFirebaseTellsOfNoDeletion() async throws {
        startOver(.firebase)
        let ann = try await signUpProvenAnn()
        try await ann.delete()
        XCTAssertEqual(told(at: "ann@example.com"), [])
    }

    func testNewRecoveryCodesAreToldAndAreVoidOnceContested() async throws {
        let ann = try await signUpProvenAnn()
        let app = try await enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 3)
        XCTAssertEqual(told(at: "ann@example.com"), [.factorAdded, .recoveryCodesMade])
        try await seat("mail").reportUnauthorizedChange(code: try code(.recoveryCodesMade))
        let kept = try await account(ann)
        XCTAssertEqual(kept.recoveryCodes, [])
        XCTAssertTrue(kept.factors.allSatisfy { $0.suspension == nil })
        let auth = seat("tablet")
        let asked = try await passwordChallenge(in: auth)
        try await refusal(.invalidVerificationCode) { try await auth.resolve(asked, with: .recoveryCode(codes[0])) }
        try await auth.resolve(asked, with: .totp(try totp(app, steps: 1)))
    }

    func testRecoveryCodesThatStoodForThreeDaysAreNotTheMailboxsToTake() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        _ = try await ann.multiFactor.makeRecoveryCodes(count: 3)
        clock.advance(by: 72 * 3600)
        try await seat("mail").reportUnauthorizedChange(code: try code(.recoveryCodesMade))
        let kept = try await account(ann)
        XCTAssertEqual(kept.recoveryCodes.count, 3)
    }

    func testWhereNobodyWaitsForLostFactorsAFactorIsContestedAsLongAsItsNoticeLasts() async throws {
        policy.factorRecoveryWait = nil
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        clock.advance(by: 6 * 86400)
        try await seat("mail").reportUnauthorizedChange(code: try code(.factorAdded))
        let kept = try await account(ann)
        XCTAssertTrue(kept.factors.allSatisfy { $0.suspension != nil })
    }

    func testAUsedRecoveryCodeIsTold() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let codes = try await ann.multiFactor.makeRecoveryCodes(count: 3)
        outbox.removeAll()
        let auth = seat("tablet")
        let user = try await auth.resolve(try await passwordChallenge(in: auth), with: .recoveryCode(codes[0])).user
        XCTAssertEqual(told(at: "ann@example.com"), [.recoveryCodeUsed])
        try await seat("mail").reportUnauthorizedChange(code: try code(.recoveryCodeUsed))
        try await refusal(.userTokenExpired) { try await user.reload() }
        let kept = try await account(ann)
        XCTAssertEqual(kept.recoveryCodes.count, 2)
    }
}

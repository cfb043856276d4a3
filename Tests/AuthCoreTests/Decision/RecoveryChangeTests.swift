@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a recovery from lost factors and a report of the owner write besides the account.
final class RecoveryChangeTests: WrittenChangeTestCase {
    func testLostFactorsAreRemovedWithTheReasonAndTheRecord() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(60))
        try await world.enrollTOTP(ann)
        world.clock.advance(by: .seconds(86400))
        let auth = world.device()
        guard case .mailbox(let mailbox) = try await auth.verify(world.mailedLink(to: address, from: auth)).proof.claim
        else { return XCTFail("a mailed link proves no mailbox") }
        let begun = try await world.service.decision(
            of: RecoverFromLostFactors(mailbox: mailbox, other: nil),
            context: phone
        )
        XCTAssertEqual(begun.reasons, [.mailboxIsVerified])
        XCTAssertEqual(begun.changes.accounts.map(\.id), [ann.account.id], "what ends a recovery sees that one waits")
        XCTAssertEqual(begun.changes.events.map(\.kind), [.factorRecoveryBegun])
        let wait = Duration.seconds(72 * 3600)
        let expiry = begun.changes.records.compactMap { change -> Timestamp? in
            if case .put(let record) = change, record.purpose == .lostFactors { record.expiresAt } else { nil }
        }
        XCTAssertEqual(expiry, [world.clock.timestamp + wait * 2])
        XCTAssertTrue(begun.changes.records.contains(.consume(mailbox.record)))
        let older = try await auth.verify(World.annsPassword).proof
        let removed = try await world.service.decision(
            of: RecoverFromLostFactors(mailbox: mailbox, other: older),
            context: phone
        )
        XCTAssertEqual(removed.reasons, [.mailboxIsVerified, .factorsAreLost])
        XCTAssertTrue(removed.changes.records.contains(.consume(mailbox.record)))
        XCTAssertTrue(
            removed.changes.records.contains(.revokeAll(ann.account.id, [.factorChallenge, .totpSeed, .lostFactors]))
        )
        XCTAssertTrue(removed.changes.sessions.contains(.endAll(ann.account.id, except: nil)))
        XCTAssertEqual(try updated(removed.changes).factors, [])
    }

    func testAReportEndsWhatWasRequestedAndSaysWhatItKeeps() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updatePassword(to: "battery staple")
        let notice = try XCTUnwrap(world.outbox.last(to: address, .methodReplaced)?.code)
        let code = OneTimeRecordID.mailCode(notice)
        world.policy.disabledProviders = [.emailLink]
        let decision = try await world.service.decision(of: ReportUnauthorizedChange(code: code))
        XCTAssertNil(decision.refusal)
        XCTAssertEqual(decision.reasons.first, .ownerReportsChange)
        XCTAssertEqual(decision.changes.events.map(\.kind).last, .sessionsRevoked)
        XCTAssertTrue(decision.changes.records.contains(.consume(code)))
        XCTAssertTrue(decision.changes.sessions.contains(.endAll(ann.account.id, except: nil)))
        let all = OneTimeRecordChange.revokeAll(
            ann.account.id,
            [.verifyEmail, .changeEmail, .resetPassword, .factorChallenge, .totpSeed]
        )
        XCTAssertTrue(decision.changes.records.contains(all))
        XCTAssertEqual(try updated(decision.changes).passwordMethod?.suspension?.reason, .ownerReportsChange)
    }

    func testAReportThatWouldLeaveNoMethodSuspendsFactorsAndCodesOnly() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.updatePassword(to: "battery staple")
        let replaced = OneTimeRecordID.mailCode(try XCTUnwrap(world.outbox.last(to: address, .methodReplaced)?.code))
        try await world.enrollTOTP(ann)
        let enrolled = OneTimeRecordID.mailCode(try XCTUnwrap(world.outbox.last(to: address, .factorAdded)?.code))
        _ = try await ann.multiFactor.makeRecoveryCodes()
        let made = OneTimeRecordID.mailCode(try XCTUnwrap(world.outbox.last(to: address, .recoveryCodesMade)?.code))
        world.policy.disabledProviders = [.password, .emailLink]
        func kept(_ code: OneTimeRecordID) async throws -> Account {
            let decision = try await world.service.decision(of: ReportUnauthorizedChange(code: code))
            XCTAssertNil(decision.refusal)
            XCTAssertEqual(decision.reasons, [.ownerReportsChange, .methodIsTheLast])
            let account = try updated(decision.changes)
            XCTAssertEqual(account.methods.map(\.isActive), [true], "the last method is kept")
            return account
        }
        let withMethod = try await kept(replaced)
        XCTAssertEqual(withMethod.factors.map(\.suspension?.reason), [nil])
        XCTAssertFalse(withMethod.recoveryCodes.isEmpty)
        let withoutFactor = try await kept(enrolled)
        XCTAssertEqual(withoutFactor.factors.map(\.suspension?.reason), [.ownerReportsChange])
        let withoutCodes = try await kept(made)
        XCTAssertEqual(withoutCodes.recoveryCodes, [])
    }
}

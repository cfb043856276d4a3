@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S21: how somebody who lost all factors comes back in, and nobody else.
final class LostFactorTests: SecondFactorTestCase {
    override func setUp() {
        super.setUp()
        policy = .standard
    }

    private func ann() async throws -> User {
        let ann = try await signUpProvenAnn()
        clock.advance(by: 60)
        try await enrollTOTP(ann)
        clock.advance(by: 86400)
        return ann
    }

    func testTheMailboxAndAnOlderMethodTakeTheFactorsOffAtOnce() async throws {
        let ann = try await ann()
        let auth = seat("new phone")
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let answer = try await auth.recoverFromLostFactors(with: link.mailed, and: Self.annsPassword)
        XCTAssertEqual(answer, .removed)
        let back = try await auth.signIn(with: Self.annsPassword)
        XCTAssertEqual(back.user.uid, ann.uid)
        try await refusal(.userTokenExpired) { try await ann.reload() }
    }

    func testAPasswordThatWasResetByMailIsNotOlder() async throws {
        _ = try await ann()
        let thief = seat("thief of the mailbox")
        try await thief.sendPasswordReset(to: "ann@example.com")
        try await thief.confirmPasswordReset(
            code: try newestCode(to: "ann@example.com"),
            newPassword: "the thief's word"
        )
        let link = try await mailedLink(to: "ann@example.com", from: thief)
        let answer = try await service.client().recoverFromLostFactors(
            with: link.mailed,
            and: .password(email: "ann@example.com", password: "the thief's word")
        )
        XCTAssertEqual(answer, .waiting(until: clock.timestamp + .seconds(72 * 3600)))
        try await refusal(.secondFactorRequired) {
            try await thief.signIn(with: .password(email: "ann@example.com", password: "the thief's word"))
        }
    }

    func testTheMailboxAloneWaitsThreeDays() async throws {
        _ = try await ann()
        let auth = seat("new phone")
        let first = try await mailedLink(to: "ann@example.com", from: auth)
        let until = clock.timestamp + .seconds(72 * 3600)
        let begun = try await service.client().recoverFromLostFactors(with: first.mailed)
        XCTAssertEqual(begun, .waiting(until: until))
        clock.advance(by: 72 * 3600 - 1)
        let early = try await mailedLink(to: "ann@example.com", from: auth)
        let waiting = try await service.client().recoverFromLostFactors(with: early.mailed)
        XCTAssertEqual(waiting, .waiting(until: until))
        clock.advance(by: 1)
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let answer = try await service.client().recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(answer, .removed)
        try await auth.signIn(with: Self.annsPassword)
    }

    func testWhoComesTooLateWaitsOnceMore() async throws {
        _ = try await ann()
        let auth = seat("new phone")
        try await service.client().recoverFromLostFactors(
            with: try await mailedLink(to: "ann@example.com", from: auth).mailed
        )
        clock.advance(by: 2 * 72 * 3600)
        let late = try await mailedLink(to: "ann@example.com", from: auth)
        let answer = try await service.client().recoverFromLostFactors(with: late.mailed)
        XCTAssertEqual(answer, .waiting(until: clock.timestamp + .seconds(72 * 3600)))
        clock.advance(by: 72 * 3600)
        let link = try await mailedLink(to: "ann@example.com", from: auth)
        let removed = try await service.client().recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(removed, .removed)
    }

    func testASessionThatHoldsTheFactorEndsTheWaiting() async throws {
        let ann = try await ann()
        let thief = seat("thief of the mailbox")
        let first = try await mailedLink(to: "ann@example.com", from: thief)
        try await service.client().recoverFromLostFactors(with: first.mailed)
        try await ann.multiFactor.objectToRecovery()
        clock.advance(by: 72 * 3600)
        let link = try await mailedLink(to: "ann@example.com", from: thief)
        let answer = try await service.client().recoverFromLostFactors(with: link.mailed)
        XCTAssertEqual(answer, .waiting(until: clock.timestamp + .seconds(72 * 3600)))
        let kinds = try await eventKinds()
        XCTAssertTrue(kinds.contains(.factorRecoveryBegun))
        XCTAssertTrue(kinds.contains(.factorRecoveryEnded))
    }

    func testAnotherPersonsCredentialIsOfNoUse() async throws {
        _ = try await ann()
        try await seat("ben").signIn(with: google(.ben))
        let link = try await mailedLink(to: "ann@example.com", from: seat("x"))
        try await refusal(.invalidCredential, .credentialIsOfAnother) {
            try await service.client().recoverFromLostFactors(with: link.mailed, and: google(.ben))
        }
    }

    func testFirebasesPolicyLeavesItToAdministrators() async throws {
        startOver(.firebase)
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let link = try await mailedLink(to: "ann@example.com", from: seat("x"))
        try await refusal(.operationNotAllowed, .lostFactorsAreForAdministrators) {
            try await service.client().recoverFromLostFactors(with: link.mailed, and: Self.annsPassword)
        }
    }

    func testANoticeTakesAFactorOffOnlyAsLongAsTheMailboxWouldHaveToWait() async throws {
        let ann = try await signUpProvenAnn()
        try await enrollTOTP(ann)
        let notice = try XCTUnwrap(outbox.last(to: "ann@example.com", .factorAdded)).code
        clock.advance(by: 72 * 3600)
        try await seat("x").reportUnauthorizedChange(code: notice)
        let after = try await account(ann)
        XCTAssertEqual(after.factors.map { $0.suspension == nil }, [true])
    }

    func testANumberThatWasProvedLongAgoIsNotOlder() async throws {
        for (wait, removes) in [(89 * 86400.0, true), (91 * 86400.0, false)] {
            startOver(.standard)
            let ann = try await signUpProvenAnn()
            try await ann.link(with: digits(to: "+15550002222", from: seat()))
            clock.advance(by: 60)
            try await enrollTOTP(ann)
            clock.advance(by: wait)
            let auth = seat("new phone")
            let answer = try await service.client(RequestContext(seat: "new phone")).recoverFromLostFactors(
                with: mailedLink(to: "ann@example.com", from: auth).mailed,
                and: digits(to: "+15550002222", from: auth)
            )
            XCTAssertEqual(answer == .removed, removes, "\(wait)")
        }
    }
}

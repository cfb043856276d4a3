@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Who undoes a merge or move, with which factor, and what their session rests on then.
final class MergeUndoSideTests: MergeTestCase {
    private let number = "+15550001234"

    private func answering(
        _ app: TOTPEnrollment,
        after seconds: Double = 60,
        _ act: () async throws -> some Any
    ) async throws -> MergeSide {
        clock.advance(by: seconds)
        let error = await authError { try await act() }
        return .answering(try XCTUnwrap(error?.secondFactor), .totp(try totp(app)))
    }

    private func undo(_ id: MergeID, _ side: MergeSide) async throws -> MergeUndoResult {
        try await service.client(context).undoMerge(id, provedBy: side)
    }

    func testAMethodFromAfterTheMergeIsTold() async throws {
        policy.seniority = nil
        try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        clock.advance(by: 60)
        let user = try await seat().signIn(with: .password(email: "ben@example.com", password: Self.password)).user
        try await user.link(with: credential(.facebook, .ben))
        try await refusal(.requiresRecentLogin, .methodIsNotFromBefore) {
            try await undo(merged.id, side(.facebook, .ben))
        }
        XCTAssertNotNil(target)
    }

    func testAMethodOfTheGivingAccountFromAfterAMoveUndoesNothingEither() async throws {
        policy.seniority = nil
        let ann = try await signUp("ann@example.com", linking: credential(.google))
        try await signUp("ben@example.com", linking: credential(.facebook, .ben))
        let moved = try await service.client(context).move(
            .google,
            from: passwordSide("ann@example.com"),
            to: passwordSide("ben@example.com")
        )
        clock.advance(by: 60)
        let user = try await seat().signIn(with: .password(email: "ann@example.com", password: Self.password)).user
        try await user.link(with: credential(.gitHub))
        try await refusal(.requiresRecentLogin, .methodIsNotFromBefore) { try await undo(moved.id, side(.gitHub)) }
        let undone = try await undo(moved.id, passwordSide("ann@example.com"))
        XCTAssertEqual(undone.result?.user.uid, ann.uid)
    }

    func testANumberGoesBackAndProvesNothingAnyMoreWhereItWas() async throws {
        let auth = seat()
        let source = try await auth.signIn(with: digits(to: number, in: auth)).user
        let target = try await signUp("ben@example.com")
        let merged = try await service.client(context).merge(
            side(digits(to: number)),
            into: passwordSide("ben@example.com")
        )
        let undone = try await undo(merged.id, side(digits(to: number)))
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        let (from, to) = try await (account(source), account(target))
        XCTAssertEqual(from?.phoneNumber?.text, number)
        XCTAssertNil(to?.phoneNumber)
        let left = try XCTUnwrap(to?.evidence.filter { if case .phone = $0.subject { true } else { false } })
        XCTAssertFalse(left.isEmpty)
        XCTAssertTrue(left.allSatisfy { !$0.isFresh })
    }

    func testAnUndoneMergeLeavesAnAddressesNumberAlone() async throws {
        try await signIn(.gitHub)
        let auth = seat()
        let target = try await signUp("ben@example.com", linking: digits(to: number, in: auth), in: auth)
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        _ = try await undo(merged.id, side(.gitHub))
        let to = try await account(target)
        let kept = to?.evidence.filter { if case .phone = $0.subject { true } else { false } } ?? []
        XCTAssertTrue(kept.allSatisfy(\.isFresh))
        XCTAssertFalse(kept.isEmpty)
    }

    func testFactorsGoBackWithTheCodesThatWereMadeForThem() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let app = try await enrol(source)
        let target = try await signUp("ben@example.com")
        let answered = try await answering(app) {
            try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        }
        let merged = try await service.client(context).merge(answered, into: passwordSide("ben@example.com"))
        let auth = seat("tablet")
        clock.advance(by: 60)
        let error = await authError { try await auth.signIn(with: credential(.gitHub)) }
        let user = try await auth.resolve(try XCTUnwrap(error?.secondFactor), with: .totp(try totp(app))).user
        _ = try await user.multiFactor.makeRecoveryCodes()
        let proved = try await answering(app) { try await undo(merged.id, side(.gitHub)) }
        let undone = try await undo(merged.id, proved)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(undone.result?.user.session.factor?.kind, .totp)
        let (from, to) = try await (account(source), account(target))
        XCTAssertEqual(from?.factors.count, 1)
        XCTAssertEqual(to?.factors, [])
        XCTAssertEqual(to?.recoveryCodes, [])
    }

    func testAFactorOfTheTargetsOwnCountsForTheAgeOfItsMethods() async throws {
        try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        let app = try await enrol(target)
        clock.advance(by: 8 * 86400)
        func answered(_ act: (MergeSide) async throws -> Void) async throws {
            let proved = try await passwordSide("ben@example.com")
            let error = await authError { try await act(proved) }
            let owed = try XCTUnwrap(error?.secondFactor)
            try await act(.answering(owed, .totp(try totp(app))))
        }
        var merged: MergeResult?
        try await answered { merged = try await service.client(context).merge(side(.gitHub), into: $0) }
        let id = try XCTUnwrap(merged?.id)
        clock.advance(by: 86400)
        var undone: MergeUndoResult?
        try await answered { undone = try await service.client(context).undoMerge(id, provedBy: $0) }
        XCTAssertEqual(undone?.result?.user.uid, target.uid)
    }

    func testTheTargetsOwnFactorOpensNoAccountThatAsksForAnother() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let first = try await enrol(source)
        let target = try await signUp("ben@example.com")
        let second = try await enrol(target)
        let giver = try await answering(first) {
            try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        }
        let receiver = try await answering(second, after: 0) {
            try await service.client(context).merge(giver, into: passwordSide("ben@example.com"))
        }
        let merged = try await service.client(context).merge(giver, into: receiver)
        let proved = try await answering(second) { try await undo(merged.id, side(.gitHub)) }
        let undone = try await undo(merged.id, proved)
        XCTAssertNil(undone.result)
        let (from, to) = try await (account(source), account(target))
        XCTAssertEqual(from?.factors.count, 1)
        XCTAssertEqual(to?.factors.count, 1)
        clock.advance(by: 60)
        let error = await authError { try await service.client(context).signIn(with: credential(.gitHub)) }
        XCTAssertEqual(error?.code, .secondFactorRequired)
    }

    func testASessionOnAnAccountWithoutFactorsHasShownNone() async throws {
        let source = try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        let app = try await enrol(target)
        let receiver = try await answering(app) {
            try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        }
        let merged = try await service.client(context).merge(side(.gitHub), into: receiver)
        let proved = try await answering(app) { try await undo(merged.id, side(.gitHub)) }
        let used = try totp(app)
        let undone = try await undo(merged.id, proved)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertNil(undone.result?.user.session.factor)
        // The code that was shown for it is spent.
        let error = await authError {
            try await service.client(context).signIn(
                with: .password(email: "ben@example.com", password: Self.password)
            )
        }
        let challenge = try XCTUnwrap(error?.secondFactor)
        await assertThrows(.invalidVerificationCode) {
            try await service.client(context).resolve(challenge, with: .totp(used))
        }
    }

    func testTheGivingAccountsFactorIsSpentWhereItUndoesAMove() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.google))
        let app = try await enrol(source)
        try await signUp("ben@example.com")
        let giver = try await answering(app) {
            try await service.client(context).move(
                .google,
                from: passwordSide("ann@example.com"),
                to: passwordSide("ben@example.com")
            )
        }
        let moved = try await service.client(context).move(.google, from: giver, to: passwordSide("ben@example.com"))
        let proved = try await answering(app) { try await undo(moved.id, passwordSide("ann@example.com")) }
        let used = try totp(app)
        let undone = try await undo(moved.id, proved)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(undone.result?.user.session.factor?.kind, .totp)
        let error = await authError {
            try await service.client(context).signIn(
                with: .password(email: "ann@example.com", password: Self.password)
            )
        }
        let challenge = try XCTUnwrap(error?.secondFactor)
        await assertThrows(.invalidVerificationCode) {
            try await service.client(context).resolve(challenge, with: .totp(used))
        }
    }
}

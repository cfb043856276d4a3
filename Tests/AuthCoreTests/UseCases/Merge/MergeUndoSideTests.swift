@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Who undoes a merge or move, with which factor, and what their session rests on then.
final class MergeUndoSideTests: LimitedTestCase {
    private var world = World(.standard)

    private let number = "+15550001234"

    private func answering(
        _ app: MultiFactor.TOTPEnrollment,
        after seconds: Double = 60,
        _ act: () async throws -> some Any
    ) async throws -> Merge.Side {
        world.clock.advance(by: .seconds(seconds))
        let error = await authError { try await act() }
        return .answering(try XCTUnwrap(error?.secondFactor), .totp(try world.totp(app)))
    }

    private func undo(_ id: Merge.ID, _ side: Merge.Side) async throws -> Merge.UndoResult {
        try await world.service.client(world.context).undoMerge(id, verifiedBy: side)
    }

    private typealias Enrollment = MultiFactor.TOTPEnrollment

    /// A merge of two accounts, each with a factor of its own.
    private func mergeOfAccountsWithFactors() async throws -> (User, User, Enrollment, Enrollment, Merge.ID) {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let first = try await world.enrollTOTP(source)
        let target = try await world.signUp("ben@example.com")
        let second = try await world.enrollTOTP(target)
        let giver = try await answering(first) {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        let receiver = try await answering(second, after: 0) {
            try await world.service.client(world.context).merge(giver, into: world.passwordSide("ben@example.com"))
        }
        let merged = try await world.service.client(world.context).merge(giver, into: receiver)
        return (source, target, first, second, merged.id)
    }

    /// A merge of an account with an app into one without factors.
    private func mergeOfAnAccountWithAnApp() async throws -> (User, User, Enrollment, Merge.ID) {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let app = try await world.enrollTOTP(source)
        let target = try await world.signUp("ben@example.com")
        let giver = try await answering(app) {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        let merged = try await world.service.client(world.context).merge(
            giver,
            into: world.passwordSide("ben@example.com")
        )
        return (source, target, app, merged.id)
    }

    /// Expects that the code answers no challenge of a sign-in any more.
    private func assertIsSpent(_ code: String, for credential: AuthCredential, line: UInt = #line) async throws {
        let error = await authError { try await world.service.client(world.context).signIn(with: credential) }
        let challenge = try XCTUnwrap(error?.secondFactor, line: line)
        await assertThrows(.invalidVerificationCode, "a code that was shown before", line: line) {
            try await world.service.client(world.context).resolve(challenge, with: .totp(code))
        }
    }

    func testAMethodFromAfterTheMergeIsTold() async throws {
        world.policy.seniority = nil
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        world.clock.advance(by: .seconds(60))
        let user = try await world.device().signIn(with: .password(email: "ben@example.com", password: World.password))
            .user
        try await user.link(with: world.credential(.facebook, .ben))
        try await world.refusal(.requiresRecentLogin, .methodIsNotFromBefore) {
            try await undo(merged.id, world.side(.facebook, .ben))
        }
        let methods = try await world.storedProviders(target)
        XCTAssertEqual(methods, [.password, .gitHub, .facebook], "the refused undo took a method away")
    }

    func testAMethodOfTheGivingAccountFromAfterAMoveUndoesNothingEither() async throws {
        world.policy.seniority = nil
        let ann = try await world.signUp("ann@example.com", linking: world.credential(.google))
        try await world.signUp("ben@example.com", linking: world.credential(.facebook, .ben))
        let moved = try await world.service.client(world.context).move(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        world.clock.advance(by: .seconds(60))
        let user = try await world.device().signIn(with: .password(email: "ann@example.com", password: World.password))
            .user
        try await user.link(with: world.credential(.gitHub))
        try await world.refusal(.requiresRecentLogin, .methodIsNotFromBefore) {
            try await undo(moved.id, world.side(.gitHub))
        }
        let undone = try await undo(moved.id, world.passwordSide("ann@example.com"))
        XCTAssertEqual(undone.result?.user.uid, ann.uid)
    }

    /// A move of an identity between two accounts that keep their passwords.
    private func moveOfAnIdentity() async throws -> (source: User, target: User, id: Merge.ID) {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com")
        let moved = try await world.service.client(world.context).move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        return (source, target, moved.id)
    }

    func testAnAppWhoseSeedCannotBeReadStopsNoUndoing() async throws {
        let (source, _, id) = try await moveOfAnIdentity()
        let ben = AuthCredential.password(email: "ben@example.com", password: World.password)
        try await world.enrollTOTP(world.device("tablet").signIn(with: ben).user)
        var configuration = world.service.configuration
        configuration.secretSealer = KeyedSecretSealer()
        let client = AuthService(configuration).client(world.context)
        let side = try await world.passwordSide("ann@example.com")
        let failure = await outcome { try await client.undoMerge(id, verifiedBy: side) }
        XCTAssertNil(failure, "why the move is not undone")
        let back = try await world.storedProviders(source)
        XCTAssertEqual(back, [.password, .gitHub], "the methods of the account that gave the identity")
    }

    func testUndoingAMoveEndsTheSessionsOfTheAccountThatGave() async throws {
        let (_, _, id) = try await moveOfAnIdentity()
        let open = try await world.device("tablet").signIn(
            with: .password(email: "ann@example.com", password: World.password)
        ).user
        _ = try await undo(id, world.passwordSide("ben@example.com"))
        await assertThrows(.userTokenExpired, "a session from before the undoing") { try await open.reload() }
    }

    func testANumberGoesBackAndProvesNothingAnyMoreWhereItWas() async throws {
        let auth = world.device()
        let source = try await auth.signIn(with: world.digits(to: number, from: auth)).user
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(world.digits(to: number)),
            into: world.passwordSide("ben@example.com")
        )
        let undone = try await undo(merged.id, world.side(world.digits(to: number)))
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        let (from, to) = try await (world.storedAccount(source), world.storedAccount(target))
        XCTAssertEqual(from?.phoneNumber?.text, number)
        XCTAssertNil(to?.phoneNumber)
        let left = try XCTUnwrap(to?.evidence.filter { if case .phone = $0.subject { true } else { false } })
        XCTAssertFalse(left.isEmpty)
        XCTAssertTrue(left.allSatisfy { !$0.isFresh })
    }

    func testAnUndoneMergeLeavesAnAddressesNumberAlone() async throws {
        try await world.signIn(.gitHub)
        let auth = world.device()
        let target = try await world.signUp("ben@example.com", linking: world.digits(to: number, from: auth), in: auth)
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        _ = try await undo(merged.id, world.side(.gitHub))
        let to = try await world.storedAccount(target)
        let kept = to?.evidence.filter { if case .phone = $0.subject { true } else { false } } ?? []
        XCTAssertTrue(kept.allSatisfy(\.isFresh))
        XCTAssertFalse(kept.isEmpty)
    }

    func testFactorsGoBackWithTheCodesThatWereMadeForThem() async throws {
        let (source, target, app, id) = try await mergeOfAnAccountWithAnApp()
        let auth = world.device("tablet")
        world.clock.advance(by: .seconds(60))
        let error = await authError { try await auth.signIn(with: world.credential(.gitHub)) }
        let user = try await auth.resolve(try XCTUnwrap(error?.secondFactor), with: .totp(try world.totp(app))).user
        _ = try await user.multiFactor.makeRecoveryCodes()
        let verified = try await answering(app) { try await undo(id, world.side(.gitHub)) }
        let undone = try await undo(id, verified)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(undone.result?.user.session.factor?.kind, .totp)
        let (from, to) = try await (world.storedAccount(source), world.storedAccount(target))
        XCTAssertEqual(from?.factors.count, 1)
        XCTAssertEqual(to?.factors, [])
        XCTAssertEqual(to?.recoveryCodes, [])
    }

    func testAFactorOfTheTargetsOwnCountsForTheAgeOfItsMethods() async throws {
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let app = try await world.enrollTOTP(target)
        world.clock.advance(by: .seconds(8 * 86400))
        func answered(_ act: (Merge.Side) async throws -> Void) async throws {
            let verified = try await world.passwordSide("ben@example.com")
            let error = await authError { try await act(verified) }
            let owed = try XCTUnwrap(error?.secondFactor)
            try await act(.answering(owed, .totp(try world.totp(app))))
        }
        var merged: Merge.Result?
        try await answered {
            merged = try await world.service.client(world.context).merge(world.side(.gitHub), into: $0)
        }
        let id = try XCTUnwrap(merged?.id)
        world.clock.advance(by: .seconds(86400))
        var undone: Merge.UndoResult?
        try await answered { undone = try await world.service.client(world.context).undoMerge(id, verifiedBy: $0) }
        XCTAssertEqual(undone?.result?.user.uid, target.uid)
    }

    func testTheTargetsOwnFactorOpensNoAccountThatAsksForAnother() async throws {
        let (source, target, _, second, id) = try await mergeOfAccountsWithFactors()
        let verified = try await answering(second) { try await undo(id, world.side(.gitHub)) }
        let undone = try await undo(id, verified)
        XCTAssertNil(undone.result)
        let (from, to) = try await (world.storedAccount(source), world.storedAccount(target))
        XCTAssertEqual(from?.factors.count, 1)
        XCTAssertEqual(to?.factors.count, 1)
        world.clock.advance(by: .seconds(60))
        let error = await authError {
            try await world.service.client(world.context).signIn(with: world.credential(.gitHub))
        }
        XCTAssertEqual(error?.code, .secondFactorRequired)
    }

    func testAFactorThatGoesBackOpensNoSessionOnTheTargetThatAsksForAnother() async throws {
        let (_, _, first, _, id) = try await mergeOfAccountsWithFactors()
        let verified = try await answering(first) { try await undo(id, world.passwordSide("ben@example.com")) }
        let undone = try await undo(id, verified)
        XCTAssertNil(undone.result, "a session on an account whose own factor was not shown")
    }

    func testAnUndoThatOpensNoSessionSignsOutWhoseSessionItEnds() async throws {
        let (_, _, first, second, id) = try await mergeOfAccountsWithFactors()
        let auth = world.device("tablet")
        world.clock.advance(by: .seconds(60))
        let error = await authError {
            try await auth.signIn(with: .password(email: "ben@example.com", password: World.password))
        }
        try await auth.resolve(XCTUnwrap(error?.secondFactor), with: .totp(world.totp(second)))
        let side = try await world.passwordSide("ben@example.com")
        let answer = try await answering(first) { try await auth.undoMerge(id, verifiedBy: side) }
        XCTAssertNotNil(auth.currentUser, "a challenge ends no session")
        let undone = try await auth.undoMerge(id, verifiedBy: answer)
        XCTAssertNil(undone.result, "a session on an account whose own factor was not shown")
        XCTAssertNil(auth.currentUser, "the user of a session that the undo ended")
    }

    func testAFactorThatGoesBackDoesNotCountInASessionOnTheTarget() async throws {
        let (_, target, app, id) = try await mergeOfAnAccountWithAnApp()
        let verified = try await answering(app) { try await undo(id, world.passwordSide("ben@example.com")) }
        let undone = try await undo(id, verified)
        XCTAssertEqual(undone.result?.user.uid, target.uid)
        XCTAssertNil(undone.result?.user.session.factor, "the factor is the other account's again")
    }

    func testTheCodeThatAnUndoWasAnsweredWithIsSpentWhereItsAppGoesBack() async throws {
        let (source, _, app, id) = try await mergeOfAnAccountWithAnApp()
        let verified = try await answering(app) { try await undo(id, world.side(.gitHub)) }
        let used = try world.totp(app)
        let undone = try await undo(id, verified)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        try await assertIsSpent(used, for: world.credential(.gitHub))
    }

    func testASessionOnAnAccountWithoutFactorsHasShownNone() async throws {
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let app = try await world.enrollTOTP(target)
        let receiver = try await answering(app) {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        let merged = try await world.service.client(world.context).merge(world.side(.gitHub), into: receiver)
        let verified = try await answering(app) { try await undo(merged.id, world.side(.gitHub)) }
        let used = try world.totp(app)
        let undone = try await undo(merged.id, verified)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertNil(undone.result?.user.session.factor)
        try await assertIsSpent(used, for: .password(email: "ben@example.com", password: World.password))
    }

    func testTheGivingAccountsFactorIsSpentWhereItUndoesAMove() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.google))
        let app = try await world.enrollTOTP(source)
        try await world.signUp("ben@example.com")
        let giver = try await answering(app) {
            try await world.service.client(world.context).move(
                .google,
                from: world.passwordSide("ann@example.com"),
                to: world.passwordSide("ben@example.com")
            )
        }
        let moved = try await world.service.client(world.context).move(
            .google,
            from: giver,
            to: world.passwordSide("ben@example.com")
        )
        let verified = try await answering(app) { try await undo(moved.id, world.passwordSide("ann@example.com")) }
        let used = try world.totp(app)
        let undone = try await undo(moved.id, verified)
        XCTAssertEqual(undone.result?.user.uid, source.uid)
        XCTAssertEqual(undone.result?.user.session.factor?.kind, .totp)
        try await assertIsSpent(used, for: .password(email: "ann@example.com", password: World.password))
    }
}

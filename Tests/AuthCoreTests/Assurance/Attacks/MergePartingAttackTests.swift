@testable import AuthCore
import AuthCoreMigration
import AuthCoreTesting
import XCTest

/// What an undone merge returns after a remapping or a suspension.
final class MergePartingAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let day = 86_400.0

    func testS28_AnUndoneMergeReturnsARemappedIdentity() async throws {
        let source = try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        let target = try await world.storedAccount(merged.result.user.accountID)
        let key = try XCTUnwrap(target?.identities.first { $0.provider == .gitHub }?.key)
        let new = Identity.Key(issuer: "github.com", subject: "4711")
        try await world.service.remap(from: key, to: new)
        world.clock.advance(by: .seconds(3600))
        try await client.undoMerge(merged.id, verifiedBy: world.passwordSide("ben@example.com"))
        let back = try await world.storedProviders(source)
        XCTAssertEqual(back, [.gitHub])
    }

    /// The person shows the new subject from then on, and no account would be opened by it.
    func testAnUndoneMoveReturnsARemappedIdentityUnderItsNewSubject() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.gitHub(.ann))
        try await world.signUp("ben@example.com")
        let client = world.service.client(world.context)
        let moved = try await client.move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        let old = Identity.Key(issuer: "github.com", subject: SimulatedPerson.ann.subject(at: .gitHub))
        let new = Identity.Key(issuer: "github.com", subject: "4711")
        try await world.service.remap(from: old, to: new)
        world.clock.advance(by: .seconds(3600))
        try await client.undoMerge(moved.id, verifiedBy: world.passwordSide("ann@example.com"))
        let back = try await world.account(source)
        XCTAssertEqual(back.identities.map(\.key), [new], "the subject that came back")
        let owner = try await world.service.account(identity: new)
        XCTAssertEqual(owner?.id, source.accountID, "whose account the new subject opens")
    }

    func testS25_AnUndoneMergeReturnsNothingThatWasSuspendedSince() async throws {
        let source = try await world.signIn(.gitHub)
        world.clock.advance(by: .seconds(30 * day))
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        try await world.device("mail").reportUnauthorizedChange(code: world.code(.methodAdded, to: "ben@example.com"))
        let ben = try await world.device("own").signIn(
            with: .password(email: "ben@example.com", password: World.password)
        ).user
        world.clock.advance(by: .seconds(60))
        try await ben.link(with: world.credential(.gitHub))
        let side = try await world.side(.gitHub)
        try await world.refusal(.mergeNotPossible, .nothingCanReturn) {
            try await client.undoMerge(merged.id, verifiedBy: side)
        }
        let back = try await world.storedAccount(source)
        XCTAssertNil(back, "what was suspended since came back, with the age that it had before")
    }

    func testS28_AMoveOfAnAccountInAMergeHoldsUpNoOtherMove() async throws {
        world.hooks = [StuckHook()]
        try await world.signIn(.gitHub, .ann)
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        try await world.signIn(.gitHub, .eve)
        let client = world.service.client(world.context)
        do {
            try await client.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
            XCTFail("the merge of a hook that is interrupted is done")
        } catch { XCTAssertEqual((error as? AuthError)?.code, .outcomeUnknown) }
        func move(_ person: SimulatedPerson, _ subject: String) -> SubjectMove {
            let key = Identity.Key(issuer: "github.com", subject: person.subject(at: .gitHub))
            return SubjectMove(from: key, to: Identity.Key(issuer: "github.com", subject: subject))
        }
        let moves = [move(.ann, "4711"), move(.eve, "4712")]
        let report = try await world.service.remapSubjects(moves)
        XCTAssertEqual(report.locked, [moves[0]])
        XCTAssertEqual(report.moved, 1, "the moves after one that could not be made")
    }

    func testS28_AnUndoneMergeReturnsTheEvidenceOfARemappedIdentity() async throws {
        let person = SimulatedPerson.ann.with(email: "ann@gmail.com")
        let source = try await world.device("laptop").signIn(with: world.google(person)).user
        let before = try await world.account(source)
        XCTAssertTrue(before.isEmailVerified(under: world.policy))
        let phone = world.device("phone")
        try await phone.signIn(with: world.digits(to: world.evesNumber, from: phone))
        let client = world.service.client(world.context)
        let digits = try await world.digits(to: world.evesNumber, from: world.device("phone"))
        let merged = try await client.merge(world.side(world.google(person)), into: world.side(digits))
        let target = try await world.storedAccount(merged.result.user.accountID)
        let key = try XCTUnwrap(target?.identities.first { $0.provider == .google }?.key)
        XCTAssertEqual(target?.email?.text, "ann@gmail.com")
        try await world.service.remap(from: key, to: Identity.Key(issuer: key.issuer.text, subject: "4711"))
        world.clock.advance(by: .seconds(3600))
        let again = try await world.digits(to: world.evesNumber, from: world.device("phone"))
        try await world.service.client(world.context).undoMerge(merged.id, verifiedBy: world.side(again))
        let back = try await world.storedAccount(source)
        XCTAssertEqual(back?.email?.text, "ann@gmail.com")
        XCTAssertEqual(back?.isEmailVerified(under: world.policy), true, "the address came back unverified")
    }
}

/// A hook that is interrupted each time, so that its merge goes on later.
private struct StuckHook: Merge.Hook {
    let name = "stuck"

    func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { throw CancellationError() }
    func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {}
}

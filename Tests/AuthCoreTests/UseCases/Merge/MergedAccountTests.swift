@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What both accounts have after a merge, and after it is undone: pure functions of both.
final class MergedAccountTests: LimitedTestCase, PlainAccount {
    private let world = World(.standard)

    private let facebook = Identity(key: Identity.Key(issuer: "facebook.com", subject: "9"), provider: .facebook)

    private func account(_ id: AccountID) -> Account { Account(id: id, createdAt: noon) }

    private func handover(_ source: Account, _ target: Account) -> MergeHandover {
        let plan = Merge.Plan(source, into: target, choices: [], under: .standard)
        return MergeHandover(of: source, to: target, by: plan, verified: [], at: later)
    }

    /// A target that only an old number signs in to may stay so, but not lose that number to one that is suspended.
    func testAMergeLeavesNoTargetWithoutAMethodThatCanBeUsed() throws {
        let world = world
        var target = account("target")
        _ = target.add(.phone(try XCTUnwrap(number)), at: noon)
        target.note(.phone(try XCTUnwrap(number)), .phoneCode, at: noon)
        var source = account("source")
        (source.email, source.reservesEmail) = (ann, true)
        source.note(.email(ann), .mailboxCode, at: noon)
        _ = source.add(.emailLink, at: noon)
        _ = source.add(.phone(try XCTUnwrap(PhoneNumber("+15550005678"))), at: noon)
        source.methods[1].suspension = SignInMethod.Suspension(since: noon, reason: .recoverySuspends)
        world.clock.advance(by: .seconds((noon + .days(100)).date.timeIntervalSince(world.clock.now)))
        func refusal(_ choices: Set<ProviderID>) -> Refusal? {
            do throws(Refusal) {
                let context = world.service.decisionContext()
                _ = try Merge.Plan.permitted(source, into: target, isMove: false, of: nil, choices: choices, context)
                return nil
            } catch {
                return error
            }
        }
        target.email = EmailAddress.ascii("shown@example.com")
        XCTAssertTrue(target.lacksLastMethod(world.service.decisionContext()), "the target's number is not old")
        XCTAssertNil(refusal([]), "the target keeps its number")
        XCTAssertEqual(refusal([.phone]), .lastMethod, "a suspended number replaces the only method")
    }

    private func factor(_ number: UInt128, _ kind: SecondFactor.Kind, at date: Timestamp) -> SecondFactor {
        SecondFactor(id: SecondFactor.ID(bits: number), kind: kind, enrolledAt: date, generation: 9)
    }

    func testEveryIssuerThatTheSourceBlocksIsBlockedByTheTarget() {
        var source = account("source")
        source.blockedIssuers = [ExactText("one.example"), ExactText("two.example"), ExactText("three.example")]
        var target = account("target")
        target.blockedIssuers = [ExactText("two.example")]
        XCTAssertEqual(
            handover(source, target).target.blockedIssuers.map(\.text),
            ["two.example", "one.example", "three.example"]
        )
    }

    /// The person removed it from the source, and linked it to the target.
    func testAnIssuerThatTheTargetLinkedIsNotBlockedByTheSource() {
        var target = account("target")
        _ = target.add(.federated(gitHub), at: noon)
        var source = account("source")
        source.blockedIssuers = [gitHub.key.issuer, facebook.key.issuer]
        XCTAssertEqual(handover(source, target).target.blockedIssuers, [facebook.key.issuer])
    }

    func testAMethodThatIsTakenUnblocksItsOwnIssuerOnly() {
        var target = account("target")
        target.blockedIssuers = [gitHub.key.issuer, facebook.key.issuer]
        let method = SignInMethod(.federated(gitHub), addedAt: noon, generation: 0)
        _ = target.take(method, at: later)
        XCTAssertEqual(target.blockedIssuers, [facebook.key.issuer])
    }

    func testAFactorWhoseNumberSignsInAtTheTargetStaysBehind() throws {
        let number = try XCTUnwrap(number)
        var source = account("source")
        _ = source.add(.federated(gitHub), at: noon)
        source.factors = [factor(1, .phone(number), at: noon)]
        var target = account("target")
        _ = target.setPhone(number, at: noon)
        let plan = Merge.Plan(source, into: target, choices: [], under: .standard)
        XCTAssertEqual(plan.stayingFactors.map(\.why), [.numberSignsIn])
    }

    func testAMethodOfTheTargetIsAsOldAsWhatTheTargetHadBeforeTheMerge() throws {
        var target = account("target")
        _ = target.add(.federated(facebook), at: noon + .seconds(20))
        let own = try XCTUnwrap(PhoneNumber("+15550009999"))
        let app = SecondFactor.Kind.totp(sealedSeed: [1], lastUsedStep: nil)
        target.factors = [factor(1, .phone(own), at: noon + .seconds(10)), factor(2, app, at: noon)]
        let record = Store.UndoRecord(
            source: account("source"),
            target: "target",
            moved: [],
            movedFactors: [SecondFactor.ID(bits: 2)]
        )
        let before = MethodsBefore(record: record, mergedAt: later, target: target)
        let age = before.age(of: target.methods[0], on: target)
        XCTAssertEqual(age.oldest, noon + .seconds(10), "the factor that moved is not the target's")
    }

    private func parting(_ handover: MergeHandover, target: Account) -> MergeParting {
        let record = Store.UndoRecord(
            source: handover.given,
            target: target.id,
            moved: handover.moved,
            movedFactors: handover.movedFactors
        )
        world.clock.set(later.date)
        return MergeParting(record, source: nil, target: target, seeds: [:], world.service.decisionContext())
    }

    func testOnlyEvidenceThatTheTargetStillTrustsGoesBack() throws {
        var source = account("source")
        let number = try XCTUnwrap(number)
        _ = source.setPhone(number, at: noon)
        source.note(.phone(number), .phoneCode, at: noon)
        var target = account("target")
        target.email = ann
        target.note(.email(ann), .mailboxCode, at: noon)
        let merged = handover(source, target)
        for isStale in [false, true] {
            var changed = merged.target
            let place = try XCTUnwrap(changed.evidence.firstIndex { $0.subject == .phone(number) })
            changed.evidence[place].staleSince = isStale ? later : nil
            let parted = parting(merged, target: changed)
            XCTAssertEqual(parted.source.evidence.map(\.subject), isStale ? [] : [.phone(number)], "stale: \(isStale)")
        }
    }

    func testNoEvidenceGoesBackForAMethodThatStaysAtTheTarget() throws {
        let number = try XCTUnwrap(number)
        var source = account("source")
        _ = source.add(.federated(gitHub), at: noon)
        _ = source.setPhone(number, at: noon)
        source.note(.phone(number), .phoneCode, at: noon)
        let merged = handover(source, account("target"))
        var changed = merged.target
        let place = try XCTUnwrap(changed.methods.firstIndex { $0.kind.provider == .phone })
        changed.methods[place].suspension = SignInMethod.Suspension(since: later, reason: .recoverySuspends)
        let parted = parting(merged, target: changed)
        XCTAssertEqual(parted.source.methods.map(\.kind.provider), [.gitHub], "a method that was suspended stays")
        XCTAssertEqual(parted.source.evidence, [], "what verifies the number that stays")
    }

    func testAMethodThatMovedIsAsOldAsItWasAtTheSource() throws {
        var source = account("source")
        _ = source.add(.federated(facebook), at: noon)
        _ = source.add(.federated(gitHub), at: noon + .seconds(30))
        let merged = handover(source, account("target"))
        let record = Store.UndoRecord(
            source: merged.given,
            target: "target",
            moved: merged.moved,
            movedFactors: []
        )
        let before = MethodsBefore(record: record, mergedAt: later, target: merged.target)
        let age = before.age(of: merged.target.methods.last, on: merged.target)
        XCTAssertEqual(age.since, noon + .seconds(30), "since when the method was there")
        XCTAssertEqual(age.oldest, noon, "the oldest method of the source")
    }

    func testWhatASessionRestsOnAfterAMerge() throws {
        var before = account("target")
        let replaced = before.add(.federated(facebook), at: noon)
        let other = before.add(.federated(gitHub), at: noon)
        let basis = Session.Basis(replaced)
        XCTAssertEqual(before.basis(after: basis, of: before), basis, "nothing was replaced")
        var after = before
        after.methods.removeAll { $0.generation == replaced.generation }
        let moved = after.add(.federated(facebook), at: later)
        XCTAssertEqual(after.basis(after: basis, of: before), Session.Basis(moved), "the method in its place")
        let last = after.methods.count - 1
        after.methods[last].suspension = SignInMethod.Suspension(since: later, reason: .recoverySuspends)
        XCTAssertEqual(after.basis(after: basis, of: before), Session.Basis(other), "one that can be used")
        after.methods = []
        XCTAssertEqual(after.basis(after: basis, of: before), basis, "there is no other")
        XCTAssertEqual(after.basis(after: .anonymous, of: before), .anonymous, "a guest has no method")
    }

    func testANumberThatGoesBackIsVerifiedAtTheTargetNoMore() throws {
        let number = try XCTUnwrap(number)
        var source = account("source")
        _ = source.setPhone(number, at: noon)
        source.note(.phone(number), .phoneCode, at: noon)
        let merged = handover(source, account("target"))
        XCTAssertEqual(merged.target.evidence.map(\.isFresh), [true])
        let parted = parting(merged, target: merged.target)
        XCTAssertEqual(parted.target.evidence.map(\.staleSince), [later])
    }
}

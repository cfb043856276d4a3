@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MoveTests: MergeTestCase {
    private func move(_ provider: ProviderID, replacing: Bool = false) async throws -> MergeResult {
        try await service.client(context).move(
            provider,
            from: passwordSide("ann@example.com"),
            to: passwordSide("ben@example.com"),
            replacing: replacing
        )
    }

    func testOneIdentityMovesAndBothAccountsStay() async throws {
        for names: [String] in [[], ["orders"]] {
            startOver()
            if !names.isEmpty { addHooks("orders") }
            let source = try await signUp("ann@example.com", linking: credential(.gitHub))
            let target = try await signUp("ben@example.com")
            let moved = try await move(.gitHub)
            XCTAssertEqual(moved.result.user.uid, target.uid)
            XCTAssertEqual(moved.plan.identity?.subject.text, SimulatedPerson.ann.subject(at: .gitHub))
            let (from, to) = try await (providers(source), providers(target))
            XCTAssertEqual(from, [.password])
            XCTAssertEqual(to, [.password, .gitHub])
            let user = try await service.client().signIn(with: credential(.gitHub)).user
            XCTAssertEqual(user.uid, target.uid)
            await assertThrows(.userTokenExpired) { try await source.reload() }
            await assertThrows(.userTokenExpired) { try await target.reload() }
            let left = try await account(source)
            XCTAssertNil(left?.hold)
            XCTAssertEqual(left?.severedIssuers.count, 1, "the source's issuer never joins by itself again")
            let successor = try await service.successor(of: source.account.id)
            XCTAssertNil(successor)
        }
    }

    func testASeatHoldsTheAccountThatReceived() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let target = try await signUp("ben@example.com")
        let auth = seat()
        let moved = try await auth.move(
            .gitHub,
            from: passwordSide("ann@example.com"),
            to: passwordSide("ben@example.com")
        )
        XCTAssertTrue(auth.currentUser === moved.result.user)
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        let left = try await providers(source)
        XCTAssertEqual(left, [.password])
    }

    func testBothSidesHaveOneEvent() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let target = try await signUp("ben@example.com")
        let before = try await service.events(limit: .max).events.count
        _ = try await move(.gitHub)
        let events = try await service.events(limit: .max).events.dropFirst(before).filter { $0.before != nil }
        XCTAssertEqual(events.map(\.kind), [.methodsChanged, .methodsChanged])
        XCTAssertEqual(events.map(\.account), [source.account.id, target.account.id])
    }

    func testTheLastMethodStays() async throws {
        try await signIn(.gitHub)
        try await signUp("ben@example.com")
        try await refusal(.lastMethod, .methodIsTheLast) {
            try await service.client(context).move(
                .gitHub,
                from: side(.gitHub),
                to: passwordSide("ben@example.com")
            )
        }
    }

    func testARivalOnTheTargetStaysUnlessItIsToBeReplaced() async throws {
        try await signUp("ann@example.com", linking: credential(.google, .ann))
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        try await refusal(.providerAlreadyLinked, .providerIsLinked) { try await move(.google) }
        _ = try await move(.google, replacing: true)
        let subject = try await account(target)?.method(of: .google)?.identity?.key.subject.text
        XCTAssertEqual(subject, SimulatedPerson.ann.subject(at: .google))
    }

    func testOnlyALinkedIdentityMoves() async throws {
        try await signUp("ann@example.com")
        try await signUp("ben@example.com")
        try await refusal(.noSuchProvider, .providerIsNotLinked) { try await move(.gitHub) }
        try await refusal(.noSuchProvider, .providerIsNotLinked) { try await move(.phone) }
    }

    func testAPreviewOfAMoveDoesNothing() async throws {
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let target = try await signUp("ben@example.com")
        let before = try await picture()
        let plan = try await service.client(context).previewMove(
            .gitHub,
            from: passwordSide("ann@example.com"),
            to: passwordSide("ben@example.com")
        )
        let after = try await picture()
        XCTAssertEqual(before, after)
        XCTAssertEqual(
            plan.description,
            """
            One way in moves from account \(source.uid) (ann@example.com) to \(target.uid) (ben@example.com).
            Moves: GitHub (ann).
            Afterwards the receiving account is opened by: the password for ben@example.com, GitHub (ann).
            """
        )
        let moved = try await move(.gitHub)
        XCTAssertEqual(moved.plan, plan)
    }

    func testAMoveIsUndoneByEitherSide() async throws {
        for names: [String] in [[], ["orders"]] {
            for side in ["ann@example.com", "ben@example.com"] {
                startOver()
                if !names.isEmpty { addHooks("orders") }
                let source = try await signUp("ann@example.com", linking: credential(.gitHub))
                let target = try await signUp("ben@example.com")
                let moved = try await move(.gitHub)
                clock.advance(by: 86400)
                let undone = try await service.client(context).undoMerge(
                    moved.id,
                    provedBy: passwordSide(side)
                )
                XCTAssertEqual(undone.result?.user.uid, side.hasPrefix("ann") ? source.uid : target.uid)
                XCTAssertTrue(undone.isFinished)
                try await undone.result?.user.reload()
                let (from, to) = try await (providers(source), providers(target))
                XCTAssertEqual(from, [.password, .gitHub])
                XCTAssertEqual(to, [.password])
                if !names.isEmpty { XCTAssertEqual(journal.lines.last, "undo orders") }
                try await refusal(.mergeNotPossible, .undoIsOver) {
                    try await service.client(context).undoMerge(moved.id, provedBy: passwordSide(side))
                }
            }
        }
    }
}

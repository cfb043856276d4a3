@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The events and notices of a merge, and what the code of a notice does.
final class MergeNoticeTests: LimitedTestCase {
    private var world = World(.standard)

    func testBothSidesHaveOneEventWithBeforeAndAfter() async throws {
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let before = try await world.service.events(limit: .max).events.count
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        let events = try await world.service.events(limit: .max).events.dropFirst(before)
        let changes = events.filter { $0.before != nil }
        XCTAssertEqual(changes.map(\.kind), [.accountMerged, .methodsChanged])
        XCTAssertEqual(changes.map(\.account), [source.account.id, target.account.id])
        XCTAssertEqual(changes[changes.startIndex].after, [])
        XCTAssertEqual(changes.last?.after?.map(\.provider), [.password, .gitHub])
        for event in changes {
            XCTAssertTrue(event.reasons.contains(.personMergesAccounts))
            XCTAssertEqual(event.actor, .session(merged.result.user.session.id))
        }
    }

    func testTheVerifiedAddressesOfBothSidesAreTold() async throws {
        for names: [String] in [[], ["orders"]] {
            world.startOver()
            if !names.isEmpty { world.addHooks("orders") }
            try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
            let target = try await world.signUp("ben@example.com")
            let before = world.outbox.messages.count
            _ = try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
            let (ann, ben) = (
                try XCTUnwrap(EmailAddress("ann@example.com")), try XCTUnwrap(EmailAddress("ben@example.com"))
            )
            let told = world.outbox.messages.dropFirst(before)
            XCTAssertEqual(told.map(\.kind), [.methodAdded, .accountMerged])
            XCTAssertEqual(told.map(\.account), [target.account.id, target.account.id])
            XCTAssertEqual(
                told.map(\.recipient),
                [.email(ben), .email(ann)]
            )
        }
    }

    func testAMergeThatMovesNothingIsToldToBothSidesAsWell() async throws {
        for names: [String] in [[], ["orders"]] {
            world.startOver()
            if !names.isEmpty { world.addHooks("orders") }
            try await world.signUp("ann@example.com")
            let target = try await world.signUp("ben@example.com")
            let before = world.outbox.messages.count
            let merged = try await world.service.client(world.context).merge(
                world.passwordSide("ann@example.com"),
                into: world.passwordSide("ben@example.com")
            )
            XCTAssertEqual(merged.plan.moves, [])
            let told = world.outbox.messages.dropFirst(before)
            XCTAssertEqual(told.map(\.kind), [.accountMerged, .accountMerged])
            XCTAssertEqual(told.map(\.account), [target.account.id, target.account.id])
            XCTAssertEqual(
                told.map(\.recipient),
                [.email(.ascii("ann@example.com")), .email(.ascii("ben@example.com"))]
            )
        }
    }

    func testTheNoticeToTheTargetSuspendsWhatMoved() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        try await world.service.client().reportUnauthorizedChange(
            code: XCTUnwrap(world.outbox.last(to: "ben@example.com", .methodAdded)?.code)
        )
        let methods = try await world.storedAccount(target)?.methods
        XCTAssertEqual(methods?.map(\.isActive), [true, false])
        try await world.refusal(.mergeNotPossible, .nothingCanReturn, "what was suspended since does not go back") {
            try await world.service.client(world.context).undoMerge(
                merged.id,
                verifiedBy: world.passwordSide("ben@example.com")
            )
        }
    }

    func testTheNoticeToTheSourceEndsTheSessions() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        try await world.service.client().reportUnauthorizedChange(
            code: XCTUnwrap(world.outbox.last(to: "ann@example.com", .accountMerged)?.code)
        )
        await assertThrows(.userTokenExpired) { try await merged.result.user.reload() }
    }
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MoveTests: LimitedTestCase {
    private var world = World(.standard)

    private func move(_ provider: ProviderID, replacing: Bool = false) async throws -> Merge.Result {
        try await world.service.client(world.context).move(
            provider,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com"),
            replacing: replacing
        )
    }

    func testOneIdentityMovesAndBothAccountsStay() async throws {
        for names: [String] in [[], ["orders"]] {
            world.startOver()
            if !names.isEmpty { world.addHooks("orders") }
            let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
            let target = try await world.signUp("ben@example.com")
            let moved = try await move(.gitHub)
            XCTAssertEqual(moved.result.user.uid, target.uid)
            XCTAssertEqual(moved.plan.identity?.subject.text, SimulatedPerson.ann.subject(at: .gitHub))
            let (from, to) = try await (world.storedProviders(source), world.storedProviders(target))
            XCTAssertEqual(from, [.password])
            XCTAssertEqual(to, [.password, .gitHub])
            let user = try await world.service.client().signIn(with: world.credential(.gitHub)).user
            XCTAssertEqual(user.uid, target.uid)
            await assertThrows(.userTokenExpired) { try await source.reload() }
            await assertThrows(.userTokenExpired) { try await target.reload() }
            let left = try await world.storedAccount(source)
            XCTAssertNil(left?.mergeLock)
            XCTAssertEqual(left?.blockedIssuers.count, 1, "the source's issuer never joins by itself again")
            let successor = try await world.service.successor(of: source.account.id)
            XCTAssertNil(successor)
        }
    }

    /// A move leaves the factors where they are, so it needs no seed.
    func testASeedThatNoKeyOpensStopsNoMove() async throws {
        for names: [String] in [[], ["orders"]] {
            world.startOver(.standard)
            if !names.isEmpty { world.addHooks("orders") }
            let ann = try await world.signUpVerifiedAnn()
            try await ann.link(with: world.gitHub())
            try await world.enrollTOTP(ann)
            let codes = try await ann.multiFactor.makeRecoveryCodes()
            var account = try await world.account(ann)
            account.factors[0].kind = .totp(sealedSeed: [1, 2, 3], lastUsedStep: nil)
            account.version += 1
            var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
            changes.accounts = [.update(account, expected: account.version - 1)]
            let outcome = try await world.store.whole.commit(changes)
            XCTAssertEqual(outcome, .committed, "the seed of another key")
            let ben = try await world.signUp("ben@example.com")
            let owed = try await world.refusal(.secondFactorRequired) { try await move(.gitHub) }
            let challenge = try XCTUnwrap(owed.secondFactor, "what the account owes")
            let moved = try await world.service.client(world.context).move(
                .gitHub,
                from: .answering(challenge, .recoveryCode(codes[0])),
                to: world.passwordSide("ben@example.com")
            )
            XCTAssertEqual(moved.result.user.uid, ben.uid, "whose GitHub it is now, with the hooks \(names)")
        }
    }

    func testTheAccountThatGaveStaysLockedUntilTheHooksWereTold() async throws {
        world.addHooks("orders")
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        try await world.signUp("ben@example.com")
        world.journal.fail("commit orders")
        let moved = try await move(.gitHub)
        XCTAssertFalse(moved.isFinished)
        let locked = try await world.storedAccount(source)
        XCTAssertNotNil(locked?.mergeLock, "its owner could delete it before the hooks heard of the move")
        let begun = try await world.service.events(limit: .max).events.filter { $0.kind == .mergeBegun }
        XCTAssertEqual(begun.map(\.reasons), [[.personMovesIdentity], [.personMovesIdentity]])
        _ = try await world.service.resumeMerges()
        let free = try await world.storedAccount(source)
        XCTAssertNil(free?.mergeLock)
    }

    func testAClientHoldsTheAccountThatReceived() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com")
        let auth = world.device()
        let moved = try await auth.move(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        XCTAssertTrue(auth.currentUser === moved.result.user)
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        let left = try await world.storedProviders(source)
        XCTAssertEqual(left, [.password])
    }

    func testBothSidesHaveOneEvent() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com")
        let before = try await world.service.events(limit: .max).events.count
        _ = try await move(.gitHub)
        let events = try await world.service.events(limit: .max).events.dropFirst(before).filter { $0.before != nil }
        XCTAssertEqual(events.map(\.kind), [.methodsChanged, .methodsChanged])
        XCTAssertEqual(events.map(\.account), [source.account.id, target.account.id])
    }

    func testAMoveTakesBackTheDeletionOfBothSidesAndSaysSo() async throws {
        for names: [String] in [[], ["orders"]] {
            world.startOver()
            if !names.isEmpty { world.addHooks("orders") }
            let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
            let target = try await world.signUp("ben@example.com")
            for user in [source, target] { try await user.delete() }
            _ = try await move(.gitHub)
            let events = try await world.service.events(limit: .max).events
            for user in [source, target] {
                let account = try await world.storedAccount(user)
                XCTAssertNil(account?.deletedUntil, "the account would be deleted all the same")
                let taken = events.filter { $0.account == user.account.id && $0.kind == .deletionCanceled }
                XCTAssertEqual(taken.count, 1, "events of a deletion that was taken back")
            }
        }
    }

    func testTheLastMethodStays() async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        try await world.refusal(.lastMethod, .methodIsTheLast) {
            try await world.service.client(world.context).move(
                .gitHub,
                from: world.side(.gitHub),
                to: world.passwordSide("ben@example.com")
            )
        }
    }

    func testARivalOnTheTargetStaysUnlessItIsToBeReplaced() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.google, .ann))
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        try await world.refusal(.providerAlreadyLinked, .providerIsLinked) { try await move(.google) }
        try await world.refusal(.providerAlreadyLinked, .providerIsLinked, "a move of which nothing else is said") {
            try await world.service.client(world.context).move(
                .google,
                from: world.passwordSide("ann@example.com"),
                to: world.passwordSide("ben@example.com")
            )
        }
        try await world.refusal(.providerAlreadyLinked, .providerIsLinked, "such a move on a device") {
            try await world.device().move(
                .google,
                from: world.passwordSide("ann@example.com"),
                to: world.passwordSide("ben@example.com")
            )
        }
        _ = try await move(.google, replacing: true)
        let subject = try await world.storedAccount(target)?.method(of: .google)?.identity?.key.subject.text
        XCTAssertEqual(subject, SimulatedPerson.ann.subject(at: .google))
    }

    func testOnlyALinkedIdentityMoves() async throws {
        try await world.signUp("ann@example.com")
        try await world.signUp("ben@example.com")
        try await world.refusal(.noSuchProvider, .providerIsNotLinked) { try await move(.gitHub) }
        try await world.refusal(.noSuchProvider, .providerIsNotLinked) { try await move(.phone) }
    }

    func testAPreviewOfAMoveDoesNothing() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com")
        let before = try await world.store.whole.accounts(after: nil, limit: 1000)
        let plan = try await world.service.client(world.context).previewMove(
            .gitHub,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com")
        )
        let after = try await world.store.whole.accounts(after: nil, limit: 1000)
        XCTAssertEqual(before, after)
        XCTAssertEqual(
            plan.description,
            """
            One sign-in method moves from account \(source.uid) (ann@example.com) to \(target.uid) (ben@example.com).
            Moves: GitHub (ann).
            Afterwards these methods sign in to the target account: the password for ben@example.com, GitHub (ann).
            """
        )
        let moved = try await move(.gitHub)
        XCTAssertEqual(moved.plan, plan)
    }

    func testAMoveIsUndoneByEitherSide() async throws {
        for names: [String] in [[], ["orders"]] {
            for side in ["ann@example.com", "ben@example.com"] {
                world.startOver()
                if !names.isEmpty { world.addHooks("orders") }
                let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
                let target = try await world.signUp("ben@example.com")
                let moved = try await move(.gitHub)
                world.clock.advance(by: .seconds(86400))
                let undone = try await world.service.client(world.context).undoMerge(
                    moved.id,
                    verifiedBy: world.passwordSide(side)
                )
                XCTAssertEqual(undone.result?.user.uid, side.hasPrefix("ann") ? source.uid : target.uid)
                XCTAssertTrue(undone.isFinished)
                try await undone.result?.user.reload()
                let (from, to) = try await (world.storedProviders(source), world.storedProviders(target))
                XCTAssertEqual(from, [.password, .gitHub])
                XCTAssertEqual(to, [.password])
                if !names.isEmpty { XCTAssertEqual(world.journal.lines.last, "undo orders") }
                try await world.refusal(.mergeNotPossible, .undoIsOver) {
                    try await world.service.client(world.context).undoMerge(
                        moved.id,
                        verifiedBy: world.passwordSide(side)
                    )
                }
            }
        }
    }

    func testTheIssuerOfAnIdentityThatGoesBackIsBlockedOnTheAccountThatGivesItBack() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.google, .ann))
        let target = try await world.signUp("ben@example.com")
        let moved = try await move(.google)
        _ = try await world.service.client(world.context).undoMerge(
            moved.id,
            verifiedBy: world.passwordSide("ann@example.com")
        )
        let left = try await world.storedProviders(target)
        XCTAssertEqual(left, [.password], "what the account that gave Google back has")
        try await world.refusal(.accountExistsWithDifferentCredential, .issuerIsBlocked, "another Google identity") {
            try await world.device("tablet").signIn(with: world.google(.ben, world.work))
        }
    }

    func testAnAccountThatGaveAnIdentityAwayAndWasDeletedDoesNotComeBack() async throws {
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        try await world.signUp("ben@example.com")
        let moved = try await move(.gitHub)
        try await world.service.deleteAccount(source.account.id)
        try await world.refusal(.mergeNotPossible, .undoIsOver) {
            try await world.service.client(world.context).undoMerge(
                moved.id,
                verifiedBy: world.passwordSide("ben@example.com")
            )
        }
    }

    func testAMoveFromOrToADisabledAccountIsNotUndone() async throws {
        for isSource in [true, false] {
            world.startOver()
            let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
            let target = try await world.signUp("ben@example.com")
            let moved = try await move(.gitHub)
            try await world.service.setDisabled(true, account: (isSource ? source : target).account.id)
            try await world.refusal(.userDisabled, .accountIsDisabled, "\(isSource)") {
                try await world.service.client(world.context).undoMerge(
                    moved.id,
                    verifiedBy: isSource ? world.side(.gitHub) : world.passwordSide("ann@example.com")
                )
            }
        }
    }

    func testADeviceMovesAMethodThatReplacesAnother() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.google, .ann))
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let moved = try await world.device().move(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com"),
            replacing: true
        )
        XCTAssertEqual(moved.plan.replaced.map(\.provider), [.google], "what gave way")
    }

    func testAPreviewOfAMoveThatReplacesAnotherNamesWhatGivesWay() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.google, .ann))
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let plan = try await world.service.client(world.context).previewMove(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.passwordSide("ben@example.com"),
            replacing: true
        )
        XCTAssertEqual(plan.replaced.map(\.provider), [.google], "what would give way")
    }
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeTests: LimitedTestCase {
    private var world = World(.standard)

    func testEverythingThatCanMoveDoesAndTheSourceIsClosed() async throws {
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.result.user.uid, target.uid)
        XCTAssertEqual(merged.result.user.session.basis.kind, .password, "how the target's side was verified")
        XCTAssertTrue(merged.isFinished)
        let after = try await world.storedProviders(target)
        XCTAssertEqual(after, [.password, .google, .gitHub])
        let gone = try await world.storedAccount(source)
        XCTAssertNil(gone)
        let user = try await world.service.client().signIn(with: world.credential(.gitHub)).user
        XCTAssertEqual(user.uid, target.uid)
        try await merged.result.user.reload()
    }

    func testWhatTheTargetsProviderSaidComesWithTheResult() async throws {
        try await world.signUp("ann@example.com")
        try await world.signIn(.google, .ben)
        let client = world.service.client(world.context)
        let merged = try await client.merge(world.passwordSide("ann@example.com"), into: world.side(.google, .ben))
        XCTAssertEqual(merged.result.provider, .google, "what verified the target")
        XCTAssertEqual(merged.result.additionalUserInfo?.provider, .google, "what Google said of the target")
        try await world.signUp("carl@example.com", linking: world.credential(.gitHub))
        let moved = try await client.move(.gitHub, from: world.side(.gitHub), to: world.side(.google, .ben))
        XCTAssertEqual(moved.result.additionalUserInfo?.provider, .google, "after a move")
    }

    func testTheSessionOfAMergeRestsOnTheMethodThatReplacesTheVerifiedOne() async throws {
        for hasHooks in [false, true] {
            world.startOver()
            if hasHooks { world.addHooks("orders") }
            try await world.signIn(.google, .ann)
            try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
            world.clock.advance(by: .seconds(8 * 86_400))
            let merged = try await world.service.client(world.context).merge(
                world.side(.google, .ann),
                into: world.side(.google, .ben),
                choices: [.google]
            )
            let user = merged.result.user
            try await user.reload()
            XCTAssertEqual(user.session.basis.provider, .google, "with hooks: \(hasHooks)")
            let methods = try await world.storedAccount(user)?.methods.map(\.generation)
            XCTAssertEqual(methods?.last, user.session.basis.generation, "Ann's Google, with hooks: \(hasHooks)")
        }
    }

    func testTheSessionOfAMoveRestsOnTheMethodThatReplacesTheVerifiedOne() async throws {
        try await world.signUp("ann@example.com", linking: world.credential(.google, .ann))
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        world.clock.advance(by: .seconds(8 * 86_400))
        let moved = try await world.service.client(world.context).move(
            .google,
            from: world.passwordSide("ann@example.com"),
            to: world.side(.google, .ben),
            replacing: true
        )
        try await moved.result.user.reload()
        XCTAssertEqual(moved.result.user.session.basis.provider, .google, "what the session rests on")
    }

    func testAMovedMethodIsANewOneOfTheTarget() async throws {
        try await world.signIn(.gitHub)
        world.clock.advance(by: .seconds(100))
        let target = try await world.signUp("ben@example.com")
        let before = try await world.storedAccount(target)
        world.clock.advance(by: .seconds(100))
        _ = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        let method = try await world.storedAccount(target)?.method(of: .gitHub)
        XCTAssertEqual(method?.generation, before?.nextGeneration)
        XCTAssertEqual(method?.addedAt, world.clock.timestamp)
        XCTAssertEqual(method?.seniorSince, world.clock.timestamp)
        XCTAssertEqual(method?.coverage, [], "neither side verified an address in this attempt")
    }

    func testWhatBothSidesVerifiedCoversWhatMoved() async throws {
        let number = "+15550001234"
        _ = try await world.service.client(world.context).signIn(with: world.digits(to: number))
        let target = try await world.signUp("ben@example.com")
        _ = try await world.service.client(world.context).merge(
            world.side(world.digits(to: number)),
            into: world.passwordSide("ben@example.com")
        )
        let covered = try await world.storedAccount(target)?.phoneMethod?.coverage.map(\.subject)
        XCTAssertEqual(covered, [.phone(try XCTUnwrap(PhoneNumber(number)))])
        let evidence = try await world.storedAccount(target)?.evidence.filter(\.isFresh).map(\.subject)
        XCTAssertTrue(try XCTUnwrap(evidence).contains(.phone(try XCTUnwrap(PhoneNumber(number)))))
    }

    func testTheTargetsMethodStaysAndTheOtherIsFree() async throws {
        try await world.signIn(.google, .ann)
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let merged = try await world.service.client(world.context).merge(
            world.side(.google, .ann),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan.moves, [])
        XCTAssertEqual(merged.plan.stays.map(\.why), [.targetHasProvider])
        let kept = try await world.storedAccount(target)?.method(of: .google)?.identity?.key.subject.text
        XCTAssertEqual(kept, SimulatedPerson.ben.subject(at: .google))
        let newAccount = try await world.service.client().signIn(with: world.credential(.google, .ann))
        XCTAssertTrue(newAccount.isNewUser, "what stays behind is free")
    }

    func testAChosenMethodTakesThePlaceOfTheTargets() async throws {
        let target = try await world.mergeAnnIntoBenWithHerGoogle()
        let methods = try await world.storedAccount(target)?.methods.compactMap { $0.identity?.key.subject.text }
        XCTAssertEqual(methods, [SimulatedPerson.ann.subject(at: .google)])
    }

    func testAnAddressMovesWithItsPasswordToAnAccountWithoutOne() async throws {
        let source = try await world.signUp("ann@example.com")
        let target = try await world.signIn(.gitHub, SimulatedPerson(name: "Ann", email: nil))
        _ = try await world.service.client(world.context).merge(
            world.passwordSide("ann@example.com"),
            into: world.side(.gitHub, SimulatedPerson(name: "Ann", email: nil))
        )
        let account = try await world.storedAccount(target)
        XCTAssertEqual(account?.email?.text, "ann@example.com")
        XCTAssertTrue(world.service.isEmailVerified(try XCTUnwrap(account)))
        let user = try await world.service.client().signIn(
            with: .password(email: "ann@example.com", password: World.password)
        )
        .user
        XCTAssertEqual(user.uid, target.uid)
        XCTAssertNotEqual(user.uid, source.uid)
    }

    func testAnAddressThatDoesNotMoveIsFreeAgain() async throws {
        try await world.signUp("ann@example.com")
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.passwordSide("ann@example.com"),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan.releasedAddress, "ann@example.com")
        XCTAssertEqual(merged.plan.stays.map(\.why), [.targetHasAddress])
        XCTAssertNil(merged.undoableUntil, "nothing moved that could go back")
        await assertThrows(.invalidCredential) {
            try await world.service.client().signIn(with: .password(email: "ann@example.com", password: World.password))
        }
        let account = try await world.storedAccount(target)
        XCTAssertEqual(account?.email?.text, "ben@example.com")
        let ann = try XCTUnwrap(EmailAddress("ann@example.com"))
        let stale = account?.evidence.first { $0.subject == .email(ann) }
        XCTAssertEqual(stale?.isFresh, false, "what was verified of a released address is history")
        let newAccount = try await world.device("tablet").signUp(email: "ann@example.com", password: "another one").user
        XCTAssertNotEqual(newAccount.uid, target.uid)
    }

    func testAProfileIsFilledOnlyWhereItIsEmptyAndClaimsNeverMove() async throws {
        let source = try await world.signIn(.gitHub)
        try await source.updateProfile(displayName: .set("Ann"), photoURL: .set("https://example.com/a.jpg"))
        _ = try await world.service.setCustomClaims(["role": "admin"], account: source.account.id)
        let target = try await world.signUp("ben@example.com")
        try await target.updateProfile(displayName: .set("Ben"))
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan.profile, [.photoURL])
        XCTAssertEqual(merged.plan.stayingClaims, ["role"])
        let account = try await world.storedAccount(target)
        XCTAssertEqual(account?.displayName, "Ben")
        XCTAssertEqual(account?.photoURL, "https://example.com/a.jpg")
        XCTAssertEqual(account?.customClaims, [:])
    }

    func testOldSessionsOfBothSidesEnd() async throws {
        let source = try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        await assertThrows(.accountMerged) { try await source.reload() }
        await assertThrows(.accountMerged) { try await source.link(with: world.credential(.facebook)) }
        await assertThrows(.userTokenExpired) { try await target.reload() }
        try await merged.result.user.reload()
    }

    func testATombstoneAnswersEverywhereAndNeverGivesASession() async throws {
        let source = try await world.signIn(.gitHub)
        let token = try await source.idToken()
        let pair = try await source.issueTokens()
        let custom = try await world.service.makeCustomToken(for: source.account.id)
        let target = try await world.signUp("ben@example.com")
        _ = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        await assertThrows(.accountMerged, "custom token") {
            try await world.service.client().signIn(with: .customToken(custom))
        }
        await assertThrows(.accountMerged, "administrator") { try await world.service.account(source.account.id) }
        await assertThrows(.accountMerged, "refresh") { try await world.service.client().refresh(pair.refreshToken) }
        await assertThrows(.accountMerged, "token") { try await world.service.client().user(forIDToken: token) }
        let successor = try await world.service.successor(of: source.account.id)
        XCTAssertEqual(successor, target.account.id)
        let none = try await world.service.successor(of: target.account.id)
        XCTAssertNil(none)
    }

    func testTheSuccessorIsFoundThroughSeveralMerges() async throws {
        let first = try await world.signIn(.gitHub)
        let second = try await world.signIn(.facebook, .ben)
        let third = try await world.signUp("cem@example.com")
        _ = try await world.service.client(world.context).merge(world.side(.gitHub), into: world.side(.facebook, .ben))
        _ = try await world.service.client(world.context).merge(
            world.side(.facebook, .ben),
            into: world.passwordSide("cem@example.com")
        )
        for id in [first.account.id, second.account.id] {
            let successor = try await world.service.successor(of: id)
            XCTAssertEqual(successor, third.account.id)
        }
    }

    /// The number is no rule: it only ends the search in a store that names two accounts as each other's successors.
    func testSixtyFourMergesAreFollowed() async throws {
        let ids = (0...65).map { AccountID(bits: UInt128($0)) }
        var changes = ChangeSet(operation: OperationID(bits: 1), at: world.clock.timestamp)
        for (id, successor) in zip(ids, ids.dropFirst()) {
            let tombstone = OneTimeRecord(
                key: .tombstone(of: id),
                account: nil,
                createdAt: world.clock.timestamp,
                expiresAt: nil,
                content: .tombstone(successor: successor)
            )
            changes.records.append(.put(tombstone))
        }
        let outcome = try await world.service.store.commit(changes)
        XCTAssertEqual(outcome, .committed)
        let found = try await world.service.successor(of: ids[0])
        XCTAssertEqual(found, ids[64])
        let last = try await world.service.successor(of: ids[1])
        XCTAssertEqual(last, ids[65])
    }

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

    func testADeletionThatCanBeTakenBackIsTakenBackByTheProof() async throws {
        for names: [String] in [[], ["orders"]] {
            world.startOver()
            if !names.isEmpty { world.addHooks("orders") }
            let source = try await world.signIn(.gitHub)
            try await source.delete()
            let target = try await world.signUp("ben@example.com")
            try await target.delete()
            let merged = try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
            XCTAssertNil(merged.result.user.account.deletedUntil)
            let taken = try await world.service.events(limit: .max).events.filter { $0.kind == .deletionCanceled }
            XCTAssertEqual(taken.filter { $0.account == target.account.id }.count, 1, "events of the target's deletion")
        }
    }

    func testASourceWhoseAddressChangeIsContestableDoesNotMerge() async throws {
        let source = try await world.signUp("ann@example.com")
        try await source.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.service.client().applyActionCode(try XCTUnwrap(world.outbox.last(to: "new@example.com")?.code))
        try await world.signUp("ben@example.com")
        try await world.refusal(.mergeNotPossible, .addressChangeIsReversible) {
            try await world.service.client(world.context).merge(
                world.passwordSide("new@example.com"),
                into: world.passwordSide("ben@example.com")
            )
        }
    }

    func testNobodyCanChooseWhosePasswordStays() async throws {
        try await world.signIn(.gitHub)
        try await world.signUp("ben@example.com")
        try await world.refusal(.mergeNotPossible, .choiceIsNotOffered) {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com"),
                choices: [.password]
            )
        }
    }

    func testAClientHoldsTheTargetAfterwards() async throws {
        try await world.signIn(.gitHub)
        let target = try await world.signUp("ben@example.com")
        let auth = world.device()
        try await auth.signIn(with: world.credential(.gitHub))
        let merged = try await auth.merge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        XCTAssertTrue(auth.currentUser === merged.result.user)
    }

    func testADeviceMergesWithTheChoicesOfThePerson() async throws {
        try await world.signIn(.google, .ann)
        try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        let merged = try await world.device().merge(
            world.side(.google, .ann),
            into: world.passwordSide("ben@example.com"),
            choices: [.google]
        )
        XCTAssertEqual(merged.plan.replaced.map(\.provider), [.google], "what gave way")
    }
}

@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

final class MergeTests: MergeTestCase {
    func testEverythingThatCanMoveDoesAndTheSourceIsClosed() async throws {
        let source = try await signIn(.gitHub)
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        XCTAssertEqual(merged.result.user.uid, target.uid)
        XCTAssertTrue(merged.isFinished)
        let after = try await providers(target)
        XCTAssertEqual(after, [.password, .google, .gitHub])
        let gone = try await account(source)
        XCTAssertNil(gone)
        let user = try await service.client().signIn(with: credential(.gitHub)).user
        XCTAssertEqual(user.uid, target.uid)
        try await merged.result.user.reload()
    }

    func testAMovedMethodIsANewOneOfTheTarget() async throws {
        try await signIn(.gitHub)
        clock.advance(by: 100)
        let target = try await signUp("ben@example.com")
        let before = try await account(target)
        clock.advance(by: 100)
        _ = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        let method = try await account(target)?.method(of: .gitHub)
        XCTAssertEqual(method?.generation, before?.nextGeneration)
        XCTAssertEqual(method?.addedAt, clock.timestamp)
        XCTAssertEqual(method?.seniorSince, clock.timestamp)
        XCTAssertEqual(method?.coverage, [], "neither side proved an address in this attempt")
    }

    func testWhatBothSidesProvedCoversWhatMoved() async throws {
        let number = "+15550001234"
        _ = try await service.client(context).signIn(with: digits(to: number))
        let target = try await signUp("ben@example.com")
        _ = try await service.client(context).merge(side(digits(to: number)), into: passwordSide("ben@example.com"))
        let covered = try await account(target)?.phoneMethod?.coverage.map(\.subject)
        XCTAssertEqual(covered, [.phone(try XCTUnwrap(PhoneNumber(number)))])
        let evidence = try await account(target)?.evidence.filter(\.isFresh).map(\.subject)
        XCTAssertTrue(try XCTUnwrap(evidence).contains(.phone(try XCTUnwrap(PhoneNumber(number)))))
    }

    func testTheTargetsMethodStaysAndTheOtherIsFree() async throws {
        try await signIn(.google, .ann)
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        let merged = try await service.client(context).merge(
            side(.google, .ann),
            into: passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan.moves, [])
        XCTAssertEqual(merged.plan.stays.map(\.why), [.targetHasProvider])
        let kept = try await account(target)?.method(of: .google)?.identity?.key.subject.text
        XCTAssertEqual(kept, SimulatedPerson.ben.subject(at: .google))
        let newcomer = try await service.client().signIn(with: credential(.google, .ann))
        XCTAssertTrue(newcomer.isNewUser, "what stays behind is free")
    }

    func testAChosenMethodTakesThePlaceOfTheTargets() async throws {
        let target = try await mergeAnnIntoBenWithHerGoogle()
        let methods = try await account(target)?.methods.compactMap { $0.identity?.key.subject.text }
        XCTAssertEqual(methods, [SimulatedPerson.ann.subject(at: .google)])
    }

    func testAnAddressMovesWithItsPasswordToAnAccountWithoutOne() async throws {
        let source = try await signUp("ann@example.com")
        let target = try await signIn(.gitHub, SimulatedPerson(name: "Ann", email: nil))
        _ = try await service.client(context).merge(
            passwordSide("ann@example.com"),
            into: side(.gitHub, SimulatedPerson(name: "Ann", email: nil))
        )
        let account = try await account(target)
        XCTAssertEqual(account?.email?.text, "ann@example.com")
        XCTAssertTrue(service.isEmailVerified(try XCTUnwrap(account)))
        let user = try await service.client().signIn(with: .password(email: "ann@example.com", password: Self.password))
            .user
        XCTAssertEqual(user.uid, target.uid)
        XCTAssertNotEqual(user.uid, source.uid)
    }

    func testAnAddressThatDoesNotMoveIsFreeAgain() async throws {
        try await signUp("ann@example.com")
        let target = try await signUp("ben@example.com")
        let merged = try await service.client(context).merge(
            passwordSide("ann@example.com"),
            into: passwordSide("ben@example.com")
        )
        XCTAssertEqual(merged.plan.releasedAddress, "ann@example.com")
        XCTAssertEqual(merged.plan.stays.map(\.why), [.targetHasAddress])
        XCTAssertNil(merged.undoableUntil, "nothing moved that could go back")
        await assertThrows(.invalidCredential) {
            try await service.client().signIn(with: .password(email: "ann@example.com", password: Self.password))
        }
        let account = try await account(target)
        XCTAssertEqual(account?.email?.text, "ben@example.com")
        let ann = try XCTUnwrap(EmailAddress("ann@example.com"))
        let stale = account?.evidence.first { $0.subject == .email(ann) }
        XCTAssertEqual(stale?.isFresh, false, "what was proved of a released address is history")
        let newcomer = try await seat("tablet").signUp(email: "ann@example.com", password: "another one").user
        XCTAssertNotEqual(newcomer.uid, target.uid)
    }

    func testAProfileIsFilledOnlyWhereItIsEmptyAndClaimsNeverMove() async throws {
        let source = try await signIn(.gitHub)
        try await source.updateProfile(displayName: .set("Ann"), photoURL: .set("https://example.com/a.jpg"))
        _ = try await service.setCustomClaims(["role": "admin"], account: source.account.id)
        let target = try await signUp("ben@example.com")
        try await target.updateProfile(displayName: .set("Ben"))
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        XCTAssertEqual(merged.plan.profile, [.photoURL])
        XCTAssertEqual(merged.plan.stayingClaims, ["role"])
        let account = try await account(target)
        XCTAssertEqual(account?.displayName, "Ben")
        XCTAssertEqual(account?.photoURL, "https://example.com/a.jpg")
        XCTAssertEqual(account?.customClaims, [:])
    }

    func testOldSessionsOfBothSidesEnd() async throws {
        let source = try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        await assertThrows(.accountMerged) { try await source.reload() }
        await assertThrows(.accountMerged) { try await source.link(with: credential(.facebook)) }
        await assertThrows(.userTokenExpired) { try await target.reload() }
        try await merged.result.user.reload()
    }

    func testATombstoneAnswersEverywhereAndNeverGivesASession() async throws {
        let source = try await signIn(.gitHub)
        let token = try await source.idToken()
        let pair = try await source.issueTokens()
        let custom = try await service.makeCustomToken(for: source.account.id)
        let target = try await signUp("ben@example.com")
        _ = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        await assertThrows(.accountMerged, "custom token") {
            try await service.client().signIn(with: .customToken(custom))
        }
        await assertThrows(.accountMerged, "administrator") { try await service.account(source.account.id) }
        await assertThrows(.accountMerged, "refresh") { try await service.client().refresh(pair.refreshToken) }
        await assertThrows(.accountMerged, "token") { try await service.client().user(forIDToken: token) }
        let successor = try await service.successor(of: source.account.id)
        XCTAssertEqual(successor, target.account.id)
        let none = try await service.successor(of: target.account.id)
        XCTAssertNil(none)
    }

    func testTheSuccessorIsFoundThroughSeveralMerges() async throws {
        let first = try await signIn(.gitHub)
        let second = try await signIn(.facebook, .ben)
        let third = try await signUp("cem@example.com")
        _ = try await service.client(context).merge(side(.gitHub), into: side(.facebook, .ben))
        _ = try await service.client(context).merge(side(.facebook, .ben), into: passwordSide("cem@example.com"))
        for id in [first.account.id, second.account.id] {
            let successor = try await service.successor(of: id)
            XCTAssertEqual(successor, third.account.id)
        }
    }

    func testBothSidesHaveOneEventWithBeforeAndAfter() async throws {
        let source = try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        let before = try await service.events(limit: .max).events.count
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        let events = try await service.events(limit: .max).events.dropFirst(before)
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

    func testTheProvenAddressesOfBothSidesAreTold() async throws {
        for names: [String] in [[], ["orders"]] {
            startOver()
            if !names.isEmpty { addHooks("orders") }
            try await signUp("ann@example.com", linking: credential(.gitHub))
            let target = try await signUp("ben@example.com")
            let before = outbox.messages.count
            _ = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
            let (ann, ben) = (
                try XCTUnwrap(EmailAddress("ann@example.com")), try XCTUnwrap(EmailAddress("ben@example.com"))
            )
            let told = outbox.messages.dropFirst(before)
            XCTAssertEqual(told.map(\.kind), [.methodAdded, .accountMerged])
            XCTAssertEqual(told.map(\.account), [target.account.id, target.account.id])
            XCTAssertEqual(
                told.map(\.recipient),
                [.email(ben), .email(ann)]
            )
        }
    }

    func testTheNoticeToTheTargetSuspendsWhatMoved() async throws {
        try await signUp("ann@example.com", linking: credential(.gitHub))
        let target = try await signUp("ben@example.com")
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        try await service.client().reportUnauthorizedChange(
            code: XCTUnwrap(outbox.last(to: "ben@example.com", .methodAdded)?.code)
        )
        let methods = try await account(target)?.methods
        XCTAssertEqual(methods?.map(\.isActive), [true, false])
        try await refusal(.mergeNotPossible, .nothingCanReturn, "what was suspended since does not go back") {
            try await service.client(context).undoMerge(merged.id, provedBy: passwordSide("ben@example.com"))
        }
    }

    func testTheNoticeToTheSourceEndsTheSessions() async throws {
        try await signUp("ann@example.com", linking: credential(.gitHub))
        try await signUp("ben@example.com")
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        try await service.client().reportUnauthorizedChange(
            code: XCTUnwrap(outbox.last(to: "ann@example.com", .accountMerged)?.code)
        )
        await assertThrows(.userTokenExpired) { try await merged.result.user.reload() }
    }

    func testADeletionThatCanBeTakenBackIsTakenBackByTheProof() async throws {
        for names: [String] in [[], ["orders"]] {
            startOver()
            if !names.isEmpty { addHooks("orders") }
            let source = try await signIn(.gitHub)
            try await source.delete()
            let target = try await signUp("ben@example.com")
            try await target.delete()
            let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
            XCTAssertNil(merged.result.user.account.deletedUntil)
        }
    }

    func testASourceWhoseAddressChangeIsContestableDoesNotMerge() async throws {
        let source = try await signUp("ann@example.com")
        try await source.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await service.client().applyActionCode(try XCTUnwrap(outbox.last(to: "new@example.com")?.code))
        try await signUp("ben@example.com")
        try await refusal(.mergeNotPossible, .addressChangeIsContestable) {
            try await service.client(context).merge(
                passwordSide("new@example.com"),
                into: passwordSide("ben@example.com")
            )
        }
    }

    func testNobodyCanChooseWhosePasswordStays() async throws {
        try await signIn(.gitHub)
        try await signUp("ben@example.com")
        try await refusal(.mergeNotPossible, .choiceIsNotOffered) {
            try await service.client(context).merge(
                side(.gitHub),
                into: passwordSide("ben@example.com"),
                choices: [.password]
            )
        }
    }

    func testASeatHoldsTheTargetAfterwards() async throws {
        try await signIn(.gitHub)
        let target = try await signUp("ben@example.com")
        let auth = seat()
        try await auth.signIn(with: credential(.gitHub))
        let merged = try await auth.merge(side(.gitHub), into: passwordSide("ben@example.com"))
        XCTAssertEqual(auth.currentUser?.uid, target.uid)
        XCTAssertTrue(auth.currentUser === merged.result.user)
    }
}

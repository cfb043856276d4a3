@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a merge moves to the target, and what it leaves, ends or refuses.
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

@testable import AuthCore
import AuthCoreCrypto
import AuthCoreTesting
import Foundation
import XCTest

/// While hooks prepare, what opens both accounts stays as it is; everything else goes on.
final class MergeLockTests: LimitedTestCase {
    private var world = World(.standard)

    private struct Stage {
        let source: User
        let target: User
        let id: Merge.ID
    }

    /// A merge that stopped after its first hook, as by a crash; its target may have moved to another address before.
    private func stage(movingTheTargetTo address: String? = nil) async throws -> Stage {
        world.addHooks("orders", "photos")
        let source = try await world.signUp("ann@example.com", linking: world.credential(.gitHub))
        let target = try await world.signUp("ben@example.com", linking: world.credential(.google, .ben))
        if let address {
            try await target.sendEmailVerification(beforeUpdatingTo: address)
            try await world.device("laptop of ben@example.com").applyActionCode(world.code(.changeEmail, to: address))
            // A minute before the former address is free.
            world.clock.advance(by: .seconds(14 * 86_400 - 60))
        }
        world.journal.fail("prepare photos", CancellationError())
        await assertThrows(.outcomeUnknown) {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide(address ?? "ben@example.com")
            )
        }
        let hold = try await world.storedAccount(source)?.mergeLock
        return Stage(source: source, target: target, id: Merge.ID(try XCTUnwrap(hold).intent))
    }

    private func held(_ what: String, _ act: () async throws -> some Any) async throws {
        try await world.refusal(.mergeInProgress, .accountIsBeingMerged, what, act)
    }

    func testAnOverdueMergeOfEitherSideIsCalledOffBeforeAnother() async throws {
        for isSource in [false, true] {
            world.startOver()
            _ = try await stage()
            try await world.signIn(.facebook, .eve)
            world.clock.advance(by: .seconds(901))
            world.journal.clear()
            let (eve, ben) = (try await world.side(.facebook, .eve), try await world.passwordSide("ben@example.com"))
            let client = world.service.client(world.context)
            _ = try? await client.merge(isSource ? ben : eve, into: isSource ? eve : ben)
            XCTAssertEqual(
                world.journal.lines.prefix(2),
                ["abort photos", "abort orders"],
                "where its account is the source: \(isSource)"
            )
        }
    }

    func testNothingThatOpensEitherAccountChanges() async throws {
        let stage = try await stage()
        for (user, person) in [(stage.source, SimulatedPerson.ann), (stage.target, .ben)] {
            try await held("link") { try await user.link(with: world.credential(.facebook, person)) }
            try await held("unlink") { try await user.unlink(.password) }
            try await held("replace") { try await user.replace(.password, with: world.credential(.facebook, person)) }
            try await held("password") { try await user.updatePassword(to: "battery staple") }
            try await held("phone") {
                try await user.updatePhoneNumber(
                    with: world.digits(to: "+15550001234", from: world.device("laptop of \(user.email ?? "")"))
                )
            }
            try await held("delete") { try await user.delete() }
            try await held("deletion by an administrator") { try await world.service.deleteAccount(user.account.id) }
            let app = try await user.multiFactor.startTOTP(issuer: "Boats")
            let code = TimeBasedCode()
            let secret = try XCTUnwrap(Base32.decode(app.sharedSecret))
            try await held("factor") {
                try await user.multiFactor.enroll(
                    app,
                    code: code.code(forStep: code.step(at: world.clock.timestamp.seconds), secret: secret)
                )
            }
            let mail = "\(person.username)2@example.com"
            try await user.sendEmailVerification(beforeUpdatingTo: mail)
            try await held("address") {
                try await world.service.client().applyActionCode(world.outbox.last(to: mail)?.code ?? "")
            }
            try await world.service.client().sendPasswordReset(to: user.email ?? "")
            let reset = world.outbox.last(to: user.email ?? "", .resetPassword)?.code ?? ""
            try await held("reset") {
                try await world.service.client().confirmPasswordReset(code: reset, newPassword: "battery staple")
            }
        }
    }

    func testSignInGoesOnAndTheMergeToo() async throws {
        let stage = try await stage()
        for credential in [world.credential(.gitHub), .password(email: "ann@example.com", password: World.password)] {
            let user = try await world.service.client().signIn(with: credential).user
            XCTAssertEqual(user.uid, stage.source.uid)
        }
        let ben = try await world.service.client().signIn(with: world.credential(.google, .ben)).user
        XCTAssertEqual(ben.uid, stage.target.uid)
        try await stage.target.updateProfile(displayName: .set("Ben"))
        let ending = try await world.service.resumeMerge(stage.id)
        XCTAssertEqual(ending, .merged)
        XCTAssertEqual(world.journal.lines.suffix(2), ["commit orders", "commit photos"], "what the hooks heard last")
    }

    func testAnotherMergeOfEitherSideWaits() async throws {
        _ = try await stage()
        try await world.signIn(.facebook, .eve)
        for mail in ["ann@example.com", "ben@example.com"] {
            try await world.refusal(.mergeInProgress, .accountIsBeingMerged, mail) {
                try await world.service.client(world.context).merge(
                    world.side(.facebook, .eve),
                    into: world.passwordSide(mail)
                )
            }
            try await world.refusal(.mergeInProgress, .accountIsBeingMerged, mail) {
                try await world.service.client(world.context).merge(
                    world.passwordSide(mail),
                    into: world.side(.facebook, .eve)
                )
            }
        }
    }

    /// One merge that cannot be resumed since the store fails is no merge that was resumed.
    func testAStoreThatFailsWhileMergesAreResumedIsReported() async throws {
        let stage = try await stage()
        world.store.script(.load, .failsBefore())
        await assertThrows(.storeUnavailable) { try await world.service.resumeMerges() }
        let endings = try await world.service.resumeMerges()
        XCTAssertEqual(endings, [stage.id: .merged], "the next call")
    }

    /// An account that is locked by a merge is not cleaned up before the lock expires.
    func testASweepLeavesALockedAccountAlone() async throws {
        let stage = try await stage(movingTheTargetTo: "bea@example.com")
        world.clock.advance(by: .seconds(60))
        let before = try await world.storedAccount(stage.target)
        let source = try await world.storedAccount(stage.source)
        let isDue = try XCTUnwrap(before).isDueForExpiry(at: world.clock.timestamp)
        XCTAssertTrue(isDue, "the time of the former address has not ended, so that a sweep has nothing to do")
        for _ in 0..<2 {
            try await world.service.sweep()
            let kept = try await world.storedAccount(stage.target)
            XCTAssertEqual(kept, before, "a sweep changed an account whose merge is in progress")
            let other = try await world.storedAccount(stage.source)
            XCTAssertNotNil(other?.mergeLock, "the lock of the other account")
            XCTAssertEqual(other, source, "a sweep changed the other account of the merge")
            world.clock.advance(by: .seconds(830))
        }
        world.clock.advance(by: .seconds(60))
        try await world.service.sweep()
        let after = try await world.storedAccount(stage.target)
        XCTAssertEqual(after?.reservations, [], "the former address once the lock has expired")
    }

    func testAnAccountThatIsDueForItsMergeAloneTakesNoOthersPlaceInASweep() async throws {
        _ = try await stage()
        let carl = try await world.signUp("carl@example.com", linking: world.credential(.facebook, .eve))
        try await carl.delete()
        world.clock.advance(by: .seconds(8 * 86_400))
        try await inTime { [world] in
            let report = try await world.service.sweep(limit: 1)
            XCTAssertEqual(report.accounts, 1, "the account whose deletion is due")
        }
        let gone = try await world.storedAccount(carl)
        XCTAssertNil(gone)
    }

    func testAnExpiredLockLocksNothing() async throws {
        let stage = try await stage()
        world.clock.advance(by: .seconds(901))
        for user in [stage.source, stage.target] {
            try await user.reauthenticate(with: .password(email: user.email ?? "", password: World.password))
            try await user.link(with: world.credential(.facebook, user === stage.source ? .ann : .ben))
            XCTAssertEqual(user.providerData.last?.provider, .facebook, "the method that was linked last")
        }
    }

    func testALockLastsUntilTheMomentAtWhichItExpires() async throws {
        let stage = try await stage()
        let lock = try await world.storedAccount(stage.target)?.mergeLock
        let until = try XCTUnwrap(lock).until
        world.clock.advance(by: .seconds(until.date.timeIntervalSince(world.clock.now) - 1))
        try await stage.target.reauthenticate(with: .password(email: "ben@example.com", password: World.password))
        try await held("a second before the lock expires") { try await stage.target.unlink(.google) }
        world.clock.advance(by: .seconds(1))
        try await stage.target.unlink(.google)
        XCTAssertEqual(stage.target.providerData.map(\.provider), [.password], "at the moment the lock expires")
    }

    func testANewMergeAbortsOneThatExpiresAtThisMoment() async throws {
        let stage = try await stage()
        let lock = try await world.storedAccount(stage.target)?.mergeLock
        let until = try XCTUnwrap(lock).until
        world.clock.advance(by: .seconds(until.date.timeIntervalSince(world.clock.now)))
        world.journal.clear()
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertNotEqual(merged.id, stage.id, "the expired merge went on")
        XCTAssertEqual(world.journal.lines.prefix(2), ["abort photos", "abort orders"], "hooks of the expired merge")
    }

    func testAPreviewAbortsNoMerge() async throws {
        let stage = try await stage()
        world.clock.advance(by: .seconds(901))
        world.journal.clear()
        let client = world.service.client(world.context)
        _ = try await client.previewMerge(world.side(.gitHub), into: world.passwordSide("ben@example.com"))
        _ = await outcome {
            try await client.previewMove(
                .gitHub,
                from: world.side(.gitHub),
                to: world.passwordSide("ben@example.com"),
                replacing: true
            )
        }
        XCTAssertEqual(world.journal.lines, [], "what the hooks are asked during a preview")
        let lock = try await world.storedAccount(stage.source)?.mergeLock
        XCTAssertNotNil(lock, "a preview changes nothing")
    }

    func testAnExpiredMergeIsCalledOffAndItsHooksHearOfIt() async throws {
        let stage = try await stage()
        world.clock.advance(by: .seconds(901))
        world.journal.clear()
        let endings = try await world.makeService().resumeMerges()
        XCTAssertEqual(endings, [stage.id: .aborted])
        XCTAssertEqual(world.journal.lines, ["abort photos", "abort orders"])
        let source = try await world.storedAccount(stage.source)
        XCTAssertNil(source?.mergeLock)
    }

    func testANewMergeCallsAnExpiredOneOffFirst() async throws {
        let stage = try await stage()
        world.clock.advance(by: .seconds(901))
        world.journal.clear()
        let merged = try await world.service.client(world.context).merge(
            world.side(.gitHub),
            into: world.passwordSide("ben@example.com")
        )
        XCTAssertNotEqual(merged.id, stage.id)
        XCTAssertEqual(
            world.journal.lines,
            ["abort photos", "abort orders", "prepare orders", "prepare photos", "commit orders", "commit photos"]
        )
    }

    func testNoMergeBeginsBeforeTheHooksOfAnExpiredOneHeardThatItIsCalledOff() async throws {
        let stage = try await stage()
        world.clock.advance(by: .seconds(901))
        world.journal.clear()
        world.journal.fail("abort photos")
        await assertThrows(.mergeHookFailed, "a hook could not be told") {
            try await world.service.client(world.context).merge(
                world.side(.gitHub),
                into: world.passwordSide("ben@example.com")
            )
        }
        XCTAssertEqual(world.journal.lines, ["abort photos"], "what the hooks are asked")
        let lock = try await world.storedAccount(stage.source)?.mergeLock
        XCTAssertEqual(lock.map { Merge.ID($0.intent) }, stage.id, "the merge that holds the account")
    }

    func testAnAccountIsDeletedOnceItsMergeWasCalledOff() async throws {
        let stage = try await stage()
        world.clock.advance(by: .seconds(901))
        let target = stage.target.account.id
        try await held("delete") { try await world.service.deleteAccount(target) }
        let endings = try await world.service.resumeMerges()
        XCTAssertEqual(endings, [stage.id: .aborted])
        try await world.service.deleteAccount(target)
        let left = try await (world.storedAccount(stage.source), world.storedAccount(target))
        XCTAssertNil(left.0?.mergeLock)
        XCTAssertNil(left.1)
    }
}

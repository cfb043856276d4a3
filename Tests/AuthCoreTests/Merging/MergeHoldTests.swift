@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// While hooks prepare, what opens both accounts stays as it is; everything else goes on.
final class MergeHoldTests: MergeTestCase {
    private struct Stage {
        let source: User
        let target: User
        let id: MergeID
    }

    /// A merge that stopped after its first hook, as by a crash.
    private func stage() async throws -> Stage {
        addHooks("orders", "photos")
        let source = try await signUp("ann@example.com", linking: credential(.gitHub))
        let target = try await signUp("ben@example.com", linking: credential(.google, .ben))
        journal.fail("prepare photos", CancellationError())
        await assertThrows(.cancelled) {
            try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        }
        let hold = try await account(source)?.hold
        return Stage(source: source, target: target, id: MergeID(try XCTUnwrap(hold).intent))
    }

    private func held(_ what: String, _ act: () async throws -> some Any) async throws {
        try await refusal(.mergeInProgress, .accountIsBeingMerged, what, act)
    }

    func testNothingThatOpensEitherAccountChanges() async throws {
        let stage = try await stage()
        for (user, person) in [(stage.source, SimulatedPerson.ann), (stage.target, .ben)] {
            try await held("link") { try await user.link(with: credential(.facebook, person)) }
            try await held("unlink") { try await user.unlink(.password) }
            try await held("replace") { try await user.replace(.password, with: credential(.facebook, person)) }
            try await held("password") { try await user.updatePassword(to: "battery staple") }
            try await held("phone") {
                try await user.updatePhoneNumber(
                    with: digits(to: "+15550001234", in: seat("laptop of \(user.email ?? "")"))
                )
            }
            try await held("delete") { try await user.delete() }
            try await held("deletion by an administrator") { try await service.deleteAccount(user.account.id) }
            let app = try await user.multiFactor.startTOTP(issuer: "Boats")
            let code = TimeBasedCode()
            let secret = try XCTUnwrap(Base32.decode(app.sharedSecret))
            try await held("factor") {
                try await user.multiFactor.enroll(
                    app,
                    code: code.code(forStep: code.step(at: clock.timestamp), secret: secret)
                )
            }
            let mail = "\(person.username)2@example.com"
            try await user.sendEmailVerification(beforeUpdatingTo: mail)
            try await held("address") { try await service.client().applyActionCode(outbox.last(to: mail)?.code ?? "") }
            try await service.client().sendPasswordReset(to: user.email ?? "")
            let reset = outbox.last(to: user.email ?? "", .resetPassword)?.code ?? ""
            try await held("reset") {
                try await service.client().confirmPasswordReset(code: reset, newPassword: "battery staple")
            }
        }
    }

    func testSignInGoesOnAndTheMergeToo() async throws {
        let stage = try await stage()
        for credential in [credential(.gitHub), .password(email: "ann@example.com", password: Self.password)] {
            let user = try await service.client().signIn(with: credential).user
            XCTAssertEqual(user.uid, stage.source.uid)
        }
        let ben = try await service.client().signIn(with: credential(.google, .ben)).user
        XCTAssertEqual(ben.uid, stage.target.uid)
        try await stage.target.updateProfile(displayName: .set("Ben"))
        let ending = try await service.resumeMerge(stage.id)
        XCTAssertEqual(ending, .merged)
    }

    func testAnotherMergeOfEitherSideWaits() async throws {
        _ = try await stage()
        try await signIn(.facebook, .eve)
        for mail in ["ann@example.com", "ben@example.com"] {
            try await refusal(.mergeInProgress, .accountIsBeingMerged, mail) {
                try await service.client(context).merge(side(.facebook, .eve), into: passwordSide(mail))
            }
            try await refusal(.mergeInProgress, .accountIsBeingMerged, mail) {
                try await service.client(context).merge(passwordSide(mail), into: side(.facebook, .eve))
            }
        }
    }

    func testAnExpiredHoldHoldsNothing() async throws {
        let stage = try await stage()
        clock.advance(by: 901)
        for user in [stage.source, stage.target] {
            try await user.reauthenticate(with: .password(email: user.email ?? "", password: Self.password))
            try await user.link(with: credential(.facebook, user === stage.source ? .ann : .ben))
        }
    }

    func testAnExpiredMergeIsCalledOffAndItsHooksHearOfIt() async throws {
        let stage = try await stage()
        clock.advance(by: 901)
        journal.clear()
        let endings = try await makeService().resumeMerges()
        XCTAssertEqual(endings, [stage.id: .calledOff])
        XCTAssertEqual(journal.lines, ["abort photos", "abort orders"])
        let source = try await account(stage.source)
        XCTAssertNil(source?.hold)
    }

    func testANewMergeCallsAnExpiredOneOffFirst() async throws {
        let stage = try await stage()
        clock.advance(by: 901)
        journal.clear()
        let merged = try await service.client(context).merge(side(.gitHub), into: passwordSide("ben@example.com"))
        XCTAssertNotEqual(merged.id, stage.id)
        XCTAssertEqual(
            journal.lines,
            ["abort photos", "abort orders", "prepare orders", "prepare photos", "commit orders", "commit photos"]
        )
    }

    func testAMergeWhoseAccountsAreGoneIsCalledOff() async throws {
        let stage = try await stage()
        clock.advance(by: 901)
        try await service.deleteAccount(stage.target.account.id)
        let endings = try await service.resumeMerges()
        XCTAssertEqual(endings, [stage.id: .calledOff])
        let source = try await account(stage.source)
        XCTAssertNil(source?.hold)
    }
}

@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Codes and sessions from before a change open nothing after it.
final class EarlierCodeAttackTests: LimitedTestCase {
    /// A code for a new password is over once the owner has set one.
    func testAResetCodeEndsWithANewPassword() async throws {
        let world = World(.pinned)
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        try await world.device("eve").sendPasswordReset(to: "ann@example.com")
        let code = try world.code(.resetPassword, to: "ann@example.com")
        try await ann.updatePassword(to: "anns second word")
        try await ann.revokeOtherSessions()
        await assertThrows(.invalidActionCode) {
            try await world.device("eve").confirmPasswordReset(code: code, newPassword: "eves own word")
        }
    }

    /// S17: a guest's session ends once the server vouches for a person.
    func testAGuestsSessionsEndWhenTheServerVouches() async throws {
        let world = World(.pinned)
        let guest = try await world.device("eve").signInAnonymously().user
        let token = try await world.service.makeCustomToken(for: guest.account.id)
        let ann = try await world.device("phone").signIn(with: .customToken(token)).user
        XCTAssertEqual(ann.uid, guest.uid)
        await assertThrows(.userTokenExpired) { try await guest.reload() }
    }

    /// S18: the code of a notice is void once its address is not one of the account's any more.
    func testARemovedAddressEndsNoSessions() async throws {
        let world = World(.standard)
        try await world.signUpVerifiedAnn(world.device("phone"))
        let stolen = try await world.device("eve").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.google(.eve.with(email: "eve@gmail.com")))
        let code = try XCTUnwrap(world.outbox.last(to: "eve@gmail.com")?.code)
        try await world.device("mail").reportUnauthorizedChange(
            code: try world.code(.methodAdded, to: "ann@example.com")
        )
        let user = try await world.device("phone").signIn(with: World.annsPassword).user
        try await user.unlink(.google)
        try await user.updatePassword(to: "anns second word")
        world.clock.advance(by: .seconds(5 * 86_400))
        try await world.refusal(.invalidActionCode, .codeIsOutdated, "a report from the removed address") {
            try await world.device("eve").reportUnauthorizedChange(code: code)
        }
        let goesOn = await world.succeeds { try await user.reload() }
        XCTAssertTrue(goesOn, "the owner's session has ended")
    }

    /// S18, AT-38: a pre-hijacker contests what the mailbox's owner did.
    func testAPreHijackersNoticesContestNoReset() async throws {
        let world = World(.standard)
        let evesAddress = Message.Recipient.email(try XCTUnwrap(EmailAddress("eve@gmail.com")))
        let evesDevice = world.device("eve")
        let eve = try await evesDevice.signUp(email: "ann@example.com", password: world.evesPassword).user
        try await eve.link(with: world.google(.eve.with(email: "eve@gmail.com")))
        // Codes for later, as many as she likes.
        for number in [0, 1] {
            try await eve.link(with: world.gitHub(number == 0 ? .eve : .ben))
            try await eve.unlink(.gitHub)
        }
        let notices = world.outbox.messages.filter { $0.recipient == evesAddress }
        XCTAssertEqual(
            notices.map(\.kind),
            [.methodAdded, .methodRemoved, .methodAdded, .methodRemoved],
            "her notices"
        )
        let stored = notices.compactMap(\.code)
        XCTAssertEqual(stored.count, 4, "the codes that she has for later")
        try await world.reset()
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(ann.uid, eve.uid)
        let all = world.outbox.messages.filter { $0.recipient == evesAddress }
        let code = try XCTUnwrap(all.last?.code)
        world.clock.advance(by: .seconds(3600))
        try await world.refusal(.invalidActionCode, .codeIsOutdated, "her newest code after the reset") {
            try await evesDevice.reportUnauthorizedChange(code: code)
        }
        let again = try await phone.signIn(with: .password(email: "ann@example.com", password: "anns own word")).user
        XCTAssertEqual(again.uid, ann.uid, "whom the owner's password signs in")
        try await world.reset(to: "anns second word")
        let back = try await phone.signIn(with: .password(email: "ann@example.com", password: "anns second word")).user
        for (number, old) in stored.enumerated() {
            try await world.refusal(.invalidActionCode, .codeIsUnknown, "old code \(number)") {
                try await evesDevice.reportUnauthorizedChange(code: old)
            }
        }
        let goesOn = await world.succeeds { try await back.reload() }
        XCTAssertTrue(goesOn, "the owner is signed out")
    }

    /// The same after a claim in a conflict.
    func testAPreHijackersNoticesContestNoClaim() async throws {
        let world = World(.standard)
        let evesDevice = world.device("eve")
        let eve = try await evesDevice.signUp(email: "ann@example.com", password: world.evesPassword).user
        try await eve.link(with: world.google(.eve.with(email: "eve@gmail.com")))
        let phone = world.device("phone")
        let conflict = try await world.conflict { try await phone.signIn(with: world.gitHub()) }
        let ann = try await phone.resolve(conflict, signingInWith: world.mailedLink(to: "ann@example.com", from: phone))
            .user
        XCTAssertEqual(ann.uid, eve.uid)
        let last = try XCTUnwrap(world.outbox.last(to: "eve@gmail.com"))
        try await world.refusal(.invalidActionCode, .codeIsOutdated, "her newest code after the claim") {
            try await evesDevice.reportUnauthorizedChange(code: last.code)
        }
        let again = try await phone.signIn(with: world.gitHub()).user
        XCTAssertEqual(again.uid, ann.uid, "whom the owner's identity signs in")
    }
}

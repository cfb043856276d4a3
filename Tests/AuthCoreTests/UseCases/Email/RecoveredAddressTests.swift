@testable import AuthCore
import AuthCoreTesting
import XCTest

/// S19: when a change of the address can be reversed from the old one.
final class RecoveredAddressTests: XCTestCase {
    private let world = World(.standard)

    /// Moves the account's address, asked for by this user.
    private func move(_ user: User) async throws {
        try await user.sendEmailVerification(beforeUpdatingTo: "new@example.com")
        try await world.device("mail").applyActionCode(try world.code(.changeEmail, to: "new@example.com"))
    }

    func testS19_AChangeThatBothMailboxesConfirmedIsNotReversed() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        try await move(ann)
        XCTAssertNil(world.outbox.last(to: "ann@example.com", .recoverEmail), "the old mailbox can reverse the change")
        let notice = try world.code(.addressChanged, to: "ann@example.com")
        try await world.device("mail").reportUnauthorizedChange(code: notice)
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "new@example.com", "the notice reverses the change")
        XCTAssertTrue(after.reservations.isEmpty, "the old address stays reserved")
    }

    func testS19_AChangeThatAPasswordMadeIsReversedFromTheOldMailbox() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await move(ann)
        try await world.device("mail").applyActionCode(try world.code(.recoverEmail, to: "ann@example.com"))
        let after = try await world.account(ann)
        XCTAssertEqual(after.email?.text, "ann@example.com")
    }

    /// A link from the old mailbox long before the request confirms nothing.
    func testS19_AnOldLinkFromTheOldMailboxConfirmsNothing() async throws {
        try await world.signUpVerifiedAnn()
        let auth = world.device("tablet")
        let ann = try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth)).user
        world.clock.advance(by: 3600)
        try await ann.reauthenticate(with: World.annsPassword)
        try await move(ann)
        XCTAssertNotNil(world.outbox.last(to: "ann@example.com", .recoverEmail))
    }
}

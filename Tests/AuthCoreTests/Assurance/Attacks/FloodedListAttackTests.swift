@testable import AuthCore
import AuthCoreTesting
import XCTest

/// What a thief verifies in a stolen session pushes nothing out of an account's lists that its owner needs.
final class FloodedListAttackTests: LimitedTestCase {
    private var world = World(.standard)
    private let month = 30 * 86_400.0

    /// Verifies more addresses of the thief than an account has evidence.
    private func flood(_ stolen: User) async throws {
        for number in 0...Account.evidenceLimit {
            let person = SimulatedPerson(name: "Eve \(number)", email: "eve\(number)@gmail.com")
            if number == 0 {
                try await stolen.link(with: world.google(person))
            } else {
                try await stolen.replace(.google, with: world.google(person))
            }
        }
    }

    func testTheOwnerWhoTakesTheAddressBackResetsThePasswordAfterAFloodOfEvidence() async throws {
        let ann = try await world.signUpVerifiedAnn()
        world.clock.advance(by: .seconds(month))
        let stolen = try await world.device("stolen").signIn(with: World.annsPassword).user
        try await stolen.link(with: world.gitHub(.eve))
        try await stolen.sendEmailVerification(beforeUpdatingTo: "eve@example.net")
        try await stolen.applyActionCode(world.code(.changeEmail, to: "eve@example.net"))
        try await flood(stolen)
        try await stolen.updatePassword(to: world.evesPassword)
        world.clock.advance(by: .seconds(3600))
        try await world.device("mail").applyActionCode(world.code(.recoverEmail, to: "ann@example.com"))
        try await world.reset()
        try await world.refusal(.rejectedCredential, .methodIsSuspended, "the thief's method after the reset") {
            try await world.device("eve").signIn(with: world.gitHub(.eve))
        }
        let password = AuthCredential.password(email: "ann@example.com", password: "anns own word")
        let back = try await world.device("phone").signIn(with: password).user
        XCTAssertEqual(back.uid, ann.uid, "whom the new password signs in")
    }

    func testMailedLinksSignTheOwnerInAfterAFloodOfVerifications() async throws {
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        world.clock.advance(by: .seconds(month))
        let thief = world.device("stolen")
        let stolen = try await thief.signIn(with: world.mailedLink(to: "ann@example.com", from: thief)).user
        try await stolen.link(with: world.gitHub(.eve))
        try await flood(stolen)
        world.clock.advance(by: .seconds(7200))
        let again = try await phone.signIn(with: world.mailedLink(to: "ann@example.com", from: phone)).user
        XCTAssertEqual(again.uid, ann.uid)
        let coverage = try await world.account(ann).methods.map(\.coverage.count)
        XCTAssertLessThanOrEqual(coverage.max() ?? 0, Account.evidenceLimit, "the lists stay bounded")
    }

    func testTheEvidenceOfTheFirstOfSeveralFormerAddressesIsDroppedLast() {
        let noon = Timestamp(milliseconds: 0)
        let addresses = ["a@example.com", "b@example.com"].map { EmailAddress.ascii($0) }
        var account = Account(id: "ann", createdAt: noon)
        account.email = .ascii("now@example.com")
        account.reservations = addresses.map { Account.Reservation(email: $0, until: noon + .seconds(60)) }
        func rank(_ address: EmailAddress, isFresh: Bool) -> Int {
            var piece = Evidence(.email(address), .mailboxCode, at: noon)
            if !isFresh { piece.staleSince = noon }
            return account.rank(of: piece).0
        }
        let ranks = [
            rank(.ascii("other@example.com"), isFresh: false), rank(.ascii("other@example.com"), isFresh: true),
            rank(.ascii("now@example.com"), isFresh: true), rank(addresses[1], isFresh: false),
            rank(addresses[0], isFresh: false),
        ]
        XCTAssertEqual(ranks, ranks.sorted(), "what is dropped first has the least rank")
        XCTAssertEqual(Set(ranks).count, 5)
    }

    func testTheAddressOfALinkedIdentityReportsTheThiefsAddressAfterAFloodOfEvidence() async throws {
        let ann = try await world.signUpVerifiedAnn(world.device("phone"))
        world.clock.advance(by: .seconds(60))
        try await ann.link(with: world.google(.ann, SimulatedToken(email: .text("ann@gmail.com"))))
        world.clock.advance(by: .seconds(month / 3))
        let again = try await world.device("phone").signIn(with: World.annsPassword).user
        try await again.link(with: world.facebook(.ben))
        world.clock.advance(by: .seconds(month / 3))
        let thief = world.device("thief")
        let stolen = try await thief.signIn(with: world.facebook(.ben)).user
        for number in 0...Account.evidenceLimit + 1 {
            try await stolen.sendEmailVerification(beforeUpdatingTo: "eve\(number)@evil.example")
            try await thief.applyActionCode(world.newestCode(to: "eve\(number)@evil.example"))
            world.clock.advance(by: .seconds(1))
        }
        let flooded = try await world.account(ann)
        let noticed = flooded.noticeAddresses(verifiedFrom: .authoritative).map(\.text)
        XCTAssertTrue(noticed.contains("ann@gmail.com"), "the owner is notified at \(noticed)")
        let report = try world.code(.addressChanged, to: "ann@gmail.com")
        try await world.device("reader").reportUnauthorizedChange(code: report)
        let after = try await world.account(ann)
        XCTAssertNotEqual(after.email?.text, flooded.email?.text, "the address that was reported")
        await assertThrows(.userTokenExpired, "the thief's session after the report") { try await stolen.reload() }
    }
}

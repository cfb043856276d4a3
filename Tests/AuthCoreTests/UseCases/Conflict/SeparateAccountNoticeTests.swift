@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The owner of an account is told where a separate account takes an address or a number from it.
final class SeparateAccountNoticeTests: LimitedTestCase {
    private let world = World(.standard)

    func testTheOwnerIsToldThatASeparateAccountTookTheNumber() async throws {
        let (ann, auth, conflict) = try await world.conflictOverARecycledNumber()
        try await assertToldOfItsLoss(ann, ["methodRemoved to ann@example.com"]) {
            try await auth.createSeparateAccount(from: conflict)
        }
    }

    func testTheOwnerIsToldThatASeparateAccountTookTheAddressThatTheOwnerVerified() async throws {
        let ann = try await world.signUpVerifiedAnn()
        try await ann.link(with: annAtGmail)
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await assertToldOfItsLoss(ann, Self.lossOfTheAddress(toldTo: "ann@example.com", "ann@gmail.com")) {
            try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
    }

    /// The owner cannot be told at that address, but at the one of the identity.
    func testTheOwnerIsToldThatASeparateAccountTookTheAddressThatTheOwnerNeverVerified() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: annAtGmail)
        let auth = world.device("tablet")
        let conflict = try await world.conflict { try await auth.signIn(with: world.facebook()) }
        let link = try await world.mailedLink(to: "ann@example.com", from: auth)
        try await assertToldOfItsLoss(ann, Self.lossOfTheAddress(toldTo: "ann@gmail.com")) {
            try await auth.createSeparateAccount(from: conflict, verifying: link.mailed)
        }
    }

    func testTheOwnerIsToldThatASeparateAccountTookTheAddressByTheLinkThatMetTheConflict() async throws {
        let ann = try await world.signUpAnn()
        try await ann.link(with: annAtGmail)
        let auth = world.device("mail")
        let conflict = try await world.conflict {
            try await auth.signIn(with: world.mailedLink(to: "ann@example.com", from: auth))
        }
        try await assertToldOfItsLoss(ann, Self.lossOfTheAddress(toldTo: "ann@gmail.com")) {
            try await auth.createSeparateAccount(from: conflict)
        }
    }

    /// Google's word about another address, at which the owner is told as well.
    private var annAtGmail: AuthCredential { world.google(.ann.with(email: "ann@gmail.com")) }

    private static func lossOfTheAddress(toldTo addresses: String...) -> Set<String> {
        Set(addresses.flatMap { ["methodRemoved to \($0)", "addressChanged to \($0)"] })
    }

    /// Asserts that a separate account is made and that these are the notices of it, each once, and all about this
    /// account.
    private func assertToldOfItsLoss(
        _ owner: User,
        _ expected: Set<String>,
        file: StaticString = #filePath,
        line: UInt = #line,
        _ act: () async throws -> AuthResult
    ) async throws {
        world.outbox.removeAll()
        let separate = try await act()
        XCTAssertNotEqual(separate.user.uid, owner.uid, "the account that is signed in to", file: file, line: line)
        let notices = world.outbox.messages.filter(\.kind.isNotice)
        let told = notices.map { notice in
            guard case .email(let address) = notice.recipient else { return "\(notice.kind) to a number" }
            return "\(notice.kind) to \(address.text)"
        }
        XCTAssertEqual(Set(told), expected, "what the owner is told", file: file, line: line)
        XCTAssertEqual(told.count, expected.count, "how many notices there are: \(told)", file: file, line: line)
        XCTAssertEqual(Set(notices.map(\.account)), [owner.account.id], "whose notices", file: file, line: line)
    }
}

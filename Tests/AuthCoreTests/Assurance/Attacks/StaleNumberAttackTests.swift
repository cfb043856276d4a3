@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A number that was verified long ago may be another person's, and is no last method to leave an account with.
final class StaleNumberAttackTests: LimitedTestCase {
    /// Ann links a number to the account of this credential, and ninety-one days pass.
    @discardableResult
    private func linkNumber(besides credential: AuthCredential, _ phone: Auth, in world: World) async throws -> User {
        let ann = try await phone.signIn(with: credential).user
        try await ann.link(with: world.digits(to: world.number, from: phone))
        world.clock.advance(by: .seconds(91 * 86_400))
        return ann
    }

    func testTheNextHolderOfANumberGetsNoAccountThatItsOwnerLeftWithANumberOfLongAgo() async throws {
        let world = World(.standard)
        let phone = world.device("phone")
        try await linkNumber(besides: world.facebook(.ann), phone, in: world)
        let next = world.device("next")
        try await world.refusal(.accountExistsWithDifferentCredential, .numberVerificationIsOld) {
            try await next.signIn(with: world.digits(to: world.number, from: next))
        }
        let again = try await phone.signIn(with: world.facebook(.ann)).user
        await assertThrows(.lastMethod) { try await again.unlink(.facebook) }
        try await world.refusal(.accountExistsWithDifferentCredential, .numberVerificationIsOld) {
            try await next.signIn(with: world.digits(to: world.number, from: next))
        }
    }

    func testANumberOfLongAgoIsALastMethodOnceItIsVerifiedAgain() async throws {
        let world = World(.standard)
        let phone = world.device("phone")
        let ann = try await linkNumber(besides: world.google(.ann.with(email: "ann@gmail.com")), phone, in: world)
        let again = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        await assertThrows(.lastMethod) { try await again.unlink(.google) }
        // A new code makes it count.
        try await again.updatePhoneNumber(with: world.digits(to: world.number, from: phone))
        try await again.unlink(.google)
        let own = world.device("own")
        let back = try await own.signIn(with: world.digits(to: world.number, from: own)).user
        XCTAssertEqual(back.uid, ann.uid, "the account kept a method that does not sign in to it")
    }

    func testAMoveDoesNotLeaveOnlyANumberOfLongAgo() async throws {
        let world = World(.standard)
        let phone = world.device("phone")
        try await linkNumber(besides: world.google(.ann.with(email: "ann@gmail.com")), phone, in: world)
        try await world.signUp("other@example.net", in: world.device("other"))
        world.clock.advance(by: .seconds(60))
        let client = phone.client
        let source = try await client.verify(world.google(.ann.with(email: "ann@gmail.com")))
        let target = try await client.verify(.password(email: "other@example.net", password: World.password))
        await assertThrows(.lastMethod) {
            try await phone.move(.google, from: .verified(source), to: .verified(target))
        }
    }

    func testAFactorIsEnrolledThoughANumberOfLongAgoIsTheOnlyMethod() async throws {
        let world = World(.standard)
        let phone = world.device("phone")
        let ann = try await phone.signIn(with: world.google(.ann.with(email: "ann@gmail.com"))).user
        try await ann.link(with: world.digits(to: world.number, from: phone))
        try await ann.unlink(.google)
        for _ in 0..<5 {
            world.clock.advance(by: .seconds(20 * 86_400))
            try await ann.reload()
        }
        try await ann.reauthenticate(with: world.mailedLink(to: "ann@gmail.com", from: phone))
        let isEnrolled = await world.succeeds { try await world.enrollTOTP(ann) }
        XCTAssertTrue(isEnrolled, "a factor that takes no method away is refused")
    }
}

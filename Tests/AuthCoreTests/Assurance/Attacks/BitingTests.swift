@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Attacks that a weaker policy lets through, so that the tests against them are known to bite.
final class BitingTests: LimitedTestCase {
    private var world = World(.standard)

    func testAT9_BitesWhereTheProviderIsStillTrusted() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        _ = try await before.device().signIn(with: before.credential(.google, .ann, saying: world.work))
        for (authorities, isVerified) in [
            (AuthPolicy.AddressAuthorities.wellKnown, true), (AuthPolicy.AddressAuthorities(), false),
        ] {
            let after = World(AuthPolicy.weakened { $0.addressTrust = .authorities(authorities) }) { $0.store = store }
            let again = try await after.device().signIn(with: after.credential(.google, .ann, saying: world.work)).user
            XCTAssertEqual(again.isEmailVerified, isVerified)
        }
    }

    func testAT19_BitesWhereEveryAddressIsReserved() async throws {
        world.startOver(AuthPolicy.weakened { $0.addressReservation = .everyAddress })
        let ann = try await world.device().signIn(with: world.facebook(.ben)).user
        try await world.squat()
        try await world.refusal(.emailAlreadyInUse, .addressIsOwned) {
            try await ann.link(with: world.google(.ann, world.work))
        }
    }

    func testAT24_BitesWhereEveryVerifiedAccountIsJoined() async throws {
        world.startOver(AuthPolicy.weakened { $0.joining = .whenVerified })
        let eve = try await world.squat()
        try await eve.link(with: world.gitHub(.eve))
        try await eve.sendEmailVerification()
        try await world.device("anns mail").applyActionCode(world.code(.verifyEmail, to: "ann@example.com"))
        let ann = try await world.device("ann").signIn(with: world.google(.ann, world.work)).user
        let back = try await world.device("eve").signIn(with: world.gitHub(.eve)).user
        XCTAssertEqual(ann.uid, eve.uid)
        XCTAssertEqual(back.uid, ann.uid)
    }

    /// What a factor is asked for: bites where a policy lets half a session do what it likes.
    func testAT13_BitesWhereAChangeNeedsNoFactor() async throws {
        for (policy, isSafe) in [
            (AuthPolicy.standard, true),
            (
                AuthPolicy.weakened {
                    $0.recencyNeedsFactor = false
                    $0.revokesSessionsOn.remove(.firstFactor)
                }, false
            ),
        ] {
            world.startOver(policy)
            let ann = try await world.signUpVerifiedAnn()
            let half = try await world.device("eve").signIn(with: World.annsPassword).user
            try await world.enrollTOTP(ann)
            let changes = await world.succeeds { try await half.updatePassword(to: "eves own word") }
            XCTAssertEqual(changes, !isSafe)
        }
    }
}

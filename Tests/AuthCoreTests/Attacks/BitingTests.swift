@testable import AuthCore
import AuthCoreTesting
import XCTest

/// Attacks that a weaker policy lets through, so that the tests against them are known to bite.
final class BitingTests: AttackTestCase {
    func testAT9_BitesWhereTheProviderIsStillTrusted() async throws {
        let store = InMemoryIdentityStore()
        let before = World(.standard) { $0.store = store }
        _ = try await before.seat().signIn(with: before.credential(.google, .ann, saying: work))
        for (authorities, isProven) in [(AddressAuthorities.wellKnown, true), (AddressAuthorities(), false)] {
            let after = World(Self.weakened { $0.addressTrust = .authorities(authorities) }) { $0.store = store }
            let again = try await after.seat().signIn(with: after.credential(.google, .ann, saying: work)).user
            XCTAssertEqual(again.isEmailVerified, isProven)
        }
    }

    func testAT19_BitesWhereEveryAddressIsReserved() async throws {
        startOver(Self.weakened { $0.addressReservation = .everyAddress })
        let ann = try await seat().signIn(with: facebook(.ben)).user
        try await squat()
        try await refusal(.emailAlreadyInUse, .addressIsOwned) { try await ann.link(with: google(.ann, work)) }
    }

    func testAT24_BitesWhereEveryProvenAccountIsJoined() async throws {
        startOver(Self.weakened { $0.joining = .whenProven })
        let eve = try await squat()
        try await eve.link(with: gitHub(.eve))
        try await eve.sendEmailVerification()
        try await seat("anns mail").applyActionCode(code(.verifyEmail, to: "ann@example.com"))
        let ann = try await seat("ann").signIn(with: google(.ann, work)).user
        let back = try await seat("eve").signIn(with: gitHub(.eve)).user
        XCTAssertEqual(ann.uid, eve.uid)
        XCTAssertEqual(back.uid, ann.uid)
    }

    /// What a factor is asked for: bites where a policy lets half a session do what it likes.
    func testAT13_BitesWhereAChangeNeedsNoFactor() async throws {
        for (policy, isSafe) in [
            (AuthPolicy.standard, true),
            (
                Self.weakened {
                    $0.recencyNeedsFactor = false
                    $0.epochRaises.remove(.firstFactor)
                }, false
            ),
        ] {
            startOver(policy)
            let ann = try await signUpProvenAnn()
            let half = try await seat("eve").signIn(with: Self.annsPassword).user
            try await enrollTOTP(ann)
            let changes = await succeeds { try await half.updatePassword(to: "eves own word") }
            XCTAssertEqual(changes, !isSafe)
        }
    }
}

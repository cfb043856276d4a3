@testable import AuthCore
import AuthCoreTesting
import XCTest

/// A sweep that removes an unused unverified account, beside a person who comes back.
final class ExpiryRaceTests: LimitedTestCase {
    func testASweepLeavesAnAccountThatIsSignedInToBeforeItCommits() async throws {
        try await inTime {
            let world = World(.standard)
            try await world.signUpAnn(world.device("phone"))
            world.clock.advance(by: .seconds(400 * 86_400))
            let gate = Gate()
            world.store.script(.commit, .waitsBefore(gate))
            let sweep = Task { try await world.service.sweep() }
            await gate.waitForArrivals(1)
            let user = try await world.device("phone").signIn(with: World.annsPassword).user
            gate.open()
            _ = try await sweep.value
            try await user.reload()
            XCTAssertEqual(user.email, "ann@example.com")
        }
    }

    /// Claims keep an account; without them, its time counts from the end of its last session.
    func testAnAccountThatWasInUseUntilNowStaysWhenItsClaimsGoBesideASignOut() async throws {
        try await inTime {
            let world = World(.standard)
            let auth = world.device("phone")
            let ann = try await world.signUpAnn(auth)
            try await world.service.setCustomClaims(["role": "tester"], account: ann.accountID)
            for _ in 0..<2 {
                world.clock.advance(by: .seconds(20 * 86_400))
                try await ann.reload()
            }
            let gate = Gate()
            world.store.script(.commit, .waitsBefore(gate))
            async let signedOut: Void = auth.signOut()
            await gate.waitForArrivals()
            try await world.service.setCustomClaims([:], account: ann.accountID)
            gate.open()
            try await signedOut
            let report = try await world.service.sweep()
            XCTAssertEqual(report.accounts, 0, "the account of a person who signed out a moment ago is removed")
        }
    }
}

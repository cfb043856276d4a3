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
}

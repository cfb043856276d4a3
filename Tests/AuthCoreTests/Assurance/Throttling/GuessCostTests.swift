import AuthCore
import AuthCoreTesting
import XCTest

/// S29: what a stranger's guess costs does not tell whether there is an account.
final class GuessCostTests: LimitedTestCase {
    func testEveryGuessAtAPasswordIsComparedOnce() async throws {
        let hasher = CountingHasher()
        let world = World(.standard) { $0.passwordHasher = hasher }
        try await world.signUpAnn()
        try await world.device().signIn(with: world.facebook(.ben))
        let addresses = [
            "ann@example.com": "a password", "ben@example.com": "no password", "eve@example.com": "nobody",
        ]
        for (address, what) in addresses {
            for password in ["a guess", "", String(repeating: "long ", count: 2_000)] where !password.isEmpty {
                hasher.reset()
                await assertThrows(.invalidCredential, what) {
                    try await world.stranger().signIn(with: .password(email: address, password: password))
                }
                XCTAssertEqual(hasher.checks, 1, "comparisons for an address with \(what)")
            }
        }
    }
}

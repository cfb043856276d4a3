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
            for password in ["a guess", "", String(repeating: "long ", count: 2_000)] {
                hasher.reset()
                await assertThrows(.invalidCredential, "\(what), a guess of \(password.count) characters") {
                    try await world.stranger().signIn(with: .password(email: address, password: password))
                }
                let guess = "a guess of \(password.count) characters for an address with \(what)"
                XCTAssertEqual(hasher.checks, 1, "comparisons of \(guess)")
            }
        }
    }
}

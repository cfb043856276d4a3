@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The keys of a service show in nothing that is printed or dumped.
final class ServiceSecrecyTests: LimitedTestCase {
    func testTheKeysOfAServiceShowInNothingThatHoldsIt() async throws {
        let key = (1...32).map { UInt8($0 * 7) }
        let configuration = AuthConfiguration(passwordHasher: CheapPasswordHasher(), secretKey: key)
        let auth = Auth(configuration)
        let result = try await auth.signUp(email: "ann@example.com", password: "correct horse")
        let values: [(String, Any)] = [
            ("AuthConfiguration", configuration), ("AuthService", auth.service), ("Auth", auth), ("User", result.user),
            ("AuthResult", result),
        ]
        for (name, value) in values {
            XCTAssertEqual(Leaks(bytes: key, name: "key").found(in: value), [], name)
            var dumped = ""
            dump(value, to: &dumped)
            // A dump writes an array one element a line.
            let numbers = dumped.matches(of: #/- (\d+)\n/#).compactMap { UInt8($0.1) }
            XCTAssertFalse(numbers.contains(key), "the dump of \(name) shows the key")
        }
    }
}

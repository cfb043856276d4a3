import AuthCore
@testable import AuthCoreFirebase
import AuthCoreTesting
import Foundation
import XCTest

/// Claims and dates of a token are those of FirebaseAuth.
final class ClaimTypeTests: LimitedTestCase {
    func testClaimsAreReadAsThoseOfTheOriginal() async throws {
        let world = World()
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let claims: [String: ClaimValue] = ["level": 3, "share": 1.0, "isAdmin": true]
        try await world.service.setCustomClaims(claims, account: AccountID(user.uid)!)
        let result = try await user.getIDTokenResult(forcingRefresh: true)
        let payload = result.token.split(separator: ".")[1].replacing("-", with: "+").replacing("_", with: "/")
        let padded = payload + String(repeating: "=", count: (4 - payload.count % 4) % 4)
        let data = try XCTUnwrap(Data(base64Encoded: String(padded)))
        let original = try XCTUnwrap(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        for name in ["exp", "auth_time", "level", "share", "isAdmin"] {
            XCTAssertEqual(result.claims[name] as? Int, original[name] as? Int, "\(name) as Int")
            XCTAssertEqual(result.claims[name] as? Double, original[name] as? Double, "\(name) as Double")
            XCTAssertEqual(result.claims[name] as? Int64, original[name] as? Int64, "\(name) as Int64")
            XCTAssertEqual(result.claims[name] as? Bool, original[name] as? Bool, "\(name) as Bool")
            XCTAssertEqual(result.claims[name] as? NSNumber, original[name] as? NSNumber, "\(name) as NSNumber")
        }
    }

    func testDatesOfATokenAreThoseOfItsClaims() async throws {
        let world = World()
        world.clock.advance(by: .seconds(0.75))
        let user = try await world.auth.createUser(withEmail: "ann@example.com", password: "correct horse").user
        let result = try await user.getIDTokenResult(forcingRefresh: true)
        XCTAssertEqual(result.expirationDate.timeIntervalSince1970, (result.claims["exp"] as? Int).map(Double.init))
        XCTAssertEqual(result.issuedAtDate.timeIntervalSince1970, (result.claims["iat"] as? Int).map(Double.init))
        XCTAssertEqual(result.authDate.timeIntervalSince1970, (result.claims["auth_time"] as? Int).map(Double.init))
    }
}

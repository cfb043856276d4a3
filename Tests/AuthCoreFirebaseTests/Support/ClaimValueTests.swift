import AuthCore
import Foundation
import XCTest

@testable import AuthCoreFirebase

/// The claims of a profile or token as an app of the original reads them, and back.
final class ClaimValueTests: LimitedTestCase {
    func testEveryKindOfValueIsThereAndBackAgain() throws {
        let claims: ClaimValue = [
            "list": [1, .null, "x", [2, .null]], "object": ["list": [true], "none": .null], "number": 1.5,
            "flag": false,
        ]
        let members = try XCTUnwrap(claims.anyValue as? [String: Any])
        XCTAssertEqual((members["list"] as? [Any])?.count, 4, "a null is an element of a list")
        XCTAssertEqual(ClaimValue(any: members), claims, "what is read back")
    }

    func testSwiftsOwnNumbersAndTruthValuesAreReadToo() {
        let values: [Any] = [3, true, false, 1.5, UInt64.max, Int64.min]
        XCTAssertEqual(
            ClaimValue(any: values),
            [3, true, false, 1.5, .number(Double(UInt64.max)), .integer(.min)]
        )
    }
}

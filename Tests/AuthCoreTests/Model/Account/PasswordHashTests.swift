@testable import AuthCore
import Foundation
import XCTest

final class PasswordHashTests: LimitedTestCase {
    private let hash = PasswordHash(tagged: "$authcore1$something$telling")

    func testItIsEncodedAsItsOneString() throws {
        let data = try JSONEncoder().encode([hash])
        XCTAssertEqual(String(decoding: data, as: UTF8.self), #"["$authcore1$something$telling"]"#)
        XCTAssertEqual(try JSONDecoder().decode([PasswordHash].self, from: data), [hash])
        XCTAssertThrowsError(try JSONDecoder().decode([PasswordHash].self, from: Data("[7]".utf8)))
    }

    func testItIsNeverShown() {
        struct Holder { let hash: PasswordHash }
        var dumped = ""
        dump(Holder(hash: hash), to: &dumped)
        for text in [dumped, "\(hash)", String(reflecting: hash), "\(Holder(hash: hash))", "\([hash])"] {
            XCTAssertFalse(text.contains("telling"), text)
        }
        XCTAssertTrue(Mirror(reflecting: hash).children.isEmpty)
    }
}

@testable import AuthCore
import XCTest

/// What a rule was promised by its facts.
final class PromiseTests: XCTestCase {
    func testAPromiseIsKeptOrTheRefusalOfWhatCannotBe() throws {
        XCTAssertEqual(try Int?.some(7).promised(), 7)
        XCTAssertThrowsError(try Int?.none.promised()) { error in
            XCTAssertEqual(error as? Refusal, Refusal(.internalError, .factsContradict))
        }
    }
}

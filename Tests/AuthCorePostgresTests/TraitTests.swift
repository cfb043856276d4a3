#if !PostgreSQL
import XCTest

/// Without the trait there is nothing to test, which the count of tests shows.
final class TraitTests: XCTestCase {
    func testTheStoreIsBuiltWithItsTrait() throws {
        throw XCTSkip("the trait PostgreSQL is off; .ci/stores builds and tests with it")
    }
}
#endif

import XCTest

@testable import AuthCoreCrypto

final class PercentEncodingTests: LimitedTestCase {
    func testOnlyUnreservedCharactersStayAsTheyAre() {
        let unreserved = "ABCXYZabcxyz019-._~"
        XCTAssertEqual(percentEncoded(unreserved), unreserved, "unreserved characters")
        XCTAssertEqual(
            percentEncoded(" !\"#$%&'()*+,/:;=?@[]`{|}"),
            "%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3D%3F%40%5B%5D%60%7B%7C%7D",
            "all others in ASCII"
        )
        XCTAssertEqual(percentEncoded("é🔑\u{0}\u{7F}"), "%C3%A9%F0%9F%94%91%00%7F", "bytes of UTF-8")
    }
}

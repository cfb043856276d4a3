@testable import AuthCore
import XCTest

/// By which text the requests of an origin are counted.
final class RequestOriginTests: LimitedTestCase {
    func testAnAddressCountsWithoutItsPortAndBracketsAndAnIPv6AddressByItsNetwork() {
        let cases = [
            ("192.0.2.1", "192.0.2.1"), ("192.0.2.1:65535", "192.0.2.1"), ("192.0.2.1:65536", "192.0.2.1:65536"),
            ("[2001:db8:1:2:3:4:5:6]:443", "2001:db8:1:2"), ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2"),
            ("2001:0db8:0001:0002:0003:0004:0005:0006", "2001:db8:1:2"), ("2001:db8:1:2::", "2001:db8:1:2"),
            ("2001:db8::1", "2001:db8:0:0"), ("::1", "0:0:0:0"), ("::", "0:0:0:0"), ("1::", "1:0:0:0"),
            ("1:2:3::4:5:6:7", "1:2:3:0"), ("fe80::1%eth0", "fe80:0:0:0"), ("fe80::1%a:b", "fe80:0:0:0"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
            ("0:0:0:0:0:ffff:c000:0201", "192.0.2.1"), ("64:ff9b::192.0.2.1", "64:ff9b:0:0"),
            ("1:2:3:4:5:6:7:8:9", "1:2:3:4"), ("1:2:3:4:5:6:7:8:9:a", "1:2:3:4:5:6:7:8:9:a"), ("1:2", "1:2"),
            ("1:2:3", "1:2:3"), ("x:y:z:1:2:3:4:5", "x:y:z:1:2:3:4:5"), ("", ""), ("[", "["), ("a.b:x", "a.b:x"),
            ("host:80", "host:80"),
            ("ab:cd", "ab:cd"), ("ab:", "ab:"), (":cd", ":cd"),
        ]
        // The IPv4 address at the end stands for two groups.
        XCTAssertEqual(RequestOrigin.address("1::2:3:4:5:192.0.2.1").counted, "1:0:2:3")
        XCTAssertEqual(RequestOrigin.address("1::2:3:4:5:6:7").counted, "1:0:2:3")
        for (text, counted) in cases {
            XCTAssertEqual(RequestOrigin.address(text).counted, counted, "what \(text) counts by")
        }
    }

    func testOnlyAnAddressHasOneAndTheProcessItselfDoesNotCount() {
        XCTAssertEqual(RequestOrigin.address("192.0.2.1").address, "192.0.2.1", "the text as it was given")
        XCTAssertNil(RequestOrigin.unknown.address)
        XCTAssertNil(RequestOrigin.local.address)
        XCTAssertEqual(RequestOrigin.unknown.counted, "", "all unknown origins count together")
        XCTAssertNil(RequestOrigin.local.counted, "nothing counts by the process itself")
    }

    func testTheTextsOfARequestHaveAtMostTwoKibibytesAndNoNUL() {
        let longest = String(repeating: "a", count: 2048)
        XCTAssertTrue(
            RequestContext(origin: .address(longest), deviceName: longest).isBounded,
            "as long as they can be"
        )
        XCTAssertFalse(RequestContext(origin: .address(longest + "a")).isBounded, "an address that is too long")
        XCTAssertFalse(RequestContext(deviceName: longest + "a").isBounded, "a name that is too long")
        XCTAssertFalse(RequestContext(origin: .address("a\0b")).isBounded, "an address with a NUL")
        XCTAssertFalse(RequestContext(deviceName: "a\0b").isBounded, "a name with a NUL")
        XCTAssertTrue(RequestContext(origin: .unknown).isBounded, "a request without texts")
        XCTAssertTrue(RequestContext().isInApp, "a request of the process itself")
        XCTAssertFalse(RequestContext(origin: .unknown).isInApp, "a request from elsewhere")
    }

    func testAnIPv4AddressInAnIPv6OneCountsWithoutTheZone() {
        for text in ["::ffff:192.0.2.1%eth0", "::ffff:c000:201%eth0"] {
            XCTAssertEqual(RequestOrigin.address(text).counted, "192.0.2.1", "what \(text) counts by")
        }
    }
}

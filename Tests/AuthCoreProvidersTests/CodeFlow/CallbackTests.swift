import AuthCore
import XCTest

@testable import AuthCoreProviders

/// What is read from the URL that the browser was sent to.
final class CallbackTests: LimitedTestCase {
    private func fields(_ query: String) -> [String: String]? {
        try? Callback("https://app.example/back?" + query).fields
    }

    func testFieldsAreDecodedAsAFormIs() {
        XCTAssertEqual(fields("a=1&b=%41%e9"), nil, "bytes that are no text")
        XCTAssertEqual(fields("a=b+c%20d%2B%C3%A9"), ["a": "b c d+é"])
        XCTAssertEqual(fields("a=%4a%4F%5a%5F"), ["a": "JOZ_"], "digits of either case")
        XCTAssertEqual(fields("a&b=&=c&d=e=f"), ["a": "", "b": "", "": "c", "d": "e=f"], "empty sides")
        XCTAssertEqual(fields("a=b#c=d"), ["a": "b"], "the fragment is no part of the query")
        XCTAssertEqual(fields(""), [:])
        XCTAssertEqual(fields("&&a=b&"), ["a": "b"])
        for query in ["a=%", "a=%4", "a=%4g", "a=%g4", "%4=a", "a=b&a=c", "a=b&%61=c"] {
            XCTAssertNil(fields(query), query)
        }
    }

    func testOnlyAPartOfThePathNamesTheProvider() throws {
        for (place, isNamed) in [
            ("https://app.example/github.com/back", true), ("http://localhost:8080/github.com", true),
            ("com.example.app:/github.com", true), ("https://github.com/back", false),
            ("http://github.com/back", false), ("https://app.example/xgithub.com", false),
            ("https://app.example/back?to=/github.com", false),
        ] {
            XCTAssertEqual(try Callback(place).names(.gitHub), isNamed, place)
        }
        let nested = try Callback("https://app.example/oidc/acme/callback")
        XCTAssertTrue(nested.names("oidc/acme"), "a provider whose name has two parts")
        XCTAssertFalse(nested.names("acme/call"), "a part of a part")
    }

    func testACallbackHasAtMost32KibibytesAndFiftyFields() throws {
        let start = "https://app.example/back?a="
        let longest = start + String(repeating: "x", count: 32 * 1024 - start.utf8.count)
        XCTAssertNoThrow(try Callback(longest), "32 kibibytes")
        XCTAssertThrowsError(try Callback(longest + "x"), "one byte more")
        let names = (1...50).map { "f\($0)=x" }
        XCTAssertEqual(fields(names.joined(separator: "&"))?.count, 50, "fifty fields")
        XCTAssertNil(fields((names + ["f51=x"]).joined(separator: "&")), "one field more")
    }

    /// Other texts could take long to split and to compare.
    func testACallbackIsASCIIAndTheNamesOfItsFieldsHaveAtMost256Bytes() throws {
        XCTAssertThrowsError(try Callback("https://app.example/b\u{301}?a=b"), "a letter with a mark in the path")
        XCTAssertNil(fields("a=\u{e9}"), "a value that is not encoded")
        XCTAssertEqual(fields("a=%C3%A9"), ["a": "\u{e9}"], "a value that is")
        let longest = String(repeating: "n", count: 256)
        XCTAssertEqual(fields(longest + "=x"), [longest: "x"], "a name of 256 bytes")
        XCTAssertNil(fields(longest + "n=x"), "a name of 257 bytes")
        XCTAssertNil(fields(String(repeating: "%C3%A9", count: 129) + "=x"), "a name of 258 bytes, decoded")
    }

    func testACallbackIsAtItsRedirectURIWithTheFieldsOfThat() throws {
        let callback = try Callback("https://app.example/back?tenant=a%20b&code=c&state=s#x")
        XCTAssertTrue(callback.isAt("https://app.example/back"))
        XCTAssertTrue(
            callback.isAt("https://app.example/back?tenant=a+b"),
            "a field of the redirect URI, spelled otherwise"
        )
        for other in [
            "https://app.example/back/", "https://app.example/Back", "http://app.example/back", "https://app.example/",
            "https://app.example/back?tenant=b", "https://app.example/back?other=a", "https://app.example/back?a=%",
        ] {
            XCTAssertFalse(callback.isAt(other), other)
        }
        let decomposed = try Callback("https://app.example/back?tenant=e%CC%81")
        XCTAssertFalse(
            decomposed.isAt("https://app.example/back?tenant=%C3%A9"),
            "a field of other characters that look the same"
        )
    }
}

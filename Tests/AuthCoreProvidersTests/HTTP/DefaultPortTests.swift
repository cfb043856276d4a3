import AuthCore
import XCTest

@testable import AuthCoreProviders

final class DefaultPortTests: LimitedTestCase {
    /// `https://a.example` and `https://a.example:443` are one origin (RFC 6454, 4 and 5), as HTTPS and https are one
    /// scheme (RFC 3986, 3.1): a redirect between them is none to another host.
    func testARedirectThatNamesTheUsualPortIsWithinTheHost() async throws {
        for (host, place) in [
            ("https://a.example", "https://a.example:443/c"), ("https://a.example", "HTTPS://a.example/c"),
            ("http://localhost", "http://localhost:80/c"),
        ] {
            let transport = ScriptedTransport()
            transport.answer("/b", .null, status: 302, headers: ["location": place])
            transport.answer("/c", ["found": true])
            let connection = ProviderConnection(transport: transport)
            let request = ProviderRequest(.get, try XCTUnwrap(URL(string: host + "/b")))
            do {
                let answer = try await connection.send(request)
                XCTAssertEqual(answer.status, 200, place)
            } catch {
                XCTFail("\(place): \(error)")
            }
        }
    }

    func testARedirectToAnotherPortIsToAnotherHost() async throws {
        for (host, place) in [
            ("https://a.example", "https://a.example:80/c"), ("http://localhost", "http://localhost:443/c"),
        ] {
            let transport = ScriptedTransport()
            transport.answer("/b", .null, status: 302, headers: ["location": place])
            transport.answer("/c", ["found": true])
            let connection = ProviderConnection(transport: transport)
            let request = ProviderRequest(.get, try XCTUnwrap(URL(string: host + "/b")))
            do {
                let answer = try await connection.send(request)
                XCTFail("\(place) answers with \(answer.status)")
            } catch let error as VerificationFailure {
                XCTAssertEqual(error.kind, .unreachable, place)
                let detail = error.detail ?? ""
                XCTAssertTrue(
                    detail.contains("redirects to another host, which is not followed"),
                    "\(place): \(detail)"
                )
            }
        }
    }
}

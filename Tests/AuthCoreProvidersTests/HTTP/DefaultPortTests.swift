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

    func testNoRedirectWithinAHostIsFollowedToAURLWithAPassword() async throws {
        let transport = ScriptedTransport()
        transport.answer("/b", .null, status: 302, headers: ["location": "https://user:word@a.example/c"])
        transport.answer("/c", ["found": true])
        let request = ProviderRequest(.get, try XCTUnwrap(URL(string: "https://a.example/b")))
        do {
            let answer = try await ProviderConnection(transport: transport).send(request)
            XCTFail("the redirect is followed, and answers with \(answer.status)")
        } catch {
            XCTAssertEqual((error as? VerificationFailure)?.kind, .misconfigured, "\(error)")
        }
        XCTAssertEqual(transport.count("/c"), 0, "requests with a password in their URL")
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

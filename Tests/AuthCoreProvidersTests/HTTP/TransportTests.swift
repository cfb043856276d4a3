import AuthCore
import XCTest

@testable import AuthCoreProviders

#if canImport(FoundationNetworking)
import FoundationNetworking

/// What the transport does about the weaknesses of FoundationNetworking.
final class TransportTests: LimitedTestCase {
    /// Sends a request that is never answered, and cancels it when the server has received it.
    private func sendAndCancel(with transport: URLSessionTransport, timeLimit: Duration) async throws {
        let (received, receipt) = AsyncStream<Void>.makeStream()
        let server = try serve { _ in
            receipt.yield()
            return .stall("")
        }
        let request = ProviderRequest(.get, try XCTUnwrap(URL(string: server.url)), timeLimit: timeLimit)
        let task = Task { try await transport.send(request) }
        for await _ in received { break }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("a request that is never answered has an answer")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
    }

    func testARequestThatIsGivenUpAtItsTimeLimitLeavesItsConnectionsToNoLaterOne() async throws {
        let transport = URLSessionTransport()
        // With this limit every cancellation comes after it.
        try await sendAndCancel(with: transport, timeLimit: .zero)
        XCTAssertEqual(transport.begunSessions, 2, "later requests join the connections of one that got stuck")
        let server = try serve { _ in .json("{}") }
        let answer = try await transport.send(ProviderRequest(.get, try XCTUnwrap(URL(string: server.url))))
        XCTAssertEqual(answer.status, 200, "the answer over a new connection")
        XCTAssertEqual(transport.begunSessions, 2, "an answer leaves its connections to later requests")
    }

    func testRequestsThatGetStuckTogetherBeginOneSessionAnew() async throws {
        let transport = URLSessionTransport()
        let (received, receipt) = AsyncStream<Void>.makeStream()
        let server = try serve { _ in
            receipt.yield()
            return .stall("")
        }
        let request = ProviderRequest(.get, try XCTUnwrap(URL(string: server.url)), timeLimit: .zero)
        let tasks = (0..<5).map { _ in Task { try await transport.send(request) } }
        var count = 0
        for await _ in received {
            count += 1
            if count == tasks.count { break }
        }
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        XCTAssertEqual(transport.begunSessions, 2, "the sessions after five requests of the first one got stuck")
    }

    func testARequestGotStuckIfItFailsAfterHalfOfItsTimeLimit() throws {
        let url = try XCTUnwrap(URL(string: "https://a.example"))
        let request = ProviderRequest(.get, url, timeLimit: .seconds(10))
        XCTAssertFalse(request.gotStuck(failingAfter: .milliseconds(4999)), "a caller who left early")
        XCTAssertTrue(request.gotStuck(failingAfter: .seconds(5)), "half of the time limit")
    }

    func testACallerWhoLeavesEarlyLeavesTheConnectionsToLaterRequests() async throws {
        let transport = URLSessionTransport()
        try await sendAndCancel(with: transport, timeLimit: .seconds(600))
        XCTAssertEqual(transport.begunSessions, 1, "each caller who leaves costs the others their connections")
    }

    func testAURLWithAnUppercaseSchemeIsAsked() async throws {
        let server = try serve { _ in .json("{}") }
        let text = server.url.replacing("http:", with: "HTTP:") + "/a%2Fb?c=d%20e+f"
        do {
            let request = ProviderRequest(.get, try XCTUnwrap(URL(string: text)))
            let answer = try await ProviderConnection(transport: URLSessionTransport()).send(request)
            XCTAssertEqual(answer.status, 200)
        } catch {
            XCTFail("\(text): \(error)")
        }
        XCTAssertEqual(server.requests.map(\.target), ["/a%2Fb?c=d%20e+f"], "the rest of the URL is sent as it was")
    }

    /// libcurl reads these variables, and its rules are those of the test.
    func testARequestWithoutTLSIsKnownToGoThroughAProxyOfTheEnvironment() throws {
        let proxy = "http://proxy.example:3128"
        for (environment, isProxied) in [
            ([:], false), (["http_proxy": proxy], true), (["all_proxy": proxy], true), (["ALL_PROXY": proxy], true),
            (["HTTP_PROXY": proxy], false), (["https_proxy": proxy], false), (["http_proxy": ""], false),
            (["http_proxy": "", "ALL_PROXY": proxy], true), (["http_proxy": proxy, "no_proxy": ""], true),
            (["http_proxy": proxy, "no_proxy": "localhost"], false),
            (["http_proxy": proxy, "NO_PROXY": "localhost"], false),
            (["http_proxy": proxy, "no_proxy": "", "NO_PROXY": "localhost"], false),
            (["http_proxy": proxy, "no_proxy": "a.example", "NO_PROXY": "localhost"], true),
            (["http_proxy": proxy, "no_proxy": "a.example, LOCALHOST"], false),
            (["http_proxy": proxy, "no_proxy": "*"], false), (["http_proxy": proxy, "no_proxy": "a.example,*"], true),
            (["http_proxy": proxy, "no_proxy": "host"], true), (["http_proxy": proxy, "no_proxy": "local host"], true),
            (["http_proxy": proxy, "no_proxy": "localhost.example"], true),
        ] as [([String: String], Bool)] {
            let url = try XCTUnwrap(URL(string: "http://Localhost:8080/a"))
            XCTAssertEqual(url.isProxied(by: environment), isProxied, "\(environment)")
        }
        let address = try XCTUnwrap(URL(string: "http://127.0.0.1:8080/a"))
        XCTAssertTrue(address.isProxied(by: ["http_proxy": proxy, "no_proxy": "localhost"]), "another name")
        XCTAssertFalse(address.isProxied(by: ["http_proxy": proxy, "no_proxy": "localhost,127.0.0.1"]))
    }

    func testWhatIsMeantForThisComputerIsNotSentToAProxyOfTheEnvironment() async throws {
        let proxy = try serve { _ in .json("{}") }
        let request = ProviderRequest(.get, try XCTUnwrap(URL(string: proxy.url + "/a")))
        var transport = URLSessionTransport()
        transport.environment = ["http_proxy": proxy.url]
        let failure = await verificationFailure { [transport] in
            try await ProviderConnection(transport: transport).send(request)
        }
        XCTAssertEqual(failure?.kind, .misconfigured, "\(failure?.description ?? "no failure")")
        XCTAssertEqual(failure?.detail?.contains("add 127.0.0.1 to no_proxy"), true, failure?.detail ?? "")
        XCTAssertEqual(proxy.requests.count, 0, "what is meant for this computer was sent")
        transport.environment?["no_proxy"] = "127.0.0.1"
        let answer = try await ProviderConnection(transport: transport).send(request)
        XCTAssertEqual(answer.status, 200, "the answer of a host that the environment excepts")
    }

    func testAFailureSaysWhatTheTransportFoundAndRepeatsNoQuery() async throws {
        let server = try serve { _ in .bytes("HTTP/1.1 200 OK\r\nContent-Length:2\r\n\r\n{}") }
        let connection = ProviderConnection(transport: URLSessionTransport())
        for (text, found) in [
            (server.url, "could not be reached: Failed writing header"),
            ("http://127.0.0.1:1", "could not be reached: Failed to connect"),
        ] {
            let request = ProviderRequest(.get, try XCTUnwrap(URL(string: text + "/a?input_token=hush")))
            let failure = await verificationFailure { try await connection.send(request) }
            let detail = failure?.detail ?? "no failure"
            XCTAssertTrue(detail.contains(found), detail)
            XCTAssertFalse(detail.contains("hush"), detail)
        }
    }

    func testAFailureDoesNotRepeatThePasswordOfAProxy() {
        let text = "Unsupported proxy scheme for 'none://user:hush@proxy.example'"
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        XCTAssertEqual(reason(of: error), "")
    }

    func testAFailureOfAnotherTransportIsNotRepeated() async throws {
        struct Failure: Error, LocalizedError {
            var errorDescription: String? { "https://a.example/?input_token=hush" }
        }
        let transport = ScriptedTransport()
        transport.answer("/a") { _ in throw Failure() }
        let request = ProviderRequest(.get, try XCTUnwrap(URL(string: "https://a.example/a")))
        let failure = await verificationFailure { try await ProviderConnection(transport: transport).send(request) }
        XCTAssertEqual(failure?.detail?.contains("could not be reached (GET /a)"), true, failure?.detail ?? "")
    }
}
#endif

import AuthCoreProviders
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import XCTest

/// A real OpenID provider of other authors, `oidc-provider-mock` from PyPI.
final class MockProvider {
    private let process: PythonProcess
    var issuer: String { process.issuer }

    private static let program = """
        import sys, warnings
        warnings.simplefilter("ignore")
        import oidc_provider_mock
        with oidc_provider_mock.run_server_in_thread() as server:
            print(server.server_port, flush=True)
            sys.stdin.read()
        """

    init() throws { process = try PythonProcess(Self.program) }

    func stop() { process.stop() }

    /// Sets what the provider says about a person.
    func setUser(_ subject: String, claims: String) async throws {
        var request = URLRequest(url: try XCTUnwrap(URL(string: "\(issuer)/users/\(subject)")))
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "content-type")
        request.httpBody = Data(claims.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 204)
    }

    /// Signs a person in on the provider's page and returns where the browser is sent.
    func approve(_ page: URL, as subject: String) async throws -> URL {
        let request = ProviderRequest(
            .post,
            page,
            headers: ["content-type": "application/x-www-form-urlencoded"],
            body: Array("sub=\(subject)".utf8)
        )
        let response = try await URLSessionTransport().send(request)
        return try XCTUnwrap(response.headers["location"].flatMap { URL(string: $0) }, "status \(response.status)")
    }
}

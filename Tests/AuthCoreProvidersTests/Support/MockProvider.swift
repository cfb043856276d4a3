import AuthCoreProviders
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import XCTest

/// A real OpenID provider of other authors, `oidc-provider-mock` from PyPI, as a process of its own on this computer.
///
/// The variable `AUTHCORE_OIDC_PYTHON` names a Python that has it; `.ci/providers` sets it. Without it the tests that need the
/// provider are skipped, and counted as such.
final class MockProvider {
    let issuer: String
    private let process = Process()
    private let input = Pipe()

    /// Serves until its input ends, and says on which port.
    private static let program = """
        import sys, warnings
        warnings.simplefilter("ignore")
        import oidc_provider_mock
        with oidc_provider_mock.run_server_in_thread() as server:
            print(server.server_port, flush=True)
            sys.stdin.read()
        """

    init() throws {
        guard let python = ProcessInfo.processInfo.environment["AUTHCORE_OIDC_PYTHON"] else {
            throw XCTSkip("AUTHCORE_OIDC_PYTHON names no Python with oidc-provider-mock; .ci/providers makes one")
        }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", Self.program]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
            line += byte
        }
        let port = Int(String(decoding: line.dropLast(), as: UTF8.self))
        issuer = "http://localhost:\(try XCTUnwrap(port, "the provider did not start"))"
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

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

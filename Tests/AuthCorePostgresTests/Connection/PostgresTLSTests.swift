#if PostgreSQL
import AuthCore
import Foundation
import XCTest

@testable import AuthCorePostgres
@testable import StoreInvariants

/// What goes over TCP and TLS, as it does between machines.
final class PostgresTLSTests: LimitedTestCase {
    private let folder = NSTemporaryDirectory() + "tls-\(UUID().uuidString.prefix(8))"

    override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

    /// Starts a server that is called `localhost`, and returns it with what its certificate is checked by.
    private func startServer() throws -> (server: TestServer, connection: String) {
        _ = try TestDatabase.server()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (certificate, key) = ("\(folder)/certificate", "\(folder)/key")
        let arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ]
        guard try run("openssl", ["version"]) else { throw XCTSkip("openssl, which makes a certificate, is missing") }
        XCTAssertTrue(try run("openssl", arguments), "no certificate was made")
        // The server refuses a key that others may read, and has the user `nobody` where the tests run as root.
        if getuid() == 0 { _ = try run("chown", ["nobody", key]) }
        _ = try run("chmod", ["600", key])
        let port = try freePort()
        let server = try TestServer(
            "listen_addresses=127.0.0.1",
            "port=\(port)",
            "ssl=on",
            "ssl_cert_file=\(certificate)",
            "ssl_key_file=\(key)"
        )
        let connection = "hostaddr=127.0.0.1 port=\(port) user=postgres dbname=postgres sslmode=verify-full"
        return (server, connection + " sslrootcert=\(certificate)")
    }

    private func run(_ command: String, _ arguments: [String]) throws -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    /// A port without a listener.
    private func freePort() throws -> UInt16 {
        let ports = (0..<100).map { _ in UInt16.random(in: 20_000..<60_000) }
        let free = try ports.first { try !run("bash", ["-c", "exec 3<>/dev/tcp/127.0.0.1/\($0)"]) }
        return try XCTUnwrap(free, "no port is free")
    }

    func testAStoreWorksOverTLSWithAnswersAndStatementsOfAnySize() async throws {
        let (server, connection) = try startServer()
        defer { try? server.stop("immediate") }
        let store = try await TestDatabase(connection + " host=localhost") { $0.connections = 1 }.open()
        let encrypted = "SELECT ssl::int::bigint FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
        let isEncrypted = try await store.run(encrypted, [])
        XCTAssertEqual(isEncrypted.first?.number(0), 1, "the connection is not encrypted")
        let outcome = try await store.commit(Samples.creation("ann"))
        XCTAssertEqual(outcome, .committed)
        for size in [1, 100, 8_000, 8_192, 16_000, 16_384, 20_000, 100_000, 4_000_000] {
            let text = String(repeating: "x", count: size)
            for round in 1...2 {
                let rows = try await store.run("SELECT $1::text", [.text(text)])
                XCTAssertEqual(rows.first?.text(0)?.utf8.count, size, "an answer of \(size) bytes in round \(round)")
            }
        }
        let task = Task { try await store.execute("SELECT pg_sleep(8)") }
        try await TestDatabase(connection + " host=localhost").open().waitUntilRunning("SELECT pg_sleep(8)")
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get(), "the statement was not stopped") { error in
            XCTAssertEqual((error as? AuthError)?.code, .canceled)
        }
        let next = try await store.commit(Samples.creation("ben"))
        XCTAssertEqual(next, .committed, "the next statement")
    }

    func testAServerWithTheCertificateOfAnotherNameIsNotTrusted() async throws {
        let (server, connection) = try startServer()
        defer { try? server.stop("immediate") }
        do {
            _ = try await PostgresStore(connection + " host=accounts.example")
            XCTFail("a certificate for localhost was taken for that of accounts.example")
        } catch {
            XCTAssertEqual(error.code, .storeUnavailable)
            XCTAssertEqual((error.cause as? PostgresError)?.kind, .unreachable)
        }
    }
}
#endif

#if PostgreSQL
import Foundation
import XCTest

/// A server of a test's own, which the test may stop as it likes.
final class TestServer {
    private let folder: String
    private let options: [String]
    /// The connection string.
    let connection: String

    /// Starts a server with these options; skips the test where the shared one is missing, too.
    init(_ options: String...) throws {
        _ = try TestDatabase.server()
        self.options = options
        folder = NSTemporaryDirectory() + "server-\(UUID().uuidString.prefix(8))"
        connection = try Self.run(["start", folder] + options)
    }

    /// Where the file of a table or index is.
    func path(_ file: String) -> String { "\(folder)/data/\(file)" }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func start() throws { _ = try Self.run(["start", folder] + options) }

    /// Stops the server, `immediate` as if it had crashed.
    func stop(_ mode: String = "fast") throws { _ = try Self.run(["stop", folder, mode]) }

    private static func run(_ arguments: [String]) throws -> String {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".ci/postgres")
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [script.path()] + arguments
        process.standardOutput = pipe
        try process.run()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, "the server did not \(arguments[0])")
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
#endif

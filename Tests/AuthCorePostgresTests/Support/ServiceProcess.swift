#if PostgreSQL
import AuthCorePostgres
import Foundation
import XCTest

/// A process that works on a database until it is killed, and what it said was answered to it.
final class ServiceProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var text = Data()

    init(on database: TestDatabase, called name: String) throws {
        // The test bundle and the program are in one folder.
        let folder = try XCTUnwrap(Bundle(for: Self.self).executableURL ?? Bundle.main.executableURL)
            .deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent("storeprocess")
        process.arguments = [database.connection, name, database.options.schema]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Reads until so many steps were answered since the process began.
    func read(steps count: Int) {
        while lines.count(where: { !$0.hasPrefix("failed") && !$0.hasPrefix("race") }) < count {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return XCTFail("the process ended by itself") }
            text += more
        }
    }

    /// Lets a process go on that waits for a word.
    func say(_ word: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8)) }

    /// Reads until a race was run since the process began.
    func readUntilARace() {
        while !lines.contains(where: { $0.hasPrefix("race") }) {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return XCTFail("the process ended by itself") }
            text += more
        }
    }

    /// Stops the process where it is; what it has sent to the server is still done.
    func pause() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGSTOP) } }

    /// Lets a process that was stopped go on.
    func goOn() { if process.isRunning { Foundation.kill(process.processIdentifier, SIGCONT) } }

    /// Kills the process, and returns everything that it said.
    func kill() throws -> [Substring] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .uncaughtSignal, "the process was not killed")
        // A line without its end was not said.
        return lines
    }

    private var lines: [Substring] {
        String(decoding: text, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
}
#endif

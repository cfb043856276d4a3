#if SQLite
import Foundation
import XCTest

/// A process that signs people up on a database until it is killed, and the steps that were answered to it.
final class KilledProcess {
    private let process = Process()
    private let output = Pipe()

    init(on path: String, called name: String) throws {
        // The test bundle and the program are in one folder.
        let folder = try XCTUnwrap(Bundle(for: Self.self).executableURL ?? Bundle.main.executableURL)
            .deletingLastPathComponent()
        process.executableURL = folder.appendingPathComponent("storeprocess")
        process.arguments = ["sqlite:\(path)", name]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Lets it answer so many steps, kills it, and returns the last step of each person.
    func kill(afterSteps count: Int) throws -> [String: Int] {
        var text = Data()
        var lines = 0
        while lines < count {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            lines += more.count { $0 == UInt8(ascii: "\n") }
            text += more
        }
        XCTAssertGreaterThan(lines, 0, "the process ended by itself")
        Foundation.kill(process.processIdentifier, SIGKILL)
        text += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .uncaughtSignal, "the process was not killed")
        var last: [String: Int] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let step = Int(words[1]) else { continue }
            last[String(words[0])] = step
        }
        return last
    }
}
#endif

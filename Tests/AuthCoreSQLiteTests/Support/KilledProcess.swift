#if SQLite
import Foundation
import XCTest

/// A process that signs people up on a database until it is killed, and the steps that were answered to it.
final class KilledProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var said = Data()
    private var heard = 0

    /// The program, which is in one folder with the test bundle.
    private static func program() throws -> URL {
        try XCTUnwrap(Bundle(for: Self.self).executableURL ?? Bundle.main.executableURL)
            .deletingLastPathComponent().appendingPathComponent("storeprocess")
    }

    /// What the program says when a user who owns nothing runs it on a file, which must make it end.
    static func openingAsNobody(_ path: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("nobody-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // The folder of the build may be closed to others.
        let copy = folder.appendingPathComponent("storeprocess")
        try FileManager.default.copyItem(at: try program(), to: copy)
        let (process, errors) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/sbin/runuser")
        process.arguments = ["-u", "nobody", "--", copy.path, "sqlite:\(path)", "ann"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        let said = try errors.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }

    /// Starts the program, by itself or by a launcher: the path and the first arguments of another program.
    init(on path: String, called name: String, by launcher: [String] = []) throws {
        let command = launcher + [try Self.program().path, "sqlite:\(path)", name]
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Lets a process go on that waits for a word.
    func say(_ word: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8)) }

    /// Returns what the process has said up to a line that is this word, since the last of these; nil if it ended
    /// first.
    func answer(until word: String) -> [String]? {
        while true {
            let lines = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast().map(String.init).dropFirst(heard)
            if let end = lines.firstIndex(of: word) {
                heard = end + 1
                return Array(lines[..<end])
            }
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return nil }
            said += more
        }
    }

    /// Reads until the process has said so many lines since it began.
    func read(lines count: Int) {
        while said.count(where: { $0 == UInt8(ascii: "\n") }) < count {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { return XCTFail("the process ended by itself") }
            said += more
        }
    }

    /// Kills the process, and returns every line that it said.
    func kill() -> [String] {
        Foundation.kill(process.processIdentifier, SIGKILL)
        said += output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationReason, .uncaughtSignal, "the process was not killed")
        // A line without its end was not said.
        return String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }

    /// Lets it answer so many steps, kills it, and returns the last step of each person.
    func kill(afterSteps count: Int) throws -> [String: Int] {
        read(lines: count)
        var last: [String: Int] = [:]
        for line in kill() {
            let words = line.split(separator: " ")
            guard words.count == 2, let step = Int(words[1]) else { continue }
            last[String(words[0])] = step
        }
        return last
    }
}
#endif

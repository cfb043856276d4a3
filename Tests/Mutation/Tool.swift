internal import Foundation

/// A process that was started, and what it says.
final class Tool {
    private let process = Process()
    private let pipe = Pipe()

    init(_ command: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [command] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.currentDirectoryURL = folder
        process.standardOutput = environment.isEmpty ? pipe : FileHandle.nullDevice
        process.standardError = environment.isEmpty ? pipe : FileHandle.nullDevice
        try process.run()
    }

    /// Waits for its end; what it said, unless it runs in an environment of its own.
    @discardableResult
    func finish() throws -> String {
        var said = Data()
        if process.standardOutput as? Pipe === pipe { said = try pipe.fileHandleForReading.readToEnd() ?? Data() }
        process.waitUntilExit()
        return String(decoding: said, as: UTF8.self)
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

import Foundation
import XCTest

/// A provider on this computer, as a process of its own: a program in Python that says on which port it serves, and
/// serves until its input ends.
///
/// The variable `AUTHCORE_OIDC_PYTHON` names a Python that has the providers' packages; `.ci/providers` sets it.
/// Without it the tests that need a provider are skipped, and counted as such.
final class PythonProcess {
    let issuer: String
    private let process = Process()
    private let input = Pipe()

    init(_ program: String) throws {
        guard let python = ProcessInfo.processInfo.environment["AUTHCORE_OIDC_PYTHON"] else {
            throw XCTSkip("AUTHCORE_OIDC_PYTHON names no Python with the providers' packages; .ci/providers makes one")
        }
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", program]
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
}

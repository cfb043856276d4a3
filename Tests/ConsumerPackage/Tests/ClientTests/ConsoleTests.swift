#if os(Linux) || os(macOS)
import Foundation
import XCTest

/// Listeners and handlers are served in a program whose main function is asynchronous.
final class ConsoleTests: XCTestCase {
    func testAProgramWithAnAsynchronousMainComesToItsEnd() async throws {
        let program = Bundle(for: Self.self).bundleURL.deletingLastPathComponent().appendingPathComponent("Console")
        let beside = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("Console")
        let process = Process()
        let isThere = FileManager.default.isExecutableFile(atPath: program.path)
        process.executableURL = isThere ? program : beside
        let output = Pipe()
        process.standardOutput = output
        let ended = expectation(description: "ended")
        process.terminationHandler = { _ in ended.fulfill() }
        try process.run()
        await fulfillment(of: [ended], timeout: 30)
        if process.isRunning { process.terminate() }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        XCTAssertEqual(process.terminationStatus, 0)
        for line in [
            "state nobody", "state ann@example.com", "sequence ann@example.com", "notification", "code", "end",
        ] {
            XCTAssertTrue(text.contains(line + "\n"), "\(line) is missing in:\n\(text)")
        }
    }
}
#endif

import Foundation

/// The files of the package, for tests that hold its documents against its sources.
enum PackageFiles {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent()  // Readme
        .deletingLastPathComponent()  // AuthCoreTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func lines(_ path: String) throws -> [String] {
        try text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

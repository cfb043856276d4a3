@testable import AuthCore
import Foundation
import XCTest

/// The files of records, one record a line.
enum RecordFixtures {
    static func lines(_ name: String) throws -> [[UInt8]] {
        let url = try XCTUnwrap(Bundle.module.resourceURL).appending(path: "Fixtures/\(name).jsonl")
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }

    /// Writes the records of these values over the fixtures, in the sources and where the tests read them.
    static func write<Record: StoredRecord>(_ samples: [Record]) throws {
        let lines = try samples.map { String(decoding: try Store.RecordCoder().encode($0), as: UTF8.self) + "\n" }
        let name = "Fixtures/format-1/\(Record.recordKind.rawValue).jsonl"
        let built = try XCTUnwrap(Bundle.module.resourceURL).appending(path: name)
        let source = PackageFiles.root.appending(path: "Tests/AuthCoreTests/Store/Records/" + name)
        for url in [built, source] { try lines.joined().write(to: url, atomically: true, encoding: .utf8) }
    }
}

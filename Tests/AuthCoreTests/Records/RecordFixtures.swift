@testable import AuthCore
import Foundation
import XCTest

/// The files of records, one record a line.
enum RecordFixtures {
    static func lines(_ name: String) throws -> [[UInt8]] {
        let url = try XCTUnwrap(Bundle.module.resourceURL).appending(path: "Fixtures/\(name).jsonl")
        return try Data(contentsOf: url).split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }
}

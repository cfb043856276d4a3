@testable import AuthCore
@testable import AuthCoreMigration
import AuthCoreTesting
import XCTest

final class ByteOrderMarkTests: LimitedTestCase {
    /// Some editors begin a file with a mark of its byte order; lines of `exportAccounts` may have one.
    func testAFirebaseFileMayBeginWithAMarkOfItsByteOrder() async throws {
        let world = World()
        let file = [0xEF, 0xBB, 0xBF] + FirebaseSample.file([FirebaseSample.user("ann-1", FirebaseSample.verified)])
        let report = try await world.service.importFirebaseExport(file)
        XCTAssertEqual(report.created, 1, "accounts of a file with a mark")
        XCTAssertEqual(report.problems, [])
    }

    func testAPartOfTheMarkIsNone() {
        for part in [[0xEF], [0xEF, 0xBB]] as [[UInt8]] {
            var export = FirebaseExport()
            var bytes = (part + Array(#"{"users":[]}"#.utf8))[...]
            XCTAssertNil(export.nextUser(in: &bytes))
            XCTAssertFalse(export.isComplete, "after \(part)")
        }
    }
}

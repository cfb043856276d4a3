import AuthCore
import Foundation
import XCTest

/// A test that keeps a signed-in user in a file, in a folder of its own.
class SavedUserTestCase: LimitedTestCase {
    let key: [UInt8] = Array(0..<32)
    private(set) var directory = URL(filePath: NSTemporaryDirectory())

    override func setUpWithError() throws {
        directory = URL(filePath: NSTemporaryDirectory()).appending(path: "authcore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    override func tearDownWithError() throws {
        try FileManager.default.removeItem(at: directory)
    }

    func persistence() throws -> FileUserPersistence {
        try FileUserPersistence(path: directory.appending(path: "device").path(), key: key)
    }
}

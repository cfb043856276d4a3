@testable import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// What is kept in a file, and where the file is.
final class FileUserPersistenceTests: SavedUserTestCase {
    func testTheFolderOfTheFileIsMade() async throws {
        let path = directory.appending(path: "Application Support/boats/device").path()
        let place = try FileUserPersistence(path: path, key: key)
        let record = Auth.Persisted(device: DeviceID(named: "phone"), user: nil)
        try await place.save(record)
        let read = try await place.load()
        XCTAssertEqual(read, record)
    }

    func testAFileInTheHomeFolderIsFoundWhereItWasSaved() async throws {
        let toTheRoot = String(repeating: "/..", count: URL.homeDirectory.pathComponents.count)
        let path = "~" + toTheRoot + directory.appending(path: "device").path()
        let record = Auth.Persisted(device: DeviceID(named: "phone"), user: nil)
        try await FileUserPersistence(path: path, key: key).save(record)
        let read = try await FileUserPersistence(path: path, key: key).load()
        XCTAssertEqual(read, record, "what was saved")
    }

    func testWhatAnEarlierVersionSavedIsRead() async throws {
        let record = Auth.Persisted(
            device: DeviceID(named: "phone"),
            user: User.Persisted(session: SessionID(bits: 6), account: "ann")
        )
        let text = #"{"device":"15LfsbVqjxz7BNg6JlHu55","user":{"account":"ann","session":"0000000000000000000006"}}"#
        let sealed = try KeyedSecretSealer(key: key).seal(Array(text.utf8), context: "AuthCore device 1")
        try Data(sealed).write(to: directory.appending(path: "device"))
        let read = try await persistence().load()
        XCTAssertEqual(read, record, "what was saved")
    }

    func testAFileThatWasTamperedWithIsRefusedAtEveryByte() async throws {
        let world = World()
        try await world.device(persistence: try persistence()).signInAnonymously()
        let file = directory.appending(path: "device")
        let good = try Data(contentsOf: file)
        for index in good.indices {
            var bad = good
            bad[index] ^= 1
            try bad.write(to: file)
            let error = await authError("byte \(index)") {
                try await world.device(persistence: try self.persistence()).restore()
            }
            XCTAssertEqual(error?.cause as? User.PersistenceError, .tampered, "byte \(index)")
        }
        for length in [0, 1, good.count / 2, good.count - 1] {
            try good.prefix(length).write(to: file)
            let error = await authError("length \(length)") {
                try await world.device(persistence: try self.persistence()).restore()
            }
            XCTAssertEqual(error?.cause as? User.PersistenceError, .tampered, "length \(length)")
        }
    }

    func testWhatCannotBeReadOrWrittenSaysSo() async throws {
        let place = try FileUserPersistence(path: directory.path(), key: key)
        for operation in [
            { _ = try await place.load() }, { try await place.save(Auth.Persisted(device: "kiosk", user: nil)) },
        ] {
            do {
                try await operation()
                XCTFail("a folder is no file")
            } catch User.PersistenceError.failed {
                // As it should be.
            }
        }
        let error = await authError { try await World().device(persistence: place).restore() }
        XCTAssertEqual(error?.code, .savedSessionUnreadable)
    }

    /// A program that ends while it saves must leave the earlier record.
    func testASaveReplacesTheFileAtOnce() async throws {
        let place = try persistence()
        let first = Auth.Persisted(device: "first", user: nil)
        try await place.save(first)
        let link = directory.appending(path: "link")
        try FileManager.default.linkItem(at: directory.appending(path: "device"), to: link)
        try await place.save(Auth.Persisted(device: "second", user: nil))
        let kept = try await FileUserPersistence(path: link.path(), key: key).load()
        XCTAssertEqual(kept, first, "the earlier file was written into")
    }
}

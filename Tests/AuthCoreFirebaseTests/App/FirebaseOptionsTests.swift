@testable import AuthCoreFirebaseApp
import Foundation
import XCTest

/// Options are set, copied, and read from the file that the console gives.
final class FirebaseOptionsTests: LimitedTestCase {
    private func assertKeeps<Value: Equatable>(
        _ path: ReferenceWritableKeyPath<FirebaseOptions, Value>,
        _ values: Value...,
        line: UInt = #line
    ) throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        let first = options[keyPath: path]
        for value in values {
            options[keyPath: path] = value
            XCTAssertEqual(options[keyPath: path], value, "what was set", line: line)
            let copy = try XCTUnwrap(options.copy() as? FirebaseOptions)
            XCTAssertEqual(copy[keyPath: path], value, "what was copied", line: line)
            copy[keyPath: path] = first
            XCTAssertEqual(copy[keyPath: path], first, "what was set again in the copy", line: line)
            XCTAssertEqual(options[keyPath: path], value, "after a change of the copy", line: line)
        }
    }

    func testEveryOptionIsKeptAndCopied() throws {
        try assertKeeps(\.googleAppID, "1:2:ios:3", "", "1:2:ios:4")
        try assertKeeps(\.gcmSenderID, "2", "", "3")
        try assertKeeps(\.apiKey, "key", "", nil, "another")
        try assertKeeps(\.bundleID, "com.example.app", "", "com.example.other")
        try assertKeeps(\.clientID, "client", "", nil, "another")
        try assertKeeps(\.projectID, "project", "", nil, "another")
        try assertKeeps(\.storageBucket, "bucket", "", nil, "another")
        try assertKeeps(\.databaseURL, "https://db.example.com", "", nil, "https://other.example.com")
        try assertKeeps(\.appGroupID, "group", "", nil, "another")
    }

    func testOptionsBeginWithTheIdentifierOfTheBundle() {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        XCTAssertEqual(options.bundleID, Bundle.main.bundleIdentifier ?? "")
    }

    func testAFileFromTheConsoleIsRead() throws {
        let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "options-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "GoogleService-Info.plist")
        let entries = [
            "GOOGLE_APP_ID": "1:2:ios:3", "GCM_SENDER_ID": "2", "API_KEY": "key", "CLIENT_ID": "client",
            "PROJECT_ID": "project", "STORAGE_BUCKET": "bucket", "DATABASE_URL": "https://db.example.com",
            "BUNDLE_ID": "com.example.app",
        ]
        try PropertyListSerialization.data(fromPropertyList: entries, format: .xml, options: 0).write(to: file)
        let options = try XCTUnwrap(FirebaseOptions(contentsOfFile: file.path))
        XCTAssertEqual(
            [
                options.googleAppID, options.gcmSenderID, options.apiKey, options.clientID, options.projectID,
                options.storageBucket, options.databaseURL, options.bundleID,
            ],
            [
                "1:2:ios:3", "2", "key", "client", "project", "bucket", "https://db.example.com", "com.example.app",
            ]
        )
        options.apiKey = "another"
        XCTAssertEqual(options.apiKey, "another", "options that were read can be changed")
        try PropertyListSerialization.data(fromPropertyList: ["API_KEY": "key"], format: .xml, options: 0)
            .write(to: file)
        XCTAssertNil(FirebaseOptions(contentsOfFile: file.path), "a file without an app's ID")
        XCTAssertNil(FirebaseOptions(contentsOfFile: folder.path), "no file")
        try PropertyListSerialization.data(fromPropertyList: ["GOOGLE_APP_ID": "1:2:ios:3"], format: .xml, options: 0)
            .write(to: file)
        let least = try XCTUnwrap(FirebaseOptions(contentsOfFile: file.path))
        XCTAssertEqual(least.gcmSenderID, "", "the sender of a file with nothing but an app's ID")
        XCTAssertEqual(
            [
                least.apiKey, least.clientID, least.projectID, least.storageBucket, least.databaseURL, least.appGroupID,
            ],
            Array(repeating: nil, count: 6),
            "what a file with nothing but an app's ID does not say"
        )
        XCTAssertNil(FirebaseOptions.defaultOptions(), "there is no file beside these tests")
        let bundled = FirebaseOptions.inProcess(bundled: least).googleAppID
        XCTAssertEqual(bundled, least.googleAppID, "an app with a file in its bundle is configured by it")
        let made = FirebaseOptions.inProcess(bundled: nil).googleAppID
        XCTAssertEqual(made, "1:000000000000:ios:0000000000000000", "an app without one is configured all the same")
    }

    func testAnAppCollectsDataUntilItIsToldNotTo() async throws {
        FirebaseApp.configure(name: "collects", options: FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1"))
        let app = try XCTUnwrap(FirebaseApp.app(name: "collects"))
        XCTAssertFalse(app.isDefaultApp)
        XCTAssertTrue(app.isDataCollectionDefaultEnabled)
        for isEnabled in [false, true, false] {
            app.isDataCollectionDefaultEnabled = isEnabled
            XCTAssertEqual(app.isDataCollectionDefaultEnabled, isEnabled, "what was set last")
        }
        await app.delete()
    }

    func testALibraryIsRegisteredWithItsVersion() {
        XCTAssertNil(FirebaseApp.version(ofLibrary: "fire-none"))
        for version in ["1.2.3", "1.2.4", "", "1.2.3"] {
            FirebaseApp.registerLibrary("fire-tests", withVersion: version)
            XCTAssertEqual(FirebaseApp.version(ofLibrary: "fire-tests"), version, "the version registered last")
        }
    }

    func testACopyOfOptionsCanBeChanged() throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
        for (what, original) in [("an app's options", options.frozen()), ("other options", options)] {
            let copy = try XCTUnwrap(original.copy() as? FirebaseOptions)
            copy.clientID = "client"
            XCTAssertEqual(copy.clientID, "client", "what was set in a copy of \(what)")
            XCTAssertNil(original.clientID, "\(what) after a change of their copy")
        }
    }
}

@testable import AuthCore
import Foundation
import Synchronization
import XCTest

/// A test whose decisions must be the reviewed ones, down to the last event, whatever the test itself looks at.
class JournaledTestCase: XCTestCase {
    override func invokeTest() {
        let journal = Journal()
        Journal.open(journal)
        super.invokeTest()
        Journal.open(nil)
        if JournalFile.isShown { print(plainName, journal.shown, separator: "\n") }
        if testRun?.totalFailureCount == 0, !journal.isEmpty { JournalFile.check(journal, of: plainName) }
    }

    /// The class and the test, on every platform alike.
    private var plainName: String {
        let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        return words.suffix(2).joined(separator: ".")
    }
}

/// The file of the reviewed journals, a line a test.
enum JournalFile {
    static let path = "Tests/AuthCoreTests/Journal/Golden/decisions.txt"

    static var isWritten: Bool { ProcessInfo.processInfo.environment["WRITE_DOCUMENTS"] != nil }

    /// Whether whatever is decided is printed, to see what differs.
    static var isShown: Bool { ProcessInfo.processInfo.environment["SHOW_DECISIONS"] != nil }

    /// The lines by the names of their tests.
    static func lines() throws -> [String: String] {
        guard PackageFiles.exists(path) else { return [:] }
        let pairs = try PackageFiles.text(path).split(separator: "\n").compactMap { line in
            line.firstMatch(of: #/^(\w+\.\w+) (.+)$/#).map { (String($0.1), String($0.2)) }
        }
        return Dictionary(pairs) { $1 }
    }

    private static let reviewed = Mutex(Result { try lines() })

    /// Changes the lines, and writes them if they differ.
    static func change(_ change: (inout [String: String]) -> Void) throws {
        try reviewed.withLock { reviewed in
            let old = try reviewed.get()
            var lines = old
            change(&lines)
            if lines == old { return }
            let text = lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
            try text.write(to: PackageFiles.root.appending(path: path), atomically: true, encoding: .utf8)
            reviewed = .success(lines)
        }
    }

    fileprivate static func check(_ journal: Journal, of test: String) {
        do {
            if isWritten { try change { $0[test] = journal.line } }
            XCTAssertEqual(
                journal.line,
                try reviewed.withLock { try $0.get()[test] },
                "\(test) decides otherwise than was reviewed; SHOW_DECISIONS=1 shows what, WRITE_DOCUMENTS=1 writes it down"
            )
        } catch {
            XCTFail("\(error)")
        }
    }
}

@testable import AuthCore
@testable import AuthCoreMigration
import XCTest

final class FirebaseExportTests: LimitedTestCase {
    private func users(in file: [UInt8], pieces size: Int = .max) -> (users: [FirebaseUser], isComplete: Bool) {
        var export = FirebaseExport()
        var users: [FirebaseUser] = []
        var rest = file[...]
        while !rest.isEmpty {
            var piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            while let user = export.nextUser(in: &piece) { users.append(user) }
        }
        return (users, export.isComplete)
    }

    private func users(in text: String) -> (users: [FirebaseUser], isComplete: Bool) { users(in: Array(text.utf8)) }

    func testUsersAreFoundInPiecesOfEverySize() {
        let file = FirebaseSample.file([FirebaseSample.everything, FirebaseSample.user("b"), FirebaseSample.everything])
        let whole = users(in: file)
        XCTAssertTrue(whole.isComplete)
        XCTAssertEqual(whole.users.map(\.number), [1, 2, 3])
        XCTAssertEqual(whole.users.map { $0.content?["localId"] }, ["ann-1", "b", "ann-1"])
        for size in [1, 2, 3, 7, 64, 1000] {
            let pieces = users(in: file, pieces: size)
            XCTAssertTrue(pieces.isComplete)
            XCTAssertEqual(pieces.users.map(\.content), whole.users.map(\.content), "\(size)")
        }
    }

    func testBlanksOfEveryKindMayStandBetweenTheParts() {
        for blank in [" ", "\t", "\n", "\r\n"] {
            let parts = ["", "{", #""users""#, ":", "[", #"{"localId":"x"}"#, "]", "}", ""]
            let seen = users(in: parts.joined(separator: blank))
            XCTAssertEqual(seen.users.map { $0.content?["localId"] }, ["x"], "\(blank.debugDescription)")
            XCTAssertTrue(seen.isComplete, "\(blank.debugDescription)")
        }
    }

    func testOtherMembersArePassedOver() {
        let text = #"{"kind":"a,b}]\"","users":[],"n":1,"deep":{"users":[{"localId":"no"}]},"list":[[1,{}],"]"]}"#
        let seen = users(in: text)
        XCTAssertEqual(seen.users.count, 0)
        XCTAssertTrue(seen.isComplete)
        let after = users(in: #"{"a":[{"b":"}"}],"users":[{"localId":"x"}]}"#)
        XCTAssertEqual(after.users.map { $0.content?["localId"] }, ["x"])
        XCTAssertTrue(after.isComplete)
    }

    func testWhatIsNoUserIsCountedWithoutContent() {
        let seen = users(in: #"{"users":[{"localId":"a"},,null,"x",[1],{"a":1,"a":2},{}{},{"localId":"b"},]}"#)
        XCTAssertEqual(seen.users.map(\.number), Array(1...9))
        XCTAssertEqual(seen.users.filter { $0.content != nil }.map(\.number), [1, 8])
        XCTAssertTrue(seen.isComplete)
    }

    func testWhatIsNoExportIsNotComplete() {
        for text in [
            "", " ", "{}", "[]", "null", "{", #"{"users"}"#, #"{"users":{}}"#, #"{"users":[}"#, #"{"users":[]"#,
            #"{"users":[]]}"#, #"{"users":[]} x"#, #"{"users":[],"users":[]}"#, #"{"users":[] "a":1}"#,
            #"x{"users":[]}"#, #"{"users":[{}}}"#,
            #"{"a":1],"users":[]}"#, "\u{FEFF}\u{FEFF}{\"users\":[]}", #"{users:[]}"#,
            // A whole export within nonsense.
            #"{x{"users":[]}"#, #"{"a":1]{"users":[]}"#, #"{"users":[],"users":[{}"#,
        ] {
            XCTAssertFalse(users(in: text).isComplete, text)
        }
        XCTAssertTrue(users(in: " {\"users\" : [ ] }\r\n").isComplete)
    }

    func testEveryTruncationIsNoticedAndGivesOnlyWholeUsers() {
        let file = FirebaseSample.file([FirebaseSample.everything, FirebaseSample.user("b", #""displayName":"é🔑""#)])
        let end = file.lastIndex(of: UInt8(ascii: "}")) ?? 0
        let whole = users(in: file).users.map(\.content)
        for length in 0...end {
            let seen = users(in: Array(file[..<length]))
            XCTAssertFalse(seen.isComplete, "the first \(length) bytes")
            XCTAssertEqual(seen.users.map(\.content), Array(whole.prefix(seen.users.count)), "\(length) bytes")
            if length == end { XCTAssertEqual(seen.users.count, 2, "the users where only the last brace is missing") }
        }
        XCTAssertEqual(whole.map { $0?["localId"] }.last, "b", "the last user of the whole file")
    }

    func testEveryByteMayBeWrong() {
        let file = FirebaseSample.file([FirebaseSample.user("a"), FirebaseSample.user("b")])
        XCTAssertEqual(users(in: file).users.map { $0.content?["localId"] }, ["a", "b"], "the users of the whole file")
        let first = users(in: file).users.first?.content
        let text = String(decoding: file, as: UTF8.self)
        let second = text.utf8.distance(
            from: text.startIndex,
            to: text.range(of: FirebaseSample.user("b"))?.lowerBound ?? text.endIndex
        )
        XCTAssertLessThan(second, file.count, "where the second user begins")
        for index in file.indices {
            for byte in [0x00, 0x22, 0x2C, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0xFF] as [UInt8] {
                var broken = file
                broken[index] = byte
                let seen = users(in: broken).users
                XCTAssertLessThanOrEqual(seen.count, 4, "byte \(index) is \(byte)")
                if index > second {
                    XCTAssertEqual(seen.first?.content, first, "before byte \(index), which is \(byte)")
                }
            }
        }
    }

    func testAUserThatIsTooLongIsPassedOver() {
        let long = FirebaseSample.user("long", "\"displayName\":\"\(String(repeating: "x", count: 1 << 20))\"")
        let seen = users(in: FirebaseSample.file([FirebaseSample.user("a"), long, FirebaseSample.user("b")]))
        XCTAssertEqual(seen.users.map { $0.content?["localId"] }, ["a", nil, "b"])
        XCTAssertTrue(seen.isComplete)
    }

    func testAUserIsNotShown() {
        let seen = users(in: FirebaseSample.file([FirebaseSample.everything]))
        XCTAssertEqual("\(seen.users)", "[FirebaseUser(1)]")
        var shown = ""
        dump(seen.users, to: &shown)
        XCTAssertFalse(shown.contains("aGFzaCBvZiBubyBwYXNzd29yZA"))
    }
}

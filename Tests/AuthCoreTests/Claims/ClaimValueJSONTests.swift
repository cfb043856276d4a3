@testable import AuthCoreClaims
import XCTest

final class ClaimValueJSONTests: LimitedTestCase {
    private func read(_ text: String) -> ClaimValue? {
        ClaimValue(json: Array(text.utf8))
    }

    private func written(_ value: ClaimValue) -> String {
        String(decoding: value.json(), as: UTF8.self)
    }

    func testEveryKindOfValueIsRead() {
        let cases: [(String, ClaimValue)] = [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("-0", 0), ("-12", -12), ("0.5", 0.5),
            ("1.0", 1.0), ("1e2", 100.0), ("1E+2", 100.0), ("25e-1", 2.5), ("-0.0", -0.0), ("\"\"", ""), ("[]", []),
            ("{}", [:]), (" \t\r\n[ 1 , [ ] , { \"a\" : null } ] ", [1, [], ["a": .null]]),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", 9_223_372_036_854_775_808.0), (#"{"":1}"#, ["": 1]),
            (#""\uD800\uDC00\uDBFF\uDFFF""#, "\u{10000}\u{10FFFF}"),
            (#""\"\\\/\b\f\n\r\tA\u00e9\uD83D\uDD11""#, "\"\\/\u{8}\u{C}\n\r\tA\u{E9}🔑"),
            (#""\u0000""#, "\0"), (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]), ("\"\u{7F}\u{2028}é🔑\"", "\u{7F}\u{2028}é🔑"),
        ]
        for (text, expected) in cases {
            XCTAssertEqual(read(text), expected, text)
        }
    }

    func testAMemberIsWrittenUnderItsNameWhateverThatHolds() {
        for name in ["role", "\"", "a\":1,\"admin", "\\", "\n", ""] {
            var object = JSONObject()
            object.add(named: name, 1)
            let json = object.end()
            XCTAssertEqual(ClaimValue(json: json), [name: 1], String(decoding: json, as: UTF8.self))
        }
    }

    func testTheReadingOfANumberEnds() async throws {
        try await inTime {
            XCTAssertEqual(ClaimValue(json: Array("12".utf8)), 12, "the number 12")
            XCTAssertEqual(ClaimValue(json: Array("1.25e3".utf8)), 1250.0, "the number 1.25e3")
        }
    }

    func testMalformedTextIsRefused() {
        let cases = [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1.e2",
            "0x10", "1 2", "\"", "\"a", "'a'", "\"\\\"", "\"\\x\"", "\"\\u12\"", "\"\\u12G4\"", "\"\\u+123\"", "\"\n\"",
            "\"\0\"", "\"\u{1F}\"", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "{", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}",
            "{a:1}", "{1:1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\":1", "[}", "{]", "1//", "/**/1", "\u{FEFF}1",
            "\u{A0}1", "[1]]", "{}{}", "1e999", "-1e999", String(repeating: "9", count: 400),
        ]
        for text in cases {
            XCTAssertNil(read(text), text)
        }
    }

    func testLoneSurrogatesAreRefused() {
        for text in [
            #""\uD83D""#, #""\uDD11""#, #""\uD83DA""#, #""\uD83D\uD83D""#, #""\uDD11\uD83D""#, #""\uD83D\n""#,
            #""\uD83Du""#, #""\uD83D\"#,
        ] {
            XCTAssertNil(read(text), text)
        }
    }

    func testInvalidUTF8IsRefused() {
        let sequences: [[UInt8]] = [
            [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
            [0xF8, 0x88, 0x80, 0x80, 0x80], [0xE2, 0x82],
        ]
        for sequence in sequences {
            XCTAssertNil(ClaimValue(json: [0x22] + sequence + [0x22]), "\(sequence)")
            XCTAssertNil(ClaimValue(json: [0x22, 0x5C, 0x6E] + sequence + [0x22]), "\(sequence) after an escape")
            XCTAssertNil(ClaimValue(json: sequence), "\(sequence) outside a string")
        }
    }

    func testDuplicateKeysAreRefused() {
        for text in [
            #"{"a":1,"a":1}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"a":1,"b":2,"a":3}}"#, "{\"\u{E9}\":1,\"e\u{301}\":2}",
        ] {
            XCTAssertNil(read(text), text)
        }
        XCTAssertEqual(read(#"{"x":{"a":1},"a":2}"#), ["x": ["a": 1], "a": 2])
    }

    func testDepthIsBounded() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        XCTAssertNotNil(ClaimValue(json: nested(32)))
        XCTAssertNil(ClaimValue(json: nested(33)))
        XCTAssertNotNil(ClaimValue(json: Array("1".utf8), depthLimit: 0))
        XCTAssertNil(ClaimValue(json: nested(1), depthLimit: 0))
        XCTAssertNil(ClaimValue(json: nested(1), depthLimit: .min))
        XCTAssertNotNil(ClaimValue(json: nested(128), depthLimit: .max), "the deepest text whatever the limit")
        XCTAssertNil(ClaimValue(json: nested(129), depthLimit: .max), "one level more")
        XCTAssertNil(ClaimValue(json: nested(500_000), depthLimit: .max))
        XCTAssertNil(ClaimValue(json: Array(String(repeating: "{\"a\":", count: 200_000).utf8), depthLimit: .max))
        XCTAssertNotNil(ClaimValue(json: Array("[[],[],[[]]]".utf8), depthLimit: 3))
        XCTAssertNil(ClaimValue(json: Array("[[],[],[[]]]".utf8), depthLimit: 2))
    }

    func testLongKeysAreRefusedBeforeTheyAreHashed() {
        let marks = String(repeating: "\u{301}\u{323}", count: 250_000)
        XCTAssertNil(read("{\"\(marks)\":1}"))
        let longest = String(repeating: "k", count: 512)
        XCTAssertEqual(read("{\"\(longest)\":1}"), [longest: 1], "512 bytes")
        XCTAssertNil(read("{\"\(longest)k\":1}"), "one byte more")
    }

    func testSizeIsBounded() {
        XCTAssertNotNil(ClaimValue(json: Array("[1,2]".utf8), sizeLimit: 5))
        XCTAssertNil(ClaimValue(json: Array("[1,2]".utf8), sizeLimit: 4))
        XCTAssertNil(ClaimValue(json: [UInt8](repeating: UInt8(ascii: " "), count: 10_000_000)))
        let longest = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20 - 2) + Array("{}".utf8)
        XCTAssertNotNil(ClaimValue(json: longest), "a mebibyte")
        XCTAssertNotNil(JSONMembers(json: longest), "a mebibyte that is only checked")
        let longer = [UInt8(ascii: " ")] + longest
        XCTAssertNil(ClaimValue(json: longer), "a byte more than a mebibyte")
        XCTAssertNil(JSONMembers(json: longer), "a byte more than a mebibyte that is only checked")
    }

    func testWritingSortsKeysAndEscapesControls() {
        XCTAssertEqual(
            written(["b": 1, "a": [.null, true, -3, 1.0], "é": "\"\\\n\u{1}\u{1F}/\u{7F}", "": [:]]),
            #"{"":{},"a":[null,true,-3,1.0],"b":1,"é":"\"\\\n\u0001\u001f/"# + "\u{7F}\"}"
        )
        // By their bytes: as texts, a letter with an accent of its own follows all plain letters.
        XCTAssertEqual(
            Array(ClaimValue.object(["e\u{301}": 1, "f": 2]).json()),
            Array("{\"e\u{301}\":1,\"f\":2}".utf8)
        )
        XCTAssertEqual(written(["\u{FFFD}": 1, "\u{1F511}": 2]), "{\"\u{FFFD}\":1,\"\u{1F511}\":2}")
        XCTAssertEqual(written([.number(.nan), .number(.infinity), -0.0]), "[null,null,0.0]")
    }

    func testEveryControlCharacterIsWrittenAsJSONSpellsIt() throws {
        let short: [UInt8: String] = [0x08: "b", 0x09: "t", 0x0A: "n", 0x0C: "f", 0x0D: "r"]
        for byte in 0..<0x20 as Range<UInt8> {
            let value = ClaimValue.string(String(UnicodeScalar(byte)))
            let digits = String(byte, radix: 16)
            let escape = short[byte] ?? "u00" + (digits.count < 2 ? "0" : "") + digits
            let json = value.json()
            XCTAssertEqual(String(decoding: json, as: UTF8.self), "\"\\\(escape)\"", "byte \(byte)")
            XCTAssertEqual(ClaimValue(json: json), value, "byte \(byte)")
        }
    }

    func testANumberIsWrittenWithoutASignUnlessItIsNegative() {
        for (value, text) in [(0, "0"), (7, "7"), (-1, "-1"), (.min, "-9223372036854775808")] as [(Int64, String)] {
            let json = String(decoding: ClaimValue.integer(value).json(), as: UTF8.self)
            XCTAssertEqual(json, text, "what is written of \(value)")
        }
    }

    func testWhatIsWrittenReadsBackTheSame() {
        var generator = SplitMix(state: 5)
        for _ in 0..<2_000 {
            let value = randomValue(depth: 4, using: &generator)
            let json = value.json()
            XCTAssertEqual(ClaimValue(json: json), value)
            XCTAssertEqual(ClaimValue(json: json)?.json(), json)
        }
    }

    func testChangedBytesNeverTrap() {
        var generator = SplitMix(state: 9)
        let original = Array(#"{"a":[1,-2.5e3,"\u00e9\uD83D\uDD11",true,null],"b":{"c":"é"}}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0...8, using: &generator))
            assertCheckingAgrees(bytes)
            guard let value = ClaimValue(json: bytes) else { continue }
            XCTAssertEqual(ClaimValue(json: value.json()), value)
        }
    }

    /// What only checks an object refuses what reading refuses, and finds the same values.
    private func assertCheckingAgrees(_ json: [UInt8], line: UInt = #line) {
        let (read, checked) = (ClaimValue(json: json), JSONMembers(json: json))
        let text = String(decoding: json.prefix(80), as: UTF8.self)
        XCTAssertEqual(checked == nil, read?.objectValue == nil, text, line: line)
        let names: [StaticString] = ["", "a", "aa", "b", "c", "k", "K", "é", "e\u{301}", "n3", "n39"]
        for name in names { XCTAssertEqual(checked?[name], read?[name.description], text, line: line) }
    }

    func testAnObjectIsCheckedAsStrictlyAsItIsRead() {
        let many = (0..<40).map { #""n\#($0)":\#($0)"# }.joined(separator: ",")
        let longest = String(repeating: "a", count: 512)
        let values = [
            "1", "-12", "1e5", "1e999", "01", String(repeating: "9", count: 400), "9223372036854775808", #""b""#, "\"",
            #""\u00e9""#, #""\uD83D""#, "\"é\"", "[]", "[1,[2,{}]]", "[1,]", "null", "nul", "{}", #"{"a":1,"a":1}"#,
            #"{"a":1,"\u0061":1}"#, "{\"é\":1,\"e\u{301}\":1}", "{\"K\":1,\"\u{212A}\":1}",
            #"{"\u0061":{"aa":[null]}}"#,
            String(repeating: "[", count: 31) + String(repeating: "]", count: 31),
            String(repeating: "[", count: 32) + String(repeating: "]", count: 32),
        ]
        for value in values {
            for name in ["a", #"\u0061"#, "é", "e\u{301}", "\u{212A}", "", longest, longest + "a", "b\n"] {
                assertCheckingAgrees(Array("{\"\(name)\":\(value)}".utf8))
                assertCheckingAgrees(Array(" { \"k\" : 1 , \"\(name)\" : \(value) , \"é\" : 2 } ".utf8))
                assertCheckingAgrees(Array("{\"K\":\(value),\"a\":2,\"\(name)\":3}".utf8))
                assertCheckingAgrees(Array("{\(many),\"\(name)\":\(value)}".utf8))
            }
        }
        for text in [
            "", "1", "[]", "{", "{}{}", "{} x", "{\(many),\"n3\":1}", #"{"a":1,"b":2,"a":1}"#, "{\"a\":1,}", "{,}",
            #"{"a" 1}"#,
        ] {
            assertCheckingAgrees(Array(text.utf8))
        }
        assertCheckingAgrees(Array(#"{"a":""#.utf8) + [0xC3, 0x22, 0x7D])
        assertCheckingAgrees(Array(#"{""#.utf8) + [0xC3, 0x22, 0x3A, 0x31, 0x7D])
    }

    private func randomValue(depth: Int, using generator: inout SplitMix) -> ClaimValue {
        switch Int.random(in: 0...(depth > 0 ? 6 : 4), using: &generator) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &generator))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &generator))
        case 3:
            let number = Double(bitPattern: generator.next())
            return .number(number.isFinite ? number : 0)
        case 4: return .string(randomText(using: &generator))
        case 5:
            return .array(
                (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                    randomValue(depth: depth - 1, using: &generator)
                }
            )
        default:
            var members: [String: ClaimValue] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                members[randomText(using: &generator)] = randomValue(depth: depth - 1, using: &generator)
            }
            return .object(members)
        }
    }

    private func randomText(using generator: inout SplitMix) -> String {
        let letters = ["a", "\"", "\\", "\0", "\n", "\u{1F}", "\u{E9}", "e\u{301}", "🔑", "/", "\u{2028}"]
        return (0..<Int.random(in: 0...8, using: &generator)).compactMap { _ in letters.randomElement(using: &generator)
        }
        .joined()
    }

    func testBlanksMayStandAroundEveryMark() {
        for (text, expected) in [
            (#"{"a":1, "b":2}"#, ["a": 1, "b": 2]), (#"{"a" :1 ,"b": 2 }"#, ["a": 1, "b": 2]),
            ("[1, 2]", [1, 2]), ("[1 ,2 ]", [1, 2]), ("{\t\"a\"\n:\r[ ]\n}", ["a": []]), ("{ }", [:]), ("[ ]", []),
            ("  7", 7), ("7  ", 7),
        ] as [(String, ClaimValue)] {
            XCTAssertEqual(read(text), expected, text)
        }
    }

    func testNoOtherControlCharacterIsABlank() {
        for byte in UInt8(0)..<0x20 where ![0x09, 0x0A, 0x0D].contains(byte) {
            XCTAssertNil(ClaimValue(json: [byte, 0x31]), "a number after the byte \(byte)")
            XCTAssertNil(ClaimValue(json: [0x31, byte]), "a number before the byte \(byte)")
            XCTAssertNil(JSONMembers(json: [byte] + Array("{}".utf8)), "an object after the byte \(byte)")
        }
    }

    func testOnlyWhatMustBeIsEscaped() {
        let plain = String(decoding: (0x20...0x7F).filter { ![0x22, 0x5C].contains($0) } as [UInt8], as: UTF8.self)
        XCTAssertEqual(written(.string(plain)), "\"\(plain)\"", "blanks, slashes and other visible characters stay")
        XCTAssertEqual(written(.string("\"\\")), #""\"\\""#, "the quotation mark and the backslash")
        XCTAssertEqual(written(.string("\u{8}\t\n\u{C}\r")), #""\b\t\n\f\r""#, "what has a short escape")
        XCTAssertEqual(written(.string("\0\u{1}\u{1F}")), #""\u0000\u0001\u001f""#, "other control characters")
        XCTAssertEqual(written(["a b": "c d"]), #"{"a b":"c d"}"#, "in keys too")
    }
}

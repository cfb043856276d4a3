extension ClaimValue {
    /// Reads one JSON text (RFC 8259) strictly; `nil` if it is malformed, nested too deeply or too long.
    ///
    /// Besides what the grammar excludes, it refuses: invalid UTF-8, a byte order mark, lone surrogates, numbers too
    /// large for a `Double`, a key longer than 512 bytes, and a duplicate key, including two spellings that `String`
    /// considers equal. If two readers would see different values, no value is safe to use.
    package init?(json: [UInt8], depthLimit: Int = 32, sizeLimit: Int = 1 << 20) {
        guard json.count <= sizeLimit else { return nil }
        var reader = JSONReader(bytes: json, depthLimit: depthLimit)
        guard let value = try? reader.readText() else { return nil }
        self = value
    }
}

/// A JSON object that was checked as strictly, but whose values are made only when they are asked for: of the claims of a
/// token, few are needed to verify it.
package struct JSONMembers: Sendable {
    private let reader: JSONReader
    private let members: [JSONReader.Member]

    /// Checks one JSON text; `nil` also if it is no object.
    package init?(json: [UInt8]) {
        guard json.count <= 1 << 20 else { return nil }
        var checking = JSONReader(bytes: json, depthLimit: 32)
        reader = checking
        guard let members = try? checking.checkText() else { return nil }
        self.members = members
    }

    /// The value of the member with this name.
    package subscript(name: StaticString) -> ClaimValue? { reader.value(of: name, in: members) }
}

private struct JSONReader: Sendable {
    struct Malformed: Error {}

    /// Where a member of a checked object is.
    struct Member: Sendable {
        /// The name as it is written, without its quotes.
        let name: Range<Int>
        /// Whether the name is ASCII without escapes, so that its bytes are those of the text.
        let isPlain: Bool
        /// Where the value begins.
        let value: Int
    }

    /// `String` sorts a run of combining marks before hashing it, in time quadratic in the run's length: an attacker's
    /// long key would be slow.
    private static let longestKey = 512

    private let bytes: [UInt8]
    private var position = 0
    private var remainingDepth: Int
    /// Whether values are made of what is read; otherwise it is only checked, in the same way.
    private var isKept = true

    init(bytes: [UInt8], depthLimit: Int) {
        self.bytes = bytes
        // Whatever limit the caller sets, recursion must end before a small thread's stack is used up.
        remainingDepth = min(depthLimit, 128)
    }

    mutating func readText() throws(Malformed) -> ClaimValue {
        let value = try readValue()
        try requireEnd()
        return value
    }

    /// Checks a text that is an object, and returns where its members are.
    mutating func checkText() throws(Malformed) -> [Member] {
        isKept = false
        skipWhitespace()
        let members = try checkObject()
        try requireEnd()
        return members
    }

    private mutating func requireEnd() throws(Malformed) {
        skipWhitespace()
        guard position == bytes.count else { throw Malformed() }
    }

    // MARK: Values

    private mutating func readValue() throws(Malformed) -> ClaimValue {
        skipWhitespace()
        switch next {
        case UInt8(ascii: "{"): return .object(try readObject())
        case UInt8(ascii: "["): return .array(try readArray())
        case UInt8(ascii: "\""): return .string(try readString())
        case UInt8(ascii: "t"): return try read("true", as: .bool(true))
        case UInt8(ascii: "f"): return try read("false", as: .bool(false))
        case UInt8(ascii: "n"): return try read("null", as: .null)
        default: return try readNumber()
        }
    }

    private mutating func read(_ word: String, as value: ClaimValue) throws(Malformed) -> ClaimValue {
        for byte in word.utf8 {
            try expect(byte)
        }
        return value
    }

    private mutating func readArray() throws(Malformed) -> [ClaimValue] {
        try enter(UInt8(ascii: "["))
        defer { remainingDepth += 1 }
        var values: [ClaimValue] = []
        if skip(UInt8(ascii: "]")) { return values }
        repeat {
            let value = try readValue()
            if isKept { values.append(value) }
            skipWhitespace()
        } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return values
    }

    private mutating func readObject() throws(Malformed) -> [String: ClaimValue] {
        guard isKept else {
            _ = try checkObject()
            return [:]
        }
        var members: [String: ClaimValue] = [:]
        // Room for the claims of a token, since growing costs more than reading them; what is inside them is small.
        if position == 0 { members.reserveCapacity(24) }
        try readMembers { (reader: inout JSONReader) throws(Malformed) in
            let key = try reader.readString()
            guard key.utf8.count <= Self.longestKey else { throw Malformed() }
            try reader.readColon()
            let value = try reader.readValue()
            guard members.updateValue(value, forKey: key) == nil else { throw Malformed() }
        }
        return members
    }

    /// Reads an object; every member is read by the closure, from its name to its value.
    private mutating func readMembers(
        _ readMember: (inout JSONReader) throws(Malformed) -> Void
    ) throws(Malformed) {
        try enter(UInt8(ascii: "{"))
        defer { remainingDepth += 1 }
        if skip(UInt8(ascii: "}")) { return }
        repeat {
            skipWhitespace()
            try readMember(&self)
            skipWhitespace()
        } while skip(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
    }

    private mutating func readColon() throws(Malformed) {
        skipWhitespace()
        try expect(UInt8(ascii: ":"))
    }

    private mutating func enter(_ bracket: UInt8) throws(Malformed) {
        guard remainingDepth > 0 else { throw Malformed() }
        remainingDepth -= 1
        try expect(bracket)
        skipWhitespace()
    }

    // MARK: Checked objects

    private mutating func checkObject() throws(Malformed) -> [Member] {
        var members: [Member] = []
        try readMembers { (reader: inout JSONReader) throws(Malformed) in
            let start = reader.position + 1
            // Of a plain name no text is made, and every other one has a text that is not empty.
            let text = try reader.readString()
            let name = start..<reader.position - 1
            guard (text.isEmpty ? name.count : text.utf8.count) <= Self.longestKey else { throw Malformed() }
            try reader.readColon()
            members.append(Member(name: name, isPlain: text.isEmpty, value: reader.position))
            _ = try reader.readValue()
        }
        guard areDifferent(members) else { throw Malformed() }
        return members
    }

    /// Whether no two members have the same name; a few plain names are compared byte by byte, which is faster than
    /// hashing them.
    private func areDifferent(_ members: [Member]) -> Bool {
        guard members.count <= 32, members.allSatisfy(\.isPlain) else {
            return Set(members.map { text(of: $0) }).count == members.count
        }
        for place in members.indices {
            for earlier in 0..<place where areEqual(members[place].name, members[earlier].name) { return false }
        }
        return true
    }

    private func areEqual(_ name: Range<Int>, _ other: Range<Int>) -> Bool {
        guard name.count == other.count else { return false }
        for offset in 0..<name.count where bytes[name.lowerBound + offset] != bytes[other.lowerBound + offset] {
            return false
        }
        return true
    }

    /// The value of the checked member with this name.
    func value(of name: StaticString, in members: [Member]) -> ClaimValue? {
        for member in members where isName(of: member, name) {
            var reader = self
            (reader.position, reader.isKept) = (member.value, true)
            return try? reader.readValue()
        }
        return nil
    }

    private func isName(of member: Member, _ name: StaticString) -> Bool {
        guard member.isPlain else { return text(of: member) == name.description }
        guard member.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { name in
            for offset in 0..<name.count where unsafe name[offset] != bytes[member.name.lowerBound + offset] {
                return false
            }
            return true
        }
    }

    /// The name of a checked member.
    private func text(of member: Member) -> String {
        var reader = self
        (reader.position, reader.isKept) = (member.name.lowerBound - 1, true)
        return (try? reader.readString()) ?? ""
    }

    // MARK: Numbers

    private mutating func readNumber() throws(Malformed) -> ClaimValue {
        let start = position
        _ = skip(UInt8(ascii: "-"))
        if !skip(UInt8(ascii: "0")) {
            try readDigits()
        }
        var isWhole = true
        if skip(UInt8(ascii: ".")) {
            isWhole = false
            try readDigits()
        }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            isWhole = false
            _ = skip(UInt8(ascii: "+")) || skip(UInt8(ascii: "-"))
            try readDigits()
        }
        let text = bytes[start..<position]
        if isWhole, let integer = Self.integer(of: text) {
            return .integer(integer)
        }
        guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { throw Malformed() }
        return .number(number)
    }

    /// The number that these digits stand for, perhaps after a minus sign; nil if it does not fit.
    private static func integer(of text: ArraySlice<UInt8>) -> Int64? {
        let isNegative = text.first == UInt8(ascii: "-")
        var number: Int64 = 0
        for byte in isNegative ? text.dropFirst() : text {
            let digit = Int64(byte - UInt8(ascii: "0"))
            let (shifted, isTooLong) = number.multipliedReportingOverflow(by: 10)
            let (next, isTooLarge) = shifted.addingReportingOverflow(isNegative ? -digit : digit)
            if isTooLong || isTooLarge { return nil }
            number = next
        }
        return number
    }

    private mutating func readDigits() throws(Malformed) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw Malformed() }
    }

    // MARK: Strings

    private mutating func readString() throws(Malformed) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        let isASCII = skipPlainText()
        if next == UInt8(ascii: "\"") {
            position += 1
            if isASCII, !isKept { return "" }
            let content = bytes[start..<position - 1]
            // Most texts are ASCII; validating one takes several times as long as reading it.
            return isASCII ? String(decoding: content, as: UTF8.self) : try validated(content)
        }
        var content = Array(bytes[start..<position])
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return try validated(ArraySlice(content))
            case UInt8(ascii: "\\"): content.append(contentsOf: try readEscape())
            default: throw Malformed()
            }
            let plainStart = position
            skipPlainText()
            content.append(contentsOf: bytes[plainStart..<position])
        }
        throw Malformed()
    }

    /// Stops at a quote, a backslash, a control character or the end; returns whether everything before is ASCII.
    @discardableResult
    private mutating func skipPlainText() -> Bool {
        var (end, all) = (position, UInt8(0))
        while end < bytes.count {
            let byte = bytes[end]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            all |= byte
            end += 1
        }
        position = end
        return all < 0x80
    }

    private func validated(_ content: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw Malformed() }
        return text
    }

    private mutating func readEscape() throws(Malformed) -> [UInt8] {
        guard let byte = next else { throw Malformed() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try readEscapedScalar())).utf8)
        default: throw Malformed()
        }
    }

    private mutating func readEscapedScalar() throws(Malformed) -> Unicode.Scalar {
        let first = try readFourHexDigits()
        if let scalar = Unicode.Scalar(first) {
            return scalar
        }
        guard (0xD800...0xDBFF).contains(first) else { throw Malformed() }
        try expect(UInt8(ascii: "\\"))
        try expect(UInt8(ascii: "u"))
        let second = try readFourHexDigits()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        else { throw Malformed() }
        return scalar
    }

    private mutating func readFourHexDigits() throws(Malformed) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw Malformed() }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }

    // MARK: Bytes

    private var next: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(Malformed) {
        guard skip(byte) else { throw Malformed() }
    }

    private mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }
}

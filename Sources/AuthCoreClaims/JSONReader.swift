/// Reads JSON strictly, as ``ClaimValue`` says; values are made of what is read, or it is only checked.
struct JSONReader: Sendable {
    struct Malformed: Error {}

    /// `String` sorts a run of combining marks before hashing it, in time quadratic in the run's length: an attacker's
    /// long key would be slow.
    static let longestKey = 512

    let bytes: [UInt8]
    var position = 0
    private var remainingDepth: Int
    /// Whether values are made of what is read; otherwise it is only checked, in the same way.
    var isKept = true

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

    mutating func requireEnd() throws(Malformed) {
        skipWhitespace()
        guard position == bytes.count else { throw Malformed() }
    }

    // MARK: Values

    mutating func readValue() throws(Malformed) -> ClaimValue {
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
    mutating func readMembers(
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

    mutating func readColon() throws(Malformed) {
        skipWhitespace()
        try expect(UInt8(ascii: ":"))
    }

    private mutating func enter(_ bracket: UInt8) throws(Malformed) {
        guard remainingDepth > 0 else { throw Malformed() }
        remainingDepth -= 1
        try expect(bracket)
        skipWhitespace()
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

    mutating func readString() throws(Malformed) -> String {
        try expect(UInt8(ascii: "\""))
        let start = position
        let isASCII = skipPlainText()
        if next == UInt8(ascii: "\"") {
            position += 1
            // A text that is only checked is complete here; one that is not ASCII is validated below.
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

    mutating func skipWhitespace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }
}

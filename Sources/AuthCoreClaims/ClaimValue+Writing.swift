extension ClaimValue {
    /// The value as JSON without spaces, keys in the order of their bytes: equal values give equal bytes.
    ///
    /// JSON has no infinities and no NaN; a number that is not finite is written as `null`.
    package func json() -> [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): Self.write(value, to: &output)
        case .number(let value): Self.write(value, to: &output)
        case .string(let value): Self.write(value, to: &output)
        case .array(let values): Self.write(values, to: &output)
        case .object(let members):
            Self.write(members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }, to: &output)
        }
    }

    private static func write(_ number: Int64, to output: inout [UInt8]) {
        if number < 0 { output.append(UInt8(ascii: "-")) }
        writeDigits(of: number.magnitude, to: &output)
    }

    private static func writeDigits(of number: UInt64, to output: inout [UInt8]) {
        if number >= 10 { writeDigits(of: number / 10, to: &output) }
        output.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private static func write(_ number: Double, to output: inout [UInt8]) {
        guard number.isFinite else {
            output.append(contentsOf: "null".utf8)
            return
        }
        // Zero has two signs that compare equal. Swift prints the shortest digits that read back as the same value, and
        // always with a fraction or an exponent, so it stays a number.
        output.append(contentsOf: (number == 0 ? "0.0" : number.description).utf8)
    }

    private static func write(_ values: [ClaimValue], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for (place, value) in values.enumerated() {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            value.write(to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: [(key: String, value: ClaimValue)], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for (place, member) in members.enumerated() {
            if place > 0 { output.append(UInt8(ascii: ",")) }
            write(member.key, to: &output)
            output.append(UInt8(ascii: ":"))
            member.value.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    static func write(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { bytes in
            // Every byte is looked at, which the processor does for many at once.
            if unsafe bytes.reduce(false, { needsEscape($1) || $0 }) { return false }
            unsafe output.append(contentsOf: bytes)
            return true
        }
        if !isPlain {
            for byte in text.utf8 {
                if needsEscape(byte) {
                    writeEscape(byte, to: &output)
                } else {
                    output.append(byte)
                }
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscape(_ byte: UInt8, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
        case 0x08: output.append(UInt8(ascii: "b"))
        case 0x09: output.append(UInt8(ascii: "t"))
        case 0x0A: output.append(UInt8(ascii: "n"))
        case 0x0C: output.append(UInt8(ascii: "f"))
        case 0x0D: output.append(UInt8(ascii: "r"))
        default:
            output.append(contentsOf: (byte < 0x10 ? "u000" : "u00").utf8)
            output.append(contentsOf: String(byte, radix: 16).utf8)
        }
    }
}

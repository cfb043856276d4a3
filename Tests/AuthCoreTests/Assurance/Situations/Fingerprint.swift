/// Sixty-four bits that differ if what was added differs, whatever random names it goes by.
///
/// Names are told by the order in which they appear, and hashes, seeds and sealed things by being there: both differ
/// from one key to the next although nothing was decided otherwise.
struct Fingerprint {
    private var bits: UInt64 = 0xCBF2_9CE4_8422_2325
    private var names: [UInt64: UInt64] = [:]
    /// What was added, if somebody wants to see it.
    var shown: [UInt8]?

    var text: String {
        let digits = String(bits, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0)
    }

    private mutating func add(_ byte: UInt8) {
        bits = (bits ^ UInt64(byte)) &* 0x100_0000_01B3
        shown?.append(byte == 0 ? UInt8(ascii: "\n") : byte)
    }

    mutating func add(json: [UInt8]) {
        var place = 0
        while place < json.count {
            switch json[place] {
            case UInt8(ascii: "\""): place = addText(json, from: place + 1)
            case UInt8(ascii: "["): place = addList(json, from: place)
            default:
                add(json[place])
                place += 1
            }
        }
        add(0)
    }

    /// Adds a string up to its end; a name as its number.
    private mutating func addText(_ json: [UInt8], from start: Int) -> Int {
        var end = start
        var isName = true
        var hasDigit = false
        while end < json.count, json[end] != UInt8(ascii: "\"") {
            if json[end] == UInt8(ascii: "\\") { end += 1 }
            if !Self.isSymbol(json[min(end, json.count - 1)]) { isName = false }
            if Self.isDigit(json[min(end, json.count - 1)]) { hasDigit = true }
            end += 1
        }
        isName = isName && (end - start == 22 || hasDigit && end - start >= 12)
        add(UInt8(ascii: "\""))
        // A hash of a password begins with its scheme.
        if isName || json[start] == UInt8(ascii: "$") {
            var name = Fingerprint()
            for place in start..<min(end, json.count) { name.add(json[place]) }
            let number = names[name.bits] ?? UInt64(names.count)
            names[name.bits] = number
            for byte in "#\(number)".utf8 { add(byte) }
        } else {
            for place in start..<min(end, json.count) { add(json[place]) }
        }
        add(UInt8(ascii: "\""))
        return end + 1
    }

    /// Skips a list of bytes; of any other only its beginning is added.
    private mutating func addList(_ json: [UInt8], from start: Int) -> Int {
        var end = start + 1
        while end < json.count, Self.isDigit(json[end]) || json[end] == UInt8(ascii: ",") { end += 1 }
        add(UInt8(ascii: "["))
        return end < json.count && json[end] == UInt8(ascii: "]") && end - start > 16 ? end : start + 1
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

    private static func isSymbol(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte == 45 || byte == 95
    }
}

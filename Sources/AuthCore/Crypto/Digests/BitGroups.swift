/// Writes bytes as characters of five or six bits each, and reads them back strictly.
///
/// Base32 and Base64URL differ only in their alphabets and in the number of bits per character.
struct BitGroups: Sendable {
    private let letters: [UInt8]
    private let values: [UInt8]
    private let width: Int
    private static let noValue: UInt8 = 0xff

    /// The alphabet has 2 to the power of `width` ASCII characters; `foldingCase` also reads them in lower case.
    init(alphabet: StaticString, width: Int, foldingCase: Bool) {
        let letters = Array(alphabet.description.utf8)
        var values = [UInt8](repeating: Self.noValue, count: 256)
        for (value, letter) in letters.enumerated() {
            values[Int(letter)] = UInt8(value)
            if foldingCase, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) {
                values[Int(letter | 0x20)] = UInt8(value)
            }
        }
        self.letters = letters
        self.values = values
        self.width = width
    }

    func encode(_ bytes: [UInt8]) -> String {
        // Through pointers, since most of a token's cost was the check of each index. Every masked value is an index of
        // `letters`, and `length` counts the last, incomplete group too.
        let length = (bytes.count * 8 + width - 1) / width
        let width = UInt32(width)
        let mask: UInt32 = 1 << width - 1
        return unsafe String(unsafeUninitializedCapacity: length) { text in
            unsafe letters.withUnsafeBufferPointer { letters in
                var written = 0
                var pending: UInt32 = 0
                var bits: UInt32 = 0
                for byte in bytes {
                    pending = (pending &<< 8 | UInt32(byte)) & 0xffff
                    bits &+= 8
                    while bits >= width {
                        bits &-= width
                        unsafe text[written] = letters[Int(pending &>> bits & mask)]
                        written &+= 1
                    }
                }
                if bits > 0 {
                    unsafe text[written] = letters[Int(pending &<< (width &- bits) & mask)]
                    written &+= 1
                }
                return written
            }
        }
    }

    /// Returns nil if a character is invalid or superfluous, or the remaining bits are not zero.
    func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        // `values` has 256 entries, and the room holds as many bytes as there are eight bits in the text.
        let width = UInt32(width)
        var isValid = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count * self.width / 8) { bytes, count in
            unsafe values.withUnsafeBufferPointer { values in
                var pending: UInt32 = 0
                var bits: UInt32 = 0
                for character in text {
                    let value = unsafe values[Int(character)]
                    if value == Self.noValue { isValid = false }
                    pending = (pending &<< width | UInt32(value)) & 0xffff
                    bits &+= width
                    if bits >= 8 {
                        bits &-= 8
                        unsafe bytes[count] = UInt8(truncatingIfNeeded: pending &>> bits)
                        count &+= 1
                    }
                }
                let leftover = pending & (1 &<< bits &- 1)
                isValid = isValid && bits < width && leftover == 0
            }
        }
        return isValid ? bytes : nil
    }
}

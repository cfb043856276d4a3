/// Base64 in the URL-safe alphabet (RFC 4648 section 5), without padding.
///
/// Whole groups of three bytes or four characters go through pointers, since checks of each index were most of a
/// token's cost. Every index of the tables is masked, and the room is computed from the length.
package enum Base64URL {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    /// The value of each character; `noValue` for those that are not in the alphabet.
    private static let values = (UInt8.min ... .max).map { letter in
        letters.firstIndex(of: letter).map { UInt8($0) } ?? noValue
    }
    private static let noValue: UInt8 = 0x80

    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes[...]) }

    /// The encoding of a part of the bytes.
    package static func encode(_ bytes: ArraySlice<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: length(of: bytes)) { text in unsafe write(bytes, to: text) }
    }

    /// Adds the characters of the encoding to the end of a text.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        let bytes = bytes[...]
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length(of: bytes)) { characters in
            let count = unsafe write(bytes, to: characters)
            unsafe text.append(contentsOf: characters[..<count])
        }
    }

    private static func length(of bytes: ArraySlice<UInt8>) -> Int { (bytes.count * 8 + 5) / 6 }

    private static func write(_ bytes: ArraySlice<UInt8>, to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        unsafe letters.withUnsafeBufferPointer { letters in
            var (read, written) = (0, 0)
            unsafe bytes.withUnsafeBufferPointer { bytes in
                while read &+ 3 <= bytes.count {
                    let (first, second) = unsafe (UInt32(bytes[read]), UInt32(bytes[read &+ 1]))
                    let group = unsafe first << 16 | second << 8 | UInt32(bytes[read &+ 2])
                    unsafe text[written] = letters[Int(group >> 18)]
                    unsafe text[written &+ 1] = letters[Int(group >> 12 & 63)]
                    unsafe text[written &+ 2] = letters[Int(group >> 6 & 63)]
                    unsafe text[written &+ 3] = letters[Int(group & 63)]
                    read &+= 3
                    written &+= 4
                }
            }
            // The last one or two bytes.
            let rest = bytes.dropFirst(read)
            guard let first = rest.first else { return written }
            let second = rest.dropFirst().first
            let group = UInt32(first) << 16 | UInt32(second ?? 0) << 8
            unsafe text[written] = letters[Int(group >> 18)]
            unsafe text[written + 1] = letters[Int(group >> 12 & 63)]
            if second != nil { unsafe text[written + 2] = letters[Int(group >> 6 & 63)] }
            return written + rest.count + 1
        }
    }

    /// The bytes whose encoding is exactly this text; nil for every other text, including padded ones.
    package static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)[...]) }

    /// The bytes whose encoding is exactly this part of a text, as bytes.
    package static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var isValid = text.count % 4 != 1
        var bytes = [UInt8](repeating: 0, count: text.count * 6 / 8)
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            unsafe values.withUnsafeBufferPointer { values in
                unsafe text.withUnsafeBufferPointer { text in
                    // All values seen, whose upper bits show whether one of them was none.
                    var seen: UInt8 = 0
                    var (read, written) = (0, 0)
                    while read &+ 4 <= text.count {
                        let (a, b) = unsafe (values[Int(text[read])], values[Int(text[read &+ 1])])
                        let (c, d) = unsafe (values[Int(text[read &+ 2])], values[Int(text[read &+ 3])])
                        seen |= a | b | c | d
                        unsafe bytes[written] = a << 2 | b >> 4
                        unsafe bytes[written &+ 1] = b << 4 | c >> 2
                        unsafe bytes[written &+ 2] = c << 6 | d
                        read &+= 4
                        written &+= 3
                    }
                    // The last two or three characters, whose unused bits are zero.
                    let rest = text.count - read
                    if rest > 1 {
                        let (a, b) = unsafe (values[Int(text[read])], values[Int(text[read + 1])])
                        let c = rest == 3 ? unsafe values[Int(text[read + 2])] : 0
                        seen |= a | b | c
                        unsafe bytes[written] = a << 2 | b >> 4
                        if rest == 3 { unsafe bytes[written + 1] = b << 4 | c >> 2 }
                        isValid = isValid && (rest == 3 ? c & 3 : b & 15) == 0
                    }
                    isValid = isValid && seen & noValue == 0
                }
            }
        }
        return isValid ? bytes : nil
    }
}

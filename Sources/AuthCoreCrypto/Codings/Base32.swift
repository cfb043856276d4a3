/// Base32 (RFC 4648 section 6) without padding, as authenticator apps read secrets.
package enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(letters[Int(pending >> bits & 31)])
            }
        }
        if bits > 0 { text.append(letters[Int(pending << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Also reads lower case, since people type these; refuses padding, spaces, superfluous characters and everything
    /// else.
    package static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var bits = 0
        for letter in text.withUppercasedASCII {
            guard let value = letters.firstIndex(of: letter) else { return nil }
            pending = pending << 5 | UInt32(value)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        let leftover = pending & (1 << bits - 1)
        return bits < 5 && leftover == 0 ? bytes : nil
    }
}

extension String {
    /// The bytes, with a–z as A–Z.
    fileprivate var withUppercasedASCII: [UInt8] {
        utf8.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xdf : $0 }
    }
}

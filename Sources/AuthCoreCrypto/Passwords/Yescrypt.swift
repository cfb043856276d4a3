#if canImport(CCrypt)
import CCrypt
#endif

/// The memory-hard scheme yescrypt of the system's password library.
enum Yescrypt {
    /// The number of characters in a hash of 32 bytes.
    private static let hashLength = 43

    private static let alphabet = Array("./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".utf8)

    /// The parameters that the library writes for its costs 1, 2, 3 …; others are refused.
    private static let parameters = [
        "j75", "j85", "j7T", "j8T", "j9T", "jAT", "jBT", "jCT", "jDT", "jET", "jFT",
    ]

    /// An older library may lack the scheme, so one known hash is computed before the scheme is used.
    static let isAvailable =
        hash("pw", setting: "$y$j75$k2XAnEHBqQ1Ct2aMXFKNa/") == "1bx0qUeWpIHfKwUOpO9N/3xYblZqf66xSikKiLrzx60"

    /// The cost that the parameters of a setting stand for.
    static func cost(ofParameters text: String) -> Int? {
        parameters.firstIndex(of: text).map { $0 + 1 }
    }

    /// Whether a text can be the salt of a setting: whole bytes, as the library reads them.
    static func isSalt(_ text: String) -> Bool {
        guard (1...86).contains(text.utf8.count), isEncoded(text), let last = text.utf8.last else { return false }
        // Of the bits of the last character, two or four belong to a byte, unless it ends a group of four.
        switch text.utf8.count % 4 {
        case 0: return true
        case 2: return alphabet[..<4].contains(last)
        case 3: return alphabet[..<16].contains(last)
        default: return false
        }
    }

    /// Whether a text has the form of a hash.
    static func isHash(_ text: String) -> Bool { text.utf8.count == hashLength && isEncoded(text) }

    private static func isEncoded(_ text: String) -> Bool { text.utf8.allSatisfy(alphabet.contains) }

    /// Random text in the form of a hash.
    static func randomHash() -> String {
        let letters = randomBytes(hashLength).map { alphabet[Int($0 & 0x3f)] }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The scheme, parameters and salt in the library's format.
    static func setting(cost: Int, salt: [UInt8]) -> String? {
        #if canImport(CCrypt)
        let salt = salt.map { CChar(bitPattern: $0) }
        var written = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
        let isWritten =
            unsafe crypt_gensalt_rn("$y$", UInt(cost), salt, Int32(salt.count), &written, Int32(written.count)) != nil
        guard isWritten, let end = written.firstIndex(of: 0) else { return nil }
        return String(decoding: written[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        #else
        return nil
        #endif
    }

    /// The hash alone, without the setting that the library puts before it.
    static func hash(_ input: String, setting: String) -> String? {
        #if canImport(CCrypt)
        let size = MemoryLayout<crypt_data>.size
        // This is too large for the small stacks of the hashing threads.
        let scratch = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        defer { unsafe scratch.deallocate() }
        unsafe scratch.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        guard let result = unsafe crypt_rn(input, setting, scratch, Int32(size)) else { return nil }
        let text = unsafe String(cString: result)
        let start = setting + "$"
        return text.hasPrefix(start) ? String(text.dropFirst(start.count)) : nil
        #else
        return nil
        #endif
    }
}

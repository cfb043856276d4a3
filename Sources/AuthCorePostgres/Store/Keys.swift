#if PostgreSQL
internal import AuthCoreCrypto
internal import AuthCore
internal import AuthCoreSQL

extension Store.UniqueKey {
    /// The bytes of the key in its row; of a long key its digest, since the entries of an index are short.
    var rowBytes: [UInt8] {
        let bytes = bytes
        return bytes.count > 1024 ? [0] + SHA256.hash(bytes) : bytes
    }
}

extension String {
    /// The text for a column that people read: PostgreSQL has no text with the character U+0000.
    var readable: String { utf8.contains(0) ? replacing("\0", with: "\u{FFFD}") : self }
}
#endif

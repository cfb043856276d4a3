/// HMAC-SHA-256 (RFC 2104) under one key, whose two padded blocks are hashed once and for all.
package struct HMACSHA256: Sendable {
    private let inner: SHA256Prefix
    private let outer: SHA256Prefix

    /// Any length of key will do; one longer than 64 bytes is hashed first.
    package init(key: [UInt8]) {
        let key = key.count > 64 ? SHA256.hash(key) : key
        inner = SHA256Prefix(block: paddedKey(key, with: 0x36))
        outer = SHA256Prefix(block: paddedKey(key, with: 0x5c))
    }

    /// The 32 bytes that only a holder of the key can make for this message.
    package func authenticate(_ message: [UInt8]) -> [UInt8] {
        outer.hash(inner, message)
    }

    /// The same for a text.
    func authenticate(_ message: String) -> [UInt8] {
        outer.hash(inner, message)
    }
}

// What is kept stands for the key, so neither printing nor mirrors may show it.
extension HMACSHA256: CustomStringConvertible, CustomReflectable {
    package var description: String { "HMACSHA256" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// HMAC-SHA-1: only for one-time codes.
enum HMACSHA1 {
    /// The 20 bytes that only a holder of the key can make for this message.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key.count > 64 ? SHA1.hash(key) : key
        return SHA1.hash(paddedKey(key, with: 0x5c) + SHA1.hash(paddedKey(key, with: 0x36) + message))
    }
}

private func paddedKey(_ key: [UInt8], with pad: UInt8) -> [UInt8] {
    key.map { $0 ^ pad } + Array(repeating: pad, count: 64 - key.count)
}

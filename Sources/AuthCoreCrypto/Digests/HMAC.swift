/// HMAC-SHA-256 (RFC 2104) under one key, whose two padded blocks are hashed only once.
package struct HMACSHA256: Sendable {
    private let inner: SHA256Prefix
    private let outer: SHA256Prefix

    /// The key can have any length; one longer than 64 bytes is hashed first.
    package init(key: [UInt8]) {
        let key = key.count > 64 ? SHA256.hash(key) : key
        inner = SHA256Prefix(block: paddedKey(key, with: 0x36))
        outer = SHA256Prefix(block: paddedKey(key, with: 0x5c))
    }

    /// The 32-byte authentication code, which cannot be computed without the key.
    package func authenticate(_ message: [UInt8]) -> [UInt8] {
        outer.hash(inner, message)
    }

    /// The authentication code of a text.
    package func authenticate(_ message: String) -> [UInt8] {
        outer.hash(inner, message)
    }
}

// The stored state is equivalent to the key, so neither printing nor mirrors may reveal it.
extension HMACSHA256: CustomStringConvertible, CustomReflectable {
    package var description: String { "HMACSHA256" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// HMAC-SHA-1: only for one-time codes.
enum HMACSHA1 {
    /// The 20-byte authentication code, which cannot be computed without the key.
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        let key = key.count > 64 ? SHA1.hash(key) : key
        return SHA1.hash(paddedKey(key, with: 0x5c) + SHA1.hash(paddedKey(key, with: 0x36) + message))
    }
}

private func paddedKey(_ key: [UInt8], with pad: UInt8) -> [UInt8] {
    key.map { $0 ^ pad } + Array(repeating: pad, count: 64 - key.count)
}

#if canImport(CryptoKit)
import CryptoKit
import Foundation
#endif

/// SHA-256 (FIPS 180-4) of a whole message.
package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func hash(_ message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
        Array(CryptoKit.SHA256.hash(data: message))
        #else
        var chain = SHA256Chain()
        return chain.finish(message, after: 0)
        #endif
    }

    /// The first 128 bits of the digest of a text.
    package static func leadingBits(of message: String) -> UInt128 {
        #if canImport(CryptoKit)
        hash(Array(message.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
        #else
        var chain = SHA256Chain()
        chain.close(message, after: 0)
        return chain.leadingBits
        #endif
    }
}

/// The state of SHA-256 after one block, from which many messages can continue.
struct SHA256Prefix: Sendable {
    #if canImport(CryptoKit)
    private var state = CryptoKit.SHA256()
    #else
    private var state = SHA256Chain()
    #endif

    /// The block must be exactly 64 bytes long.
    init(block: [UInt8]) {
        #if canImport(CryptoKit)
        state.update(data: block)
        #else
        state.process(block: block)
        #endif
    }

    /// The digest of this block followed by the digest of another block and a message, as in an HMAC.
    func hash(_ inner: SHA256Prefix, _ message: [UInt8]) -> [UInt8] {
        var (inner, outer) = (inner.state, state)
        #if canImport(CryptoKit)
        inner.update(data: message)
        outer.update(data: Array(inner.finalize()))
        return Array(outer.finalize())
        #else
        inner.close(message, after: SHA256Chain.blockLength)
        return outer.finish(digest: inner, after: SHA256Chain.blockLength)
        #endif
    }

    /// The digest for a text as the message.
    func hash(_ inner: SHA256Prefix, _ message: String) -> [UInt8] {
        #if canImport(CryptoKit)
        return hash(inner, Array(message.utf8))
        #else
        var (inner, outer) = (inner.state, state)
        inner.close(message, after: SHA256Chain.blockLength)
        return outer.finish(digest: inner, after: SHA256Chain.blockLength)
        #endif
    }
}

#if canImport(CryptoKit)
import CryptoKit
import Foundation
#endif

/// SHA-1 (FIPS 180-4): only for one-time codes, since many authenticator apps support nothing newer.
enum SHA1 {
    /// The 20 bytes of the digest.
    static func hash(_ message: [UInt8]) -> [UInt8] {
        #if canImport(CryptoKit)
        Array(CryptoKit.Insecure.SHA1.hash(data: message))
        #else
        var chain = SHA1Chain()
        return chain.finish(message)
        #endif
    }
}

#if !canImport(CryptoKit)
/// The five chaining words of SHA-1, and the step that processes one block.
private struct SHA1Chain {
    private var a: UInt32 = 0x6745_2301
    private var b: UInt32 = 0xefcd_ab89
    private var c: UInt32 = 0x98ba_dcfe
    private var d: UInt32 = 0x1032_5476
    private var e: UInt32 = 0xc3d2_e1f0

    mutating func finish(_ message: [UInt8]) -> [UInt8] {
        var schedule = [UInt32](repeating: 0, count: 80)
        let wholeBlocks = message.count / 64 * 64
        for offset in stride(from: 0, to: wholeBlocks, by: 64) {
            compress(message, at: offset, schedule: &schedule)
        }
        let tail = paddedTail(of: message, from: wholeBlocks, total: message.count)
        for offset in stride(from: 0, to: tail.count, by: 64) {
            compress(tail, at: offset, schedule: &schedule)
        }
        return [a, b, c, d, e].flatMap { bigEndianBytes($0) }
    }

    private mutating func compress(_ message: [UInt8], at offset: Int, schedule: inout [UInt32]) {
        var position = offset
        for index in 0..<16 {
            schedule[index] =
                UInt32(message[position]) << 24 | UInt32(message[position + 1]) << 16
                | UInt32(message[position + 2]) << 8 | UInt32(message[position + 3])
            position += 4
        }
        for index in 16..<80 {
            let word = schedule[index - 3] ^ schedule[index - 8] ^ schedule[index - 14] ^ schedule[index - 16]
            schedule[index] = word << 1 | word >> 31
        }
        var (a, b, c, d, e) = (a, b, c, d, e)
        for index in 0..<80 {
            let mixed: UInt32
            let constant: UInt32
            switch index {
            case ..<20: (mixed, constant) = ((b & c) | (~b & d), 0x5a82_7999)
            case ..<40: (mixed, constant) = (b ^ c ^ d, 0x6ed9_eba1)
            case ..<60: (mixed, constant) = ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc)
            default: (mixed, constant) = (b ^ c ^ d, 0xca62_c1d6)
            }
            let next = (a << 5 | a >> 27) &+ mixed &+ e &+ constant &+ schedule[index]
            e = d
            d = c
            c = b << 30 | b >> 2
            b = a
            a = next
        }
        self.a &+= a
        self.b &+= b
        self.c &+= c
        self.d &+= d
        self.e &+= e
    }
}
#endif

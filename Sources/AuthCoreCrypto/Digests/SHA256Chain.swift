internal import CSHA256

/// The eight chaining words of SHA-256, and what processes a message block by block.
///
/// It is compiled on every platform: PBKDF2 needs the step of one block alone, which CryptoKit does not offer.
struct SHA256Chain: Sendable {
    static let blockLength = 64
    private static let digestLength = 32
    static let emptyBlock = [UInt32](repeating: 0, count: wordCount)
    private static let wordCount = 16

    private var state = csha256_state(
        words: (
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19
        )
    )

    /// Processes a message of exactly one block.
    mutating func process(block: [UInt8]) {
        precondition(block.count == Self.blockLength)
        unsafe withBlock { chain, words in
            unsafe block.withUnsafeBytes { bytes in unsafe chain.process(bytes, at: 0, words) }
        }
    }

    /// Processes one block, as words.
    mutating func process(_ block: [UInt32]) {
        precondition(block.count == Self.wordCount)
        unsafe csha256_process(&state, block)
    }

    /// Processes the rest of a message, after the first `taken` bytes, and returns the digest.
    mutating func finish(_ message: [UInt8], after taken: Int) -> [UInt8] {
        close(message, after: taken)
        return bytes
    }

    /// Processes another digest as the rest of the message, without converting its words: the end of an HMAC.
    mutating func finish(digest: SHA256Chain, after taken: Int) -> [UInt8] {
        unsafe withBlock { chain, words in
            unsafe digest.write(to: words)
            unsafe words[8] = 0x8000_0000
            unsafe words[15] = UInt32(truncatingIfNeeded: (taken + Self.digestLength) * 8)
            unsafe csha256_process(&chain.state, words.baseAddress)
        }
        return bytes
    }

    /// Writes the current digest, as words, to the beginning of a block.
    func write(to block: inout [UInt32]) {
        precondition(block.count == Self.wordCount)
        unsafe block.withUnsafeMutableBufferPointer { words in unsafe write(to: words) }
    }

    /// Processes the rest of a message, after the first `taken` bytes, with the padding.
    mutating func close(_ message: [UInt8], after taken: Int) {
        unsafe message.withUnsafeBytes { bytes in unsafe close(bytes, after: taken) }
    }

    /// Processes the rest of a text in the same way, without copying its bytes.
    mutating func close(_ message: String, after taken: Int) {
        var message = message
        message.withUTF8 { text in unsafe close(UnsafeRawBufferPointer(text), after: taken) }
    }

    /// The first 128 bits of the digest, after the last block.
    var leadingBits: UInt128 {
        let words = state.words
        return UInt128(words.0) << 96 | UInt128(words.1) << 64 | UInt128(words.2) << 32 | UInt128(words.3)
    }

    /// The digest, after the last block.
    var bytes: [UInt8] {
        let words = state.words
        let digest = (
            words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian,
            words.4.bigEndian, words.5.bigEndian, words.6.bigEndian, words.7.bigEndian
        )
        return unsafe withUnsafeBytes(of: digest) { unsafe Array($0) }
    }
}

// Uses pointers and stack memory, since the checks and allocations of arrays took longer than the arithmetic. Every
// index below is under 16, the number of words in a block, or under the count checked beforehand.
extension SHA256Chain {
    private mutating func withBlock(_ body: (inout SHA256Chain, UnsafeMutableBufferPointer<UInt32>) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.wordCount) { words in
            unsafe words.initialize(repeating: 0)
            unsafe body(&self, words)
        }
    }

    private func write(to block: UnsafeMutableBufferPointer<UInt32>) {
        let words = state.words
        unsafe block[0] = words.0
        unsafe block[1] = words.1
        unsafe block[2] = words.2
        unsafe block[3] = words.3
        unsafe block[4] = words.4
        unsafe block[5] = words.5
        unsafe block[6] = words.6
        unsafe block[7] = words.7
    }

    private mutating func close(_ message: UnsafeRawBufferPointer, after taken: Int) {
        unsafe withBlock { chain, words in
            let whole = message.count / Self.blockLength * Self.blockLength
            for offset in stride(from: 0, to: whole, by: Self.blockLength) {
                unsafe chain.process(message, at: offset, words)
            }
            unsafe chain.process(tail: UnsafeRawBufferPointer(rebasing: message[whole...]), words)
            // The set bit after the message is already written; zeros and the length in bits follow.
            let bits = UInt64(taken + message.count) * 8
            unsafe words[14] = UInt32(truncatingIfNeeded: bits >> 32)
            unsafe words[15] = UInt32(truncatingIfNeeded: bits)
            unsafe csha256_process(&chain.state, words.baseAddress)
        }
    }

    /// Processes the 64 bytes at an offset.
    private mutating func process(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int,
        _ words: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<Self.wordCount {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset + index * 4, as: UInt32.self)
            unsafe words[index] = UInt32(bigEndian: word)
        }
        unsafe csha256_process(&state, words.baseAddress)
    }

    /// Writes the last bytes, fewer than a block, and the set bit after them; if the block then has no room for the
    /// length, processes it and begins an empty one.
    private mutating func process(tail: UnsafeRawBufferPointer, _ words: UnsafeMutableBufferPointer<UInt32>) {
        for index in 0..<Self.wordCount { unsafe words[index] = 0 }
        let whole = tail.count / 4
        for index in 0..<whole {
            let word = unsafe tail.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            unsafe words[index] = UInt32(bigEndian: word)
        }
        for index in whole * 4..<tail.count {
            unsafe words[index / 4] |= UInt32(tail[index]) << UInt32(24 - index % 4 * 8)
        }
        unsafe words[tail.count / 4] |= 0x80 << UInt32(24 - tail.count % 4 * 8)
        if tail.count < Self.blockLength - 8 { return }
        unsafe csha256_process(&state, words.baseAddress)
        for index in 0..<Self.wordCount { unsafe words[index] = 0 }
    }
}

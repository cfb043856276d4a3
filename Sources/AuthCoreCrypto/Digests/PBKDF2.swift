/// PBKDF2 (RFC 8018): makes guessing a password cost a chosen number of HMACs.
enum PBKDF2 {
    /// Derives bytes from a password; performs at least one iteration.
    static func sha256(password: [UInt8], salt: [UInt8], iterations: Int, length: Int) -> [UInt8] {
        let hmac = HMACSHA256(key: password)
        let repeated = RepeatedHMAC(key: password)
        var derived: [UInt8] = []
        var block: UInt32 = 1
        while derived.count < length {
            let first = hmac.authenticate(salt + bigEndianBytes(block))
            derived += repeated.exclusiveOr(from: first, rounds: max(1, iterations) - 1)
            block += 1
        }
        return Array(derived.prefix(max(0, length)))
    }
}

/// HMAC-SHA-256 applied repeatedly to its own result, with two compressions per round and no conversion to bytes.
private struct RepeatedHMAC {
    private var inner = SHA256Chain()
    private var outer = SHA256Chain()

    init(key: [UInt8]) {
        let key = key.count > 64 ? SHA256.hash(key) : key
        let zeros = [UInt8](repeating: 0, count: 64 - key.count)
        inner.process(block: (key + zeros).map { $0 ^ 0x36 })
        outer.process(block: (key + zeros).map { $0 ^ 0x5c })
    }

    /// The first value, combined with each of those that follow it.
    func exclusiveOr(from first: [UInt8], rounds: Int) -> [UInt8] {
        var words = stride(from: 0, to: 32, by: 4).map { offset in
            first[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        var block = SHA256Chain.emptyBlock
        // A digest after one block of key always has the same padding.
        block[8] = 0x8000_0000
        block[15] = (64 + 32) * 8
        for index in 0..<8 {
            block[index] = words[index]
        }
        for _ in 0..<rounds {
            var chain = inner
            chain.process(block)
            chain.write(to: &block)
            chain = outer
            chain.process(block)
            chain.write(to: &block)
            for index in 0..<8 {
                words[index] ^= block[index]
            }
        }
        return words.flatMap { bigEndianBytes($0) }
    }
}

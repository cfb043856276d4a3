/// The eight chaining words of SHA-256, and the step that processes one block.
///
/// It is compiled on every platform: PBKDF2 needs the step alone, which CryptoKit does not offer.
struct SHA256Chain: Sendable {
    static let blockLength = 64
    private static let digestLength = 32
    static let emptySchedule = [UInt32](repeating: 0, count: scheduleLength)
    private static let scheduleLength = 64

    private(set) var a: UInt32 = 0x6a09_e667
    private(set) var b: UInt32 = 0xbb67_ae85
    private(set) var c: UInt32 = 0x3c6e_f372
    private(set) var d: UInt32 = 0xa54f_f53a
    private(set) var e: UInt32 = 0x510e_527f
    private(set) var f: UInt32 = 0x9b05_688c
    private(set) var g: UInt32 = 0x1f83_d9ab
    private(set) var h: UInt32 = 0x5be0_cd19

    /// Processes a message of exactly one block.
    mutating func compress(block: [UInt8]) {
        precondition(block.count == Self.blockLength)
        unsafe withSchedule { chain, schedule in
            unsafe block.withUnsafeBytes { bytes in unsafe chain.compress(bytes, at: 0, schedule) }
        }
    }

    /// Processes the block in the first sixteen words of the schedule; the other forty-eight are scratch space.
    mutating func compress(schedule: inout [UInt32]) {
        precondition(schedule.count == Self.scheduleLength)
        unsafe schedule.withUnsafeMutableBufferPointer { words in unsafe compress(words) }
    }

    /// Processes the rest of a message, after the first `taken` bytes, and returns the digest.
    mutating func finish(_ message: [UInt8], after taken: Int) -> [UInt8] {
        close(message, after: taken)
        return bytes
    }

    /// Processes another digest as the rest of the message, without converting its words: the end of an HMAC.
    mutating func finish(digest: SHA256Chain, after taken: Int) -> [UInt8] {
        unsafe withSchedule { chain, schedule in
            unsafe digest.write(to: schedule)
            unsafe schedule[8] = 0x8000_0000
            unsafe schedule[15] = UInt32(truncatingIfNeeded: (taken + Self.digestLength) * 8)
            unsafe chain.compress(schedule)
        }
        return bytes
    }

    /// Writes the current digest, as words, to the beginning of a schedule.
    func write(to schedule: inout [UInt32]) {
        precondition(schedule.count == Self.scheduleLength)
        unsafe schedule.withUnsafeMutableBufferPointer { words in unsafe write(to: words) }
    }

    private func write(to schedule: UnsafeMutableBufferPointer<UInt32>) {
        unsafe schedule[0] = a
        unsafe schedule[1] = b
        unsafe schedule[2] = c
        unsafe schedule[3] = d
        unsafe schedule[4] = e
        unsafe schedule[5] = f
        unsafe schedule[6] = g
        unsafe schedule[7] = h
    }

    /// Processes the rest of a message, after the first `taken` bytes, with the padding.
    mutating func close(_ message: [UInt8], after taken: Int) {
        unsafe message.withUnsafeBytes { bytes in unsafe finish(bytes, after: taken) }
    }

    /// Processes the rest of a text in the same way, without copying its bytes.
    mutating func close(_ message: String, after taken: Int) {
        var message = message
        message.withUTF8 { text in unsafe finish(UnsafeRawBufferPointer(text), after: taken) }
    }

    private mutating func finish(_ message: UnsafeRawBufferPointer, after taken: Int) {
        unsafe withSchedule { chain, schedule in
            let whole = message.count / Self.blockLength * Self.blockLength
            for offset in stride(from: 0, to: whole, by: Self.blockLength) {
                unsafe chain.compress(message, at: offset, schedule)
            }
            unsafe chain.compress(tail: UnsafeRawBufferPointer(rebasing: message[whole...]), schedule)
            // The set bit after the message is already written; zeros and the length in bits follow.
            let bits = UInt64(taken + message.count) * 8
            unsafe schedule[14] = UInt32(truncatingIfNeeded: bits >> 32)
            unsafe schedule[15] = UInt32(truncatingIfNeeded: bits)
            unsafe chain.compress(schedule)
        }
    }

    /// The first 128 bits of the digest, after the last block.
    var leadingBits: UInt128 { UInt128(a) << 96 | UInt128(b) << 64 | UInt128(c) << 32 | UInt128(d) }

    /// The digest, after the last block.
    var bytes: [UInt8] {
        let words = (
            a.bigEndian, b.bigEndian, c.bigEndian, d.bigEndian, e.bigEndian, f.bigEndian, g.bigEndian, h.bigEndian
        )
        return unsafe withUnsafeBytes(of: words) { unsafe Array($0) }
    }
}

// Uses pointers and stack memory, since the checks and allocations of arrays took longer than the arithmetic. Every
// index below is under 64, the length of the schedule and of the constants, or under the count checked beforehand.
extension SHA256Chain {
    private mutating func withSchedule(_ body: (inout SHA256Chain, UnsafeMutableBufferPointer<UInt32>) -> Void) {
        unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.scheduleLength) { schedule in
            unsafe schedule.initialize(repeating: 0)
            unsafe body(&self, schedule)
        }
    }

    /// Processes the 64 bytes at an offset.
    private mutating func compress(
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int,
        _ schedule: UnsafeMutableBufferPointer<UInt32>
    ) {
        for index in 0..<16 {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: offset + index * 4, as: UInt32.self)
            unsafe schedule[index] = UInt32(bigEndian: word)
        }
        unsafe compress(schedule)
    }

    /// Writes the last bytes, fewer than a block, and the set bit after them; if the block then has no room for the
    /// length, processes it and begins an empty one.
    private mutating func compress(tail: UnsafeRawBufferPointer, _ schedule: UnsafeMutableBufferPointer<UInt32>) {
        for index in 0..<16 { unsafe schedule[index] = 0 }
        let whole = tail.count / 4
        for index in 0..<whole {
            let word = unsafe tail.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
            unsafe schedule[index] = UInt32(bigEndian: word)
        }
        for index in whole * 4..<tail.count {
            unsafe schedule[index / 4] |= UInt32(tail[index]) << UInt32(24 - index % 4 * 8)
        }
        unsafe schedule[tail.count / 4] |= 0x80 << UInt32(24 - tail.count % 4 * 8)
        if tail.count < Self.blockLength - 8 { return }
        unsafe compress(schedule)
        for index in 0..<16 { unsafe schedule[index] = 0 }
    }

    // The rotations here and below are written out: a function for them took a quarter of all time that the tests need.

    /// Computes the next eight words of the schedule.
    @inline(__always)
    private static func extend(_ schedule: UnsafeMutableBufferPointer<UInt32>, from start: Int) {
        unsafe extend(schedule, at: start)
        unsafe extend(schedule, at: start + 1)
        unsafe extend(schedule, at: start + 2)
        unsafe extend(schedule, at: start + 3)
        unsafe extend(schedule, at: start + 4)
        unsafe extend(schedule, at: start + 5)
        unsafe extend(schedule, at: start + 6)
        unsafe extend(schedule, at: start + 7)
    }

    @inline(__always)
    private static func extend(_ schedule: UnsafeMutableBufferPointer<UInt32>, at index: Int) {
        let early = unsafe schedule[index - 15]
        let late = unsafe schedule[index - 2]
        let turnedEarly = early ^ (early &>> 11 | early &<< 21)
        let turnedLate = late ^ (late &>> 2 | late &<< 30)
        let mixedEarly = (turnedEarly &>> 7 | turnedEarly &<< 25) ^ early &>> 3
        let mixedLate = (turnedLate &>> 17 | turnedLate &<< 15) ^ late &>> 10
        unsafe schedule[index] = schedule[index - 16] &+ mixedEarly &+ schedule[index - 7] &+ mixedLate
    }

    private mutating func compress(_ schedule: UnsafeMutableBufferPointer<UInt32>) {
        var (a, b, c, d, e, f, g, h) = (a, b, c, d, e, f, g, h)
        var difference = b ^ c
        unsafe Self.roundConstants.withUnsafeBufferPointer { constants in
            // Eight rounds at a time, since after eight rounds every word is back in its position.
            for index in stride(from: 0, to: 64, by: 8) {
                // Just before the rounds that need them, so that the processor works on them and on the rounds before at
                // the same time.
                if index >= 16 { unsafe Self.extend(schedule, from: index) }
                unsafe Self.round(a, b, c, &d, e, f, g, &h, &difference, constants[index] &+ schedule[index])
                unsafe Self.round(h, a, b, &c, d, e, f, &g, &difference, constants[index + 1] &+ schedule[index + 1])
                unsafe Self.round(g, h, a, &b, c, d, e, &f, &difference, constants[index + 2] &+ schedule[index + 2])
                unsafe Self.round(f, g, h, &a, b, c, d, &e, &difference, constants[index + 3] &+ schedule[index + 3])
                unsafe Self.round(e, f, g, &h, a, b, c, &d, &difference, constants[index + 4] &+ schedule[index + 4])
                unsafe Self.round(d, e, f, &g, h, a, b, &c, &difference, constants[index + 5] &+ schedule[index + 5])
                unsafe Self.round(c, d, e, &f, g, h, a, &b, &difference, constants[index + 6] &+ schedule[index + 6])
                unsafe Self.round(b, c, d, &e, f, g, h, &a, &difference, constants[index + 7] &+ schedule[index + 7])
            }
        }
        self.a &+= a
        self.b &+= b
        self.c &+= c
        self.d &+= d
        self.e &+= e
        self.f &+= f
        self.g &+= g
        self.h &+= h
    }

    @inline(__always)
    private static func round(
        _ a: UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: inout UInt32,
        _ e: UInt32,
        _ f: UInt32,
        _ g: UInt32,
        _ h: inout UInt32,
        _ difference: inout UInt32,
        _ word: UInt32
    ) {
        // The rotations one after the other, which takes fewer steps than one beside the other.
        var mixedE = e ^ (e &>> 14 | e &<< 18)
        mixedE = e ^ (mixedE &>> 5 | mixedE &<< 27)
        mixedE = mixedE &>> 6 | mixedE &<< 26
        let choice = g ^ (e & (f ^ g))
        let first = h &+ mixedE &+ choice &+ word
        var mixedA = a ^ (a &>> 9 | a &<< 23)
        mixedA = a ^ (mixedA &>> 11 | mixedA &<< 21)
        mixedA = mixedA &>> 2 | mixedA &<< 30
        // The majority of a, b and c is b, except where b differs from both; the round before found where b differs from c.
        let majority = b ^ ((a ^ b) & difference)
        difference = a ^ b
        d &+= first
        h = first &+ mixedA &+ majority
    }

    private static let roundConstants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

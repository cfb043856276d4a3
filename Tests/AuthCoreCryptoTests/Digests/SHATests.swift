import CSHA256
import XCTest

@testable import AuthCoreCrypto

final class SHATests: LimitedTestCase {
    private let twoBlocks = bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")

    func testSHA1GivesThePublishedDigests() {
        XCTAssertEqual(hexadecimal(SHA1.hash([])), "da39a3ee5e6b4b0d3255bfef95601890afd80709")
        XCTAssertEqual(hexadecimal(SHA1.hash(bytes("abc"))), "a9993e364706816aba3e25717850c26c9cd0d89d")
        XCTAssertEqual(hexadecimal(SHA1.hash(twoBlocks)), "84983e441c3bd26ebaae4aa1f95129e5e54670f1")
        XCTAssertEqual(
            hexadecimal(SHA1.hash(Array(repeating: UInt8(ascii: "a"), count: 1_000_000))),
            "34aa973cd4c4daa4f61eeb2bdbad27316534016f"
        )
    }

    func testSHA256GivesThePublishedDigests() {
        XCTAssertEqual(
            hexadecimal(SHA256.hash([])),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        XCTAssertEqual(
            hexadecimal(SHA256.hash(bytes("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        XCTAssertEqual(
            hexadecimal(SHA256.hash(twoBlocks)),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        )
        XCTAssertEqual(
            hexadecimal(SHA256.hash(Array(repeating: UInt8(ascii: "a"), count: 1_000_000))),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        )
    }

    /// Every other test takes only one of the two, which depends on the processor.
    func testTheProcessorsInstructionsGiveWhatTheWrittenOutStepsGive() {
        var (instructions, steps) = (csha256_state(), csha256_state())
        for block in 0..<1000 {
            let words = (0..<16).map { UInt32(block * 16 + $0) &* 0x9e37_79b9 }
            unsafe csha256_process(&instructions, words)
            unsafe csha256_process_in_steps(&steps, words)
        }
        XCTAssertEqual(words(of: instructions), words(of: steps), "after a thousand blocks")
    }

    private func words(of state: csha256_state) -> [UInt32] {
        unsafe withUnsafeBytes(of: state.words) { words in unsafe Array(words.assumingMemoryBound(to: UInt32.self)) }
    }

    /// The published digests never meet every length of padding; a fold over all of them does.
    func testEveryLengthAroundABlockIsPaddedRight() {
        let folded256 = (0...130).reduce(into: [UInt8]()) { digests, length in
            digests += SHA256.hash(Array(repeating: UInt8(length), count: length))
        }
        let folded1 = (0...130).reduce(into: [UInt8]()) { digests, length in
            digests += SHA1.hash(Array(repeating: UInt8(length), count: length))
        }
        XCTAssertEqual(
            hexadecimal(SHA256.hash(folded256)),
            "fca3495a3fbc30990f59b06285f40a03acec6c606df73c6d666a554854cd1573"
        )
        XCTAssertEqual(hexadecimal(SHA1.hash(folded1)), "45bd3814f5b40f93c19169f46533d88933233659")
    }

    /// No other test has a message of half a gigabyte.
    func testTheLengthOfALongMessageIsWrittenInTwoWords() {
        var (message, padding) = (SHA256Chain(), SHA256Chain())
        padding.process([0x8000_0000] + Array(repeating: UInt32(0), count: 13) + [1, 0])
        XCTAssertEqual(message.finish([], after: 1 << 29), padding.bytes, "the digest after 2^32 bits")
    }

    func testAPrefixGoesOnAsIfItHadBeenPartOfTheMessages() {
        let block = (0..<64).map { UInt8($0) }
        let prefix = SHA256Prefix(block: block)
        for length in [0, 1, 55, 56, 63, 64, 65, 200] {
            let rest = [UInt8](repeating: 7, count: length)
            let keyed = SHA256.hash(block + SHA256.hash(block + rest))
            XCTAssertEqual(prefix.hash(prefix, rest), keyed, "\(length) bytes after the block")
            let text = String(repeating: "\u{7}", count: length)
            XCTAssertEqual(prefix.hash(prefix, text), keyed, "\(length) characters after the block")
            let leading = SHA256.hash(rest).prefix(16).reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            XCTAssertEqual(SHA256.leadingBits(of: text), leading, "of \(length) characters")
        }
    }
}

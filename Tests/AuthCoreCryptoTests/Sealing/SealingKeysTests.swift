import XCTest

@testable import AuthCoreCrypto

final class SealingKeysTests: LimitedTestCase {
    private let keys = SealingKeys([randomBytes(32)])

    func testWhatWasSealedOpensAgain() {
        for length in [0, 1, 31, 32, 33, 64, 1_000] {
            let plain = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = keys.seal(plain, context: "seed of ann")
            XCTAssertEqual(sealed.count, 1 + 16 + length + 32, "the length of \(length) sealed bytes")
            XCTAssertEqual(keys.open(sealed, context: "seed of ann"), plain, "\(length) bytes that were sealed")
        }
    }

    func testTheSameKeyOpensInAnotherProcess() {
        let key = (0..<32).map { UInt8($0) }
        let sealed = SealingKeys([key]).seal([1, 2, 3], context: "c")
        XCTAssertEqual(SealingKeys([key]).open(sealed, context: "c"), [1, 2, 3], "other keys with the same bytes")
    }

    /// Worked out independently of this code from the description of the format, so that no platform and no release
    /// drifts away from it.
    func testTheFormatStaysAsItIs() {
        let key = (0..<32).map { UInt8($0) }
        let sealed = bytes(
            hexadecimal: "016465666768696a6b6c6d6e6f70717273538580c094434fd4154ec497b4117e"
                + "c3b8d230281f2caccc9eace029a2b47d134b908b271fc939d9cbea4fcf1dbe23"
                + "43f48b70cd74ef388c0c1948d5a7d80ae10e97fdce85691f0c868e82604961cb"
                + "069791a951f1a3b53f12"
        )
        XCTAssertEqual(
            SealingKeys([key]).open(sealed, context: "account 7"),
            Array(String(repeating: "authenticator seed ", count: 3).utf8),
            "secrets that are stored could not be read any more"
        )
    }

    func testSealingTwiceGivesDifferentBytes() {
        XCTAssertNotEqual(keys.seal([1, 2, 3], context: "c"), keys.seal([1, 2, 3], context: "c"), "the same nonce")
    }

    func testFormerKeysOpenWhatTheySealedAndTheFirstSeals() {
        let (first, second, third) = (randomBytes(32), randomBytes(32), randomBytes(32))
        let all = SealingKeys([first, second, third])
        for (key, isCurrent) in [(first, true), (second, false), (third, false)] {
            let sealed = SealingKeys([key]).seal([1, 2, 3], context: "c")
            XCTAssertEqual(all.open(sealed, context: "c"), [1, 2, 3], "what one of the keys sealed")
            XCTAssertEqual(all.isCurrent(sealed, context: "c"), isCurrent, "whether the first key sealed it")
        }
        let sealed = all.seal([1, 2, 3], context: "c")
        XCTAssertEqual(SealingKeys([first]).open(sealed, context: "c"), [1, 2, 3], "what all of them sealed")
        XCTAssertFalse(all.isCurrent(keys.seal([1, 2, 3], context: "c"), context: "c"), "what another key sealed")
        XCTAssertFalse(all.isCurrent([], context: "c"), "no bytes")
    }

    func testAnotherKeyOpensNothing() {
        let sealed = keys.seal([1, 2, 3], context: "c")
        XCTAssertNil(SealingKeys([randomBytes(32)]).open(sealed, context: "c"), "another key")
    }

    func testAnotherContextOpensNothing() {
        let sealed = keys.seal([1, 2, 3], context: "caf\u{e9}")
        for context in ["", "c", "caf\u{e9} ", "cafe\u{301}"] {
            XCTAssertNil(keys.open(sealed, context: context), "the context \(context)")
        }
        // What belongs to the context does not move to the encrypted bytes.
        let moved = keys.seal([0x62, 1], context: "a")
        XCTAssertNil(keys.open(moved, context: "ab"), "a longer context")
        // The encrypted bytes follow the version and the nonce, and the context stands right before them in what is
        // authenticated.
        var taken = keys.seal([1], context: "ab")
        taken.insert(UInt8(ascii: "b"), at: 1 + 16)
        XCTAssertNil(keys.open(taken, context: "a"), "a byte of the context among the encrypted bytes")
    }

    func testEveryFlippedBitIsNoticed() {
        let sealed = keys.seal([1, 2, 3], context: "c")
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                XCTAssertNil(keys.open(changed, context: "c"), "bit \(bit) of byte \(index)")
            }
        }
    }

    func testEveryMissingOrAddedByteIsNoticed() {
        let sealed = keys.seal([1, 2, 3], context: "c")
        for length in sealed.indices {
            XCTAssertNil(keys.open(Array(sealed.prefix(length)), context: "c"), "the first \(length) bytes")
            XCTAssertNil(keys.open(Array(sealed.suffix(length)), context: "c"), "the last \(length) bytes")
        }
        XCTAssertNil(keys.open(sealed + [0], context: "c"), "one byte more")
    }
}

@testable import AuthCore
import XCTest

final class KeyedSecretSealerTests: XCTestCase {
    private let sealer = KeyedSecretSealer()

    func testWhatWasSealedOpensAgain() throws {
        for length in [0, 1, 31, 32, 33, 64, 1_000] {
            let plain = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = sealer.seal(plain, context: "seed of ann")
            XCTAssertEqual(sealed.count, 1 + 16 + length + 32)
            XCTAssertEqual(try sealer.open(sealed, context: "seed of ann"), plain)
        }
    }

    func testTheSameKeyOpensInAnotherProcess() throws {
        let key = (0..<32).map { UInt8($0) }
        let sealed = try KeyedSecretSealer(key: key).seal([1, 2, 3], context: "c")
        XCTAssertEqual(try KeyedSecretSealer(key: key).open(sealed, context: "c"), [1, 2, 3])
    }

    /// Worked out independently of this code from the description of the format, so that no platform and no release drifts away from it.
    func testTheFormatStaysAsItIs() throws {
        let key = (0..<32).map { UInt8($0) }
        let sealed = bytes(
            hexadecimal: "016465666768696a6b6c6d6e6f70717273538580c094434fd4154ec497b4117e"
                + "c3b8d230281f2caccc9eace029a2b47d134b908b271fc939d9cbea4fcf1dbe23"
                + "43f48b70cd74ef388c0c1948d5a7d80ae10e97fdce85691f0c868e82604961cb"
                + "069791a951f1a3b53f12"
        )
        XCTAssertEqual(
            try KeyedSecretSealer(key: key).open(sealed, context: "account 7"),
            bytes(String(repeating: "authenticator seed ", count: 3))
        )
    }

    func testSealingTwiceGivesDifferentBytes() {
        XCTAssertNotEqual(sealer.seal([1, 2, 3], context: "c"), sealer.seal([1, 2, 3], context: "c"))
    }

    func testAnotherKeyOpensNothing() {
        assertUnreadable(sealer.seal([1, 2, 3], context: "c"), with: KeyedSecretSealer())
    }

    func testAnotherContextOpensNothing() {
        let sealed = sealer.seal([1, 2, 3], context: "caf\u{e9}")
        for context in ["", "c", "caf\u{e9} ", "cafe\u{301}"] {
            assertUnreadable(sealed, context: context, with: sealer)
        }
    }

    func testEveryFlippedBitIsNoticed() {
        let sealed = sealer.seal([1, 2, 3], context: "c")
        for index in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[index] ^= 1 << UInt8(bit)
                assertUnreadable(changed, with: sealer)
            }
        }
    }

    func testEveryMissingOrAddedByteIsNoticed() {
        let sealed = sealer.seal([1, 2, 3], context: "c")
        for length in sealed.indices {
            assertUnreadable(Array(sealed.prefix(length)), with: sealer)
            assertUnreadable(Array(sealed.suffix(length)), with: sealer)
        }
        assertUnreadable(sealed + [0], with: sealer)
    }

    func testAKeyOfAnotherLengthIsRefused() {
        for length in [0, 16, 31, 33, 64] {
            XCTAssertThrowsError(try KeyedSecretSealer(key: Array(repeating: 1, count: length))) { error in
                XCTAssertEqual(error as? Secret.SealingError, .keyLength)
            }
            let (key, former) = (
                Array(repeating: 1, count: 32) as [UInt8], Array(repeating: 2, count: length) as [UInt8]
            )
            XCTAssertThrowsError(try KeyedSecretSealer(key: key, former: [key, former]), "a former key") { error in
                XCTAssertEqual(error as? Secret.SealingError, .keyLength)
            }
        }
    }

    func testAFormerKeyOpensWhatItSealed() throws {
        let former = [7, 8].map { Array(repeating: $0, count: 32) as [UInt8] }
        let sealer = try KeyedSecretSealer(key: Array(repeating: 9, count: 32), former: former)
        for key in former {
            let sealed = try KeyedSecretSealer(key: key).seal([1, 2, 3], context: "c")
            XCTAssertEqual(try sealer.open(sealed, context: "c"), [1, 2, 3], "what the key of \(key[0]) sealed")
            XCTAssertFalse(sealer.isCurrent(sealed, context: "c"), "the service would not seal it anew")
        }
    }

    func testPrintingASealerShowsNoKey() throws {
        let sealer = try KeyedSecretSealer(key: Array(repeating: 0x41, count: 32))
        var dumped = ""
        dump(sealer, to: &dumped)
        for text in [dumped, "\(sealer)", String(reflecting: sealer)] {
            XCTAssertFalse(text.contains("inner") || text.contains("state"), text)
        }
    }

    private func assertUnreadable(
        _ sealed: [UInt8],
        context: String = "c",
        with sealer: KeyedSecretSealer,
        line: UInt = #line
    ) {
        XCTAssertThrowsError(try sealer.open(sealed, context: context), line: line) { error in
            XCTAssertEqual(error as? Secret.SealingError, .unreadable, line: line)
        }
    }

    /// The service seals anew what was sealed by a former key; a sealer with keys of its own does that itself.
    func testASealerOfAnAppNeedNotSayWhichKeyIsCurrent() throws {
        struct OwnSealer: SecretSealer {
            func seal(_ plain: [UInt8], context: String) -> [UInt8] { plain.reversed() }
            func open(_ sealed: [UInt8], context: String) -> [UInt8] { sealed.reversed() }
        }
        let own = OwnSealer()
        XCTAssertTrue(own.isCurrent(own.seal([1, 2], context: "c"), context: "c"), "the service would seal it anew")
    }
}

@testable import AuthCore
import XCTest

final class KeyedSecretSealerTests: LimitedTestCase {
    func testWhatWasSealedOpensOnlyUnderItsKeyAndInItsContext() throws {
        let sealer = KeyedSecretSealer()
        let sealed = sealer.seal([1, 2, 3], context: "c")
        XCTAssertEqual(try sealer.open(sealed, context: "c"), [1, 2, 3], "what was sealed")
        XCTAssertTrue(sealer.isCurrent(sealed, context: "c"), "the service would seal it anew")
        for (name, other, context) in [("key", KeyedSecretSealer(), "c"), ("context", sealer, "d")] {
            XCTAssertThrowsError(try other.open(sealed, context: context), "another \(name)") { error in
                XCTAssertEqual(error as? Secret.SealingError, .unreadable, "another \(name)")
            }
        }
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
            for form in ["AAAA", "41414141", "QUFB"] { XCTAssertFalse(text.contains(form), text) }
            XCTAssertFalse(text.split { !$0.isNumber }.contains("65"), "the bytes of the key one by one: \(text)")
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

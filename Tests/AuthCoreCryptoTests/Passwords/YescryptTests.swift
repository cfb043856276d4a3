import XCTest

@testable import AuthCoreCrypto

final class YescryptTests: LimitedTestCase {
    private let salt = (0..<16).map { UInt8($0) }

    func testAHashIsTheOneOfTheLibrary() throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let setting = "$y$j75$k2XAnEHBqQ1Ct2aMXFKNa/"
        XCTAssertEqual(Yescrypt.hash("pw", setting: setting), "1bx0qUeWpIHfKwUOpO9N/3xYblZqf66xSikKiLrzx60")
        XCTAssertNotEqual(Yescrypt.hash("pw2", setting: setting), "1bx0qUeWpIHfKwUOpO9N/3xYblZqf66xSikKiLrzx60")
    }

    func testEveryCostHasTheParametersThatAreReadBack() throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        for cost in 1...11 {
            let setting = try XCTUnwrap(Yescrypt.setting(cost: cost, salt: salt), "cost \(cost)")
            let fields = setting.split(separator: "$").map(String.init)
            XCTAssertEqual(fields.count, 3, setting)
            XCTAssertEqual(Yescrypt.cost(ofParameters: fields[1]), cost, setting)
            XCTAssertTrue(Yescrypt.isSalt(fields[2]), setting)
        }
        XCTAssertNil(Yescrypt.cost(ofParameters: "j95"), "parameters of no cost")
    }

    func testASettingThatTheLibraryRefusesGivesNothing() throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        XCTAssertNil(Yescrypt.setting(cost: 1, salt: []), "an empty salt")
        XCTAssertNil(Yescrypt.setting(cost: 99, salt: salt), "an excessive cost")
        // Each letter is allowed, but those at the end stand for more bits than bytes can hold.
        XCTAssertNil(Yescrypt.hash("pw", setting: "$y$j75$zzzzzzzzzzzzzzzzzzzzzz"), "a salt that is none")
    }

    func testOnlyLettersOfTheAlphabetMakeASaltOrAHash() {
        let letters = String(repeating: "a", count: 43)
        XCTAssertTrue(Yescrypt.isHash(letters), letters)
        XCTAssertTrue(Yescrypt.isHash("./09AZaz" + letters.dropLast(8)), "letters of every kind")
        for text in [
            "", letters + "a", String(letters.dropLast()), letters.dropLast() + "!", letters.dropLast(2) + "é",
        ] {
            XCTAssertFalse(Yescrypt.isHash(text), text)
        }
        for length in [2, 86] {
            XCTAssertTrue(Yescrypt.isSalt(String(repeating: "/", count: length)), "a salt of \(length) letters")
        }
        for text in ["", "/", String(repeating: "/", count: 87), "a$b", "a b", "ab\0"] {
            XCTAssertFalse(Yescrypt.isSalt(text), text)
        }
    }

    func testARandomHashHasTheFormOfOne() {
        let hash = Yescrypt.randomHash()
        XCTAssertTrue(Yescrypt.isHash(hash), hash)
        XCTAssertNotEqual(hash, Yescrypt.randomHash(), "two random hashes")
    }
}

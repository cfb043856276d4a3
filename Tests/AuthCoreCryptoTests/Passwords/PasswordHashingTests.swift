import XCTest

@testable import AuthCoreCrypto

final class PasswordHashingTests: LimitedTestCase {
    private let pbkdf2 = PasswordHashing(scheme: .pbkdf2(iterations: 2))

    private enum Answer {
        case differs
        case matches
        case matchesAndIsWeak
    }

    private func answer(
        of hashing: PasswordHashing,
        to password: String,
        against hash: String
    ) async throws -> Answer {
        let (matches, needsRehash) = try await hashing.check(password, against: hash)
        if !matches { return .differs }
        return needsRehash ? .matchesAndIsWeak : .matches
    }

    private func assertThrows(
        _ expected: PasswordHashing.Failure,
        _ message: String,
        line: UInt = #line,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            XCTFail("nothing was thrown: \(message)", line: line)
        } catch {
            XCTAssertEqual(error as? PasswordHashing.Failure, expected, message, line: line)
        }
    }

    func testAPlaceholderHasTheFormOfAHashAndMatchesNothing() async throws {
        var hashings = [pbkdf2]
        if Yescrypt.isAvailable { hashings.append(PasswordHashing(scheme: .yescrypt(cost: 1))) }
        for hashing in hashings {
            let (hash, placeholder) = (try await hashing.hash("word"), hashing.placeholder)
            let lengths = [hash, placeholder].map { $0.split(separator: "$").map(\.utf8.count) }
            XCTAssertEqual(lengths[0], lengths[1], "the lengths of the parts of \(hash) and \(placeholder)")
            let found = try await answer(of: hashing, to: "", against: placeholder)
            XCTAssertEqual(found, .differs, placeholder)
        }
    }

    func testAHashIsCheckedUpToFourTimesTheCost() {
        let cases: [(own: PasswordScheme, most: PasswordScheme, tooMuch: PasswordScheme)] = [
            (.pbkdf2(iterations: 1), .pbkdf2(iterations: 2_400_000), .pbkdf2(iterations: 2_400_001)),
            (.pbkdf2(iterations: 700_000), .pbkdf2(iterations: 2_800_000), .pbkdf2(iterations: 2_800_001)),
            (.yescrypt(cost: 1), .pbkdf2(iterations: 2_400_000), .pbkdf2(iterations: 2_400_001)),
            (.yescrypt(cost: 1), .yescrypt(cost: 7), .yescrypt(cost: 8)),
            (.yescrypt(cost: 8), .yescrypt(cost: 10), .yescrypt(cost: 11)),
            (.pbkdf2(iterations: 1), .yescrypt(cost: 7), .yescrypt(cost: 8)),
        ]
        for (own, most, tooMuch) in cases {
            XCTAssertTrue(own.allows(most), "\(most) where new hashes have \(own)")
            XCTAssertFalse(own.allows(tooMuch), "\(tooMuch) where new hashes have \(own)")
        }
    }

    func testThePBKDF2FormatStaysAsItIs() async throws {
        let hasher = PasswordHashing(scheme: .pbkdf2(iterations: 3), salt: { Array(0..<16) })
        let hash = try await hasher.hash("pass\0wörd")
        XCTAssertEqual(
            hash,
            "$authcore1$pbkdf2-sha256$3$AAECAwQFBgcICQoLDA0ODw$oWiMgtwYEe4lVFtkNRRcDuLtDNRxWu7WYzP0F4fhnMo",
            "hashes that are stored could not be checked any more"
        )
    }

    func testTheYescryptFormatStaysAsItIs() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let hasher = PasswordHashing(scheme: .yescrypt(cost: 1), salt: { Array(0..<16) })
        let hash = try await hasher.hash("pass\0wörd")
        XCTAssertEqual(
            hash,
            "$authcore1$y$j75$.2U.1EE/4Q.07ck0AoU1D.$6e8BlNpXrGV67NQQr86jnVwkVlTeQoxMLqE5/Wmoeh0",
            "hashes that are stored could not be checked any more"
        )
    }

    func testAStoredHashHas512BytesAtMost() throws {
        let stored = (1...400).map {
            StoredPassword.pbkdf2(
                iterations: 30,
                salt: Array(repeating: 7, count: $0),
                hash: Array(repeating: 9, count: 32)
            )
            .tagged
        }
        let longest = try XCTUnwrap(stored.last { $0.utf8.count <= 512 })
        let tooLong = try XCTUnwrap(stored.first { $0.utf8.count > 512 })
        XCTAssertEqual(longest.utf8.count, 512, "a text of the greatest length")
        XCTAssertNoThrow(try StoredPassword(longest), "a hash of 512 bytes")
        XCTAssertThrowsError(try StoredPassword(tooLong), "a hash of more than 512 bytes")
    }

    func testACostOutsideItsRangeCountsAsTheNearestWithin() throws {
        let cases: [(PasswordScheme, PasswordScheme)] = [
            (.pbkdf2(iterations: .min), .pbkdf2(iterations: 1)),
            (.pbkdf2(iterations: .max), .pbkdf2(iterations: 10_000_000)),
            (.yescrypt(cost: -1), .yescrypt(cost: 1)), (.yescrypt(cost: 99), .yescrypt(cost: 10)),
        ]
        for (asked, expected) in cases where Yescrypt.isAvailable || asked < .yescrypt(cost: .min) {
            let placeholder = PasswordHashing(scheme: asked).placeholder
            XCTAssertEqual(try StoredPassword(placeholder).scheme, expected, "where \(asked) is asked for")
        }
    }

    func testAWeakerHashMatchesAndAsksToBeMadeAnew() async throws {
        let weak = try await pbkdf2.hash("word")
        let stronger = PasswordHashing(scheme: .pbkdf2(iterations: 3))
        let upward = try await answer(of: stronger, to: "word", against: weak)
        XCTAssertEqual(upward, .matchesAndIsWeak, "a hash of fewer iterations than new ones")
        let wrong = try await answer(of: stronger, to: "other", against: weak)
        XCTAssertEqual(wrong, .differs, "a wrong password")
        let strong = try await stronger.hash("word")
        let downward = try await answer(of: pbkdf2, to: "word", against: strong)
        XCTAssertEqual(downward, .matches, "a hash of more iterations than new ones")
    }

    func testPBKDF2IsWeakerThanYescryptAtAnyCost() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let yescrypt = PasswordHashing(scheme: .yescrypt(cost: 1))
        let portable = try await pbkdf2.hash("word")
        let upward = try await answer(of: yescrypt, to: "word", against: portable)
        XCTAssertEqual(upward, .matchesAndIsWeak, "a hash by PBKDF2 where new ones are by yescrypt")
        let hard = try await yescrypt.hash("word")
        let downward = try await answer(of: pbkdf2, to: "word", against: hard)
        XCTAssertEqual(downward, .matches, "a hash by yescrypt where new ones are by PBKDF2")
        let harder = PasswordHashing(scheme: .yescrypt(cost: 2))
        let further = try await answer(of: harder, to: "word", against: hard)
        XCTAssertEqual(further, .matchesAndIsWeak, "a hash of a lower cost than new ones")
        let new = try await answer(of: harder, to: "word", against: try await harder.hash("word"))
        XCTAssertEqual(new, .matches, "a new hash has the cost that new ones have")
    }

    func testAStringThatIsNoHashIsRefused() async {
        let salt = "AAECAwQFBgcICQoLDA0ODw"
        let hash = Base64URL.encode(Array(repeating: 1, count: 32))
        let letters = String(repeating: "a", count: 43)
        let strings = [
            "", " ", "$", "word", "$authcore1", "authcore1$pbkdf2-sha256$2$\(salt)$\(hash)", "$authcore1$pbkdf2-sha256",
            "$authcore1$pbkdf2-sha256$$\(salt)$\(hash)", "$authcore1$pbkdf2-sha256$0$\(salt)$\(hash)",
            "$authcore1$pbkdf2-sha256$-1$\(salt)$\(hash)", "$authcore1$pbkdf2-sha256$+2$\(salt)$\(hash)",
            "$authcore1$pbkdf2-sha256$2$$\(hash)", "$authcore1$pbkdf2-sha256$2$\(salt)$",
            "$authcore1$pbkdf2-sha256$2$\(salt)$\(hash)$", "$authcore1$pbkdf2-sha256$2$\(salt)$\(hash)=",
            "$authcore1$pbkdf2-sha256$2$\(salt)$\(hash.dropLast())", "$authcore1$pbkdf2-sha256$2$\(salt)!$\(hash)",
            "$authcore1$y$", "$authcore1$y$j75$$\(letters)", "$authcore1$y$j75$k2XAnEHBqQ1Ct2aMXFKNa/$",
            "$authcore1$y$j75$k2XAnEHBqQ1Ct2aMXFKNa/$\(letters)a", "$authcore1$y$zzz$k2XAnEHBqQ1Ct2aMXFKNa/$\(letters)",
            "$authcore1$y$j75$k2XAnEHBqQ1Ct2\0aMXFKN$\(letters)", "$authcore1$y$j75$k2XAnEHBqQ1Ct2aMXFé/$\(letters)",
            "$authcore1$pbkdf2-sha256$2$\(salt)$" + String(repeating: "A", count: 1_000_000),
        ]
        for (index, text) in strings.enumerated() {
            await assertThrows(.malformedHash, "string \(index)") { _ = try await pbkdf2.check("word", against: text) }
        }
    }

    func testAnUnknownSchemeIsRefused() async {
        for text in [
            "$2b$12$abcdefghijklmnopqrstuv", "$argon2id$v=19$x$y", "$y$j75$salt$hash", "$authcore1$argon2id$x",
        ] {
            await assertThrows(.unknownScheme, text) { _ = try await pbkdf2.check("word", against: text) }
        }
    }

    func testAnExcessiveCostIsRefusedBeforeAnyWork() async {
        let salt = "AAECAwQFBgcICQoLDA0ODw"
        let hash = Base64URL.encode(Array(repeating: 1, count: 32))
        for iterations in ["10000001", "1000000000000", String(repeating: "9", count: 40)] {
            let text = "$authcore1$pbkdf2-sha256$\(iterations)$\(salt)$\(hash)"
            await assertThrows(.excessiveCost, text) { _ = try await pbkdf2.check("word", against: text) }
        }
        let letters = String(repeating: "a", count: 43)
        let text = "$authcore1$y$jFT$k2XAnEHBqQ1Ct2aMXFKNa/$\(letters)"
        await assertThrows(.excessiveCost, text) { _ = try await pbkdf2.check("word", against: text) }
    }

    func testASaltThatTheSchemeRefusesIsAnError() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let unusable = PasswordHashing(scheme: .yescrypt(cost: 1), salt: { [] })
        await assertThrows(.failed, "an empty salt") { _ = try await unusable.hash("word") }
    }

    /// Each letter is allowed, but at the end of a salt some stand for more bits than bytes can hold.
    func testAStoredSaltThatTheSchemeRefusesIsAMalformedHash() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        var counts = (accepted: 0, refused: 0)
        for length in 1...86 {
            for last in [".", "1", "2", "D", "E", "z"] {
                let salt = String(repeating: "z", count: length - 1) + last
                let hash = "$authcore1$y$j75$\(salt)$" + String(repeating: "a", count: 43)
                if pbkdf2.canCheck(hash) {
                    counts.accepted += 1
                    let found = try await answer(of: pbkdf2, to: "word", against: hash)
                    XCTAssertEqual(found, .differs, "an import accepts the salt \(salt), and a sign-in fails by it")
                } else {
                    counts.refused += 1
                    await assertThrows(.malformedHash, hash) { _ = try await pbkdf2.check("word", against: hash) }
                    let setting = "$y$j75$" + salt
                    XCTAssertNil(Yescrypt.hash("word", setting: setting), "the salt \(salt) would be good")
                }
            }
        }
        XCTAssertGreaterThan(counts.accepted, 200, "salts that are good")
        XCTAssertGreaterThan(counts.refused, 200, "salts that are not")
    }
}

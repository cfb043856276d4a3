import Dispatch
import XCTest

@testable import AuthCore
@testable import AuthCoreCrypto

final class StandardPasswordHasherTests: XCTestCase {
    private let pbkdf2 = StandardPasswordHasher(scheme: .pbkdf2(iterations: 2))

    func testThePBKDF2FormatStaysAsItIs() async throws {
        let hasher = StandardPasswordHasher(scheme: .pbkdf2(iterations: 3), salt: { Array(0..<16) })
        let hash = try await hasher.hash("pass\0wörd")
        XCTAssertEqual(
            hash.tagged,
            "$authcore1$pbkdf2-sha256$3$AAECAwQFBgcICQoLDA0ODw$oWiMgtwYEe4lVFtkNRRcDuLtDNRxWu7WYzP0F4fhnMo"
        )
    }

    func testTheYescryptFormatStaysAsItIs() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let hasher = StandardPasswordHasher(scheme: .yescrypt(cost: 1), salt: { Array(0..<16) })
        let hash = try await hasher.hash("pass\0wörd")
        XCTAssertEqual(
            hash.tagged,
            "$authcore1$y$j75$.2U.1EE/4Q.07ck0AoU1D.$6e8BlNpXrGV67NQQr86jnVwkVlTeQoxMLqE5/Wmoeh0"
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
        XCTAssertNoThrow(try StoredPassword(longest))
        XCTAssertThrowsError(try StoredPassword(tooLong))
    }

    func testTheDefaultIsTheBestSchemeThereIsAtItsDefaultCost() {
        let expected = Yescrypt.isAvailable ? "$authcore1$y$j9T$" : "$authcore1$pbkdf2-sha256$600000$"
        XCTAssertTrue(StandardPasswordHasher().placeholder.tagged.hasPrefix(expected))
    }

    func testACostOutsideItsRangeCountsAsTheNearestWithin() throws {
        let cases: [(PasswordScheme, PasswordScheme)] = [
            (.pbkdf2(iterations: .min), .pbkdf2(iterations: 1)),
            (.pbkdf2(iterations: .max), .pbkdf2(iterations: 10_000_000)),
            (.yescrypt(cost: -1), .yescrypt(cost: 1)), (.yescrypt(cost: 99), .yescrypt(cost: 10)),
        ]
        for (asked, expected) in cases where Yescrypt.isAvailable || asked < .yescrypt(cost: .min) {
            let placeholder = StandardPasswordHasher(scheme: asked).placeholder
            XCTAssertEqual(try StoredPassword(placeholder.tagged).scheme, expected)
        }
    }

    func testAWeakerHashMatchesAndAsksToBeMadeAnew() async throws {
        let weak = try await pbkdf2.hash("word")
        let stronger = StandardPasswordHasher(scheme: .pbkdf2(iterations: 3))
        let upward = try await stronger.check("word", against: weak)
        XCTAssertEqual(upward, .matches(needsRehash: true))
        let wrong = try await stronger.check("other", against: weak)
        XCTAssertEqual(wrong, .differs)
        let strong = try await stronger.hash("word")
        let downward = try await pbkdf2.check("word", against: strong)
        XCTAssertEqual(downward, .matches(needsRehash: false))
    }

    func testPBKDF2IsWeakerThanYescryptAtAnyCost() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let yescrypt = StandardPasswordHasher(scheme: .yescrypt(cost: 1))
        let portable = try await pbkdf2.hash("word")
        let upward = try await yescrypt.check("word", against: portable)
        XCTAssertEqual(upward, .matches(needsRehash: true))
        let hard = try await yescrypt.hash("word")
        let downward = try await pbkdf2.check("word", against: hard)
        XCTAssertEqual(downward, .matches(needsRehash: false))
        let harder = StandardPasswordHasher(scheme: .yescrypt(cost: 2))
        let further = try await harder.check("word", against: hard)
        XCTAssertEqual(further, .matches(needsRehash: true))
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
            await assertHashingThrows(.malformedHash, "string \(index)") {
                _ = try await pbkdf2.check("word", against: PasswordHash(tagged: text))
            }
        }
    }

    func testAnUnknownSchemeIsRefused() async {
        for text in [
            "$2b$12$abcdefghijklmnopqrstuv", "$argon2id$v=19$x$y", "$y$j75$salt$hash", "$authcore1$argon2id$x",
        ] {
            await assertHashingThrows(.unknownScheme, text) {
                _ = try await pbkdf2.check("word", against: PasswordHash(tagged: text))
            }
        }
    }

    func testAnExcessiveCostIsRefusedBeforeAnyWork() async {
        let salt = "AAECAwQFBgcICQoLDA0ODw"
        let hash = Base64URL.encode(Array(repeating: 1, count: 32))
        for iterations in ["10000001", "1000000000000", String(repeating: "9", count: 40)] {
            await assertHashingThrows(.excessiveCost, iterations) {
                let text = "$authcore1$pbkdf2-sha256$\(iterations)$\(salt)$\(hash)"
                _ = try await pbkdf2.check("word", against: PasswordHash(tagged: text))
            }
        }
        let letters = String(repeating: "a", count: 43)
        await assertHashingThrows(.excessiveCost) {
            let text = "$authcore1$y$jFT$k2XAnEHBqQ1Ct2aMXFKNa/$\(letters)"
            _ = try await pbkdf2.check("word", against: PasswordHash(tagged: text))
        }
    }

    func testASaltThatTheSchemeRefusesIsAnError() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        let unusable = StandardPasswordHasher(scheme: .yescrypt(cost: 1), salt: { [] })
        await assertHashingThrows(.failed) { _ = try await unusable.hash("word") }
    }

    /// Each letter is allowed, but at the end of a salt some stand for more bits than bytes can hold.
    func testAStoredSaltThatTheSchemeRefusesIsAMalformedHash() async throws {
        try XCTSkipUnless(Yescrypt.isAvailable, "needs a libcrypt with yescrypt, which Apple's platforms lack")
        var counts = (accepted: 0, refused: 0)
        for length in 1...86 {
            for last in [".", "1", "2", "D", "E", "z"] {
                let salt = String(repeating: "z", count: length - 1) + last
                let hash = PasswordHash(tagged: "$authcore1$y$j75$\(salt)$" + String(repeating: "a", count: 43))
                if pbkdf2.canCheck(hash) {
                    counts.accepted += 1
                    let check = try? await pbkdf2.check("word", against: hash)
                    XCTAssertEqual(check, .differs, "an import accepts the salt \(salt), and a sign-in fails by it")
                } else {
                    counts.refused += 1
                    await assertHashingThrows(.malformedHash) { _ = try await pbkdf2.check("word", against: hash) }
                    let setting = "$y$j75$" + salt
                    XCTAssertNil(Yescrypt.hash("word", setting: setting), "the salt \(salt) would be good")
                }
            }
        }
        XCTAssertGreaterThan(counts.accepted, 200)
        XCTAssertGreaterThan(counts.refused, 200)
    }

    func testAHasherPassesTheOverloadOn() async throws {
        try await inTime {
            let hasher = StandardPasswordHasher(scheme: .pbkdf2(iterations: 1), workers: 1, waiting: 0)
            let gate = DispatchSemaphore(value: 0)
            let blocker = Task { try await hasher.hashing.pool.run { gate.wait() } }
            await Self.settle(hasher.hashing.pool, running: 1)
            await assertHashingThrows(.overloaded) { _ = try await hasher.hash("word") }
            await assertHashingThrows(.overloaded) { _ = try await hasher.check("word", against: hasher.placeholder) }
            gate.signal()
            try await blocker.value
            await Self.settle(hasher.hashing.pool, running: 0)
            let check = try await hasher.check("word", against: hasher.placeholder)
            XCTAssertEqual(check, .differs)
        }
    }

    private static func settle(_ pool: HashingPool, running: Int) async {
        while pool.load.running != running, !Task.isCancelled { await Task.yield() }
    }
}

import AuthCoreTesting
import XCTest

@testable import AuthCore
@testable import AuthCoreCrypto

/// What every hasher must do, asked of each one that this platform has.
final class PasswordHasherTests: LimitedTestCase {
    /// A hasher that says nothing about what it can check.
    private struct PlainHasher: PasswordHasher {
        let cheap = CheapPasswordHasher()
        var placeholder: PasswordHash { cheap.placeholder }

        func hash(_ password: Secret) async throws -> PasswordHash { try await cheap.hash(password) }

        func check(_ password: Secret, against hash: PasswordHash) async throws -> PasswordHash.Check {
            try await cheap.check(password, against: hash)
        }
    }

    func testAHasherThatSaysNothingCanCheckEveryHash() {
        XCTAssertTrue(PlainHasher().canCheck(PasswordHash(tagged: "$of$another$hasher")))
    }

    private var hashers: [(name: String, hasher: any PasswordHasher)] {
        var hashers: [(String, any PasswordHasher)] = [
            ("PBKDF2", StandardPasswordHasher(scheme: .pbkdf2(iterations: 2))),
            ("cheap", CheapPasswordHasher()),
        ]
        if Yescrypt.isAvailable {
            hashers.append(("yescrypt", StandardPasswordHasher(scheme: .yescrypt(cost: 1))))
        }
        return hashers
    }

    func testTheRightPasswordMatchesAndAWrongOneDiffers() async throws {
        let long = String(repeating: "x", count: 5_000)
        let passwords = [
            "correct horse battery", "", " ", "a", "A", "\0", "a\0b", "a\0c", "\0a", "é", "e\u{301}", "🙂", "$y$", "a\n",
            long, long + "y",
        ]
        for (name, hasher) in hashers {
            for (index, password) in passwords.enumerated() {
                let hash = try await hasher.hash(Secret(password))
                let right = try await hasher.check(Secret(password), against: hash)
                XCTAssertEqual(right, .matches(needsRehash: false), "\(name), password \(index)")
                let other = passwords[(index + 1) % passwords.count]
                let wrong = try await hasher.check(Secret(other), against: hash)
                XCTAssertEqual(wrong, .differs, "\(name), password \(index)")
            }
        }
    }

    func testAPasswordOfTenMegabytesIsHashed() async throws {
        let hasher = StandardPasswordHasher(scheme: .pbkdf2(iterations: 1))
        let password = Secret(String(repeating: "a", count: 10_000_000))
        let hash = try await hasher.hash(password)
        let check = try await hasher.check(password, against: hash)
        XCTAssertEqual(check, .matches(needsRehash: false))
    }

    func testTheSamePasswordTwiceHasTwoHashes() async throws {
        for (name, hasher) in hashers {
            let first = try await hasher.hash("same")
            let second = try await hasher.hash("same")
            XCTAssertNotEqual(first, second, name)
        }
    }

    func testThePlaceholderIsNobodysAndOfTheSameForm() async throws {
        for (name, hasher) in hashers {
            let check = try await hasher.check("", against: hasher.placeholder)
            XCTAssertEqual(check, .differs, name)
            let hash = try await hasher.hash("word")
            XCTAssertEqual(form(of: hasher.placeholder), form(of: hash), name)
            XCTAssertEqual(hasher.placeholder, hasher.placeholder, name)
        }
    }

    /// All but salt and hash, with the lengths of those.
    private func form(of hash: PasswordHash) -> [String] {
        let fields = hash.tagged.split(separator: "$").map(String.init)
        return fields.dropLast(2) + fields.suffix(2).map { "\($0.utf8.count)" }
    }

    func testWhatIsStoredHoldsNeitherThePasswordNorItsPlainDigest() async throws {
        let password = "correct horse battery"
        let digest = SHA256.hash(bytes(password))
        for (name, hasher) in hashers {
            let tagged = try await hasher.hash(Secret(password)).tagged
            XCTAssertFalse(tagged.contains(password), name)
            XCTAssertFalse(tagged.contains(Base64URL.encode(digest)), name)
            XCTAssertTrue(tagged.utf8.allSatisfy { (0x21...0x7e).contains($0) }, name)
        }
    }

    func testHashersRefuseEachOthersTags() async throws {
        let cheap = CheapPasswordHasher()
        let standard = StandardPasswordHasher(scheme: .pbkdf2(iterations: 1))
        let cheapHash = try await cheap.hash("word")
        let standardHash = try await standard.hash("word")
        await assertHashingThrows(.unknownScheme) { _ = try await standard.check("word", against: cheapHash) }
        await assertHashingThrows(.unknownScheme) { _ = try await cheap.check("word", against: standardHash) }
        for text in ["", "cheap", "$", "$cheap", "$cheap$", "$cheap$AA", "$cheap$AA$!", "$cheap$AA$AA$AA"] {
            await assertHashingThrows(text == "$" ? .unknownScheme : .malformedHash, text) {
                _ = try await cheap.check("word", against: PasswordHash(tagged: text))
            }
        }
    }
}

import XCTest

@testable import AuthCoreCrypto

final class NonceClaimTests: LimitedTestCase {
    /// The SHA-256 of "abc" (FIPS 180-4).
    private let hash = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    func testATokenHasTheNonceOrItsHash() {
        for claim in ["abc", hash] { XCTAssertTrue(isNonce("abc", claimed: claim), claim) }
    }

    func testAnythingElseIsNotTheNonce() {
        let others = ["", "ab", "abcd", "ABC", hash.uppercased(), String(hash.dropLast()), hash + "0"]
        for claim in others { XCTAssertFalse(isNonce("abc", claimed: claim), "'\(claim)'") }
        XCTAssertFalse(isNonce(hash, claimed: "abc"), "a hash is no nonce of what it is made of")
    }
}

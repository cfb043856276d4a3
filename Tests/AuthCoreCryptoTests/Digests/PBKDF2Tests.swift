import XCTest

@testable import AuthCoreCrypto

final class PBKDF2Tests: LimitedTestCase {
    func testOneIterationGivesTheValueOfRFC7914() {
        let derived = PBKDF2.sha256(password: bytes("passwd"), salt: bytes("salt"), iterations: 1, length: 64)
        XCTAssertEqual(
            hexadecimal(derived),
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"
        )
    }

    /// RFC 7914 asks for 64 bytes; the second block repeats the work of the first, so half is enough to prove it.
    func testManyIterationsGiveTheValueOfRFC7914() {
        let derived = PBKDF2.sha256(password: bytes("Password"), salt: bytes("NaCl"), iterations: 80_000, length: 32)
        XCTAssertEqual(
            hexadecimal(derived),
            "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
        )
    }

    func testALengthThatIsNoWholeBlockIsCutOff() {
        let whole = PBKDF2.sha256(password: bytes("passwd"), salt: bytes("salt"), iterations: 1, length: 64)
        for length in [0, 1, 31, 33, 63] {
            let derived = PBKDF2.sha256(
                password: bytes("passwd"),
                salt: bytes("salt"),
                iterations: 1,
                length: length
            )
            XCTAssertEqual(derived, Array(whole.prefix(length)))
        }
    }

    func testALongPasswordIsHashedFirst() {
        let long = [UInt8](repeating: UInt8(ascii: "p"), count: 100)
        XCTAssertEqual(
            PBKDF2.sha256(password: long, salt: bytes("salt"), iterations: 3, length: 32),
            PBKDF2.sha256(password: SHA256.hash(long), salt: bytes("salt"), iterations: 3, length: 32)
        )
    }
}

import AuthCore
import XCTest

/// After which country codes a zero is no part of a number, code by code.
final class TrunkZeroTests: LimitedTestCase {
    /// The plans that dial a zero inside the country, by the code's first digit.
    private static let withTrunkZero: [Int] =
        [20, 27, 212, 213, 218, 233, 234, 243, 249, 250, 251, 252, 254, 255, 256, 260, 261, 262, 263, 264, 265]
        + [31, 32, 33, 353, 355, 358, 359, 370, 373, 374, 380, 381, 382, 383, 385, 386, 387, 389]
        + [40, 41, 43, 44, 46, 49, 421, 51, 53, 54, 55, 58, 590, 591, 593, 594, 595, 596, 598]
        + [60, 61, 62, 63, 64, 66, 81, 82, 84, 86, 855, 856, 880, 886]
        + [90, 91, 92, 93, 94, 95, 98, 961, 962, 963, 964, 966, 967, 970, 971, 972, 976, 977, 994, 995, 996]

    /// Other countries, of which some have numbers that begin with a zero.
    private static let withoutTrunkZero: [Int] =
        [
            1, 7, 30, 34, 36, 39, 45, 47, 48, 52, 56, 57, 65, 211, 216, 220, 221, 222, 223, 224, 225, 226, 227, 228,
            229, 230,
        ]
        + [
            231, 232, 235, 236, 237, 238, 239, 240, 241, 242, 244, 245, 248, 253, 257, 258, 266, 267, 268, 269, 290,
            297,
        ]
        + [
            298, 299, 350, 351, 352, 354, 356, 357, 371, 372, 375, 376, 377, 378, 420, 423, 500, 501, 502, 503, 504,
            505,
        ]
        + [
            506, 507, 509, 592, 597, 599, 670, 673, 675, 679, 850, 852, 853, 960, 965, 968, 973, 974, 975, 992, 993,
            998,
        ]

    func testAZeroAfterTheseCodesIsLeftOut() {
        for code in Self.withTrunkZero {
            XCTAssertEqual(PhoneNumber("+\(code)0512345678")?.description, "+\(code)512345678", "+\(code)")
            XCTAssertNil(PhoneNumber("+\(code)00512345678"), "two zeros after +\(code)")
        }
        XCTAssertEqual(Set(Self.withTrunkZero).count, 93, "each code once")
    }

    func testAZeroAfterOtherCodesStays() {
        for code in Self.withoutTrunkZero {
            XCTAssertEqual(PhoneNumber("+\(code)0512345678")?.description, "+\(code)0512345678", "+\(code)")
        }
    }
}

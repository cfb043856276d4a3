/// The accepted syntax of phone numbers: E.164, but for a trunk zero, which is left out.
package enum PhoneSyntax {
    private static let digitCounts = 7...15

    /// The country codes whose plans dial a zero before a number inside the country, and have none that begins with it.
    ///
    /// No country code begins another, so what was read up to the zero decides.
    ///
    /// Among those left out are Italy and San Marino (39, 378), Ivory Coast (225), Benin (229), Gabon (241) and Congo
    /// (242), whose numbers may begin with a zero.
    private static let codesBeforeTrunkZero: Set<UInt64> = [
        20, 27, 31, 32, 33, 40, 41, 43, 44, 46, 49, 51, 53, 54, 55, 58, 60, 61, 62, 63, 64, 66, 81, 82, 84, 86, 90,
        91, 92, 93, 94, 95, 98, 212, 213, 218, 233, 234, 243, 249, 250, 251, 252, 254, 255, 256, 260, 261, 262, 263,
        264, 265, 353, 355, 358, 359, 370, 373, 374, 380, 381, 382, 383, 385, 386, 387, 389, 421, 590, 591, 593,
        594, 595, 596, 598, 855, 856, 880, 886, 961, 962, 963, 964, 966, 967, 970, 971, 972, 976, 977, 994, 995,
        996,
    ]

    /// The digits of a number, without a trunk zero; nil if the text is malformed.
    package static func digits(of text: String) -> UInt64? {
        // Checked first, so that a text of any size is refused without reading it.
        guard Self.digitCounts.contains(text.utf8.count - 1) else { return nil }
        guard text.utf8.first == UInt8(ascii: "+") else { return nil }
        var digits: UInt64 = 0
        // The country code that a trunk zero followed.
        var trunkZero: UInt64?
        for byte in text.utf8.dropFirst() {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let digit = UInt64(byte - UInt8(ascii: "0"))
            if digit == 0, trunkZero == nil, Self.codesBeforeTrunkZero.contains(digits) {
                trunkZero = digits
                continue
            }
            // The number begins with neither zero, nor a second trunk zero.
            if digit == 0, digits == 0 || digits == trunkZero { return nil }
            digits = digits * 10 + digit
        }
        if trunkZero != nil, text.utf8.count - 2 < Self.digitCounts.lowerBound { return nil }
        return digits
    }
}

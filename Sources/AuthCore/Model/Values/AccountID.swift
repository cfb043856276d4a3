/// The ID of an account, never reused for another one.
public struct AccountID: Sendable, Hashable, Comparable, CodableText, ExpressibleByStringLiteral {
    /// The characters of the ID.
    ///
    /// New IDs have fifteen letters and digits (89 random bits), which a Swift string holds without an allocation.
    package let text: String

    /// Creates an ID from these characters; nil unless they are 1 to 128 visible ASCII characters.
    public init?(_ text: String) {
        guard Self.isName(text) else { return nil }
        self.text = text
    }

    /// Creates an ID from a literal; stops the program if the literal is not an ID.
    public init(stringLiteral value: StaticString) {
        text = "\(value)"
        precondition(Self.isName(text), "an account id is 1 to 128 visible ASCII characters")
    }

    private static func isName(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Creates an ID from these random bits.
    package init(bits: UInt128) {
        var low = UInt64(truncatingIfNeeded: bits)
        var high = UInt64(truncatingIfNeeded: bits >> 64)
        text = unsafe String(unsafeUninitializedCapacity: 15) { buffer in
            for index in 0..<10 {
                unsafe buffer[index] = IdentifierAlphabet.symbols[Int(low % 62)]
                low /= 62
            }
            for index in 10..<15 {
                unsafe buffer[index] = IdentifierAlphabet.symbols[Int(high % 62)]
                high /= 62
            }
            return 15
        }
    }

    /// The characters of the ID.
    public var description: String { text }

    /// Orders IDs by their bytes; ASCII makes that the order of the strings.
    public static func < (left: AccountID, right: AccountID) -> Bool { left.text < right.text }
}

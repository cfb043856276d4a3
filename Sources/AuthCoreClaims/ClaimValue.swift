/// A JSON value: one claim of a token, or a whole set of them.
///
/// Strings and keys are equal only byte for byte, and an integer is never equal to a number with a fraction part or a
/// Boolean, so that a claim cannot be confused with one that merely looks the same.
public enum ClaimValue: Sendable {
    /// JSON's `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number written without fraction or exponent that fits into 64 bits.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([ClaimValue])
    /// An object; its keys have no order.
    case object([String: ClaimValue])
}

extension ClaimValue {
    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The Boolean, if this is one; a number never is.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The integer, if this is one; a number with a fraction or an exponent never is.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number as a floating-point value, whether it was written as an integer or not.
    public var numberValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The string, if this is one.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The elements, if this is an array.
    public var arrayValue: [ClaimValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The members, if this is an object.
    public var objectValue: [String: ClaimValue]? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The member under exactly this key, if this is an object that has one.
    public subscript(key: String) -> ClaimValue? {
        guard case .object(let members) = self, let index = members.index(forKey: key) else { return nil }
        // A dictionary also finds equivalent spellings: the Kelvin sign would match a K.
        guard members[index].key.utf8.elementsEqual(key.utf8) else { return nil }
        return members[index].value
    }
}

extension ClaimValue: Hashable {
    /// Whether both are the same kind of value and hold the same, strings and keys byte for byte.
    public static func == (left: ClaimValue, right: ClaimValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { key, value in ClaimValue.object(right)[key] == value }
        default: false
        }
    }

    /// Feeds the kind and the contents to the hasher.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): Self.hash(value, into: &hasher)
        case .array(let values): hasher.combine(values)
        case .object(let members):
            // Members have no order, so their hashes are added.
            var sum = 0
            for (key, value) in members {
                var member = Hasher()
                Self.hash(key, into: &member)
                member.combine(value)
                sum &+= member.finalize()
            }
            hasher.combine(sum)
        }
    }

    /// Feeds a text's bytes to the hasher, since `String` hashes two spellings of one letter alike.
    private static func hash(_ text: String, into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        // No UTF-8 text contains this byte, so it separates two texts that are hashed one after the other.
        hasher.combine(UInt8.max)
    }
}

// There is no nil literal: `found ? claim : nil` would silently become a JSON null.
extension ClaimValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }

    /// Creates an integer.
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    /// Creates a number.
    public init(floatLiteral value: Double) {
        self = .number(value)
    }

    /// Creates a string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// Creates an array.
    public init(arrayLiteral elements: ClaimValue...) {
        self = .array(elements)
    }

    /// Creates an object; if a key occurs twice, the last value counts.
    public init(dictionaryLiteral elements: (String, ClaimValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}

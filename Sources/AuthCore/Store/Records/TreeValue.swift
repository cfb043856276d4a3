#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What stands in a record by itself, without asking its own `Codable`.
protocol TreeValue {
    var tree: ClaimValue? { get }
    init?(tree: ClaimValue)
}

extension ClaimValue: TreeValue {
    var tree: ClaimValue? { self }
    init?(tree: ClaimValue) { self = tree }
}

extension Bool: TreeValue {
    var tree: ClaimValue? { .bool(self) }

    init?(tree: ClaimValue) {
        guard let value = tree.boolValue else { return nil }
        self = value
    }
}

extension String: TreeValue {
    var tree: ClaimValue? { .string(self) }

    init?(tree: ClaimValue) {
        guard let value = tree.stringValue else { return nil }
        self = value
    }
}

extension Double: TreeValue {
    var tree: ClaimValue? { .number(self) }

    init?(tree: ClaimValue) {
        guard case .number(let value) = tree else { return nil }
        self = value
    }
}

extension Float: TreeValue {
    var tree: ClaimValue? { .number(Double(self)) }

    init?(tree: ClaimValue) {
        guard let value = Double(tree: tree) else { return nil }
        self.init(value)
    }
}

extension TreeValue where Self: FixedWidthInteger {
    /// Nothing for what 64 bits with a sign cannot hold, since readers of JSON differ beyond.
    var tree: ClaimValue? { Int64(exactly: self).map(ClaimValue.integer) }

    init?(tree: ClaimValue) {
        guard let value = tree.integerValue else { return nil }
        self.init(exactly: value)
    }
}

// All of them: one that was missing would ask its own `Codable`, which would ask here again.
extension Int: TreeValue {}
extension Int8: TreeValue {}
extension Int16: TreeValue {}
extension Int32: TreeValue {}
extension Int64: TreeValue {}
extension UInt: TreeValue {}
extension UInt8: TreeValue {}
extension UInt16: TreeValue {}
extension UInt32: TreeValue {}
extension UInt64: TreeValue {}

/// Bytes are written as base64url.
extension Array: TreeValue where Element == UInt8 {
    var tree: ClaimValue? { .string(Base64URL.encode(self)) }

    init?(tree: ClaimValue) {
        guard let bytes = tree.stringValue.flatMap(Base64URL.decode) else { return nil }
        self = bytes
    }
}

/// Claims keep their numbers and keys as they are.
extension Dictionary: TreeValue where Key == String, Value == ClaimValue {
    var tree: ClaimValue? { .object(self) }

    init?(tree: ClaimValue) {
        guard let members = tree.objectValue else { return nil }
        self = members
    }
}

/// Timestamps are whole milliseconds.
extension Timestamp: TreeValue {
    var tree: ClaimValue? { .integer(milliseconds) }

    init?(tree: ClaimValue) {
        guard let value = tree.integerValue else { return nil }
        self.init(milliseconds: value)
        guard milliseconds == value else { return nil }
    }
}

/// Dates are whole milliseconds since the first moment of 1970 in UTC; what lies between is rounded to the nearest.
extension Date: TreeValue {
    /// A hundred million days, beyond which other languages know no dates.
    private static let latest = 8_640_000_000_000_000.0

    var tree: ClaimValue? {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        guard abs(milliseconds) <= Self.latest else { return nil }
        return .integer(Int64(milliseconds))
    }

    init?(tree: ClaimValue) {
        guard let value = tree.integerValue, abs(Double(value)) <= Self.latest else { return nil }
        self.init(timeIntervalSince1970: Double(value) / 1000)
    }
}

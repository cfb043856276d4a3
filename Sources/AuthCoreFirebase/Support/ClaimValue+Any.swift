internal import AuthCore
internal import Foundation

extension ClaimValue {
    /// The value as JSONSerialization would read it: every number is one that can be read as each of Swift's types.
    var anyValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .number(let value): NSNumber(value: value)
        case .string(let value): value
        case .array(let values): values.map(\.anyValue)
        case .object(let members): members.mapValues(\.anyValue)
        }
    }

    /// The value that JSONSerialization would read; nil if it is not JSON.
    init?(any value: Any) {
        switch value {
        case is NSNull: self = .null
        case let value as NSNumber: self = ClaimValue(number: value)
        case let value as String: self = .string(value)
        case let values as [Any]: self = .array(values.compactMap { ClaimValue(any: $0) })
        case let members as [String: Any]: self = .object(members.compactMapValues { ClaimValue(any: $0) })
        default: return nil
        }
    }

    /// Foundation's numbers record the type that they were made from.
    private init(number: NSNumber) {
        switch unsafe String(cString: number.objCType) {
        case unsafe String(cString: NSNumber(value: true).objCType): self = .bool(number.boolValue)
        case "d", "f": self = .number(number.doubleValue)
        default: self = Int64(exactly: number).map(Self.integer) ?? .number(number.doubleValue)
        }
    }
}

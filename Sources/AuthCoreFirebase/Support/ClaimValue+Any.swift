internal import AuthCore
internal import Foundation

extension ClaimValue {
    /// The value as JSONSerialization would read it.
    var anyValue: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .integer(let value): Int(value)
        case .number(let value): value
        case .string(let value): value
        case .array(let values): values.map(\.anyValue)
        case .object(let members): members.mapValues(\.anyValue)
        }
    }

    /// The value that JSONSerialization would read; nil if it is not JSON.
    init?(any value: Any) {
        switch value {
        case is NSNull: self = .null
        case let value as Bool: self = .bool(value)
        case let value as Int: self = .integer(Int64(value))
        case let value as Double: self = .number(value)
        case let value as String: self = .string(value)
        case let values as [Any]: self = .array(values.compactMap { ClaimValue(any: $0) })
        case let members as [String: Any]: self = .object(members.compactMapValues { ClaimValue(any: $0) })
        default: return nil
        }
    }
}

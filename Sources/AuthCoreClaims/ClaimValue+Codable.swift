extension ClaimValue: Codable {
    /// The maximum nesting: every level uses the decoder's stack, so an attacker could exhaust it by deep nesting.
    private static let deepestCodingPath = 64

    /// Reads any JSON value; with a coder that does not distinguish `1.0` from `1`, both become an integer.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard decoder.codingPath.count <= Self.deepestCodingPath else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Claims are nested too deeply")
        }
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([ClaimValue].self))
        } else {
            self = .object(try container.decode([String: ClaimValue].self))
        }
    }

    /// Writes the value as the encoder's own null, Boolean, number, string, array or object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

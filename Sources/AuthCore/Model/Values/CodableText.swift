/// A value that is written as its text, and read by the checks of its initializer.
protocol CodableText: Codable, LosslessStringConvertible {}

extension CodableText {
    /// Reads the value from its text.
    public init(from decoder: any Decoder) throws { try self.init(decodingTextFrom: decoder) }

    /// Writes the value as its text.
    public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension LosslessStringConvertible {
    init(decodingTextFrom decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The text is no \(Self.self)")
        }
        self = value
    }

    func encodeText(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

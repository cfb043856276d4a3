internal import AuthCoreFoundation

// Conformances that the compiler writes use these for the members of records, since they fit better than the coder's
// own for any `Codable` value. That one makes containers for each value and looks up what type it is, which takes
// longer than writing a text or a number.

extension KeyedEncodingContainer {
    mutating func encode(_ value: some CodableText, forKey key: Key) throws {
        try encode(value.description, forKey: key)
    }

    mutating func encodeIfPresent(_ value: (some CodableText)?, forKey key: Key) throws {
        try encodeIfPresent(value?.description, forKey: key)
    }

    mutating func encode(_ id: some RandomIdentifier, forKey key: Key) throws { try encode(id.text, forKey: key) }

    mutating func encode(_ time: Timestamp, forKey key: Key) throws { try encode(time.milliseconds, forKey: key) }

    mutating func encodeIfPresent(_ time: Timestamp?, forKey key: Key) throws {
        try encodeIfPresent(time?.milliseconds, forKey: key)
    }
}

// Bytes are one base64 text: as a list of numbers, each byte would cost as much as a member does.

extension KeyedEncodingContainer {
    mutating func encode(_ bytes: [UInt8], forKey key: Key) throws {
        try encode(Data(bytes).base64EncodedString(), forKey: key)
    }
}

extension KeyedDecodingContainer {
    func decode(_ type: [UInt8].Type, forKey key: Key) throws -> [UInt8] {
        guard let data = Data(base64Encoded: try decode(String.self, forKey: key)) else {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "Not base64")
        }
        return Array(data)
    }
}

extension RecordListWriter {
    mutating func add(bytes: [UInt8]?) throws { try add(bytes.map { Data($0).base64EncodedString() }) }
}

extension RecordListReader {
    mutating func bytes() throws -> [UInt8] { Array(try valid(Data(base64Encoded: try text()))) }
}

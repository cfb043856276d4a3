internal import AuthCoreFoundation

extension Store {
    /// Encodes stored values as documented, versioned JSON, and decodes them.
    ///
    /// Equal values have equal bytes. The article Stored formats describes the format.
    public struct RecordCoder: Sendable {
        /// The version of the format that is written and read.
        public static let currentFormat = 1

        /// The largest record, in bytes.
        public static let sizeLimit = 1 << 22

        /// The maximum nesting of a record; claims come from tokens, which are read to a depth of 32.
        static let depthLimit = 64

        /// Creates a coder.
        public init() {}

        /// Returns the record of this value.
        public func encode<Record: StoredRecord>(_ value: Record) throws(RecordError) -> [UInt8] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            encoder.dateEncodingStrategy = .custom { try Timestamp($0).encode(to: $1) }
            let envelope = Envelope(format: Self.currentFormat, kind: Record.recordKind.rawValue, value: value)
            guard let data = try? encoder.encode(envelope) else { throw .unrepresentable }
            let bytes = Array(data)
            // A record that `decode` would refuse is not written.
            guard tree(of: bytes) != nil else { throw .unrepresentable }
            return bytes
        }

        /// Returns the value of this record.
        public func decode<Record: StoredRecord>(
            _ type: Record.Type = Record.self,
            from bytes: [UInt8]
        ) throws(RecordError) -> Record {
            // First the strict reader: it limits size and depth and refuses a duplicate key.
            guard let tree = tree(of: bytes), let format = tree["format"]?.integerValue, format > 0 else {
                throw .malformed
            }
            if format > Int64(Self.currentFormat) { throw .newerFormat(Int(clamping: format)) }
            guard let kind = tree["kind"]?.stringValue, tree.objectValue?.count == 3 else { throw .malformed }
            if kind != Record.recordKind.rawValue { throw .wrongKind(kind) }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .custom { try Timestamp(from: $0).date }
            guard let envelope = try? decoder.decode(Envelope<Record>.self, from: Data(bytes)) else { throw .malformed }
            return envelope.value
        }

        private func tree(of bytes: [UInt8]) -> ClaimValue? {
            ClaimValue(json: bytes, depthLimit: Self.depthLimit, sizeLimit: Self.sizeLimit)
        }

        /// The outer object of every record.
        private struct Envelope<Value: Codable>: Codable {
            let format: Int
            let kind: String
            let value: Value
        }
    }
}

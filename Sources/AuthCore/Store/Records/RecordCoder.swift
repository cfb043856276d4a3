/// Writes what a store keeps as documented, versioned JSON, and reads every version of it.
///
/// Equal values give equal bytes. The article Stored Formats says what is in them.
public struct RecordCoder: Sendable {
    /// The format that is written; every older one is read.
    public static let currentFormat = 1

    /// The largest record, in bytes.
    public static let sizeLimit = 1 << 22

    /// How deeply a record may nest; claims come from tokens, which are read to a depth of 32.
    static let depthLimit = 64

    /// The coder; all of them are alike.
    public init() {}

    /// The record of this value.
    public func encode<Record: StoredRecord>(_ value: Record) throws(RecordError) -> [UInt8] {
        let envelope = ClaimValue.object([
            Field.format: .integer(Int64(Self.currentFormat)),
            Field.kind: .string(Record.recordKind.rawValue),
            Field.value: try tree(of: value),
        ])
        guard envelope.isReadable(remainingDepth: Self.depthLimit) else { throw .unrepresentable }
        let bytes = envelope.json()
        guard bytes.count <= Self.sizeLimit else { throw .unrepresentable }
        return bytes
    }

    /// The value that was written, whichever format it was written in.
    public func decode<Record: StoredRecord>(
        _ type: Record.Type = Record.self,
        from bytes: [UInt8]
    ) throws(RecordError) -> Record {
        guard let envelope = ClaimValue(json: bytes, depthLimit: Self.depthLimit, sizeLimit: Self.sizeLimit),
            let format = envelope[Field.format]?.integerValue.flatMap({ Int(exactly: $0) }), format >= 0
        else { throw .malformed }
        if format > Self.currentFormat { throw .newerFormat(format) }
        guard let kind = envelope[Field.kind]?.stringValue, let value = envelope[Field.value],
            envelope.objectValue?.count == 3
        else { throw .malformed }
        if kind != Record.recordKind.rawValue { throw .wrongKind(kind) }
        let current = try RecordMigration.bring(value, of: Record.recordKind, from: format, to: Self.currentFormat)
        do {
            return try TreeDecoder.read(type, from: current, at: [])
        } catch {
            throw .malformed
        }
    }

    private func tree<Record: StoredRecord>(of value: Record) throws(RecordError) -> ClaimValue {
        do {
            return try TreeEncoder.tree(of: value)
        } catch {
            throw .unrepresentable
        }
    }

    private enum Field {
        static let format = "format"
        static let kind = "kind"
        static let value = "value"
    }
}

extension ClaimValue {
    /// The longest key that the reader of JSON accepts.
    private static let longestKey = 512

    /// Whether the reader would give back this very value.
    fileprivate func isReadable(remainingDepth: Int) -> Bool {
        switch self {
        case .null, .bool, .integer, .string: true
        case .number(let number): number.isFinite
        case .array(let values):
            remainingDepth > 0 && values.allSatisfy { $0.isReadable(remainingDepth: remainingDepth - 1) }
        case .object(let members):
            remainingDepth > 0
                && members.allSatisfy { key, value in
                    key.utf8.count <= Self.longestKey && value.isReadable(remainingDepth: remainingDepth - 1)
                }
        }
    }
}

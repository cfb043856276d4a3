package import AuthCore
internal import AuthCoreFoundation

/// Encodes the records of a database's rows, and decodes them.
///
/// A row holds what `Store.RecordCoder` writes, in the same documented format. That coder reads bytes of any origin,
/// and so it reads them twice; a database only returns what a store wrote to it, which is why one pass is enough here.
package struct RowCoder: Sendable {
    private let encoder: JSONEncoder
    private let decoder: JSONDecoder
    /// Is told of every record that is encoded or decoded; nil outside of tests.
    private let observer: (@Sendable (Store.RecordKind, Use) -> Void)?

    /// What is done with a record.
    package enum Use: Sendable, Hashable {
        /// It is encoded.
        case encoding
        /// It is decoded.
        case decoding
    }

    /// Creates a coder, which can be used from several threads at once.
    package init(observer: (@Sendable (Store.RecordKind, Use) -> Void)? = nil) {
        self.observer = observer
        encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { try Timestamp($0).encode(to: $1) }
        decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { try Timestamp(from: $0).date }
    }

    /// Returns the record of this value.
    package func encode<Record: Store.StoredRecord>(_ value: Record) throws(Store.RecordError) -> [UInt8] {
        observer?(Record.recordKind, .encoding)
        guard let data = try? encoder.encode(value) else { throw .unrepresentable }
        var bytes: [UInt8] = []
        let head = Self.heads[Record.recordKind] ?? []
        bytes.reserveCapacity(head.count + data.count + 1)
        bytes += head
        bytes += data
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Returns the value of this record.
    package func decode<Record: Store.StoredRecord>(
        _ type: Record.Type = Record.self,
        from bytes: [UInt8]
    ) throws(Store.RecordError) -> Record {
        observer?(Record.recordKind, .decoding)
        let head = Self.heads[Record.recordKind] ?? []
        guard bytes.starts(with: head), bytes.last == UInt8(ascii: "}"),
            let value = try? decoder.decode(type, from: Data(bytes[head.count..<bytes.count - 1]))
        else {
            // What is wrong with it is found out by the coder that reads anything.
            return try Store.RecordCoder().decode(type, from: bytes)
        }
        return value
    }

    /// Returns the account of a row.
    ///
    /// If its record cannot be read, the account of a row that is due has only its ID and its time. So it holds up no
    /// other: it is read again, and reported, when it is cleaned up.
    package func account(_ record: [UInt8], due: (id: AccountID, at: Timestamp)?) throws(Store.RecordError) -> Account {
        do throws(Store.RecordError) { return try decode(from: record) } catch {
            guard let due else { throw error }
            var account = Account(id: due.id, createdAt: due.at)
            account.dueAt = due.at
            return account
        }
    }

    /// Returns the JSON of a value that is no record of its own, such as the counts of attempts.
    package func encode(plain value: some Encodable) throws(Store.RecordError) -> [UInt8] {
        guard let data = try? encoder.encode(value) else { throw .unrepresentable }
        return Array(data)
    }

    /// Returns the value of this JSON.
    package func decode<Value: Decodable>(
        plain type: Value.Type = Value.self,
        from bytes: [UInt8]
    ) throws(Store.RecordError) -> Value {
        guard let value = try? decoder.decode(type, from: Data(bytes)) else { throw .malformed }
        return value
    }

    /// The envelope up to the value.
    ///
    /// It is written as it is: three members of an object cost the coder as much as ten places of a list.
    private static let heads = Dictionary(
        uniqueKeysWithValues: Store.RecordKind.allCases.map { kind in
            let format = Store.RecordCoder.currentFormat
            return (kind, Array("{\"format\":\(format),\"kind\":\"\(kind.rawValue)\",\"value\":".utf8))
        }
    )
}

#if PostgreSQL
internal import AuthCoreCrypto
internal import AuthCore
internal import AuthCoreSQL

/// A parameter of a statement, in PostgreSQL's binary form.
struct Parameter: Sendable {
    /// The types that the store uses; the raw value is the type's number in every PostgreSQL.
    enum Kind: UInt32 {
        case flag = 16
        case bytes = 17
        case number = 20
        case text = 25
        case transaction = 5069
        case id = 2950
        case flags = 1000
        case byteStrings = 1001
        case texts = 1009
        case numbers = 1016
        case ids = 2951
    }

    let kind: Kind
    /// Nil for null.
    let bytes: [UInt8]?

    static func text(_ text: String?) -> Parameter { Parameter(kind: .text, bytes: text.map { Array($0.utf8) }) }

    static func number(_ number: Int64?) -> Parameter { Parameter(kind: .number, bytes: number?.bigEndianBytes) }

    static func transaction(_ number: UInt64) -> Parameter {
        Parameter(kind: .transaction, bytes: Int64(bitPattern: number).bigEndianBytes)
    }

    static func id(_ id: (some RandomIdentifier)?) -> Parameter { Parameter(kind: .id, bytes: id?.bytes) }

    static func texts(_ texts: [String?]) -> Parameter {
        Parameter(.texts, of: .text, texts.map { $0.map { Array($0.utf8) } })
    }

    /// Texts that are already encoded.
    static func encoded(_ texts: [[UInt8]?]) -> Parameter { Parameter(.texts, of: .text, texts) }

    static func numbers(_ numbers: [Int64?]) -> Parameter {
        Parameter(.numbers, of: .number, numbers.map { $0?.bigEndianBytes })
    }

    static func flags(_ flags: [Bool]) -> Parameter { Parameter(.flags, of: .flag, flags.map { [$0 ? 1 : 0] }) }

    static func byteStrings(_ strings: [[UInt8]?]) -> Parameter { Parameter(.byteStrings, of: .bytes, strings) }

    static func ids(_ ids: [[UInt8]?]) -> Parameter { Parameter(.ids, of: .id, ids) }

    private init(kind: Kind, bytes: [UInt8]?) {
        self.kind = kind
        self.bytes = bytes
    }

    /// An array with one dimension; null if it is empty.
    private init(_ kind: Kind, of element: Kind, _ elements: [[UInt8]?]) {
        self.kind = kind
        if elements.isEmpty {
            bytes = nil
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(20 + elements.reduce(0) { $0 + 4 + ($1?.count ?? 0) })
        let elementKind = Int32(bitPattern: element.rawValue)
        // One dimension, which may have nulls, and its first index.
        for number in [1, 1, elementKind, Int32(clamping: elements.count), 1] { bytes.append(number) }
        for element in elements {
            bytes.append(element.map { Int32(clamping: $0.count) } ?? -1)
            if let element { bytes += element }
        }
        self.bytes = bytes
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ number: Int32) {
        for shift in [24, 16, 8, 0] as [Int32] { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}

extension Int64 {
    var bigEndianBytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: self >> Int64(56 - 8 * $0)) }
    }

    /// Reads up to eight bytes; PostgreSQL's shorter numbers are not negative here.
    init(bigEndianBytes bytes: [UInt8]) {
        self = bytes.reduce(0) { $0 << 8 | Int64($1) }
    }
}
#endif

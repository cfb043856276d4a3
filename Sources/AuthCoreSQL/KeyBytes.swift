package import AuthCore

/// The bytes by which a database compares keys: no two keys have the same, and none depends on a collation.
extension Store.UniqueKey {
    /// The kind of key, and its texts; the first of two texts is preceded by its length.
    package var bytes: [UInt8] {
        switch self {
        case .identity(let key):
            let issuer = Array(key.issuer.text.utf8)
            var bytes: [UInt8] = [1]
            bytes.append(bigEndian: UInt32(truncatingIfNeeded: issuer.count))
            bytes += issuer
            bytes += key.subject.text.utf8
            return bytes
        case .phone(let number): return [2] + number.text.utf8
        case .primaryEmail(let email): return [3] + email.text.utf8
        }
    }
}

extension RandomIdentifier {
    /// The sixteen bytes of the ID, ordered as the IDs are.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        bytes.append(bigEndian: words.high)
        bytes.append(bigEndian: words.low)
        return bytes
    }

    /// Reads the sixteen bytes of an ID; nil for anything else.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            words: IdentifierWords(
                high: UInt64(bigEndian: bytes[..<8]),
                low: UInt64(bigEndian: bytes[8...])
            )
        )
    }
}

extension AccountID {
    /// The characters of the ID, ordered as the IDs are.
    package var bytes: [UInt8] { Array(text.utf8) }

    /// Reads the characters of an ID; nil for anything else.
    package init?(bytes: [UInt8]) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }
}

extension EmailAddress {
    /// The normalized address, which is ASCII.
    package var bytes: [UInt8] { Array(text.utf8) }
}

extension IdentityEvent.Position {
    /// The three numbers as 24 bytes, ordered as the positions are.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        for number in [incarnation, transaction, number] { bytes.append(bigEndian: number) }
        return bytes
    }

    /// Reads the 24 bytes of a position; nil for anything else.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 24 else { return nil }
        self.init(
            incarnation: UInt64(bigEndian: bytes[..<8]),
            transaction: UInt64(bigEndian: bytes[8..<16]),
            number: UInt64(bigEndian: bytes[16...])
        )
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(bigEndian number: Number) {
        for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

extension UInt64 {
    fileprivate init(bigEndian bytes: ArraySlice<UInt8>) {
        self = bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

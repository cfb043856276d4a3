internal import AuthCore
internal import AuthCoreFoundation

/// A key that makes signatures of ES256.
struct PrivateKey: Sendable {
    /// The key in the form of PKCS #8 (RFC 5958).
    let der: [UInt8]

    private static let longestText = 4096

    /// Reads a key between the lines of PEM (RFC 7468); nil if there is none.
    init?(pem: String) {
        guard pem.utf8.count <= Self.longestText else { return nil }
        let lines = pem.split { $0.isNewline }
        guard lines.first == "-----BEGIN PRIVATE KEY-----", lines.last == "-----END PRIVATE KEY-----",
            let data = Data(base64Encoded: lines.dropFirst().dropLast().joined()), !data.isEmpty
        else { return nil }
        der = Array(data)
    }
}

extension DER {
    /// The two numbers of a signature, each of so many bytes; nil if this is not their sequence.
    static func halves(of signature: [UInt8], byteCount: Int) -> [UInt8]? {
        var rest = signature[...]
        guard rest.popFirst() == 0x30, let length = rest.popFirst(), length < 0x80, Int(length) == rest.count else {
            return nil
        }
        var halves: [UInt8] = []
        for _ in 0..<2 {
            guard rest.popFirst() == 0x02, let length = rest.popFirst(), Int(length) <= rest.count else { return nil }
            let digits = rest.prefix(Int(length)).drop { $0 == 0 }
            guard digits.count <= byteCount else { return nil }
            halves += [UInt8](repeating: 0, count: byteCount - digits.count) + digits
            rest = rest.dropFirst(Int(length))
        }
        return rest.isEmpty ? halves : nil
    }
}

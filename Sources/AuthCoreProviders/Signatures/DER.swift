/// The few forms of DER (X.690) that keys and signatures need.
enum DER {
    static func sequence(_ parts: [UInt8]...) -> [UInt8] { tagged(0x30, parts.flatMap { $0 }) }

    /// A number that is not negative.
    static func integer(_ magnitude: some Collection<UInt8>) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        return tagged(0x02, (digits.first ?? 0x80) >= 0x80 ? [0] + digits : digits)
    }

    static func bitString(_ bytes: [UInt8]) -> [UInt8] { tagged(0x03, [0] + bytes) }

    static let null: [UInt8] = [0x05, 0x00]

    private static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        if content.count < 0x80 { return [tag, UInt8(content.count)] + content }
        let length = stride(from: 56, through: 0, by: -8)
            .map { UInt8(truncatingIfNeeded: content.count >> $0) }
            .drop { $0 == 0 }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}

extension PublicKey {
    /// The key alone, as RFC 8017 writes an RSA key and SEC 1 a point.
    var bareKey: [UInt8] {
        switch material {
        case .rsa(let modulus, let exponent): DER.sequence(DER.integer(modulus), DER.integer(exponent))
        case .ellipticCurve(_, let x, let y): [4] + x + y
        case .ed25519(let key): key
        }
    }

    /// The key with its algorithm, as certificates contain it (RFC 5280, RFC 5480, RFC 8410).
    var subjectPublicKeyInfo: [UInt8] {
        let algorithm: [UInt8] =
            switch material {
            case .rsa: DER.sequence(ObjectIdentifier.rsa, DER.null)
            case .ellipticCurve(.p256, _, _): DER.sequence(ObjectIdentifier.point, ObjectIdentifier.p256)
            case .ellipticCurve(.p384, _, _): DER.sequence(ObjectIdentifier.point, ObjectIdentifier.p384)
            case .ed25519: DER.sequence(ObjectIdentifier.ed25519)
            }
        return DER.sequence(algorithm, DER.bitString(bareKey))
    }

    /// A signature as libraries expect it: of two numbers in DER for elliptic curves, unchanged for the rest.
    func encoded(_ signature: [UInt8]) -> [UInt8] {
        guard case .ellipticCurve(let curve, _, _) = material else { return signature }
        return DER.sequence(
            DER.integer(signature.prefix(curve.byteCount)),
            DER.integer(signature.dropFirst(curve.byteCount))
        )
    }
}

/// The object identifiers of keys, encoded.
private enum ObjectIdentifier {
    static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let point: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
    static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    static let p384: [UInt8] = [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22]
    static let ed25519: [UInt8] = [0x06, 0x03, 0x2B, 0x65, 0x70]
}

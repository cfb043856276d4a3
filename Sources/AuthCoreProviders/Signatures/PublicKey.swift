/// A key that verifies signatures; only keys that are safe to use can be made.
struct PublicKey: Sendable, Hashable {
    enum Material: Sendable, Hashable {
        case rsa(modulus: [UInt8], exponent: [UInt8])
        case ellipticCurve(Curve, x: [UInt8], y: [UInt8])
        case ed25519([UInt8])
    }

    /// The curves of ES256 and ES384.
    enum Curve: String, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"

        /// The length of a coordinate, and of each half of a signature.
        var byteCount: Int { self == .p256 ? 32 : 48 }
    }

    /// Why a key is not used.
    struct Refusal: Error, Hashable {
        let detail: String
    }

    let material: Material

    /// Longer keys are refused because each signature would cost milliseconds.
    private static let rsaBits = 2048...8192
    /// A longer exponent only makes each signature slow.
    private static let longestExponent = 8

    /// Creates an RSA key of a safe length.
    init(modulus: [UInt8], exponent: [UInt8]) throws(Refusal) {
        let modulus = Array(modulus.drop { $0 == 0 })
        let exponent = Array(exponent.drop { $0 == 0 })
        guard let first = modulus.first, let last = modulus.last else { throw Refusal(detail: "It has no modulus.") }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard Self.rsaBits.contains(bits) else {
            throw Refusal(detail: "An RSA key must have \(Self.rsaBits.lowerBound) to \(Self.rsaBits.upperBound) bits.")
        }
        guard last & 1 == 1, let low = exponent.last, low & 1 == 1, exponent != [1],
            exponent.count <= Self.longestExponent
        else { throw Refusal(detail: "The RSA key's numbers are out of range.") }
        material = .rsa(modulus: modulus, exponent: exponent)
    }

    /// Creates a point; whether it lies on the curve is checked with each signature.
    init(_ curve: Curve, x: [UInt8], y: [UInt8]) throws(Refusal) {
        guard x.count == curve.byteCount, y.count == curve.byteCount else {
            throw Refusal(detail: "The coordinates of \(curve.rawValue) have \(curve.byteCount) bytes each.")
        }
        material = .ellipticCurve(curve, x: x, y: y)
    }

    /// Creates an Ed25519 key.
    init(ed25519 key: [UInt8]) throws(Refusal) {
        guard key.count == 32 else { throw Refusal(detail: "An Ed25519 key has 32 bytes.") }
        material = .ed25519(key)
    }

    /// Whether the algorithm uses keys of this type and curve.
    func fits(_ algorithm: SignatureAlgorithm) -> Bool {
        switch (algorithm, material) {
        case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa), (.ps256, .rsa): true
        case (.es256, .ellipticCurve(.p256, _, _)), (.es384, .ellipticCurve(.p384, _, _)): true
        case (.edDSA, .ed25519): true
        default: false
        }
    }

    /// Whether a signature has the only length that the algorithm and this key give.
    func hasLength(_ signature: [UInt8]) -> Bool {
        switch material {
        case .rsa(let modulus, _): signature.count == modulus.count
        case .ellipticCurve(let curve, _, _): signature.count == 2 * curve.byteCount
        case .ed25519: signature.count == 64
        }
    }
}

internal import AuthCoreCrypto
internal import AuthCore

/// One key of a provider (RFC 7517), for the verification of signatures.
struct JSONWebKey: Sendable, Hashable {
    /// The key's name, if it has one.
    let id: ExactText?
    /// The issuer whose tokens the key may sign, where the set has keys for several (Microsoft).
    let issuer: String?
    /// The only algorithm that the key may be used with, if it names one.
    let algorithm: SignatureAlgorithm?
    let publicKey: PublicKey

    /// Reads a key; refuses one that is not for signatures, or not safe.
    init(_ fields: ClaimValue) throws(PublicKey.Refusal) {
        id = fields["kid"]?.stringValue.map { ExactText($0) }
        issuer = fields["issuer"]?.stringValue
        if let use = fields["use"], use != "sig" { throw PublicKey.Refusal(detail: "Its use must be sig.") }
        if let operations = fields["key_ops"], operations.arrayValue?.contains("verify") != true {
            throw PublicKey.Refusal(detail: "Its key_ops must contain verify.")
        }
        publicKey = try Self.publicKey(fields)
        guard let name = fields["alg"] else {
            algorithm = nil
            return
        }
        guard let algorithm = name.stringValue.flatMap(SignatureAlgorithm.init), publicKey.fits(algorithm) else {
            throw PublicKey.Refusal(detail: "Its alg must be an accepted algorithm that fits the key's type and curve.")
        }
        self.algorithm = algorithm
    }

    /// Whether a token with this header can be signed with the key.
    func fits(_ token: SignedToken) -> Bool {
        guard publicKey.fits(token.algorithm), algorithm == nil || algorithm == token.algorithm else { return false }
        guard let id, let keyID = token.keyID else { return true }
        return id == ExactText(keyID)
    }

    private static func publicKey(_ fields: ClaimValue) throws(PublicKey.Refusal) -> PublicKey {
        switch fields["kty"]?.stringValue {
        case "RSA":
            return try PublicKey(modulus: bytes("n", fields), exponent: bytes("e", fields))
        case "EC":
            guard let curve = fields["crv"]?.stringValue.flatMap(PublicKey.Curve.init) else {
                throw PublicKey.Refusal(detail: "Its curve, crv, must be P-256 or P-384.")
            }
            return try PublicKey(curve, x: bytes("x", fields), y: bytes("y", fields))
        case "OKP":
            guard fields["crv"] == "Ed25519" else { throw PublicKey.Refusal(detail: "Its curve must be Ed25519.") }
            return try PublicKey(ed25519: bytes("x", fields))
        default:
            throw PublicKey.Refusal(detail: "Its type, kty, must be RSA, EC or OKP.")
        }
    }

    private static func bytes(_ name: String, _ fields: ClaimValue) throws(PublicKey.Refusal) -> [UInt8] {
        guard let text = fields[name]?.stringValue, let bytes = Base64URL.decode(text) else {
            throw PublicKey.Refusal(detail: "Its member \(name) must be base64url.")
        }
        return bytes
    }
}

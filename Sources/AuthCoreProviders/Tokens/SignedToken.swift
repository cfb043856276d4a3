internal import AuthCoreCrypto
internal import AuthCore

/// The compact form of a signed token (RFC 7515), read but not yet verified.
struct SignedToken: Sendable {
    let algorithm: SignatureAlgorithm
    let keyID: String?
    let signingInput: [UInt8]
    let signature: [UInt8]
    /// Not to be read before the signature is verified.
    let payload: [UInt8]

    /// A longer token is refused before anything in it is read.
    static let greatestLength = 64 * 1024
    /// No header needs more.
    private static let greatestHeaderLength = 4 * 1024

    /// Reads a token strictly.
    init(_ text: String) throws(VerificationFailure) {
        guard text.utf8.count <= Self.greatestLength else {
            throw VerificationFailure(.malformed, "The ID token must not be longer than \(Self.greatestLength) bytes.")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 3 else {
            throw VerificationFailure(.malformed, "The ID token must be three parts joined by dots.")
        }
        guard let header = Base64URL.decode(parts[0]), header.count <= Self.greatestHeaderLength,
            let payload = Base64URL.decode(parts[1]), !payload.isEmpty,
            let signature = Base64URL.decode(parts[2])
        else {
            throw VerificationFailure(.malformed, "The parts of the ID token must be base64url without padding.")
        }
        guard let fields = ClaimValue(json: header, depthLimit: 8), fields.objectValue != nil else {
            throw VerificationFailure(.malformed, "The header of the ID token must be one JSON object.")
        }
        try Self.refuseExtensions(fields)
        algorithm = try Self.algorithm(in: fields)
        keyID = try Self.keyID(in: fields)
        // Only now, so that a token without a signature is refused for what it says.
        guard !signature.isEmpty else { throw VerificationFailure(.wrongSignature, "The ID token must be signed.") }
        signingInput = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        self.signature = signature
        self.payload = payload
    }

    /// Refuses critical extensions, none of which are supported, and tokens that say that they are something else.
    private static func refuseExtensions(_ fields: ClaimValue) throws(VerificationFailure) {
        guard fields["crit"] == nil, fields["b64"] == nil, fields["zip"] == nil else {
            throw VerificationFailure(.malformed, "The header of the ID token must not have crit, b64 or zip.")
        }
        guard let type = fields["typ"], !type.isNull else { return }
        guard let name = type.stringValue, ["jwt", "application/jwt"].contains(name.lowercased()) else {
            throw VerificationFailure(.malformed, "The type of an ID token, typ, must be JWT where it is given.")
        }
    }

    private static func algorithm(in fields: ClaimValue) throws(VerificationFailure) -> SignatureAlgorithm {
        guard let name = fields["alg"]?.stringValue, let algorithm = SignatureAlgorithm(rawValue: name),
            name.utf8.elementsEqual(algorithm.rawValue.utf8)
        else {
            let names = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw VerificationFailure(.wrongAlgorithm, "The algorithm of the ID token, alg, must be one of \(names).")
        }
        return algorithm
    }

    private static func keyID(in fields: ClaimValue) throws(VerificationFailure) -> String? {
        guard let value = fields["kid"], !value.isNull else { return nil }
        guard let id = value.stringValue else {
            throw VerificationFailure(.malformed, "The key ID of the ID token, kid, must be a text.")
        }
        return id
    }
}

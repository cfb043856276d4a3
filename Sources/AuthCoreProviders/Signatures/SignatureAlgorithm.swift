/// The algorithms of signatures that are accepted, by their registered names (RFC 7518 section 3.1, RFC 8037).
///
/// `none` and the algorithms with a shared key are not among them: a public key can never be mistaken for a secret.
enum SignatureAlgorithm: String, Sendable, CaseIterable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case es256 = "ES256"
    case es384 = "ES384"
    case edDSA = "EdDSA"

    /// The digest that the algorithm signs; Ed25519 uses SHA-512 inside.
    var digest: DigestAlgorithm {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .es384: .sha384
        case .rs512, .edDSA: .sha512
        }
    }
}

/// The digests that signatures and hashes of access tokens use.
enum DigestAlgorithm: Sendable {
    case sha256
    case sha384
    case sha512
}

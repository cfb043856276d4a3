public import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation

/// The key with which an app makes its client secrets for Apple, tokens that it signs itself.
///
/// Apple gives it as a file `AuthKey_KEYID.p8`, once. Printing or dumping it never displays it.
///
/// ```swift
/// let key = AppleClientKey(teamID: "DEF123GHIJ", keyID: "ABC123DEFG", privateKey: fileContent)
/// let providers: AuthProviders = [.apple(clientIDs: ["com.example.web"], key: key)]
/// let service = AuthService(AuthConfiguration(providers: providers))
/// ```
public struct AppleClientKey: Sendable {
    let teamID: String
    let keyID: String
    let privateKey: Secret

    /// The issuer of Apple's tokens, for which the secrets are.
    static let audience = "https://appleid.apple.com"
    /// Apple allows six months; a secret is made for each exchange.
    private static let lifetime: Int64 = 300

    /// Creates a key; one that cannot be read is reported when a code is exchanged.
    ///
    /// - Parameters:
    ///   - teamID: The ten characters of the developer team.
    ///   - keyID: The ten characters of the key.
    ///   - privateKey: What the file contains.
    public init(teamID: String, keyID: String, privateKey: Secret) {
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
    }

    /// Makes a secret of this client.
    func clientSecret(of clientID: String, at now: Date) throws(VerificationFailure) -> Secret {
        let header: ClaimValue = ["alg": "ES256", "kid": .string(keyID)]
        let issuedAt = Int64(now.timeIntervalSince1970)
        let payload: ClaimValue = [
            "iss": .string(teamID), "iat": .integer(issuedAt), "exp": .integer(issuedAt + Self.lifetime),
            "aud": .string(Self.audience), "sub": .string(clientID),
        ]
        let input = Base64URL.encode(header.json()) + "." + Base64URL.encode(payload.json())
        guard let key = PrivateKey(pem: privateKey.revealed), let signature = key.signature(of: Array(input.utf8))
        else {
            throw VerificationFailure(
                .misconfigured,
                "Apple's private key must be the content of the file AuthKey_….p8."
            )
        }
        return Secret(input + "." + Base64URL.encode(signature))
    }
}

extension AppleClientKey: CustomStringConvertible, CustomReflectable {
    /// The key's ID, without the key.
    public var description: String { "AppleClientKey(\(keyID))" }

    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// What an app shows a provider's token endpoint.
enum ClientSecret: Sendable {
    case fixed(Secret)
    case signed(AppleClientKey)

    init?(_ secret: Secret?) {
        guard let secret else { return nil }
        self = .fixed(secret)
    }

    /// The secret of this client now.
    func value(of clientID: String, at now: Date) throws(VerificationFailure) -> Secret {
        switch self {
        case .fixed(let secret): secret
        case .signed(let key): try key.clientSecret(of: clientID, at: now)
        }
    }
}

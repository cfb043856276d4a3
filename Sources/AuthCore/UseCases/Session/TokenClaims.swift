/// The claims of tokens, and the reserved names that only the library may use.
package enum TokenClaims {
    /// The names that custom claims may not use.
    package static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "firebase", "iat", "iss", "jti",
        "nbf", "nonce", "sub", "user_id", "sid", "sessionGeneration", "rotation", "email", "email_verified",
        "phone_number", "name", "picture",
    ]

    /// The largest allowed size of custom claims, in bytes of JSON.
    static let greatestSize = 1000

    /// The claims of an ID token; claims of administrators and of the session never replace the library's own.
    static func idToken(
        account: Account,
        session: Session,
        issuer: String,
        audience: String,
        isEmailVerified: Bool,
        now: Timestamp,
        lifetime: Duration
    ) -> [(key: String, value: ClaimValue)] {
        var claims: [(key: String, value: ClaimValue)] = [
            ("iss", .string(issuer)),
            ("aud", .string(audience)),
            ("sub", .string(account.id.text)),
            ("user_id", .string(account.id.text)),
            ("sid", .string(session.id.text)),
            ("sessionGeneration", .integer(Int64(session.sessionGeneration))),
            ("rotation", .integer(Int64(session.rotation))),
            ("iat", .integer(now.seconds)),
            ("exp", .integer((now + lifetime).seconds)),
            ("auth_time", .integer(session.authenticatedAt.seconds)),
            ("firebase", .object(signIn(account, session))),
        ]
        if let name = account.displayName { claims.append(("name", .string(name))) }
        if let picture = account.photoURL { claims.append(("picture", .string(picture))) }
        if let email = account.email {
            claims.append(("email", .string(email.text)))
            claims.append(("email_verified", .bool(isEmailVerified)))
        }
        if let number = account.phoneNumber { claims.append(("phone_number", .string(number.text))) }
        if session.claims.isEmpty, account.customClaims.isEmpty { return claims }
        let others = session.claims.merging(account.customClaims) { _, account in account }
        return claims + others.filter { !reserved.contains($0.key) }.sorted { $0.key < $1.key }
    }

    private static func signIn(_ account: Account, _ session: Session) -> [String: ClaimValue] {
        var identities: [String: ClaimValue] = [:]
        func add(_ identifier: String, of name: String) {
            identities[name] = .array((identities[name]?.arrayValue ?? []) + [.string(identifier)])
        }
        if let email = account.email { add(email.text, of: "email") }
        for method in account.methods {
            switch method.kind {
            case .federated(let identity): add(identity.key.subject.text, of: identity.provider.rawValue)
            case .phone(let number): add(number.text, of: ProviderID.phone.rawValue)
            case .password, .emailLink: break
            }
        }
        var claims: [String: ClaimValue] = [
            "identities": .object(identities),
            "sign_in_provider": .string(session.basis.provider.rawValue),
        ]
        if let factor = session.factor {
            claims["sign_in_second_factor"] = .string(factor.kind.rawValue)
            if let id = factor.factor { claims["second_factor_identifier"] = .string(id.text) }
        }
        return claims
    }

    /// Whether custom claims use no reserved names and do not exceed the size limit.
    package static func areAcceptable(_ claims: [String: ClaimValue]) -> Bool {
        claims.keys.allSatisfy { !reserved.contains($0) } && ClaimValue.object(claims).json().count <= greatestSize
    }
}

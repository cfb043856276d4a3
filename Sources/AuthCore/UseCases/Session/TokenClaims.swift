/// The claims of tokens, and the reserved names that only the library may use.
package enum TokenClaims {
    /// The names that custom claims may not use.
    package static let reserved: Set<String> = [
        "acr", "amr", "at_hash", "aud", "auth_time", "azp", "cnf", "c_hash", "exp", "firebase", "iat", "iss", "jti",
        "nbf", "nonce", "sub", "user_id", "sid", "sessionGeneration", "rotation", "email", "email_verified",
        "phone_number", "name", "picture", "provider_id",
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
        expiresAt: Timestamp
    ) -> JSONObject {
        // Most tokens need less; room for all of them would take longer to allocate.
        var claims = JSONObject(capacity: 768)
        claims.add("iss", .string(issuer))
        claims.add("aud", .string(audience))
        claims.add("sub", .string(account.id.text))
        claims.add("user_id", .string(account.id.text))
        claims.add("sid", .string(session.id.text))
        claims.add("sessionGeneration", .integer(Int64(session.sessionGeneration)))
        claims.add("rotation", .integer(Int64(session.rotation)))
        claims.add("iat", .integer(now.seconds))
        claims.add("exp", .integer(expiresAt.seconds))
        // The login of a custom token that states no time counts as long ago.
        claims.add("auth_time", .integer(max(0, session.authenticatedAt.seconds)))
        // As in Firebase's tokens, where no other provider is named here.
        if session.basis.provider == .anonymous { claims.add("provider_id", .string("anonymous")) }
        claims.addObject("firebase") { signIn(account, session, in: &$0) }
        if let name = account.displayName { claims.add("name", .string(name)) }
        if let picture = account.photoURL { claims.add("picture", .string(picture)) }
        if let email = account.email {
            claims.add("email", .string(email.text))
            claims.add("email_verified", .bool(isEmailVerified))
        }
        if let number = account.activePhoneNumber { claims.add("phone_number", .string(number.text)) }
        if session.claims.isEmpty, account.customClaims.isEmpty { return claims }
        let others = session.claims.merging(account.customClaims) { _, account in account }
        for (name, value) in others.sorted(by: { $0.key < $1.key }) where !reserved.contains(name) {
            claims.add(named: name, value)
        }
        return claims
    }

    private static func signIn(_ account: Account, _ session: Session, in claims: inout JSONObject) {
        var identities: [(name: String, identifiers: [ClaimValue])] = []
        identities.reserveCapacity(1 + account.methods.count)
        func add(_ identifier: String, of name: String) {
            if let index = identities.firstIndex(where: { $0.name == name }) {
                identities[index].identifiers.append(.string(identifier))
            } else {
                identities.append((name, [.string(identifier)]))
            }
        }
        if let email = account.email { add(email.text, of: "email") }
        for method in account.methods where method.isActive {
            switch method.kind {
            case .federated(let identity): add(identity.key.subject.text, of: identity.provider.rawValue)
            case .phone(let number): add(number.text, of: ProviderID.phone.rawValue)
            case .password, .emailLink: break
            }
        }
        claims.addObject("identities") { object in
            for (name, identifiers) in identities { object.add(named: name, .array(identifiers)) }
        }
        claims.add("sign_in_provider", .string(session.basis.provider.rawValue))
        if let factor = session.factor, account.holds(factor) {
            claims.add("sign_in_second_factor", .string(factor.kind.rawValue))
            if let id = factor.factor { claims.add("second_factor_identifier", .string(id.text)) }
        }
    }

    /// Whether custom claims use no reserved names, do not exceed the size limit, and can be read in a token: in a
    /// custom token, one level deeper.
    package static func areAcceptable(_ claims: [String: ClaimValue]) -> Bool {
        let all = ClaimValue.object(claims)
        let json = all.json()
        return claims.keys.allSatisfy { !reserved.contains($0) } && json.count <= greatestSize
            && ClaimValue(json: json, depthLimit: 31) == all
    }
}

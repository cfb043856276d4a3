public import AuthCore
import AuthCoreCrypto
public import AuthCoreFoundation

extension SimulatedProvider {
    /// The credential that the provider would give an app for this person.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - content: What the token says, where it differs from the real provider.
    ///   - now: When the token is issued; nil for the moment at which the service verifies it, by the service's clock.
    /// - Returns: The credential.
    public func credential(
        for person: SimulatedPerson,
        saying content: SimulatedToken = SimulatedToken(),
        at now: Date? = nil
    ) -> AuthCredential {
        var federated = AuthCredential.Federated(provider: provider)
        let token = Secret(token(for: person, saying: content, at: now))
        switch form {
        case .idToken: federated.idToken = token
        case .accessToken: federated.accessToken = token
        }
        federated.nonce = content.nonce.map { Secret($0) }
        if habits.name == nil { federated.fullName = content.name.resolved(person.name) }
        return .federated(federated)
    }

    /// Returns the token alone, for an app's own credential factories.
    ///
    /// - Parameters:
    ///   - person: The person.
    ///   - content: What the token says, where it differs from the real provider.
    ///   - now: When the token is issued; nil for the moment at which the service verifies it, by the service's clock.
    /// - Returns: The token.
    public func token(
        for person: SimulatedPerson,
        saying content: SimulatedToken = SimulatedToken(),
        at now: Date? = nil
    ) -> String {
        let claims = claims(about: person, saying: content, at: now)
        let payload = ClaimValue.object(claims).json()
        let input = CompactToken.signingInput(of: payload, algorithm: CompactToken.algorithm, keyID: keyID)
        let compact = CompactToken.text(of: input, signature: key.authenticate(input))
        switch form {
        case .idToken: return compact
        case .accessToken: return Base64URL.encode(Array(compact.utf8))
        }
    }

    private func claims(
        about person: SimulatedPerson,
        saying content: SimulatedToken,
        at now: Date?
    ) -> [String: ClaimValue] {
        var claims: [String: ClaimValue] = [
            "iss": .string(issuer),
            "sub": .string(content.subject ?? person.subject(at: provider)),
            "aud": .string(content.audience ?? audience),
        ]
        if let now {
            claims["iat"] = .integer(wholeSeconds(now))
            claims["exp"] = .integer(wholeSeconds(now.addingTimeInterval(content.lifetime)))
        } else {
            claims[SimulatedStatement.lifetime] = .integer(wholeSeconds(Date(timeIntervalSince1970: content.lifetime)))
        }
        func say(_ text: String?, as name: String?) {
            guard let text, let name else { return }
            claims[name] = .string(text)
        }
        say(content.name.resolved(person.name), as: habits.name)
        say(person.photoURL, as: habits.picture)
        say(person.username, as: habits.username)
        say(content.hostedDomain, as: "hd")
        say(content.nonce.map(Self.nonceClaim), as: "nonce")
        say(content.authenticationContext, as: "acr")
        if let email = content.email.resolved(person.email) {
            claims["email"] = .string(email)
            switch content.address ?? address {
            case .verified: claims["email_verified"] = true
            case .unverified: claims["email_verified"] = false
            case .confirmed: claims[SimulatedStatement.confirmation] = true
            case .silent: break
            }
        }
        if let authenticatedAt = content.authenticatedAt {
            claims["auth_time"] = .integer(wholeSeconds(authenticatedAt))
        }
        if !content.authenticationMethods.isEmpty {
            claims["amr"] = .array(content.authenticationMethods.map { .string($0) })
        }
        return claims.merging(content.claims) { _, asked in asked }
    }

    /// What a token contains in place of the app's nonce.
    static func nonceClaim(of nonce: String) -> String {
        String(decoding: hexadecimal(SHA256.hash(Array(nonce.utf8))), as: UTF8.self)
    }
}

/// Whole seconds since 1970, as in tokens; a test may ask for an unlimited lifetime.
private func wholeSeconds(_ date: Date) -> Int64 {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard !seconds.isNaN else { return 0 }
    return Int64(min(max(seconds, -1e15), 1e15))
}

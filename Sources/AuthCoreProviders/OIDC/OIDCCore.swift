internal import AuthCore
internal import AuthCoreFoundation

/// Verifies ID tokens of one provider, whatever public verifier it serves.
struct OIDCCore: Sendable {
    let provider: ProviderID
    let rule: IssuerRule
    var rules: IDTokenRules
    /// How much longer than their headers say keys serve through an outage, unless an app says otherwise.
    static let usualOutageTolerance = Duration.seconds(6 * 3600)
    var outageTolerance = usualOutageTolerance
    /// The secret with which codes are exchanged; a public client has none.
    let clientSecret: ClientSecret?
    let connection: ProviderConnection
    let documents: ProviderDocuments

    init(
        _ provider: ProviderID,
        _ rule: IssuerRule,
        clientIDs: [String],
        clientSecret: ClientSecret? = nil,
        transport: any HTTPTransport
    ) {
        self.provider = provider
        self.rule = rule
        self.clientSecret = clientSecret
        rules = IDTokenRules(clientIDs: clientIDs)
        connection = ProviderConnection(transport: transport)
        documents = ProviderDocuments(rule, connection: connection)
    }

    /// Verifies an ID token, or exchanges a code for one and asks the provider about the person.
    func verify(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderAssertion {
        if let token = credential.idToken, !token.isEmpty {
            // With a code, the tokens are what it was exchanged for.
            let isOfCode = credential.authorizationCode != nil
            return try await verifyToken(credential, at: now, asksForProfile: isOfCode)
        }
        guard credential.authorizationCode != nil, !credential.isExchanged else {
            throw VerificationFailure(.missingToken, "\(provider) needs an ID token.")
        }
        let tokens = try await exchange(credential, at: now)
        return try await verify(tokens, for: credential, at: now)
    }

    /// Verifies the tokens that a code was exchanged for, with what the provider's user endpoint says.
    func verify(
        _ tokens: ProviderTokens,
        for credential: AuthCredential.Federated,
        at now: Date
    ) async throws -> ProviderAssertion {
        var credential = credential
        credential.idToken = tokens.idToken
        credential.accessToken = tokens.accessToken
        return try await verifyToken(credential, at: now, asksForProfile: true)
    }

    private func verifyToken(
        _ credential: AuthCredential.Federated,
        at now: Date,
        asksForProfile: Bool
    ) async throws -> ProviderAssertion {
        guard !rules.clientIDs.isEmpty else {
            throw VerificationFailure(.misconfigured, "The verifier of \(provider) needs the app's client IDs.")
        }
        guard let presented = credential.idToken, !presented.isEmpty else {
            throw VerificationFailure(.missingToken, "\(provider) must give an ID token.")
        }
        let token = try SignedToken(presented.revealed)
        let (signer, published) = try await documents.signer(of: token, at: now, outage: outageTolerance)
        let claims = try IDTokenClaims(payload: token.payload)
        let issuer = try rule.issuer(of: claims, published: published, signedBy: signer)
        try rules.check(claims, credential, token.algorithm, at: now)
        // Only about a person for whom the provider has signed: an invented token must not reach its endpoint.
        let profile = asksForProfile ? try await profile(for: credential.accessToken, at: now) : [:]
        return try assertion(claims.completed(with: profile), credential, issuer: issuer)
    }

    /// What the claims of a token that was verified say about the person.
    func assertion(
        _ claims: IDTokenClaims,
        _ credential: AuthCredential.Federated,
        issuer: String
    ) throws(VerificationFailure) -> ProviderAssertion {
        let subject = try claims.requiredText("sub", .wrongSubject)
        var assertion = ProviderAssertion(provider: provider, issuer: issuer, subject: subject)
        assertion.email = claims.filledText("email")
        assertion.isEmailVerified = assertion.email == nil ? nil : claims.flag("email_verified")
        assertion.hostedDomain = claims.text("hd")
        assertion.displayName = claims.filledText("name") ?? credential.fullName
        assertion.photoURL = claims.text("picture")
        assertion.username = claims.text("preferred_username")
        assertion.authenticatedAt = try claims.date("auth_time")
        assertion.authenticationContext = claims.text("acr")
        assertion.authenticationMethods = try claims.texts("amr")
        assertion.claims = claims.fields.objectValue ?? [:]
        // Microsoft writes it as a number or a text; the policy reads a Boolean.
        for name in ["xms_edov", "is_private_email"] {
            if let flag = claims.flag(name) { assertion.claims[name] = .bool(flag) }
        }
        if let nonce = claims.text("nonce") {
            // The use is remembered as long as the token is accepted.
            let expiresAt = try claims.requiredDate("exp").addingTimeInterval(rules.skew / .seconds(1))
            assertion.singleUse = ProviderAssertion.SingleUse(id: nonce, expiresAt: expiresAt)
        }
        return assertion
    }
}

internal import AuthCore
internal import AuthCoreFoundation

extension OIDCCore {
    /// Exchanges the credential's code for tokens.
    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
        guard let clientID = rules.clientIDs.first else {
            throw VerificationFailure(.misconfigured, "The verifier of \(provider) needs the app's client IDs.")
        }
        let metadata = try await documents.metadata(at: now, outage: outageTolerance)
        guard let endpoint = metadata.token else {
            throw VerificationFailure(.unreachable, "The configuration of \(provider) must have a token_endpoint.")
        }
        // The usual way is the header.
        let ways = metadata.clientAuthentication ?? []
        let exchange = CodeExchange(
            clientID: clientID,
            clientSecret: try clientSecret?.value(of: clientID, at: now),
            putsSecretIntoForm: !ways.contains("client_secret_basic") && ways.contains("client_secret_post"),
            connection: connection
        )
        return try await exchange.tokens(for: credential, at: endpoint)
    }

    /// Returns what the provider's user endpoint says (OpenID Connect Core 1.0 section 5.3), if it has one.
    ///
    /// A provider that gives an access token may keep name and address out of the ID token.
    func profile(for token: Secret?, at now: Date) async throws -> [String: ClaimValue] {
        let metadata = try await documents.metadata(at: now, outage: outageTolerance)
        guard let endpoint = metadata.userInfo, let token else { return [:] }
        var request = ProviderRequest(.get, endpoint, headers: ["accept": "application/json"])
        try request.authorize(bearer: token)
        let response = try await connection.send(request)
        guard response.status == 200 else { throw connection.refusal(response, to: request) }
        guard let profile = ClaimValue(json: response.body, sizeLimit: request.sizeLimit)?.objectValue else {
            throw connection.failure(request, "must answer with the person")
        }
        return profile
    }
}

extension IDTokenClaims {
    /// Adds what the user endpoint says where the ID token says nothing; its address only together with its word for
    /// it.
    func completed(with profile: [String: ClaimValue]) throws(VerificationFailure) -> IDTokenClaims {
        guard !profile.isEmpty else { return self }
        guard let subject = ClaimValue.object(profile)["sub"]?.stringValue,
            ExactText(subject) == ExactText(text("sub") ?? "")
        else {
            throw VerificationFailure(.wrongSubject, "The user endpoint must name the subject of the ID token.")
        }
        let own = (fields.objectValue ?? [:]).filter { !$0.value.isNull }
        var added = profile
        // Whose word is whose: an address of the token is never verified by the endpoint, nor the reverse.
        if ["email", "email_verified", "xms_edov"].contains(where: { own[$0] != nil }) {
            added["email"] = nil
            added["email_verified"] = nil
        }
        // What only a signed token may say.
        for name in IDTokenRules.reserved { added[name] = nil }
        return IDTokenClaims(fields: .object(own.merging(added) { own, _ in own }))
    }
}

internal import AuthCore
internal import AuthCoreFoundation

/// A visit to a provider, by a signed-out device or in the session of a user.
struct Visit: Sendable {
    let client: AuthClient
    let handle: ActingHandle?

    private var service: AuthService { client.service }
    private var now: Date { service.environment.now.date }

    /// Stores the visit and returns the URL to open.
    func begin(
        _ intent: Store.Authorization.Intent,
        with provider: ProviderID,
        redirectURI: String,
        scopes: [String],
        parameters: [String: String]
    ) async throws(AuthError) -> URL {
        let verifier = try codeFlowProvider(provider)
        guard let place = try? Callback(redirectURI), place.names(provider) else {
            throw Self.error(
                .misconfigured,
                "The path of the redirect URI must name the provider, as in https://app.example/\(provider)/callback."
            )
        }
        let now = now
        // Before anything is stored, so that a mistake of the app leaves nothing behind.
        let page = try await translated { () async throws in try await verifier.page(for: parameters, at: now) }
        let secrets = try await service.beginAuthorization(
            intent,
            with: provider,
            redirectURI: redirectURI,
            by: handle,
            client.context
        )
        return try await translated { () async throws in
            try verifier.url(
                of: page,
                secrets,
                redirectURI: redirectURI,
                scopes: scopes,
                parameters: parameters
            )
        }
    }

    /// Checks the callback, exchanges the code, and ends the visit; a callback that does not belong here ends nothing.
    func end(
        _ callback: String
    ) async throws(AuthError) -> (Store.Authorization, VerifiedCredential, ProviderTokens) {
        let exchange = try await exchange(callback)
        let verified = try await client.verify(.federated(exchange.credential))
        try await service.redeemAuthorization(exchange.state, by: handle, client.context)
        return (exchange.visit, verified.afterVisit(for: exchange.visit.intent), exchange.tokens)
    }

    /// What a code was exchanged for; the visit goes on.
    struct Exchange: Sendable {
        let state: String
        let visit: Store.Authorization
        let credential: AuthCredential.Federated
        let tokens: ProviderTokens
    }

    /// Checks the callback and exchanges the code; after too many codes that failed, the visit is over.
    func exchange(_ callback: String) async throws(AuthError) -> Exchange {
        let callback = try await translated { () async throws in try Callback(callback) }
        guard let state = callback.fields["state"], !state.isEmpty else {
            throw Self.error(.malformed, "The callback must have a state.")
        }
        let (visit, secrets) = try await service.authorization(state, by: handle, client.context)
        guard callback.isAt(visit.redirectURI) else {
            throw Self.error(.rejected, "The callback must be at the redirect URI of this visit.")
        }
        let verifier = try codeFlowProvider(visit.provider)
        try await checkIssuer(callback, verifier)
        if let error = callback.fields["error"] { throw Self.error(ofProvider: error) }
        guard let code = callback.fields["code"], !code.isEmpty else {
            throw Self.error(.malformed, "The callback must have a code.")
        }
        var credential = AuthCredential.Federated(provider: visit.provider)
        credential.authorizationCode = Secret(code)
        credential.codeVerifier = verifier.sendsChallenge ? Secret(secrets.codeVerifier) : nil
        credential.redirectURI = visit.redirectURI
        credential.fullName = verifier.fullName(in: callback.fields)
        credential.nonce = verifier.sendsNonce ? Secret(secrets.nonce) : nil
        let (asked, now) = (credential, now)
        // A stranger can invent any number of codes, and each question counts against the app's quota at the provider.
        let tokens = try await service.audited("Verify", client.context) { () async throws(AuthError) in
            let takes = service.exchangeTakes(state, at: visit.provider, by: handle, client.context)
            return try await service.counting(takes, isGuess: false) { () async throws(AuthError) in
                try await translated { () async throws in try await verifier.exchange(asked, at: now) }
            }
        }
        credential.idToken = tokens.idToken
        credential.accessToken = tokens.accessToken
        credential.isExchanged = true
        return Exchange(state: state, visit: visit, credential: credential, tokens: tokens)
    }

    private func codeFlowProvider(_ provider: ProviderID) throws(AuthError) -> any CodeFlowProvider {
        guard let verifier = service.verifier(of: provider) as? any CodeFlowProvider else {
            throw AuthError(
                .operationNotAllowed,
                message: "The service has no verifier of \(provider) to whose pages a person can be sent."
            )
        }
        return verifier
    }

    /// Refuses the answer of another provider than the one that the person was sent to (RFC 9207).
    private func checkIssuer(_ callback: Callback, _ verifier: any CodeFlowProvider) async throws(AuthError) {
        let now = now
        let (name, isRequired) = try await translated { () async throws in try await verifier.answerIssuer(at: now) }
        guard let name else { return }
        guard let said = callback.fields["iss"] else {
            if isRequired { throw Self.error(.wrongIssuer, "The callback must have the parameter iss.") }
            return
        }
        guard ExactText(said) == ExactText(name) else {
            throw Self.error(.wrongIssuer, "The parameter iss of the callback must be \(name).")
        }
    }

    private static func error(_ kind: VerificationFailure.Kind, _ detail: String) -> AuthError {
        AuthError(verificationFailure: VerificationFailure(kind, detail))
    }

    /// The error for what the provider answered instead of a code; only a known word of it is repeated.
    private static func error(ofProvider error: String) -> AuthError {
        func isSaid(_ word: String) -> Bool { ExactText(word) == ExactText(error) }
        // What the standard calls it, Apple and LinkedIn.
        if ["access_denied", "user_cancelled_authorize", "user_cancelled_login"].contains(where: isSaid) {
            return AuthError(.webContextCancelled, message: "The person did not allow the sign-in at the provider.")
        }
        let known = [
            "invalid_request", "unauthorized_client", "unsupported_response_type", "invalid_scope",
            "interaction_required", "login_required", "consent_required", "account_selection_required",
        ]
        // These two stand for the status 500 and 503 (RFC 6749 section 4.1.2.1).
        let outage = ["server_error", "temporarily_unavailable"].first(where: isSaid)
        let word = outage ?? known.first(where: isSaid) ?? "another"
        return Self.error(
            outage == nil ? .rejected : .unreachable,
            "The provider answered with the error \(word) instead of a code."
        )
    }
}

/// Does what a verifier does, and names its failure as the service does.
private func translated<Value>(_ work: () async throws -> Value) async throws(AuthError) -> Value {
    do {
        return try await work()
    } catch {
        throw AuthError(verificationFailure: error)
    }
}

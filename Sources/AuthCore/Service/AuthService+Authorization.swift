import AuthCoreCrypto

/// The secrets of one visit to a provider.
package struct AuthorizationSecrets: Sendable {
    /// Names the visit in the browser; only its digest is stored.
    package let state: String
    /// The verifier of PKCE, which only the service and the provider see.
    package let codeVerifier: String
    /// The nonce that the ID token must have.
    package let nonce: String
}

extension AuthService {
    /// The verifier of a provider.
    package func verifier(of provider: ProviderID) -> (any CredentialVerifier)? { configuration.providers[provider] }

    /// Stores that a person is sent to a provider, and returns the secrets of the visit.
    package func beginAuthorization(
        _ intent: Store.Authorization.Intent,
        with provider: ProviderID,
        redirectURI: String,
        by handle: ActingHandle?,
        _ context: RequestContext
    ) async throws(AuthError) -> AuthorizationSecrets {
        try requireEnabled(provider, in: "BeginAuthorization", context)
        try checkBounds(of: [redirectURI], in: "BeginAuthorization", context, account: handle?.account)
        try await countVisit(by: handle, "BeginAuthorization", context)
        func text() -> String { Base64URL.encode(environment.randomBytes(32)) }
        let secrets = AuthorizationSecrets(state: text(), codeVerifier: text(), nonce: text())
        let key = OneTimeRecordID(state: secrets.state)
        let authorization = Store.Authorization(
            intent: intent,
            provider: provider,
            redirectURI: redirectURI,
            sealed: try seal(Array("\(secrets.codeVerifier).\(secrets.nonce)".utf8), context: key.sealingContext)
        )
        _ = try await perform(BeginAuthorization(handle: handle, key: key, authorization: authorization), context)
        return secrets
    }

    /// Returns the visit with this state if this request may end it; it can be asked for until it is redeemed.
    package func authorization(
        _ state: String,
        by handle: ActingHandle?,
        _ context: RequestContext
    ) async throws(AuthError) -> (Store.Authorization, AuthorizationSecrets) {
        let redemption = RedeemAuthorization(handle: handle, key: OneTimeRecordID(state: state))
        let found = try await previewedOutcome(of: redemption, context).outcome
        let plain = try open(found.sealed, context: redemption.key.sealingContext)
        let parts = String(decoding: plain, as: UTF8.self).split(separator: ".")
        guard parts.count == 2 else { throw AuthError(.internalError) }
        return (found, AuthorizationSecrets(state: state, codeVerifier: String(parts[0]), nonce: String(parts[1])))
    }

    /// Returns the attempt at a code of the visit with this state: the visit is over after too many that failed.
    ///
    /// It does not matter why they failed. A provider that is down for a moment ends no visit, and no visit asks it
    /// without end. It counts by origin, too, since a stranger can begin visits.
    package func exchangeTakes(
        _ state: String,
        at provider: ProviderID,
        by handle: ActingHandle?,
        _ context: RequestContext
    ) -> [Store.Take] {
        guard let limits = policy.limits else { return [] }
        let takes = answerTakes(OneTimeRecordID(state: state))
        let window = Duration.minutes(10)
        // Those who are signed in count apart, and each account so much less that one guest does not stop the others.
        let purpose: AttemptKey.Purpose = handle == nil ? .visitOfOrigin : .visitOfAccount
        let fromOrigin = max(1, limits.visitsFromOrigin / 5)
        let one = originTake(purpose, context, at: provider, most: fromOrigin) { .number($0, each: window) }
        let ofOrigin = takes + [one].compactMap(\.self)
        guard let handle else { return ofOrigin }
        let (part, most) = (handle.session.text, max(1, limits.visitsOfAccount / 5))
        return ofOrigin
            + accountTakes(.visitOfAccount, part, of: handle.account, apart: " codes", most, each: window)
    }

    /// Ends the visit with this state; throws if another request ended it meanwhile.
    package func redeemAuthorization(
        _ state: String,
        by handle: ActingHandle?,
        _ context: RequestContext
    ) async throws(AuthError) {
        _ = try await perform(RedeemAuthorization(handle: handle, key: OneTimeRecordID(state: state)), context)
    }
}

extension OneTimeRecordID {
    /// The key of the visit with this state.
    fileprivate init(state: String) {
        self.init(digestOf: "authorization\u{0}" + (state.utf8.count <= 1024 ? state : ""))
    }

    fileprivate var sealingContext: String { "authorization " + text }
}

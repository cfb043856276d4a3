internal import AuthCore

/// Accepts what a trace says a provider answered, because the recording starts after the provider was asked.
struct RecordedProvider: CredentialVerifier {
    let provider: ProviderID

    func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws -> ProviderAssertion {
        guard let token = credential.idToken, let claims = ClaimValue(json: Array(token.revealed.utf8)),
            let subject = claims["subject"]?.stringValue
        else { throw VerificationFailure.malformed }
        var assertion = ProviderAssertion(provider: provider, subject: subject)
        assertion.email = claims["email"]?.stringValue
        assertion.isEmailVerified = claims["emailVerified"]?.boolValue
        assertion.displayName = claims["name"]?.stringValue
        assertion.claims = claims.objectValue ?? [:]
        return assertion
    }
}

extension AuthProviders {
    /// Verifiers for every provider that traces mention.
    static let recorded = AuthProviders(
        (["google.com", "facebook.com", "github.com", "apple.com", "twitter.com", "microsoft.com", "oidc.acme"]
            as [ProviderID]).map(RecordedProvider.init)
    )
}

extension AuthCredential {
    /// The credential of a recorded answer.
    static func recorded(_ answer: ClaimValue) -> AuthCredential {
        .oauth(
            ProviderID(answer["provider"]?.stringValue ?? ""),
            idToken: String(decoding: answer.json(), as: UTF8.self)
        )
    }
}

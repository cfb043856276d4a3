/// A verifier to whose provider's page people can be sent.
///
/// The product of the real verifiers has the work; a product that shows pages needs to know only this.
package protocol RedirectingVerifier: CredentialVerifier {
    /// Begins a visit of this device to the provider, and returns the URL to open.
    func beginVisit(
        of client: AuthClient,
        redirectURI: String,
        scopes: [String],
        parameters: [String: String]
    ) async throws(AuthError) -> String

    /// Ends the visit, and returns what the provider gave, which is not verified yet.
    func credential(callback: String, of client: AuthClient) async throws(AuthError) -> AuthCredential.Federated
}

/// What the pages of providers have in common.
package enum AuthorizationPage {
    /// The parameters that an app cannot set, because the flow rests on them.
    package static let reservedParameters: Set<String> = [
        "client_id", "client_secret", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
        "code_challenge", "code_challenge_method", "request", "request_uri",
    ]
}

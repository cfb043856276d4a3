package import AuthCore
internal import AuthCoreFoundation

// For callers that show a page before they know what the person will do with the credential.
extension RedirectingVerifier {
    package func beginVisit(
        of client: AuthClient,
        redirectURI: String,
        scopes: [String],
        parameters: [String: String]
    ) async throws(AuthError) -> String {
        try await Visit(client: client, handle: nil).begin(
            .signIn,
            with: provider,
            redirectURI: redirectURI,
            scopes: scopes,
            parameters: parameters
        ).absoluteString
    }

    package func credential(
        callback: String,
        of client: AuthClient
    ) async throws(AuthError) -> AuthCredential.Federated {
        let exchange = try await Visit(client: client, handle: nil).exchange(callback)
        try await client.service.redeemAuthorization(exchange.state, by: nil, client.context)
        return exchange.credential
    }
}

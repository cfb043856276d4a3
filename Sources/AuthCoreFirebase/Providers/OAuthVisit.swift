internal import AuthCore
internal import AuthCoreFirebaseApp
internal import Foundation

/// One visit to a provider's page, which the app's presenter shows.
struct OAuthVisit {
    let providerID: String
    let scopes: [String]
    let customParameters: [String: String]
    let auth: Auth

    /// One for each provider, so that none can pass on the codes of another.
    private var redirectURI: String {
        "https://\(auth.customAuthDomain ?? "auth.invalid")/__/auth/\(providerID)/handler"
    }

    /// Sends the person to the page, and returns the credential that they come back with.
    func credential() async throws -> OAuthCredential {
        guard let presenter = auth.presenter else {
            throw NSError(.webContextCancelled, message: "There is no FederatedSignInPresenter to show the page.")
        }
        do {
            let verifier = auth.client.service.verifier(of: ProviderID(providerID)) as? any RedirectingVerifier
            let request = if let verifier { try await request(by: verifier) } else { requestWithoutPage }
            let answer = try await presenter.present(request)
            guard let callback = answer.callbackURL else {
                return OAuthCredential(provider: providerID, tokens: answer.tokens, rawNonce: answer.rawNonce)
            }
            guard let verifier else {
                throw NSError(
                    .webInternalError,
                    message: "The service has no verifier of \(providerID) that a callback could be passed to."
                )
            }
            let client = auth.client
            return OAuthCredential(
                try await shielded { () throws(AuthError) in
                    try await verifier.credential(callback: callback.absoluteString, of: client)
                }
            )
        } catch is CancellationError {
            throw NSError(.webContextCancelled)
        } catch let error as AuthError {
            throw NSError(error, in: auth)
        } catch {
            let error = error as NSError
            if error.domain == AuthErrors.domain { throw error }
            throw NSError(.webInternalError, userInfo: [NSUnderlyingErrorKey: error])
        }
    }

    /// The request to a provider that has a page.
    private func request(by verifier: any RedirectingVerifier) async throws(AuthError) -> FederatedSignInRequest {
        let (client, visit) = (auth.client, self)
        let page = try await shielded { () throws(AuthError) in
            try await verifier.beginVisit(
                of: client,
                redirectURI: visit.redirectURI,
                scopes: visit.scopes,
                parameters: visit.customParameters
            )
        }
        let items = URLComponents(string: page)?.queryItems ?? []
        return FederatedSignInRequest(
            providerID: providerID,
            scopes: scopes,
            parameters: Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first },
            url: URL(string: page)
        )
    }

    /// The request to a simulated provider, with what a page would be asked.
    private var requestWithoutPage: FederatedSignInRequest {
        var parameters = customParameters
        parameters["client_id"] = auth.app?.options.clientID ?? "in-process"
        parameters["redirect_uri"] = redirectURI
        parameters["response_type"] = "code"
        parameters["state"] = Data(auth.client.service.environment.randomBytes(16)).base64EncodedString()
        if !scopes.isEmpty { parameters["scope"] = scopes.joined(separator: " ") }
        return FederatedSignInRequest(providerID: providerID, scopes: scopes, parameters: parameters, url: nil)
    }
}

extension OAuthCredential {
    /// What a provider's page led to.
    convenience init(_ credential: AuthCore.AuthCredential.Federated) {
        self.init(
            provider: credential.provider.rawValue,
            tokens: ProviderTokens(
                idToken: credential.idToken?.revealed,
                accessToken: credential.accessToken?.revealed
            ),
            rawNonce: credential.nonce?.revealed,
            presented: [.federated(credential)]
        )
    }
}

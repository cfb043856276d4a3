internal import AuthCore
internal import AuthCoreFoundation

/// Exchanges an authorization code for tokens (RFC 6749 section 4.1.3, RFC 7636).
struct CodeExchange: Sendable {
    let clientID: String
    let clientSecret: Secret?
    /// Whether the secret goes into the form instead of the header.
    let putsSecretIntoForm: Bool
    let connection: ProviderConnection

    /// What a provider answers to a client that it does not know, by RFC 6749 and by GitHub.
    private static let misconfigurations = [
        "invalid_client", "unauthorized_client", "unsupported_grant_type", "incorrect_client_credentials",
        "redirect_uri_mismatch",
    ]
    /// What it answers while it does not work, also with the status 400.
    private static let outages = ["temporarily_unavailable", "server_error"]
    /// Facebook's numbers for that, such as that of a limit (Graph API, "Handle Errors").
    private static let outageNumbers: [Int64] = [2, 4, 17, 341, 613]
    private static let longestToken = 64 * 1024

    /// Returns the tokens for the credential's code.
    func tokens(for credential: AuthCredential.Federated, at url: URL) async throws -> ProviderTokens {
        guard let code = credential.authorizationCode, !code.isEmpty else {
            throw VerificationFailure(.missingToken, "\(credential.provider) needs a token or an authorization code.")
        }
        try code.requirePresentable()
        var fields = [(name: "grant_type", value: "authorization_code"), (name: "code", value: code.revealed)]
        if let redirectURI = credential.redirectURI { fields.append(("redirect_uri", redirectURI)) }
        if let verifier = credential.codeVerifier { fields.append(("code_verifier", verifier.revealed)) }
        if clientSecret == nil || putsSecretIntoForm { fields.append(("client_id", clientID)) }
        if let clientSecret, putsSecretIntoForm { fields.append(("client_secret", clientSecret.revealed)) }
        var request = ProviderRequest(form: fields, to: url)
        if let clientSecret, !putsSecretIntoForm {
            request.authorize(clientID: clientID, secret: clientSecret, encoded: true)
        }
        let response = try await connection.send(request)
        return try tokens(in: response, to: request)
    }

    private func tokens(in response: ProviderResponse, to request: ProviderRequest) throws -> ProviderTokens {
        guard (200..<500).contains(response.status), ![408, 429].contains(response.status),
            let answer = ClaimValue(json: response.body, sizeLimit: request.sizeLimit)
        else { throw connection.refusal(response, to: request) }
        // GitHub answers an error with status 200.
        if let error = answer["error"], !error.isNull {
            throw isOutage(error) ? connection.unexpected(response, to: request) : refusal(error)
        }
        guard response.status == 200, answer.objectValue != nil else {
            throw connection.refusal(response, to: request)
        }
        if let type = answer["token_type"]?.stringValue, type.lowercased() != "bearer" {
            throw VerificationFailure(.rejected, "The provider must give a bearer token.")
        }
        func secret(_ name: String) -> Secret? {
            guard let text = answer[name]?.stringValue, (1...Self.longestToken).contains(text.utf8.count) else {
                return nil
            }
            return Secret(text)
        }
        let tokens = ProviderTokens(
            accessToken: secret("access_token"),
            idToken: secret("id_token"),
            refreshToken: secret("refresh_token"),
            scope: answer["scope"]?.stringValue,
            lifetime: answer["expires_in"]?.numberValue.flatMap { (0...1e9).contains($0) ? .seconds($0) : nil }
        )
        guard tokens.accessToken != nil || tokens.idToken != nil else {
            throw connection.failure(request, "must answer with a token")
        }
        return tokens
    }

    /// Whether the provider does not work now; Facebook's error is an object.
    private func isOutage(_ error: ClaimValue) -> Bool {
        if let word = error.stringValue { return Self.outages.contains(word) }
        let number = error["code"]?.integerValue
        return error["is_transient"]?.boolValue == true || number.map { Self.outageNumbers.contains($0) } ?? false
    }

    /// The failure for the provider's error; of its words only the code is repeated, and only a plain one.
    private func refusal(_ error: ClaimValue) -> VerificationFailure {
        let text = error.stringValue ?? error["type"]?.stringValue ?? ""
        let isPlain = (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { $0.isPlain }
        let code = isPlain ? text : "an error"
        // Facebook's numbers for a secret and for an app ID that it does not know.
        let isOfApp = error["code"]?.integerValue.map { [1, 101].contains($0) } ?? false
        if isOfApp || Self.misconfigurations.contains(code) {
            return VerificationFailure(.misconfigured, "The provider does not accept this client (\(code)).")
        }
        return VerificationFailure(.rejected, "The provider does not accept the authorization code (\(code)).")
    }
}

extension UInt8 {
    /// Whether this is an ASCII letter, a digit or an underscore.
    fileprivate var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

internal import AuthCore
internal import AuthCoreFoundation

/// What a provider publishes about itself (OpenID Connect Discovery 1.0 section 3).
struct ProviderMetadata: Sendable {
    let issuer: String
    let keySet: URL
    let authorization: URL?
    let token: URL?
    let userInfo: URL?
    /// Whether the provider names itself in the answer to the browser (RFC 9207).
    let namesItselfInAnswers: Bool
    /// The ways in which the provider lets a client show its secret; nil for the usual one.
    let clientAuthentication: [String]?

    /// Where a provider publishes it.
    static func url(of issuer: String) -> URL? {
        guard !issuer.contains("?"), !issuer.contains("#") else { return nil }
        let base = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        return URL(string: base + "/.well-known/openid-configuration")
    }

    /// Reads the document that was found at the URL.
    init(_ fields: ClaimValue, at source: URL) throws(VerificationFailure) {
        func wrong(_ detail: String) -> VerificationFailure {
            VerificationFailure(.unreachable, "The configuration of \(source.host() ?? "the provider") \(detail)")
        }
        func url(_ name: String) throws(VerificationFailure) -> URL? {
            guard let value = fields[name], !value.isNull else { return nil }
            guard let url = value.stringValue.flatMap({ URL(string: $0) }),
                url.lowerScheme == "https" || url.lowerScheme == "http" && url.isLoopback && source.isLoopback,
                url.host()?.isEmpty == false, url.user == nil, url.fragment == nil
            else { throw wrong("must have an HTTPS URL as \(name).") }
            return url
        }
        guard let issuer = fields["issuer"]?.stringValue else { throw wrong("must have an issuer.") }
        guard let keySet = try url("jwks_uri") else { throw wrong("must have a jwks_uri.") }
        self.issuer = issuer
        self.keySet = keySet
        authorization = try url("authorization_endpoint")
        token = try url("token_endpoint")
        userInfo = try url("userinfo_endpoint")
        namesItselfInAnswers = fields["authorization_response_iss_parameter_supported"]?.boolValue == true
        clientAuthentication = fields["token_endpoint_auth_methods_supported"]?.arrayValue?.compactMap(\.stringValue)
    }
}

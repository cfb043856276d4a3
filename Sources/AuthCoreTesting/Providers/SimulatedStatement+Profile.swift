internal import AuthCore

extension SimulatedStatement {
    /// What the provider's user endpoint would say.
    ///
    /// An app cannot read an access token, so the claims that make it one are not part of the answer.
    func profile(at provider: ProviderID, form: SimulatedProvider.TokenForm) -> [String: ClaimValue] {
        // What only a simulation says is not part of it either.
        var profile = claims.filter { !$0.key.hasPrefix("simulated_") }
        guard form == .accessToken else { return profile }
        for name in ["iss", "sub", "aud", "iat", "exp", "nonce"] { profile[name] = nil }
        switch provider {
        case .gitHub:
            // As `GET /user` answers (REST API, "Get the authenticated user").
            if let id = Int64(subject) { profile["id"] = .integer(id) }
            profile["type"] = "User"
            profile["site_admin"] = false
            if let login = text("login") {
                profile["html_url"] = .string("https://github.com/\(login)")
                profile["url"] = .string("https://api.github.com/users/\(login)")
            }
        case .twitter: profile["id_str"] = .string(subject)
        default: profile["id"] = .string(subject)
        }
        return profile
    }
}

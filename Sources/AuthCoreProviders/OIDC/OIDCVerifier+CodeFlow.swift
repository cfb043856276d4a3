internal import AuthCore
internal import AuthCoreFoundation

#if OpenSSL || canImport(CryptoKit)
#else
@available(*, unavailable)
#endif
extension OIDCVerifier: CodeFlowProvider {
    var flowClientID: String { core.rules.clientIDs.first ?? "" }
    /// Apple's scopes are its own ("Incorporating Sign in with Apple into other platforms").
    private var isApple: Bool { issuers.contains(AppleClientKey.audience) }
    var usualScopes: [String] { isApple ? ["openid", "email", "name"] : ["openid", "email", "profile"] }
    /// Apple answers by a form wherever it is asked for a name or an address.
    var responseMode: String? { isApple ? "form_post" : nil }
    var sendsNonce: Bool { true }
    var sendsChallenge: Bool { true }

    func authorizationPage(at now: Date) async throws -> URL {
        guard !flowClientID.isEmpty else {
            throw VerificationFailure(.misconfigured, "The verifier of \(provider) needs the app's client IDs.")
        }
        guard let page = try await configured.documents.metadata(at: now, outage: outageTolerance).authorization else {
            throw VerificationFailure(
                .unreachable,
                "The configuration of \(provider) must have an authorization_endpoint."
            )
        }
        return page
    }

    func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool) {
        let metadata = try await configured.documents.metadata(at: now, outage: outageTolerance)
        // The tenant of a person is not known before the ID token is.
        let name = metadata.issuer.contains("{") ? nil : metadata.issuer
        return (name, metadata.namesItselfInAnswers)
    }

    /// Apple names a person only beside the code, and only the first time.
    func fullName(in fields: [String: String]) -> String? {
        guard isApple, let text = fields["user"], let name = ClaimValue(json: Array(text.utf8))?["name"] else {
            return nil
        }
        let parts = ["firstName", "lastName"].compactMap { name[$0]?.stringValue }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
        try await configured.exchange(credential, at: now)
    }
}

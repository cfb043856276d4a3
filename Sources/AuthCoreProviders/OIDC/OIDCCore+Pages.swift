internal import AuthCore
internal import AuthCoreFoundation

/// What a person is asked at the provider's page, and what comes back with them.
extension OIDCCore {
    /// Apple's scopes are its own ("Incorporating Sign in with Apple into other platforms").
    private var isApple: Bool { rule.issuers.contains(AppleClientKey.audience) }
    var usualScopes: [String] { isApple ? ["openid", "email", "name"] : ["openid", "email", "profile"] }
    /// Apple answers by a form wherever it is asked for a name or an address.
    var responseMode: String? { isApple ? "form_post" : nil }

    /// Apple names a person only beside the code, and only the first time.
    func fullName(in fields: [String: String]) -> String? {
        guard isApple, let text = fields["user"], let name = ClaimValue(json: Array(text.utf8))?["name"] else {
            return nil
        }
        let parts = ["firstName", "lastName"].compactMap { name[$0]?.stringValue }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    func authorizationPage(at now: Date) async throws -> URL {
        guard let clientID = rules.clientIDs.first, !clientID.isEmpty else {
            throw VerificationFailure(.misconfigured, "The verifier of \(provider) needs the app's client IDs.")
        }
        guard let page = try await documents.metadata(at: now, outage: outageTolerance).authorization else {
            throw VerificationFailure(
                .unreachable,
                "The configuration of \(provider) must have an authorization_endpoint."
            )
        }
        return page
    }

    func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool) {
        let metadata = try await documents.metadata(at: now, outage: outageTolerance)
        // The tenant of a person is not known before the ID token is.
        let name = metadata.issuer.contains("{") ? nil : metadata.issuer
        return (name, metadata.namesItselfInAnswers)
    }
}

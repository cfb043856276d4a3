internal import AuthCore
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Verifies ID tokens of one provider, whatever public verifier it serves.
struct OIDCCore: Sendable {
    let provider: ProviderID
    let rule: IssuerRule
    var rules: IDTokenRules
    var outageTolerance: Duration = .seconds(6 * 3600)
    let connection: ProviderConnection
    let documents: ProviderDocuments

    init(_ provider: ProviderID, _ rule: IssuerRule, clientIDs: [String], transport: any HTTPTransport) {
        self.provider = provider
        self.rule = rule
        rules = IDTokenRules(clientIDs: clientIDs)
        connection = ProviderConnection(transport: transport)
        documents = ProviderDocuments(rule, connection: connection)
    }

    func verify(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderAssertion {
        guard !rules.clientIDs.isEmpty else {
            throw VerificationFailure(.misconfigured, "The verifier of \(provider) needs the app's client IDs.")
        }
        guard let presented = credential.idToken, !presented.isEmpty else {
            throw VerificationFailure(.missingToken, "\(provider) needs an ID token.")
        }
        let token = try SignedToken(presented.revealed)
        let signer = try await documents.signer(of: token, at: now, outage: outageTolerance)
        let claims = try IDTokenClaims(payload: token.payload)
        let published = try await documents.metadata(at: now, outage: outageTolerance).issuer
        let issuer = try rule.issuer(of: claims, published: published, signedBy: signer)
        try rules.check(claims, credential, token.algorithm, at: now)
        return try assertion(claims, credential, issuer: issuer)
    }

    private func assertion(
        _ claims: IDTokenClaims,
        _ credential: AuthCredential.Federated,
        issuer: String
    ) throws(VerificationFailure) -> ProviderAssertion {
        let subject = try claims.requiredText("sub", .wrongSubject)
        var assertion = ProviderAssertion(provider: provider, issuer: issuer, subject: subject)
        assertion.email = claims.text("email").flatMap { $0.isEmpty ? nil : $0 }
        assertion.isEmailVerified = assertion.email == nil ? nil : claims.flag("email_verified")
        assertion.hostedDomain = claims.text("hd")
        assertion.displayName = claims.text("name") ?? credential.fullName
        assertion.photoURL = claims.text("picture")
        assertion.username = claims.text("preferred_username")
        assertion.authenticatedAt = try claims.date("auth_time")
        assertion.authenticationContext = claims.text("acr")
        assertion.authenticationMethods = try claims.texts("amr")
        assertion.claims = claims.fields.objectValue ?? [:]
        // Microsoft writes it as a number or a text; the policy reads a Boolean.
        for name in ["xms_edov", "is_private_email"] {
            if let flag = claims.flag(name) { assertion.claims[name] = .bool(flag) }
        }
        if let nonce = claims.text("nonce") {
            // The use is remembered as long as the token is accepted.
            let expiresAt = try claims.requiredDate("exp").addingTimeInterval(rules.skew / .seconds(1))
            assertion.singleUse = ProviderAssertion.SingleUse(id: nonce, expiresAt: expiresAt)
        }
        return assertion
    }
}

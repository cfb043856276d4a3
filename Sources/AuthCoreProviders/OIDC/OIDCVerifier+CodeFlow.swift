internal import AuthCore
#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

#if OpenSSL || canImport(CryptoKit)
#else
@available(*, unavailable)
#endif
extension OIDCVerifier: CodeFlowProvider {
    var flowClientID: String { core.rules.clientIDs.first ?? "" }
    var usualScopes: [String] { ["openid", "email", "profile"] }
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

    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
        try await configured.exchange(credential, at: now)
    }
}

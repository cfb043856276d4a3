internal import AuthCore
internal import AuthCoreFoundation

#if OpenSSL || canImport(CryptoKit)
#else
@available(*, unavailable)
#endif
extension OIDCVerifier: CodeFlowProvider {
    var flowClientID: String { core.rules.clientIDs.first ?? "" }
    var usualScopes: [String] { core.usualScopes }
    var responseMode: String? { core.responseMode }
    var sendsNonce: Bool { true }
    var sendsChallenge: Bool { true }

    func fullName(in fields: [String: String]) -> String? { core.fullName(in: fields) }

    func authorizationPage(at now: Date) async throws -> URL { try await configured.authorizationPage(at: now) }

    func answerIssuer(at now: Date) async throws -> (name: String?, isRequired: Bool) {
        try await configured.answerIssuer(at: now)
    }

    func exchange(_ credential: AuthCredential.Federated, at now: Date) async throws -> ProviderTokens {
        try await configured.exchange(credential, at: now)
    }
}

public import AuthCore
import AuthCoreCrypto
package import AuthCoreFoundation

extension SimulatedProvider {
    /// How many seconds the clocks of the provider and the service may differ.
    private static let leeway: TimeInterval = 60
    /// Longer text is refused without reading it.
    private static let greatestLength = 64 * 1024
    private static let greatestNonceLength = 1024

    /// Checks signature, issuer, audience, time and nonce, and returns what the token says.
    public func verify(
        _ credential: AuthCredential.Federated,
        in context: VerificationContext
    ) async throws(VerificationFailure) -> ProviderAssertion {
        try assertion(from: credential, at: context.now)
    }

    package func assertion(
        from credential: AuthCredential.Federated,
        at now: Date
    ) throws(VerificationFailure) -> ProviderAssertion {
        guard credential.provider == provider else { throw .wrongIssuer }
        let statement = try statement(in: credential, at: now)
        guard statement.issuer == ExactText(issuer) else { throw .wrongIssuer }
        guard statement.audiences.contains(ExactText(audience)) else { throw .wrongAudience }
        guard now < statement.expiresAt.addingTimeInterval(Self.leeway) else { throw .expired }
        guard statement.issuedAt <= now.addingTimeInterval(Self.leeway) else { throw VerificationFailure(.notYetValid) }
        guard agree(statement.nonce, credential.nonce) else { throw .wrongNonce }
        return assertion(of: statement, fullName: credential.fullName)
    }

    /// Nothing in a token is read before its signature is checked.
    private func statement(
        in credential: AuthCredential.Federated,
        at now: Date
    ) throws(VerificationFailure) -> SimulatedStatement {
        let presented = form == .idToken ? credential.idToken : credential.accessToken
        guard let presented, !presented.isEmpty else { throw .missingToken }
        guard presented.revealed.utf8.count <= Self.greatestLength,
            let compact = unwrapped(presented.revealed),
            let parts = CompactToken.parse(compact)
        else { throw .malformed }
        guard parts.header.algorithm == CompactToken.algorithm, parts.header.keyID == keyID,
            equalInConstantTime(parts.signature, key.authenticate(parts.signingInput))
        else { throw .wrongSignature }
        guard let statement = SimulatedStatement(payload: parts.payload, at: now) else { throw .malformed }
        return statement
    }

    private func unwrapped(_ token: String) -> String? {
        switch form {
        case .idToken: token
        case .accessToken: Base64URL.decode(token).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// Whether token and app have the same nonce, or neither has one.
    private func agree(_ claimed: String?, _ raw: Secret?) -> Bool {
        guard let claimed, let raw else { return claimed == nil && raw == nil }
        guard raw.revealed.utf8.count <= Self.greatestNonceLength else { return false }
        return equalInConstantTime(Array(claimed.utf8), Array(Self.nonceClaim(of: raw.revealed).utf8))
    }

    private func assertion(of statement: SimulatedStatement, fullName: String?) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: provider, issuer: issuer, subject: statement.subject)
        assertion.email = statement.text("email")
        assertion.isEmailVerified = assertion.email == nil ? nil : statement.isEmailVerified
        assertion.isEmailConfirmed = assertion.email == nil ? nil : statement.isEmailConfirmed
        assertion.hostedDomain = statement.text("hd")
        assertion.displayName = habits.name == nil ? fullName : statement.text(habits.name)
        assertion.photoURL = statement.text(habits.picture)
        assertion.username = statement.text(habits.username)
        assertion.claims = statement.profile(at: provider, form: form)
        assertion.authenticatedAt = statement.authenticatedAt
        assertion.authenticationContext = statement.text("acr")
        assertion.authenticationMethods = statement.authenticationMethods
        if let nonce = statement.nonce {
            // The use is remembered as long as the token is accepted, which is longer than its lifetime because of the
            // leeway.
            let expiresAt = statement.expiresAt.addingTimeInterval(Self.leeway)
            assertion.singleUse = ProviderAssertion.SingleUse(id: nonce, expiresAt: expiresAt)
        }
        return assertion
    }
}

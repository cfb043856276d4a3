public import AuthCoreFoundation

extension AuthService {
    /// Returns a token that signs its bearer in to an account, or to a new one with this ID.
    ///
    /// State when you authenticated the person if the session is to count as a recent login. A token lives for at most
    /// an hour.
    ///
    /// From its first use on, your server counts as one that can sign the person in: the account may lose its last
    /// method. A number that was verified longer ago than ``AuthPolicy/phoneEvidenceLifetime`` does not open an account
    /// to which your server signed in within that time, or within the longest that a session lasts.
    ///
    /// ```swift
    /// let token = try await service.makeCustomToken(for: account, authenticatedAt: Date())
    /// try await client.signIn(with: .customToken(token))
    /// ```
    ///
    /// - Parameters:
    ///   - account: The account's ID.
    ///   - claims: Claims for the session's tokens; reserved names are refused.
    ///   - authenticatedAt: When you authenticated the person; nil if the sign-in is not to count as a recent login.
    ///   - lifetime: How long the token can be presented, at most an hour.
    /// - Returns: The token, for ``AuthCredential/customToken(_:)``.
    /// - Throws: ``AuthErrorCode/invalidCustomToken`` if the claims are reserved or too large,
    ///   ``AuthErrorCode/missingSecretKey``, or ``AuthErrorCode/internalError`` if the signer fails.
    public func makeCustomToken(
        for account: AccountID,
        claims: [String: ClaimValue] = [:],
        authenticatedAt: Date? = nil,
        lifetime: Duration = .seconds(3600)
    ) async throws(AuthError) -> String {
        guard TokenClaims.areAcceptable(claims) else {
            throw AuthError(.invalidCustomToken, reasons: [.claimsAreNotAcceptable])
        }
        let now = environment.now
        var payload: [String: ClaimValue] = [
            "iss": .string(configuration.issuer),
            "aud": .string(customTokenAudience),
            "uid": .string(account.text),
            "iat": .integer(now.seconds),
            "exp": .integer((now + min(lifetime, .hours(1))).seconds),
        ]
        if !claims.isEmpty { payload["claims"] = .object(claims) }
        if let authenticatedAt { payload["auth_time"] = .integer(Timestamp(authenticatedAt).seconds) }
        return try await sign(ClaimValue.object(payload).json())
    }

    /// The audience of custom tokens, different from that of ID tokens, so that no ID token passes as a custom token.
    private var customTokenAudience: String { configuration.audience + "/custom-token" }

    func verifyCustomToken(_ token: Secret) async throws(AuthError) -> CustomTokenProof {
        let payload: JSONMembers
        do {
            payload = try await claims(of: token.revealed, audience: customTokenAudience)
        } catch {
            if [.missingSecretKey, .internalError, .canceled].contains(error.code) { throw error }
            throw AuthError(.invalidCustomToken, reasons: error.reasons)
        }
        let claims = payload["claims"]?.objectValue ?? [:]
        guard let account = payload["uid"]?.stringValue.flatMap({ AccountID($0) }), TokenClaims.areAcceptable(claims)
        else { throw AuthError(.invalidCustomToken, reasons: [.claimsAreNotAcceptable]) }
        let authenticatedAt = payload["auth_time"]?.integerValue.map { Timestamp(seconds: $0) }
        return CustomTokenProof(account: account, claims: claims, authenticatedAt: authenticatedAt)
    }
}

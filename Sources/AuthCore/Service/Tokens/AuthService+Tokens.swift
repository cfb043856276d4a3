import AuthCoreCrypto

extension AuthService {
    /// Exchanges a refresh token for the next pair; a token that was exchanged before may be stolen, and ends its
    /// session.
    func refresh(_ refreshToken: String, context: RequestContext) async throws(AuthError) -> Session.Tokens {
        try requireSecretKey()
        guard let parsed = parse(refreshToken: refreshToken) else {
            throw audit(notOurs, of: "RefreshSession", context)
        }
        let next = parsed.presented.count &+ 1
        let (token, hash) = nextRefreshToken(of: parsed.handle, rotation: parsed.rotation, count: next)
        let operation = RefreshSession(handle: parsed.handle, presented: parsed.presented, next: hash)
        return Session.Tokens(idToken: try await exchange(operation, context).idToken, refreshToken: token)
    }

    /// Ends the session that a refresh token of any age names; a token that the service did not issue is only recorded.
    func signOut(_ refreshToken: String, context: RequestContext) async throws(AuthError) {
        try requireSecretKey()
        guard let parsed = parse(refreshToken: refreshToken) else {
            _ = audit(notOurs, of: "SignOut", context)
            return
        }
        try await perform(SignOut(handle: parsed.handle), context)
    }

    /// Returns the session that continues, with an ID token; throws if a token that was exchanged before has ended it.
    ///
    /// The ID token is signed before the exchange is written: if the signer fails, the former refresh token stays
    /// valid.
    func exchange(
        _ operation: RefreshSession,
        _ context: RequestContext
    ) async throws(AuthError) -> (signedIn: SignedIn, idToken: IDTokenResult) {
        var signed: IDTokenResult?
        let outcome = try await perform(operation, context) { outcome throws(AuthError) in
            if case .goesOn(let next) = outcome { signed = try await self.idToken(for: next) }
        }
        if case .goesOn(let signedIn) = outcome, let signed { return (signedIn, signed) }
        let account = operation.handle.account
        throw audit(AuthError(RefreshSession.reuse), of: "RefreshSession", context, account: account)
    }

    /// Returns the session that an ID token names.
    func handle(ofIDToken token: String) async throws(AuthError) -> ActingHandle {
        let claims = try await claims(of: token, audience: configuration.audience)
        guard let account = claims["sub"]?.stringValue.flatMap({ AccountID($0) }),
            let session = claims["sid"]?.stringValue.flatMap({ SessionID($0) }),
            let rotation = claims["rotation"]?.integerValue.flatMap({ UInt32(exactly: $0) })
        else { throw notOurs }
        return ActingHandle(session: session, account: account, rotation: rotation)
    }

    /// Issues an ID token; one that must differ from every other, within the same second too, gets an ID.
    func idToken(for signedIn: SignedIn, isUnique: Bool = false) async throws(AuthError) -> IDTokenResult {
        let now = environment.now
        // `sharedPolicy.policy`, since `policy` would copy all of it.
        // Who checks tokens without the service would otherwise accept one after the end of its session.
        let expiresAt = min(now + sharedPolicy.policy.lifetimes.idToken, signedIn.session.expiresAt ?? .distantFuture)
        var claims = TokenClaims.idToken(
            account: signedIn.account,
            session: signedIn.session,
            issuer: configuration.issuer,
            audience: configuration.audience,
            isEmailVerified: signedIn.session.isEmailVerified(of: signedIn.account, under: sharedPolicy.policy),
            now: now,
            expiresAt: expiresAt
        )
        if isUnique { claims.add("jti", .string(Base64URL.encode(environment.randomBytes(12)))) }
        return IDTokenResult(
            token: try await sign(claims.end()),
            authDate: Timestamp(seconds: max(0, signedIn.session.authenticatedAt.seconds)).date,
            issuedAtDate: Timestamp(seconds: now.seconds).date,
            expirationDate: Timestamp(seconds: expiresAt.seconds).date,
            signInProvider: signedIn.session.basis.provider.rawValue,
            signInSecondFactor: signedIn.session.factor.flatMap { signedIn.account.holds($0) ? $0.kind.rawValue : nil }
        )
    }

    func sign(_ payloadJSON: [UInt8]) async throws(AuthError) -> String {
        try requireSecretKey()
        for _ in 1...3 {
            let keyID = signer.keyID
            let input = CompactToken.signingInput(of: payloadJSON, algorithm: signer.algorithm, keyID: keyID)
            let signature: [UInt8]
            do { signature = try await signer.sign(input) } catch { throw AuthError(failure: error, .internalError) }
            // A signer that got another key meanwhile may have signed with it.
            if signer.keyID == keyID { return CompactToken.text(of: input, signature: signature) }
        }
        throw AuthError(.internalError, message: "The signer's key changes at every signature.")
    }

    /// Returns the claims of a token, after checking its signature, issuer, audience and times.
    func claims(of token: String, audience: String) async throws(AuthError) -> JSONMembers {
        try requireSecretKey()
        let current = (algorithm: signer.algorithm, keyID: signer.keyID)
        guard let parsed = CompactToken.parse(token, expecting: current),
            parsed.header.algorithm == current.algorithm, let keyID = parsed.header.keyID
        else { throw notOurs }
        let isSigned: Bool
        do {
            isSigned = try await signer.isValid(parsed.signature, of: parsed.signingInput, keyID: keyID)
        } catch {
            // It is not known whether the token is valid, so the app must not end the session.
            throw AuthError(failure: error, .internalError)
        }
        guard isSigned, let claims = JSONMembers(json: parsed.payload),
            claims["iss"]?.stringValue == configuration.issuer, claims["aud"]?.stringValue == audience,
            let issuedAt = claims["iat"]?.integerValue, let expiresAt = claims["exp"]?.integerValue,
            issuedAt <= environment.now.seconds + 60
        else { throw notOurs }
        if expiresAt <= environment.now.seconds { throw AuthError(.userTokenExpired, reasons: [.tokenHasExpired]) }
        return claims
    }

    private var notOurs: AuthError { AuthError(.invalidUserToken, reasons: [.tokenIsNotOurs]) }

    /// Returns the next refresh token of a session: the session, its rotation and the count in plain text, a nonce, and
    /// a tag over all of it.
    func nextRefreshToken(of handle: ActingHandle, rotation: UInt32, count: UInt32) -> (String, [UInt8]) {
        let nonce = Base64URL.encode(environment.randomBytes(16))
        let account = Base64URL.encode(Array(handle.account.text.utf8))
        let body = "r1.\(handle.session).\(account).\(count).\(rotation).\(nonce)"
        let token = body + "." + Base64URL.encode(refreshKeys.authenticate(Array(body.utf8)))
        return (token, SHA256.hash(Array(token.utf8)))
    }

    private func parse(
        refreshToken: String
    ) -> (handle: ActingHandle, rotation: UInt32, presented: RefreshSession.Presented)? {
        guard refreshToken.utf8.count <= 1024 else { return nil }
        let parts = refreshToken.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 7, parts[0] == "r1", let session = SessionID(parts[1]),
            let account = Base64URL.decode(parts[2]).flatMap({ AccountID(String(decoding: $0, as: UTF8.self)) }),
            let count = UInt32(parts[3]), let rotation = UInt32(parts[4]), let tag = Base64URL.decode(parts[6])
        else { return nil }
        let body = parts[0..<6].joined(separator: ".")
        guard refreshKeys.isValid(tag, of: Array(body.utf8)) else { return nil }
        return (
            ActingHandle(session: session, account: account, rotation: rotation),
            rotation,
            RefreshSession.Presented(count: count, hash: SHA256.hash(Array(refreshToken.utf8)))
        )
    }
}

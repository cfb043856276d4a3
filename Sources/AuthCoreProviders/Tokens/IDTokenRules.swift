internal import AuthCore
internal import AuthCoreCrypto
internal import AuthCoreFoundation

/// What an ID token must say (OpenID Connect Core 1.0 section 3.1.3.7), beyond its signature and its issuer.
struct IDTokenRules: Sendable {
    var clientIDs: [String]
    var skew: Duration = .seconds(60)
    var acceptsUnknownNonce = false

    /// The claims that only a signed token may make.
    static let reserved = [
        "iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "acr", "amr", "auth_time", "tid", "hd",
        "xms_edov",
    ]

    /// Longer nonces are refused before they are hashed.
    private static let longestNonce = 1024
    private static let longestSubject = 255
    private static let logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

    /// Throws unless the token is for this app, now, and for this credential.
    func check(
        _ claims: IDTokenClaims,
        _ credential: AuthCredential.Federated,
        _ algorithm: SignatureAlgorithm,
        at now: Date
    ) throws(VerificationFailure) {
        guard claims.fields["events"]?[Self.logoutEvent] == nil else {
            throw VerificationFailure(.malformed, "The token must be an ID token; it is a logout token.")
        }
        try checkAudience(claims)
        try checkTimes(claims, at: now)
        try checkSubject(claims)
        try checkNonce(claims, credential.nonce)
        try checkAccessToken(claims, credential.accessToken, algorithm)
    }

    private func checkAudience(_ claims: IDTokenClaims) throws(VerificationFailure) {
        let audiences = try claims.texts("aud")
        let own = clientIDs.map { ExactText($0) }
        let expected = clientIDs.joined(separator: " or ")
        guard !audiences.isEmpty, audiences.allSatisfy({ own.contains(ExactText($0)) }) else {
            throw VerificationFailure(.wrongAudience, "The claim aud must be \(expected), and nothing else.")
        }
        guard let party = claims.fields["azp"], !party.isNull else {
            guard audiences.count == 1 else {
                throw VerificationFailure(.wrongAuthorizedParty, "An ID token for several audiences must have azp.")
            }
            return
        }
        guard let name = party.stringValue, own.contains(ExactText(name)) else {
            throw VerificationFailure(.wrongAuthorizedParty, "The claim azp must be \(expected).")
        }
    }

    private func checkTimes(_ claims: IDTokenClaims, at now: Date) throws(VerificationFailure) {
        let skew = skew / .seconds(1)
        let expiry = try claims.requiredDate("exp")
        let issued = try claims.requiredDate("iat")
        guard now < expiry.addingTimeInterval(skew) else {
            throw VerificationFailure(.expired, "The claim exp must be in the future.")
        }
        guard issued <= now.addingTimeInterval(skew) else {
            throw VerificationFailure(.notYetValid, "The claim iat must not be in the future.")
        }
        guard try claims.date("nbf").map({ $0 <= now.addingTimeInterval(skew) }) ?? true else {
            throw VerificationFailure(.notYetValid, "The claim nbf must not be in the future.")
        }
        guard try claims.date("auth_time").map({ $0 <= now.addingTimeInterval(skew) }) ?? true else {
            throw VerificationFailure(.notYetValid, "The claim auth_time must not be in the future.")
        }
    }

    private func checkSubject(_ claims: IDTokenClaims) throws(VerificationFailure) {
        let subject = try claims.requiredText("sub", .wrongSubject)
        guard subject.utf8.count <= Self.longestSubject else {
            throw VerificationFailure(.wrongSubject, "The claim sub must not exceed \(Self.longestSubject) bytes.")
        }
    }

    /// The token has the nonce itself, or its SHA-256.
    private func checkNonce(_ claims: IDTokenClaims, _ presented: Secret?) throws(VerificationFailure) {
        let claim = claims.fields["nonce"].flatMap { $0.isNull ? nil : $0 }
        guard let presented else {
            guard claim == nil || acceptsUnknownNonce else {
                throw VerificationFailure(.wrongNonce, "The ID token has a nonce, so it must be presented with it.")
            }
            return
        }
        let nonce = presented.revealed
        guard (1...Self.longestNonce).contains(nonce.utf8.count), let claim = claim?.stringValue,
            isNonce(nonce, claimed: claim)
        else {
            throw VerificationFailure(.wrongNonce, "The claim nonce must be the nonce of this request, or its SHA-256.")
        }
    }

    private func checkAccessToken(
        _ claims: IDTokenClaims,
        _ token: Secret?,
        _ algorithm: SignatureAlgorithm
    ) throws(VerificationFailure) {
        guard let token, !token.isEmpty, let claim = claims.fields["at_hash"], !claim.isNull else { return }
        let digest = algorithm.digest.hash(Array(token.revealed.utf8))
        let expected = Base64URL.encode(digest.prefix(digest.count / 2))
        guard let text = claim.stringValue, !digest.isEmpty, ExactText(text) == ExactText(expected) else {
            throw VerificationFailure(.wrongAccessToken, "The claim at_hash must be that of the access token.")
        }
    }
}

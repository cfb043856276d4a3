/// A verified side of a merge.
struct VerifiedSide: Sendable {
    /// The account as it is stored.
    let stored: Account
    /// The account with what the provider now says of the identity that was presented.
    var account: Account
    /// The method that was presented, if the account has any.
    var method: SignInMethod?
    /// What a session may rest on.
    let basis: Session.Basis
    /// The address or number that was verified.
    var subject: Evidence.Subject?
    var factor: FactorProof?
    /// When the person was authenticated; nil for a session.
    var verifiedAt: Timestamp?
    /// The claims of a custom token, for the session only.
    var claims: [String: ClaimValue] = [:]

    /// Since when what was verified is the account's.
    func authorizedSince(at now: Timestamp) -> Timestamp { method?.seniorSince ?? verifiedAt ?? now }

    /// The authentication of a session that rests on this side, whose factor was consumed before.
    func authentication(on account: Account) -> Authentication {
        var authentication = Authentication(basis: basis, verified: subject)
        (authentication.authenticatedAt, authentication.claims) = (verifiedAt, claims)
        if let factor {
            authentication.factor = FactorProof(
                use: factor.use,
                account: account.id,
                sessionGeneration: account.sessionGeneration,
                consumes: []
            )
        }
        return authentication
    }
}

/// Both verified sides of a merge.
struct VerifiedSides: Sendable {
    let source: VerifiedSide
    let target: VerifiedSide

    /// The addresses and numbers that were verified, for coverage.
    var subjects: [Evidence.Subject] { [target.subject, source.subject].compactMap { $0 } }

    /// The authentication of the session on the target, whose factor was consumed before.
    func authentication(on account: Account) -> Authentication {
        var authentication = target.authentication(on: account)
        authentication.verified = subjects.first
        return authentication
    }
}

/// The time from which a method's age counts, and that of the oldest method, factor or address of the account.
typealias MethodAge = (since: Timestamp?, oldest: Timestamp?)

/// Which account of a merge a side is for.
enum MergeRole: Sendable, Hashable, CaseIterable {
    case source
    case target

    /// The reason of a challenge for the factor of the side.
    var factorReason: Reason { self == .source ? .sourceRequiresFactor : .targetRequiresFactor }
}

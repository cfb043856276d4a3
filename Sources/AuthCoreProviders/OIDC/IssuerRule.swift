internal import AuthCore

/// Which issuers a verifier speaks for, and under which name an identity is kept.
enum IssuerRule: Sendable, Hashable {
    /// One issuer; `aliases` are other spellings of it in tokens, `name` is the one that identities get.
    case exact(String, aliases: [String] = [], name: String? = nil)
    /// The tenants of Microsoft.
    case microsoft(MicrosoftTenant)

    /// The issuer whose configuration is fetched.
    var discoveryBase: String {
        switch self {
        case .exact(let issuer, _, _): issuer
        case .microsoft(let tenant): tenant.discoveryBase
        }
    }

    /// The issuers of identities that the verifier may assert; `{tenantid}` stands for any tenant.
    var issuers: Set<String> {
        switch self {
        case .exact(let issuer, _, let name): [name ?? issuer]
        case .microsoft(let tenant): [tenant.issuer ?? MicrosoftTenant.template]
        }
    }

    /// Whether the provider's configuration may name this issuer.
    func accepts(published issuer: String) -> Bool {
        switch self {
        case .exact(let own, let aliases, _): ([own] + aliases).contains { ExactText($0) == ExactText(issuer) }
        case .microsoft(let tenant): tenant.accepts(published: issuer)
        }
    }

    /// Returns the issuer of the identity that the token asserts.
    func issuer(
        of claims: IDTokenClaims,
        published: String,
        signedBy key: JSONWebKey
    ) throws(VerificationFailure) -> String {
        let issuer = try claims.requiredText("iss", .wrongIssuer)
        switch self {
        case .exact(let own, let aliases, let name):
            guard ([own] + aliases).contains(where: { ExactText($0) == ExactText(issuer) }) else {
                throw VerificationFailure(.wrongIssuer, "The claim iss must be \(own).")
            }
            return name ?? own
        case .microsoft(let tenant):
            try tenant.check(issuer, claims, published: published, signedBy: key)
            return issuer
        }
    }
}

internal import AuthCore
internal import AuthCoreCrypto

/// Which of Microsoft's directories may sign in.
struct MicrosoftTenant: Sendable, Hashable {
    /// `common`, `organizations`, `consumers`, a tenant's ID, or one of its domains.
    let name: String

    private static let host = "https://login.microsoftonline.com/"
    private static let version = "/v2.0"
    /// The tenant of all personal accounts.
    private static let personal = "9188040d-6c67-4c5b-b112-36a304b66dad"
    static let template = host + "{tenantid}" + version

    /// Creates a tenant; text that is no name leads nowhere.
    init(_ name: String) { self.name = name.lowercased() }

    var discoveryBase: String { Self.host + percentEncoded(name) + Self.version }

    /// The only issuer, if the tenant's name says which it is.
    var issuer: String? {
        if name == "consumers" { return Self.host + Self.personal + Self.version }
        return Self.isTenantID(name) ? discoveryBase : nil
    }

    /// Whether the configuration may name this issuer: the template where several tenants may sign in, else one tenant.
    func accepts(published issuer: String) -> Bool {
        if let own = self.issuer { return ExactText(issuer) == ExactText(own) }
        if name == "common" || name == "organizations" { return ExactText(issuer) == ExactText(Self.template) }
        return Self.tenantID(in: issuer) != nil
    }

    /// Checks that token, tenant and key belong together.
    func check(
        _ issuer: String,
        _ claims: IDTokenClaims,
        published: String,
        signedBy key: JSONWebKey
    ) throws(VerificationFailure) {
        let tenant = try claims.requiredText("tid", .wrongIssuer)
        guard Self.isTenantID(tenant), ExactText(issuer) == ExactText(Self.host + tenant + Self.version) else {
            throw VerificationFailure(.wrongIssuer, "The claim iss must be Microsoft's issuer of the tenant in tid.")
        }
        if published != Self.template, ExactText(issuer) != ExactText(published) {
            throw VerificationFailure(.wrongIssuer, "The claim iss must be \(published).")
        }
        if name == "organizations", tenant == Self.personal {
            throw VerificationFailure(.wrongIssuer, "The claim tid must be of an organization.")
        }
        // Microsoft signs different clouds and personal accounts with different keys of one set.
        if let owner = key.issuer, owner != Self.template, ExactText(owner) != ExactText(issuer) {
            throw VerificationFailure(.wrongKey, "The ID token must be signed with a key of its issuer.")
        }
    }

    private static func tenantID(in issuer: String) -> String? {
        guard issuer.hasPrefix(host), issuer.hasSuffix(version) else { return nil }
        let id = String(issuer.dropFirst(host.count).dropLast(version.count))
        return isTenantID(id) ? id : nil
    }

    private static func isTenantID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12]
            && groups.joined().allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

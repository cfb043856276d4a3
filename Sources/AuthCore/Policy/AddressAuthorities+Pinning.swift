extension AuthPolicy.AddressAuthorities {
    /// Accepts what an issuer says about addresses of these domains as authoritative.
    ///
    /// Pin only domains that will remain registered to the organization whose accounts you mean, and the exact issuer.
    /// Google must also claim the domain as the account's hosted domain; a tenant of Entra needs no further claim.
    ///
    /// - Parameters:
    ///   - domains: The domains.
    ///   - issuer: The exact issuer; for Google, each spelling of its issuer means all of them.
    /// - Returns: The authorities with the domains pinned.
    public func pinning(_ domains: Set<String>, of issuer: String) -> Self {
        let domains = Set(domains.map(\.withLowercasedASCII))
        var all = self
        if Self.googleIssuers.contains(issuer) {
            for issuer in Self.googleIssuers {
                all.authorities[issuer, default: Authority()].hostedDomains.formUnion(domains)
            }
        } else {
            let isEntra = Self.entra.contains(where: issuer.hasPrefix)
            let authority =
                isEntra ? Authority(needsVerifiedFlag: false, confirmedClaim: "xms_edov") : Authority()
            all.authorities[issuer, default: authority].domains.formUnion(domains)
        }
        return all
    }
}

extension AuthPolicy.AddressTrust {
    /// The same with the domains that issuers are pinned to; a policy that believes the verified flag pins nothing.
    func pinning(_ domains: [String: Set<String>]) -> Self {
        guard !domains.isEmpty, case .authorities(let authorities) = self else { return self }
        return .authorities(domains.reduce(authorities) { $0.pinning($1.value, of: $1.key) })
    }
}

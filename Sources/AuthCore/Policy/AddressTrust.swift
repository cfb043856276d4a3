extension AuthPolicy {
    /// How to determine the assurance of an address that a provider asserts.
    public enum AddressTrust: Sendable, Hashable {
        /// An address is verified if the provider says so.
        case verifiedFlag
        /// Only the issuer that runs the mailbox verifies an address; an issuer that confirmed it once can cause a
        /// conflict.
        case authorities(AddressAuthorities)
    }

    /// Which issuer runs which mailboxes, by exact issuer.
    public struct AddressAuthorities: Sendable, Hashable {
        /// The authority of one issuer.
        public struct Authority: Sendable, Hashable {
            /// The domains whose mailboxes the issuer runs.
            public var domains: Set<String>
            /// The domains that the issuer hosts for others: an equal hosted-domain claim is authoritative.
            ///
            /// A domain can be registered anew, so an issuer hosts no domain that is not pinned here.
            public var hostedDomains: Set<String>
            /// Whether the assertion counts only with the verified flag.
            public var needsVerifiedFlag: Bool
            /// The claim that must be true for the assurance `confirmed`; nil for the verified flag itself.
            public var confirmedClaim: String?

            /// Creates the authority over these domains.
            public init(
                domains: Set<String> = [],
                hostedDomains: Set<String> = [],
                needsVerifiedFlag: Bool = true,
                confirmedClaim: String? = nil
            ) {
                self.domains = domains
                self.hostedDomains = hostedDomains
                self.needsVerifiedFlag = needsVerifiedFlag
                self.confirmedClaim = confirmedClaim
            }
        }

        /// The authorities, by exact issuer.
        public var authorities: [String: Authority]
        /// The issuers that confirm every address they assert, although they send no verified flag.
        public var alwaysConfirmed: Set<String>

        /// Creates a set of authorities; no other issuer is authoritative.
        public init(authorities: [String: Authority] = [:], alwaysConfirmed: Set<String> = []) {
            self.authorities = authorities
            self.alwaysConfirmed = alwaysConfirmed
        }

        /// Google, Apple and Microsoft's consumer tenant for the mailboxes they run; Facebook as always confirmed.
        public static let wellKnown: AddressAuthorities = {
            let google = Authority(domains: ["gmail.com", "googlemail.com"])
            let apple = Authority(domains: ["icloud.com", "me.com", "mac.com", "privaterelay.appleid.com"])
            let microsoft = Authority(
                domains: ["outlook.com", "hotmail.com", "live.com", "msn.com"],
                needsVerifiedFlag: false,
                confirmedClaim: "xms_edov"
            )
            return AddressAuthorities(
                authorities: [
                    googleIssuers[0]: google, googleIssuers[1]: google, googleIssuers[2]: google,
                    "https://appleid.apple.com": apple, "apple.com": apple,
                    "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0": microsoft,
                ],
                alwaysConfirmed: ["facebook.com", "https://www.facebook.com"]
            )
        }()

        /// The spellings of Google's issuer.
        static let googleIssuers = ["https://accounts.google.com", "accounts.google.com", "google.com"]

        /// The prefixes of the issuers of Entra tenants, in all its clouds and versions.
        static let entra = [
            "https://login.microsoftonline.com/", "https://sts.windows.net/", "https://login.microsoftonline.us/",
            "https://login.partner.microsoftonline.cn/", "https://sts.chinacloudapi.cn/",
        ]

        /// How far the issuer's assertion assures the address.
        func assurance(of assertion: ProviderAssertion, about email: EmailAddress) -> EmailAssurance {
            let isFlagged = assertion.isEmailVerified == true
            let authority = authorities[assertion.issuer]
            if let authority, isFlagged || !authority.needsVerifiedFlag {
                if authority.domains.contains(email.domain) { return .authoritative }
                let hosted = assertion.hostedDomain?.withLowercasedASCII
                if hosted == email.domain, authority.hostedDomains.contains(email.domain) { return .authoritative }
            }
            // Entra's other tenants assert what their administrators typed, with any flag: an attacker can run a
            // tenant.
            let isEntra = Self.entra.contains(where: assertion.issuer.hasPrefix)
            if let claim = authority?.confirmedClaim ?? (isEntra ? "xms_edov" : nil) {
                return assertion.claims[claim]?.boolValue == true ? .confirmed : .claimed
            }
            let isConfirmed = isFlagged || assertion.isEmailConfirmed == true
            return isConfirmed || alwaysConfirmed.contains(assertion.issuer) ? .confirmed : .claimed
        }
    }

    /// How far the provider's assertion assures its address.
    func assurance(of assertion: ProviderAssertion, about email: EmailAddress) -> EmailAssurance {
        switch addressTrust {
        case .verifiedFlag: assertion.isEmailVerified == true ? .confirmed : .claimed
        case .authorities(let authorities): authorities.assurance(of: assertion, about: email)
        }
    }

    /// The lowest assurance that verifies an address.
    var minimumAssurance: EmailAssurance {
        switch addressTrust {
        case .verifiedFlag: .confirmed
        case .authorities: .authoritative
        }
    }

    /// Whether this verifies its subject today: earlier assertions of a provider that lost its authority do not count.
    func believes(_ source: Evidence.Source, about subject: Evidence.Subject) -> Bool {
        guard source.verifies(from: minimumAssurance) else { return false }
        guard case .provider(let key, _) = source, case .authorities(let authorities) = addressTrust,
            case .email(let email) = subject
        else { return true }
        guard let authority = authorities.authorities[key.issuer.text] else { return false }
        let domain = email.domain
        return authority.hostedDomains.contains(domain) || authority.domains.contains(domain)
    }
}

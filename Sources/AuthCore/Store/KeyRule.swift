extension Store {
    /// How the key of an address is made; all keys of a store follow one rule.
    public enum KeyRule: String, Sendable, Hashable, Codable, CaseIterable {
        /// Every address is a key of its own.
        case address
        /// The addresses of one mailbox are one key: gmail.com and googlemail.com are one domain.
        case mailbox
    }
}

extension Store.KeyRule {
    /// The spelling of an address in keys and in the index of referenced addresses.
    package func spelling(of email: EmailAddress) -> EmailAddress {
        switch self {
        case .address: email
        case .mailbox: email.mailbox
        }
    }
}

public import AuthCoreFoundation

/// One sign-in method of an account, as its owner sees it.
public struct UserInfo: Sendable, Hashable {
    /// The provider.
    public let provider: ProviderID
    /// The person's ID at the provider: the provider's subject, the address, or the phone number.
    public let uid: String
    /// The email address at the provider.
    public internal(set) var email: String?
    /// The display name at the provider.
    public internal(set) var displayName: String?
    /// The address of the person's picture at the provider.
    public internal(set) var photoURL: String?
    /// The phone number, if the provider is ``ProviderID/phone``.
    public internal(set) var phoneNumber: String?
    /// Whether it cannot sign in until its owner confirms it; see <doc:Events>.
    public internal(set) var isSuspended = false
}

extension UserInfo {
    /// When an account was created and last signed in to.
    public struct Metadata: Sendable, Hashable {
        /// When the account was created.
        public let creationDate: Date
        /// When the account was last signed in to; nil if never.
        public let lastSignInDate: Date?
    }
}

extension Account {
    /// The sign-in methods as the owner sees them, one entry per provider; a password and sign-in links share one.
    public var providerData: [UserInfo] {
        var entries: [UserInfo] = []
        for method in methods {
            var entry: UserInfo
            switch method.kind {
            case .password, .emailLink:
                guard let email else { continue }
                if let index = entries.firstIndex(where: { $0.provider == .password }) {
                    if method.isActive { entries[index].isSuspended = false }
                    continue
                }
                entry = UserInfo(provider: .password, uid: email.text, email: email.text)
                (entry.displayName, entry.photoURL) = (displayName, photoURL)
            case .phone(let number): entry = UserInfo(provider: .phone, uid: number.text, phoneNumber: number.text)
            case .federated(let identity):
                entry = UserInfo(provider: identity.provider, uid: identity.key.subject.text)
                entry.email = identity.email?.text
                (entry.displayName, entry.photoURL) = (identity.displayName, identity.photoURL)
            }
            entry.isSuspended = !method.isActive
            entries.append(entry)
        }
        return entries
    }
}

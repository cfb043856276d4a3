#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One way in, as its owner sees it.
public struct UserInfo: Sendable, Hashable {
    /// The provider.
    public let provider: ProviderID
    /// The person's name there: the provider's subject, the address, or the number.
    public let uid: String
    /// The address there.
    public let email: String?
    /// The name there.
    public let displayName: String?
    /// The picture there.
    public let photoURL: String?
    /// The number, for a phone entry.
    public let phoneNumber: String?
}

/// When an account was made and last used.
public struct UserMetadata: Sendable, Hashable {
    /// When it was made.
    public let creationDate: Date
    /// When somebody last signed in to it.
    public let lastSignInDate: Date?
}

extension Account {
    /// The entries that a person sees, one a provider; a password and mailed links share one.
    public var providerData: [UserInfo] {
        var entries: [UserInfo] = []
        for method in methods {
            switch method.kind {
            case .password, .emailLink:
                guard let email, !entries.contains(where: { $0.provider == .password }) else { continue }
                entries.append(
                    UserInfo(
                        provider: .password,
                        uid: email.text,
                        email: email.text,
                        displayName: displayName,
                        photoURL: photoURL,
                        phoneNumber: nil
                    )
                )
            case .phone(let number):
                entries.append(
                    UserInfo(
                        provider: .phone,
                        uid: number.text,
                        email: nil,
                        displayName: nil,
                        photoURL: nil,
                        phoneNumber: number.text
                    )
                )
            case .federated(let identity):
                entries.append(
                    UserInfo(
                        provider: identity.provider,
                        uid: identity.key.subject.text,
                        email: identity.email?.text,
                        displayName: identity.displayName,
                        photoURL: identity.photoURL,
                        phoneNumber: nil
                    )
                )
            }
        }
        return entries
    }
}

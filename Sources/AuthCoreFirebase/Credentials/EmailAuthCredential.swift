internal import AuthCore
internal import Foundation

/// An address with its password, or with the link that was mailed to it.
final class EmailAuthCredential: AuthCredential, @unchecked Sendable {
    /// What is shown for the address.
    enum Kind: Sendable {
        case password(String)
        case link(String)
    }

    let email: String
    let kind: Kind

    init(email: String, kind: Kind) {
        self.email = email
        self.kind = kind
        let credential: AuthCore.AuthCredential =
            switch kind {
            case .password(let password): .password(email: email, password: password)
            case .link(let link): .emailLink(email: email, link: link)
            }
        super.init(provider: ProviderID.password.rawValue, presented: [credential])
    }
}

/// The tokens of a provider that has a class of its own.
final class ProviderCredential: AuthCredential, TokenCarrier, @unchecked Sendable {
    let tokens: ProviderTokens

    init(_ provider: ProviderID, _ tokens: ProviderTokens) {
        self.tokens = tokens
        super.init(
            provider: provider.rawValue,
            presented: [
                .oauth(provider, idToken: tokens.idToken, accessToken: tokens.accessToken, secret: tokens.secret)
            ]
        )
    }
}

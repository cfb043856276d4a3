internal import AuthCore
public import Foundation

/// What a person presents; make one with a provider's class.
// Nothing in it ever changes and everything in it is Sendable; it is only that the original's class is open, and that
// the compiler believes such a promise of final classes only. No other module can add stored properties, because no
// other module can make one.
open class AuthCredential: NSObject, @unchecked Sendable {
    /// The provider's id.
    public let provider: String

    /// What the engine is asked with: each in turn, as long as the one before is no longer known.
    let presented: [AuthCore.AuthCredential]

    init(provider: String, presented: [AuthCore.AuthCredential]) {
        self.provider = provider
        self.presented = presented
    }
}

extension AuthCredential {
    /// The credential to go on with after a conflict: first what the engine kept, then what was presented.
    static func updated(_ conflict: Conflict, from credential: AuthCredential?) -> AuthCredential {
        if conflict.provider == .phone { return PhoneAuthCredential(ownership: conflict.credential) }
        let tokens = (credential as? any TokenCarrier)?.tokens ?? ProviderTokens()
        let tried = credential?.presented.filter { !$0.isPending } ?? []
        return OAuthCredential(
            provider: conflict.provider.rawValue,
            tokens: tokens,
            presented: [conflict.credential] + tried
        )
    }
}

extension AuthCore.AuthCredential {
    /// Whether it stands for something that the engine kept after a conflict.
    var isPending: Bool {
        if case .pending = content { true } else { false }
    }
}

internal import AuthCore
public import Foundation

/// What a person signs in with; make one with a provider's class.
// It is immutable and everything in it is Sendable. The compiler cannot know that because the original's class is open,
// so that this one is not final. No other module can add stored properties, because no other module can make an
// instance.
open class AuthCredential: NSObject, @unchecked Sendable {
    /// The provider's ID.
    public let provider: String

    /// The forms that the engine is called with, in order, until it knows one.
    let presented: [AuthCore.AuthCredential]

    init(provider: String, presented: [AuthCore.AuthCredential]) {
        self.provider = provider
        self.presented = presented
    }
}

extension AuthCredential {
    /// The credential to continue with after a conflict: first what the engine stored, then what was presented.
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
    /// Whether it refers to something that the engine stored after a conflict.
    var isPending: Bool { keptConflict != nil }

    fileprivate var keptConflict: Conflict.PendingCredential? {
        if case .pending(let pending) = content { pending } else { nil }
    }

    /// The name that Apple gave of the person.
    var fullName: String? {
        if case .federated(let federated) = content { federated.fullName } else { nil }
    }
}

extension NSCoder {
    /// Writes the reference to a kept conflict, if one of the forms has it.
    func encode(pendingOf presented: [AuthCore.AuthCredential]) {
        guard let pending = presented.lazy.compactMap(\.keptConflict).first else { return }
        encode((try? JSONEncoder().encode(pending)) as NSData?, forKey: "pending")
    }

    /// The form that refers to what the engine keeps a conflict under, if one was written.
    var pending: AuthCore.AuthCredential? {
        guard containsValue(forKey: "pending"), let data = decodeObject(of: NSData.self, forKey: "pending") else {
            return nil
        }
        let pending = try? JSONDecoder().decode(Conflict.PendingCredential.self, from: Data(referencing: data))
        return pending.map { .pending($0) }
    }
}

/// What became of an account that was made elsewhere.
package enum ImportOutcome: Sendable, Hashable {
    /// It is here.
    case created
    /// An account with its id is here already, or was.
    case alreadyThere
    /// Another account has something that only one can have.
    case conflict(UniqueKey, owner: AccountID)
    /// This part of it contradicts the rest.
    case unsound(String)
}

extension AuthService {
    /// Writes an account that was made elsewhere; nothing that is here already is overwritten.
    package func bring(
        _ account: Account,
        lastSignIn: Timestamp?,
        trustedForJoin: Bool
    ) async throws(AuthError) -> ImportOutcome {
        var account = account
        if let part = account.unsoundPart { return .unsound(part) }
        if trustedForJoin { account.trustImport(at: environment.now) }
        let operation = ImportAccount(account, lastSignIn: lastSignIn)
        return switch try await perform(operation, RequestContext()).outcome {
        case .create: .created
        case .alreadyThere: .alreadyThere
        case .conflict(let key, let owner): .conflict(key, owner: owner)
        }
    }

    /// Gives a linked identity another name at its provider.
    package func remap(from old: IdentityKey, to new: IdentityKey) async throws(AuthError) {
        _ = try await perform(RemapSubject(from: old, to: new), RequestContext())
    }
}

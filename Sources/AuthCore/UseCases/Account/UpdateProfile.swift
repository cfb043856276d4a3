/// Changes the name and the picture shown to others.
struct UpdateProfile: SessionOperation {
    typealias Outcome = SignedIn

    let handle: ActingHandle
    let displayName: ProfileChange
    let photoURL: ProfileChange

    init(handle: ActingHandle, displayName: ProfileChange, photoURL: ProfileChange) {
        self.handle = handle
        self.displayName = displayName
        self.photoURL = photoURL
    }

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> SignedIn {
        transaction.reasons.append(.personChangesProfile)
        var account = acting.account
        displayName.apply(to: &account.displayName)
        photoURL.apply(to: &account.photoURL)
        if account != acting.account { transaction.event(.profileChanged, account.id, by: .session(acting.session.id)) }
        return transaction.keep(acting, with: &account, lastSignIn: seen.lastSignIn(of: account.id))
    }
}

/// What happens to one field of a profile.
public enum ProfileChange: Sendable, Hashable {
    /// It stays as it is.
    case keep
    /// It gets this value.
    case set(String)
    /// It is emptied.
    case clear

    /// The new value, if there is one.
    var value: String? {
        guard case .set(let value) = self else { return nil }
        return value
    }

    func apply(to field: inout String?) {
        switch self {
        case .keep: break
        case .set(let value): field = value
        case .clear: field = nil
        }
    }
}

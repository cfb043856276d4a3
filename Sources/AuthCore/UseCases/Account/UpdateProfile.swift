/// Changes the display name and the picture.
struct UpdateProfile: SessionOperation {
    let handle: ActingHandle
    let displayName: Account.ProfileChange
    let photoURL: Account.ProfileChange

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        transaction.reasons.append(.personChangesProfile)
        var account = acting.account
        displayName.apply(to: &account.displayName)
        photoURL.apply(to: &account.photoURL)
        return transaction.keep(acting, with: &account)
    }
}

extension Account {
    /// The change of one field of a profile.
    public enum ProfileChange: Sendable, Hashable {
        /// The field is unchanged.
        case keep
        /// The field is set to this value.
        case set(String)
        /// The field is cleared.
        case clear

        /// The new value, if there is one.
        var value: String? { if case .set(let value) = self { value } else { nil } }

        func apply(to field: inout String?) {
            switch self {
            case .keep: break
            case .set(let value): field = value
            case .clear: field = nil
            }
        }
    }
}

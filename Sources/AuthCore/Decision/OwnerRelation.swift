/// Whose an address or a credential is, as the person with an account sees it.
enum OwnerRelation: Sendable, Hashable, CaseIterable {
    case noAccount
    case thePerson
    case another

    /// The holder of an address that the account wants.
    init(ofWanted email: EmailAddress, for account: Account, in seen: Snapshot, under policy: AuthPolicy) {
        // An address reserved for the account itself after a change is available for it to return to.
        let other = seen.otherOwner(ofAddress: email, than: account.id, under: policy)
        self = account.email == email ? .thePerson : other == nil ? .noAccount : .another
    }
}

/// The accounts that reference one address, in the order in which a lookup finds the first of them.
struct ReferenceList: Sendable, EmptyValue {
    private var references = SortedSet<EmailReference>()
    /// Changes with the references that a lookup finds.
    private(set) var version: UInt64 = 0

    var isEmpty: Bool { references.isEmpty }

    /// The references that a lookup finds.
    var found: [EmailReference] { references.elements(limit: EmailReference.lookupLimit) }

    /// Adds, replaces or removes the reference of an account; returns whether the list that a lookup finds changed.
    mutating func apply(_ change: Store.EmailReferenceChange, as version: UInt64) -> Bool {
        let before = found
        let new = change.reference
        for strength in EmailReference.Strength.allCases {
            references.remove(EmailReference(account: new.account, createdAt: new.createdAt, strength: strength))
        }
        if change.isReferenced { references.insert(new) }
        if found == before { return false }
        self.version = version
        return true
    }
}

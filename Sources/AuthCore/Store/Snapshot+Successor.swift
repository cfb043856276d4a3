extension Snapshot {
    /// The account that a removed account was merged into; nil if it was not merged, or still exists.
    func successor(of id: AccountID) -> AccountID? {
        guard case .tombstone(let successor)? = tombstone(of: id)?.content else { return nil }
        return successor
    }
}

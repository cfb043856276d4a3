extension Snapshot {
    /// The account into which an account that is gone was merged; nil if it was not, or if it is still there.
    func successor(of id: AccountID) -> AccountID? {
        guard case .tombstone(let successor)? = tombstone(of: id)?.content else { return nil }
        return successor
    }
}

extension Snapshot {
    /// The refusal where an account is gone, or was merged into another.
    func refusal(ofMissing account: AccountID) -> Refusal {
        successor(of: account) == nil ? Refusal(.userNotFound, .accountIsGone) : .accountMerged
    }
}

extension Merge {
    /// How a merge ended that was resumed.
    public enum Ending: Sendable, Hashable, CaseIterable {
        /// The accounts are merged, and every hook was told.
        case merged
        /// It was aborted, and every hook was told.
        case aborted
        /// It was undone, and every hook was told.
        case undone
        /// There was nothing to resume: it ended before, or never began.
        case nothingLeft
    }
}

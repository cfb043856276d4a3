extension Merge {
    /// Moves the app's own data when accounts are merged; add one to the configuration for each kind of data.
    ///
    /// Each method may be called more than once, also by another process after a crash, or while an earlier call still
    /// runs. So a repeated call with the same id must have no further effect, and `commit` none after `undo`. The order
    /// is that of the configuration for `prepare` and `commit`, and the reverse for `abort` and `undo`.
    public protocol Hook: Sendable {
        /// The hook's stable name, under which a resumed merge finds that the hook has prepared.
        var name: String { get }

        /// Prepares to move the data, and throws if that is not possible; neither account has changed yet.
        ///
        /// A `CancellationError` leaves the merge as it is, to be resumed; every other error calls it off. If the store
        /// fails then, the caller gets `outcomeUnknown`, and the merge is resumed, too.
        func prepare(_ plan: Plan, id: ID) async throws

        /// Moves the data, after the accounts were merged. If it throws, it is called again when the merge is resumed.
        func commit(_ plan: Plan, id: ID) async throws

        /// Takes back what `prepare` did, even if that was interrupted or never began.
        func abort(_ plan: Plan, id: ID) async throws

        /// Takes back what `commit` did, after the merge was undone.
        func undo(_ plan: Plan, id: ID) async throws
    }
}

extension Merge.Hook {
    /// Does nothing.
    public func abort(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    /// Does nothing: the data stays where it is.
    public func undo(_ plan: Merge.Plan, id: Merge.ID) async throws {}
}

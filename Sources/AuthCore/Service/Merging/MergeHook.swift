extension Merge {
    /// Moves the app's own data when accounts are merged; add one to the configuration for each kind of data.
    ///
    /// Each method may be called more than once, also by another process after a crash, or while an earlier call still
    /// runs. So a repeated call with the same ID must have no further effect, `prepare` none after `abort`, and neither
    /// `commit` nor `abort` any after `undo`. The order is that of the configuration for `prepare` and `commit`, and
    /// the reverse for `abort` and `undo`.
    ///
    /// ```swift
    /// struct MovesOrders: Merge.Hook {
    ///     let name = "orders"
    ///     let shop: Shop
    ///
    ///     func prepare(_ plan: Merge.Plan, id: Merge.ID) async throws { try await shop.lock(plan.source, for: id) }
    ///     func commit(_ plan: Merge.Plan, id: Merge.ID) async throws {
    ///         try await shop.move(plan.source, plan.target, for: id)
    ///     }
    ///     func abort(_ plan: Merge.Plan, id: Merge.ID) async throws { try await shop.unlock(plan.source, for: id) }
    ///     func undo(_ plan: Merge.Plan, id: Merge.ID) async throws {
    ///         try await shop.moveBack(plan.source, plan.target, for: id)
    ///     }
    /// }
    /// ```
    public protocol Hook: Sendable {
        /// The hook's stable name, under which a resumed merge finds that the hook has prepared.
        var name: String { get }

        /// Prepares to move the data; neither account has changed yet.
        ///
        /// - Parameters:
        ///   - plan: What the merge does.
        ///   - id: The merge.
        /// - Throws: Any error if the data cannot be moved. It aborts the merge, and the caller gets
        ///   ``AuthErrorCode/mergeHookFailed`` with the error as the cause. If the store fails then, and for a
        ///   `CancellationError`, the caller gets ``AuthErrorCode/outcomeUnknown``, and the merge stays as it is, to be
        ///   resumed.
        func prepare(_ plan: Plan, id: ID) async throws

        /// Moves the data, after the accounts were merged.
        ///
        /// - Parameters:
        ///   - plan: What the merge did.
        ///   - id: The merge.
        /// - Throws: Any error if the data was not moved. The merge succeeds all the same, with
        ///   ``Merge/Result/isFinished`` false, and this is called again when the merge is resumed.
        func commit(_ plan: Plan, id: ID) async throws

        /// Takes back what `prepare` did, even if that was interrupted or never began.
        ///
        /// - Parameters:
        ///   - plan: What the merge would have done.
        ///   - id: The merge.
        /// - Throws: Any error if it was not taken back. The caller of the merge gets the error that aborted it, and
        ///   this is called again when the merge is resumed.
        func abort(_ plan: Plan, id: ID) async throws

        /// Takes back what `commit` did, after the merge was undone.
        ///
        /// - Parameters:
        ///   - plan: What the merge had done.
        ///   - id: The merge.
        /// - Throws: Any error if it was not taken back. The undoing succeeds all the same, with
        ///   ``Merge/UndoResult/isFinished`` false, and this is called again when the merge is resumed.
        func undo(_ plan: Plan, id: ID) async throws
    }
}

extension Merge.Hook {
    /// Does nothing.
    public func abort(_ plan: Merge.Plan, id: Merge.ID) async throws {}

    /// Does nothing: the data stays where it is.
    public func undo(_ plan: Merge.Plan, id: Merge.ID) async throws {}
}

/// Moves the app's own data when accounts are merged; name one in the configuration for each thing that must move.
///
/// Each call may come more than once, also from another process after a crash, and with the same id must do nothing
/// twice. The order is that of the configuration for `prepare` and `commit`, and the reverse for `abort` and `undo`.
public protocol MergeHook: Sendable {
    /// The hook's stable name, by which a resumed merge knows that it has prepared.
    var name: String { get }

    /// Gets ready to move the data, and throws if that cannot be done; nothing of either account has changed yet.
    ///
    /// A `CancellationError` leaves the merge as it is, to be resumed; every other error calls it off.
    func prepare(_ plan: MergePlan, id: MergeID) async throws

    /// Moves the data: the accounts are merged. What it throws is tried again when the merge is resumed.
    func commit(_ plan: MergePlan, id: MergeID) async throws

    /// Gives up what `prepare` did, also where that stopped half-way or never began.
    func abort(_ plan: MergePlan, id: MergeID) async throws

    /// Takes `commit` back: the accounts are parted again.
    func undo(_ plan: MergePlan, id: MergeID) async throws
}

extension MergeHook {
    /// Nothing has to be given up.
    public func abort(_ plan: MergePlan, id: MergeID) async throws {}

    /// Nothing can be taken back.
    public func undo(_ plan: MergePlan, id: MergeID) async throws {}
}

/// A merge that has begun, with the plan that the hooks received.
struct MergeRun: Sendable {
    let id: Merge.ID
    let plan: Merge.Plan

    var source: AccountID { plan.source }
    var target: AccountID { plan.target }

    /// The lookups of both accounts and of what is stored of the merge.
    var lookups: Lookups {
        [.account(source), .account(target), .record(id.intentKey), .record(id.planKey), .record(id.undoKey)]
    }

    /// Both accounts, the source first, as far as they exist.
    func accounts(in seen: Snapshot) -> [Account] { [source, target].compactMap { seen[$0] } }
}

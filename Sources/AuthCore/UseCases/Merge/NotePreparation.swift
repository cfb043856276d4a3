/// Records that a hook is prepared; returns false if the merge is written already, so that no further hook may prepare.
struct NotePreparation: Operation {
    let run: MergeRun
    let hook: String
    let isLast: Bool

    func lookups(_ request: Request) -> Lookups { run.lookups }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Bool {
        let phase = seen.phase(of: run)
        // Another attempt may have been faster.
        if phase == .committed { return false }
        if phase == .prepared { return true }
        guard phase == .preparing, var intent = seen.intent(run.id) else { throw .mergeOutdated }
        if !intent.prepared.contains(hook) { intent.prepared.append(hook) }
        if isLast { intent.phase = .prepared }
        transaction.recordProgress(intent, of: run, in: seen)
        return true
    }
}

/// Where a merge keeps its records.
extension Merge.ID {
    /// Where the plan is kept that hooks were told.
    var planKey: OneTimeRecordID { OneTimeRecordID(digestOf: "merge plan\u{0}" + text) }

    /// Where it is kept how the merge can be undone.
    var undoKey: OneTimeRecordID { OneTimeRecordID(digestOf: "merge undo\u{0}" + text) }
}

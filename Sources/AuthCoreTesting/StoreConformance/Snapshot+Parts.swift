import AuthCore

extension Snapshot {
    /// What each lookup found, apart: to search a snapshot of a thousand lookups for each of them takes long.
    var parts: [Lookup: Snapshot] {
        let parts = zip(asked, answers).map { lookup, answer in (lookup, Snapshot([lookup]) { _ in answer }) }
        return Dictionary(uniqueKeysWithValues: parts)
    }
}

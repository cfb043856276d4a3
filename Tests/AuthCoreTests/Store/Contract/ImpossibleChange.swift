@testable import AuthCore

/// Thrown by a store that looks at what a change never contains.
struct ImpossibleChange: Error {
    let fault: String
}

extension ChangeSet {
    /// What no change contains and this one does.
    var fault: String? {
        let ids = accounts.map(\.id)
        if Set(ids).count < ids.count { return "writes one account twice" }
        for case .update(let account, let expected) in accounts where account.version != expected &+ 1 {
            return "updates \(account.id) to version \(account.version) from \(expected)"
        }
        let records = records.compactMap { if case .put(let record) = $0 { record.key } else { nil } }
        if Set(records).count < records.count { return "puts one record twice" }
        let begun = sessions.compactMap { if case .put(let session) = $0 { session.id } else { nil } }
        if Set(begun).count < begun.count { return "inserts one session twice" }
        for case .update(let session, _) in sessions where sessions.contains(where: { $0.ends(session) }) {
            return "updates a session that it ends"
        }
        let times = Dictionary(grouping: signIns, by: \.account).mapValues { Set($0.map(\.at)).count }
        return times.values.contains { $0 > 1 } ? "records sign-ins of one account at several times" : nil
    }
}

extension Store.SessionChange {
    fileprivate func ends(_ session: Session) -> Bool {
        switch self {
        case .put, .update, .endUnused: false
        case .end(let id): id == session.id
        case .endAll(let account, let kept): account == session.account && kept != session.id
        }
    }
}

extension Account {
    /// Allows auto-linking by the evidence of an import, for a batch that an administrator trusts.
    mutating func trustImport(at now: Timestamp) {
        for index in evidence.indices where evidence[index].source == .imported(trusted: false) {
            let piece = evidence[index]
            evidence[index] = piece.trusted
            guard piece.isFresh, case .email = piece.subject else { continue }
            cover(methods.map(\.generation), by: [piece.subject], at: now)
        }
    }
}

extension Evidence {
    /// The same evidence, from a trusted import.
    fileprivate var trusted: Evidence {
        var piece = Evidence(subject, .imported(trusted: true), at: firstAt)
        piece.lastAt = lastAt
        piece.count = count
        piece.staleSince = staleSince
        return piece
    }
}

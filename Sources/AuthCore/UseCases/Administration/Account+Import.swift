extension Account {
    /// Lets what an import says be joined by, as whoever vouches for the batch wants it.
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
    /// The same said by an import that somebody vouches for.
    fileprivate var trusted: Evidence {
        var piece = Evidence(subject, .imported(trusted: true), at: firstAt)
        piece.lastAt = lastAt
        piece.count = count
        piece.staleSince = staleSince
        return piece
    }
}

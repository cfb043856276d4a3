extension Account {
    /// Reduces what counts as evidence to that of an import, which reserves addresses and links nothing by itself.
    mutating func distrustImport(under policy: AuthPolicy) {
        evidence = evidence.reduce(into: []) { kept, piece in
            guard piece.isFresh, policy.believes(piece.source, about: piece.subject) else {
                return kept.append(piece.withoutAuthority)
            }
            let imported = piece.imported(trusted: false)
            let same = kept.firstIndex { $0.subject == imported.subject && $0.source == imported.source && $0.isFresh }
            guard let same else { return kept.append(imported) }
            kept[same].lastAt = max(kept[same].lastAt, imported.lastAt)
            kept[same].add(imported.count)
        }
        for index in methods.indices { methods[index].coverage = [] }
    }

    /// Allows auto-linking by the evidence of an import, for a batch that an administrator trusts.
    mutating func trustImport(at now: Timestamp) {
        for index in evidence.indices where evidence[index].source == .imported(trusted: false) {
            let piece = evidence[index]
            evidence[index] = piece.imported(trusted: true)
            guard piece.isFresh, case .email = piece.subject else { continue }
            cover(methods.map(\.generation), by: [piece.subject], at: now)
        }
    }

    /// Dates evidence of the future as of now: it would count as recent until then.
    mutating func dateEvidence(by now: Timestamp) {
        for index in evidence.indices { evidence[index].lastAt = min(evidence[index].lastAt, now) }
    }

    /// Reserves the address that is verified or stands for a password, so that another owner of it is a conflict.
    mutating func reserveEmail(under policy: AuthPolicy) {
        guard policy.accountsPerEmail == .one else { return }
        if isEmailVerified(under: policy) || hasPasswordEntry && !isProvisional { reservesEmail = true }
    }
}

extension Evidence {
    /// The same evidence, where a provider's word is at most a confirmed one: a later policy may trust the provider.
    fileprivate var withoutAuthority: Evidence {
        guard case .provider(let key, .authoritative) = source else { return self }
        var piece = Evidence(subject, .provider(key, .confirmed), at: firstAt)
        piece.lastAt = lastAt
        piece.count = count
        piece.staleSince = staleSince
        return piece
    }

    /// The same evidence, from an import.
    fileprivate func imported(trusted: Bool) -> Evidence {
        var piece = Evidence(subject, .imported(trusted: trusted), at: firstAt)
        piece.lastAt = lastAt
        piece.count = count
        piece.staleSince = staleSince
        return piece
    }
}

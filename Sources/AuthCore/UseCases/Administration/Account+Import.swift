extension Account {
    /// Reduces what counts as evidence to that of an import, which reserves addresses and links nothing by itself.
    ///
    /// An import says that the address is the account's. So evidence stays as it is where the methods may have been
    /// added by another person than the one who verified the address.
    mutating func distrustImport(under policy: AuthPolicy) {
        let old = self
        // A device that the import knows would be spared the limits of strangers.
        knownDevices = []
        evidence = evidence.reduce(into: []) { kept, piece in
            guard piece.counts(under: policy) else { return kept.append(piece.withoutAuthority) }
            if case .email(let email) = piece.subject, !old.isOwnerKnown(at: email, under: policy),
                old.methods.contains(where: \.isActive)
            {
                return kept.append(piece)
            }
            let imported = piece.from(.imported(trusted: false))
            let same = kept.firstIndex { $0.subject == imported.subject && $0.source == imported.source && $0.isFresh }
            guard let same else { return kept.append(imported) }
            kept[same].lastAt = max(kept[same].lastAt, imported.lastAt)
            kept[same].add(imported.count)
        }
        for index in methods.indices {
            methods[index].coverage = []
            guard var identity = methods[index].identity, identity.assurance == .authoritative else { continue }
            identity.assurance = .confirmed
            methods[index].kind = .federated(identity)
        }
    }

    /// Allows auto-linking by the evidence of an import, for a batch that an administrator trusts.
    mutating func trustImport(at now: Timestamp) {
        for index in evidence.indices where evidence[index].source == .imported(trusted: false) {
            evidence[index].source = .imported(trusted: true)
            guard evidence[index].isFresh, case .email(let email) = evidence[index].subject else { continue }
            cover(methods.map(\.generation), by: [.email(email)], at: now)
        }
    }

    /// Dates what is of the future as of now: evidence would count as recent until then, a coverage would hold by
    /// evidence that begins later, and a recovery from the loss of a factor would never be old enough.
    mutating func limitDates(to now: Timestamp) {
        createdAt.limit(to: now)
        emailSetAt?.limit(to: now)
        // Where the server signs in and does not say since when, it may have done so a moment ago.
        if acceptsCustomTokens, customTokenAt == nil { customTokenAt = now }
        customTokenAt?.limit(to: now)
        for index in evidence.indices {
            evidence[index].firstAt.limit(to: now)
            evidence[index].lastAt.limit(to: now)
            evidence[index].staleSince?.limit(to: now)
        }
        for index in factors.indices { factors[index].enrolledAt.limit(to: now) }
        for index in factors.indices { factors[index].suspension?.since.limit(to: now) }
        for index in methods.indices {
            methods[index].addedAt.limit(to: now)
            methods[index].seniorSince.limit(to: now)
            methods[index].suspension?.since.limit(to: now)
            for place in methods[index].coverage.indices { methods[index].coverage[place].at.limit(to: now) }
        }
    }

    /// Reserves the address that is verified or stands for a password, or any where the policy reserves every address,
    /// so that another owner of it is a conflict.
    mutating func reserveEmail(under policy: AuthPolicy) {
        guard policy.accountsPerEmail == .one, email != nil else { return }
        let isReserved = policy.addressReservation == .everyAddress || isEmailVerified(under: policy)
        if isReserved || lists(.password) { reservesEmail = true }
    }
}

extension Evidence {
    /// The same evidence, with a confirmed assurance at most of a provider: a later policy may trust the provider.
    fileprivate var withoutAuthority: Evidence {
        if case .provider(let key, .authoritative) = source { from(.provider(key, .confirmed)) } else { self }
    }

    /// The same evidence, from another source.
    fileprivate func from(_ source: Source) -> Evidence {
        var piece = self
        piece.source = source
        return piece
    }
}

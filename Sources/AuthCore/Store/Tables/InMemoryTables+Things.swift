/// Sessions and one-time things: rows of their own, each in a list that begins in the row of its account.
extension InMemoryTables {
    mutating func apply(_ change: SessionChange) {
        switch change {
        case .put(let session):
            // Sessions of an account that nobody knows are found by their names only.
            let account = row(session.account)
            let first = account.flatMap { accounts[$0]?.firstSession } ?? .none
            let number = sessions.insert(SessionRow(session: session, next: first), under: session.id)
            if let account { accounts[account]?.firstSession = number }
        case .update(let session, _):
            if let number = sessions.find(session.id) { sessions[number]?.session = session }
        case .end(let id):
            end(id)
        case .endAll(let account, let kept):
            guard let owner = row(account), var next = accounts[owner]?.firstSession else { return }
            accounts[owner]?.firstSession = .none
            while let row = sessions[next] {
                if row.session.id == kept {
                    sessions[next]?.next = .none
                    accounts[owner]?.firstSession = next
                } else {
                    sessions.remove(next, under: row.session.id)
                }
                next = row.next
            }
            tidy(owner)
        }
    }

    private mutating func end(_ id: SessionID) {
        guard let number = sessions.find(id), let row = sessions[number] else { return }
        if let owner = self.row(row.session.account) {
            if accounts[owner]?.firstSession == number {
                accounts[owner]?.firstSession = row.next
            } else if var before = accounts[owner]?.firstSession {
                while let next = sessions[before]?.next, next != number { before = next }
                if before != .none { sessions[before]?.next = row.next }
            }
            sessions.remove(number, under: id)
            tidy(owner)
        } else {
            sessions.remove(number, under: id)
        }
    }

    mutating func apply(_ change: CapabilityChange) {
        switch change {
        case .put(let capability):
            put(capability)
        case .replace(let capability):
            drop(capability.key)
            put(capability)
        case .consume(let key), .revoke(let key):
            drop(key)
        case .revokeAll(let account, let purposes):
            guard let owner = row(account) else { return }
            if purposes.contains(where: { $0 != .notMe }) { revoke(purposes, of: owner, .others) }
            if purposes.contains(.notMe) { revoke(purposes, of: owner, .notices) }
            tidy(owner)
        }
    }

    private mutating func put(_ capability: Capability) {
        if capability.isTombstone { tombstones += 1 }
        let owner = capability.account.map { makeRow($0) } ?? .none
        var row = CapabilityRow(capability, about: owner)
        let list = row.list
        row.next = accounts[owner]?[list] ?? .none
        let number = capabilities.insert(row, under: capability.key)
        accounts[owner]?[list] = number
    }

    private mutating func drop(_ key: CapabilityKey) {
        guard let number = capabilities.find(key), let row = capabilities[number] else { return }
        if row.purpose == .tombstone { tombstones -= 1 }
        let list = row.list
        if row.account == .none {
            // It is in no list.
        } else if accounts[row.account]?[list] == number {
            accounts[row.account]?[list] = row.next
        } else if var before = accounts[row.account]?[list] {
            while let next = capabilities[before]?.next, next != number { before = next }
            if before != .none { capabilities[before]?.next = row.next }
        }
        capabilities.remove(number, under: key)
        tidy(row.account)
    }

    private mutating func revoke(
        _ purposes: [Capability.Purpose],
        of owner: RowNumber,
        _ list: AccountRow.List
    ) {
        guard var next = accounts[owner]?[list] else { return }
        var last = RowNumber.none
        while let row = capabilities[next] {
            if purposes.contains(row.purpose) {
                if row.purpose == .tombstone { tombstones -= 1 }
                if last == .none {
                    accounts[owner]?[list] = row.next
                } else {
                    capabilities[last]?.next = row.next
                }
                capabilities.remove(next, under: row.key)
            } else {
                last = next
            }
            next = row.next
        }
    }

    /// Removes expired one-time things and sessions, at most so many.
    mutating func sweep(at now: Timestamp, limit: Int) -> SweepReport {
        var report = SweepReport()
        let expired = capabilities.all.lazy.filter { !$0.isLive(at: now) }.map(\.key).prefix(max(0, limit))
        for key in Array(expired) {
            drop(key)
            report.capabilities += 1
        }
        let over = sessions.all.lazy.map(\.session).filter { $0.expiresAt.map { now >= $0 } ?? false }.map(\.id)
        for id in Array(over.prefix(max(0, limit - report.capabilities))) {
            end(id)
            report.sessions += 1
        }
        report.isComplete = report.capabilities + report.sessions < limit
        return report
    }
}

extension Capability {
    fileprivate var isTombstone: Bool { purpose == .tombstone }
}

extension CapabilityRow {
    /// Which of its account's lists it is in.
    fileprivate var list: AccountRow.List { purpose == .notMe ? .notices : .others }
}

@testable import AuthCore

/// Flaws of when the tombstone of an account makes way for a new one.
extension Flaw {
    static let tombstones: [String: [Flaw]] = ["a tombstone makes way where it is used up, and nowhere else": givesWay]

    private static let givesWay: [Flaw] = [
        .prepares("permits a change that uses any record up") { changes, tables in
            if changes.records.contains(where: { if case .consume = $0 { true } else { false } }) {
                for case .create(let account) in changes.accounts
                where tables.records[.tombstone(of: account.id)] != nil {
                    changes.records.append(.consume(.tombstone(of: account.id)))
                }
            }
        },
        .prepares("takes the revocation of a tombstone for its use") { changes, _ in
            for case .create(let account) in changes.accounts {
                let tombstone = OneTimeRecordID.tombstone(of: account.id)
                guard let place = changes.records.firstIndex(of: .revoke(tombstone)) else { continue }
                changes.records[place] = .consume(tombstone)
            }
        },
        .prepares("looks at the tombstone of the first new account only") { changes, tables in
            for case .create(let account) in changes.accounts.dropFirst()
            where tables.records[.tombstone(of: account.id)] != nil {
                changes.records.append(.consume(.tombstone(of: account.id)))
            }
        },
        .prepares("makes way once a tombstone has expired") { changes, tables in
            for case .create(let account) in changes.accounts {
                if let tombstone = tables.records[.tombstone(of: account.id)], !tombstone.isLive(at: changes.at) {
                    changes.records.append(.consume(tombstone.key))
                }
            }
        },
        .wraps("finds one tombstone in a load, of the first account") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                let first = lookups.first { if case .account = $0 { true } else { false } }
                return Snapshot(lookups) { lookup in
                    guard case .gone = seen.answer(to: lookup), lookup != first else { return seen.answer(to: lookup) }
                    return .nothing
                }
            }
        },
        .shows("finds no tombstone by its ID") { lookup, answer in
            guard case .record(let record, _) = answer, record.purpose == .tombstone else { return answer }
            return .nothing
        },
    ]
}

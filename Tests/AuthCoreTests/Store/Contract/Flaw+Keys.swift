@testable import AuthCore

/// Flaws of which keys a commit writes, of their rule, and of what a removed account leaves.
extension Flaw {
    static let keys: [String: [Flaw]] = [
        "a key that is only expected stays with its owner, or free": writesExpectations,
        "the rule of keys is that of the first change that was written with one": misrules,
        "accounts exchange their keys in one step": exchangesHalf,
        "the keys and references of a removed account go to another in the same step": disinherits,
    ]

    private static let writesExpectations: [Flaw] = [
        .edits("gives an owner to a key that was expected to be free") { _, changes, after in
            for change in changes.keys where change.expected == nil && change.owner == nil {
                after.owners[change.key] = "someone"
            }
        },
        .edits("takes a key from the owner that was expected") { _, changes, after in
            for change in changes.keys where change.expected == change.owner { after.owners[change.key] = nil }
        },
        .judges("expects no key to be free") { checks, tables in
            checks.first { check in
                guard case .owner(let key) = check.precondition, tables.owners[key] == nil else { return !check.holds }
                return true
            }?.precondition
        },
    ]

    private static let misrules: [Flaw] = [
        .wraps("follows one rule only") { store in
            store.onCommit = { changes, whole in
                if changes.keyRule == .mailbox { return .violated(.keyRule(.address)) }
                return try await whole.commit(changes)
            }
        },
        writesAPart("takes the rule of a change that was refused") { outcome, changes, part in
            if case .violated = outcome { part.keyRule = changes.keyRule }
        },
        writesAPart("takes the rule of a change that was written before") { outcome, changes, part in
            if outcome == .duplicate { part.keyRule = changes.keyRule }
        },
        .prepares("gives a rule to a change without one") { changes, tables in
            changes.keyRule = changes.keyRule ?? .address
        },
        .edits("follows the first change, with or without a rule") { before, changes, after in
            if before.commits == 0, changes.keyRule == nil { after.keyRule = .address }
        },
        .edits("forgets the rule at a change that has none") { _, changes, after in after.keyRule = changes.keyRule },
        .wraps("names the rule of the change") { store in
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                guard case .violated(.keyRule) = outcome, let rule = changes.keyRule else { return outcome }
                return .violated(.keyRule(rule))
            }
        },
        .judges("refuses a change without a rule once there is one") { checks, tables in
            let isRuled = checks.contains { if case .keyRule = $0.precondition { true } else { false } }
            if let rule = tables.keyRule, !isRuled { return .keyRule(rule) }
            return checks.first { !$0.holds }?.precondition
        },
    ]

    private static let exchangesHalf: [Flaw] = [
        .edits("has one key of a kind for each account") { _, changes, after in
            for change in changes.keys {
                guard let owner = change.owner else { continue }
                after.owners = after.owners.filter {
                    $1 != owner || $0 == change.key || !$0.isOfTheKind(of: change.key)
                }
            }
        },
        .prepares("writes half of an exchange") { changes, tables in
            // An account that gives away a key keeps none that it is given in the same change.
            let giving = Set(changes.keys.filter { $0.owner != $0.expected }.compactMap(\.expected))
            let isExchange = changes.keys.contains { $0.expected != nil && $0.owner.map(giving.contains) == true }
            if isExchange { changes.keys = Array(changes.keys.prefix(changes.keys.count / 2)) }
        },
        .wraps("finds the sessions of a key's first owner") { store in
            let first = FirstValues<UniqueKey, AccountID>()
            store.onCommit = { changes, whole in
                for change in changes.keys { if let owner = change.owner { first.keep(owner, under: change.key) } }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let mapped = lookups.map { lookup in
                    guard case .sessions(of: .owner(let key)) = lookup, let owner = first[key] else { return lookup }
                    return .sessions(of: .account(owner))
                }
                let seen = try await whole.load(Lookups(mapped))
                let places = Dictionary(zip(lookups, mapped)) { first, _ in first }
                return Snapshot(lookups) { places[$0].map(seen.answer) ?? .nothing }
            }
        },
    ]

    private static let disinherits: [Flaw] = [
        .edits("removes the keys that a removed account had") { before, changes, after in
            for case .remove(let id, _) in changes.accounts {
                after.owners = after.owners.filter { before.owners[$0.key] != id }
            }
        },
        .edits("removes the references to what a removed account referenced") { before, changes, after in
            for case .remove(let id, _) in changes.accounts {
                after.references = after.references.filter { email, _ in
                    !(before.references[email] ?? []).contains { $0.account == id }
                }
            }
        },
        .edits("removes what is new with an account") { _, changes, after in
            if changes.accounts.contains(where: { if case .remove = $0 { true } else { false } }) {
                for case .put(let record) in changes.records where record.purpose != .tombstone {
                    after.records[record.key] = nil
                }
            }
        },
    ]
}

extension UniqueKey {
    fileprivate func isOfTheKind(of other: UniqueKey) -> Bool {
        switch (self, other) {
        case (.identity, .identity), (.phone, .phone), (.primaryEmail, .primaryEmail): true
        default: false
        }
    }
}

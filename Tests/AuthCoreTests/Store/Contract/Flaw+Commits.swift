@testable import AuthCore
import Synchronization

/// Flaws about which commits are written, and how much of them.
extension Flaw {
    static let commits: [String: [Flaw]] = [
        "every precondition is looked at, wherever it stands": looksAtSome,
        "of several preconditions that do not hold the first is answered": answersAnother,
        "a number that a change expects is that one, neither more nor less": comparesRoughly,
        "a key that is only expected stays with its owner, or free": writesExpectations,
        "the rule of keys is that of the first change that was written with one": misrules,
        "an operation is known by its ID and by nothing else": knowsContent,
        "an operation is written once, whatever it writes": knowsSomeOperations,
        "accounts exchange their keys in one step": exchangesHalf,
        "the keys and references of a removed account go to another in the same step": disinherits,
        "a tombstone makes way where it is used up, and nowhere else": givesWay,
        "one change writes many rows of each kind": writesAHundred,
    ]

    // MARK: Preconditions

    private static let kinds: [(name: String, isOne: @Sendable (Store.Precondition) -> Bool)] = [
        ("creations", { if case .absent = $0 { true } else { false } }),
        ("versions", { if case .version = $0 { true } else { false } }),
        ("lists", { if case .references = $0 { true } else { false } }),
        ("keys", { if case .owner = $0 { true } else { false } }),
        ("records", { if case .record = $0 { true } else { false } }),
        ("sessions", { if case .session = $0 { true } else { false } }),
    ]

    private static let looksAtSome: [Flaw] = kinds.flatMap { name, isOne in
        [
            .judges("looks at the first of \(name) only") { checks, _ in
                let first = checks.firstIndex { isOne($0.precondition) }
                return checks.enumerated().first {
                    !$1.holds && (!isOne($1.precondition) || $0 == first)
                }?.element.precondition
            },
            .judges("looks at the last of \(name) only") { checks, _ in
                let last = checks.lastIndex { isOne($0.precondition) }
                return checks.enumerated().first {
                    !$1.holds && (!isOne($1.precondition) || $0 == last)
                }?.element.precondition
            },
            .judges("names the first of \(name) whichever fails") { checks, _ in
                guard let failed = checks.first(where: { !$0.holds })?.precondition else { return nil }
                return isOne(failed) ? checks.first { isOne($0.precondition) }?.precondition : failed
            },
        ]
    }

    private static let answersAnother: [Flaw] = [
        .judges("answers the last precondition that does not hold") { checks, _ in
            checks.last { !$0.holds }?.precondition
        },
        .judges("looks at sessions first") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .session = $0 { true } else { false } } ?? failed.first
        },
        .judges("looks at records before keys") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .record = $0 { true } else { false } } ?? failed.first
        },
        .judges("looks at the rule of keys last") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .keyRule = $0 { false } else { true } } ?? failed.first
        },
        .judges("looks at lists before versions") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .references = $0 { true } else { false } } ?? failed.first
        },
    ]

    /// Accepts what is expected wherever the comparison with what is stored says so.
    private static func compares(
        _ name: String,
        _ isRight: @escaping @Sendable (_ stored: UInt64, _ expected: UInt64) -> Bool
    ) -> [Flaw] {
        let stored = { @Sendable (tables: PlainTables, id: AccountID) in tables.accounts[id]?.version }
        let loosened = { @Sendable (stored: UInt64?, expected: UInt64) in
            guard let stored, isRight(stored, expected) else { return expected }
            return stored
        }
        return [
            .prepares("updates where \(name)") { changes, tables in
                changes.accounts = changes.accounts.map { write in
                    guard case .update(let account, let expected) = write else { return write }
                    return .update(account, expected: loosened(stored(tables, account.id), expected))
                }
            },
            .prepares("removes where \(name)") { changes, tables in
                changes.accounts = changes.accounts.map { write in
                    guard case .remove(let id, let expected) = write else { return write }
                    return .remove(id, expected: loosened(stored(tables, id), expected))
                }
            },
            .prepares("has read where \(name)") { changes, tables in
                changes.reads = changes.reads.map {
                    Store.AccountRead(id: $0.id, version: loosened(stored(tables, $0.id), $0.version))
                }
            },
            .prepares("knows a list where \(name)") { changes, tables in
                changes.referenceReads = changes.referenceReads.map {
                    .init(email: $0.email, version: loosened(tables.version(of: $0.email), $0.version))
                }
            },
            .prepares("exchanges where \(name)") { changes, tables in
                changes.sessions = changes.sessions.map { change in
                    guard case .update(let session, let count) = change else { return change }
                    let stored = tables.sessions[session.id].map { UInt64($0.refreshCount) }
                    return .update(session, refreshCount: UInt32(loosened(stored, UInt64(count))))
                }
            },
        ]
    }

    private static let comparesRoughly: [Flaw] =
        compares("no less is expected") { $0 <= $1 } + compares("no more is expected") { $0 >= $1 }
        + compares("nothing is expected") { $1 == 0 } + compares("the next is expected") { $1 == $0 + 1 }
        + compares("the low bits are equal") { UInt8(truncatingIfNeeded: $0) == UInt8(truncatingIfNeeded: $1) }

    /// Writes a part of a change that was not written as a whole, by an operation of its own.
    private static func writesAPart(
        _ name: String,
        _ fill: @escaping @Sendable (Store.CommitOutcome, ChangeSet, inout ChangeSet) -> Void
    ) -> Flaw {
        .wraps(name) { store in
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                let empty = ChangeSet(operation: OperationID(bits: ~changes.operation.bits), at: changes.at)
                var part = empty
                fill(outcome, changes, &part)
                if part != empty { _ = try await whole.commit(part) }
                return outcome
            }
        }
    }

    // MARK: Keys

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

    // MARK: Operations

    private static let knowsContent: [Flaw] = [
        .wraps("knows an operation by what it writes") { store in
            let known = Mutex<Set<ChangeSet>>([])
            store.onCommit = { changes, whole in
                let plain = changes.under(OperationID(bits: 0))
                if known.withLock({ $0.contains(plain) }) { return .duplicate }
                let outcome = try await whole.commit(changes)
                if outcome == .committed { known.withLock { _ = $0.insert(plain) } }
                return outcome
            }
        },
        .wraps("writes another change under the same ID") { store in
            let known = FirstValues<OperationID, ChangeSet>()
            let number = Mutex<UInt128>(1 << 100)
            store.onCommit = { changes, whole in
                let isOther = known[changes.operation].map { $0 != changes } ?? false
                let id = number.withLock { number in
                    number += 1
                    return OperationID(bits: number)
                }
                let outcome = try await whole.commit(isOther ? changes.under(id) : changes)
                if outcome == .committed { known.keep(changes, under: changes.operation) }
                return outcome
            }
        },
        .wraps("looks at preconditions before it looks for the operation") { store in
            let number = Mutex<UInt128>(1 << 100)
            store.onCommit = { changes, whole in
                let outcome = try await whole.commit(changes)
                guard outcome == .duplicate, !changes.reads.isEmpty else { return outcome }
                let id = number.withLock { number in
                    number += 1
                    return OperationID(bits: number)
                }
                var reads = ChangeSet(operation: id, at: changes.at)
                reads.reads = changes.reads
                let read = try await whole.commit(reads)
                return read == .committed ? outcome : read
            }
        },
        .writesEventsAgain,
    ]

    static let writesEventsAgain = writesAPart("writes the events of a change again") { outcome, changes, part in
        if outcome == .duplicate { part.events = changes.events }
    }

    private static func forgets(_ name: String, _ isForgotten: @escaping @Sendable (ChangeSet) -> Bool) -> Flaw {
        .edits("does not note an operation \(name)") { _, changes, after in
            if isForgotten(changes) { after.operations.remove(changes.operation) }
        }
    }

    private static let knowsSomeOperations: [Flaw] = [
        forgets("that updates accounts alone") { $0.records.isEmpty && $0.events.isEmpty && !$0.accounts.isEmpty },
        forgets("of keys") { !$0.keys.isEmpty && $0.accounts.isEmpty },
        forgets("of references") { !$0.references.isEmpty && $0.accounts.isEmpty },
        forgets("of records") { !$0.records.isEmpty && $0.accounts.isEmpty },
        forgets("of sessions") { !$0.sessions.isEmpty && $0.accounts.isEmpty },
        forgets("of messages") { !$0.messages.isEmpty && $0.accounts.isEmpty },
        forgets("without an account") { $0.accounts.isEmpty },
    ]

    // MARK: Tombstones

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

    // MARK: Many rows

    private static func cuts(_ name: String, _ cut: @escaping @Sendable (inout ChangeSet) -> Void) -> Flaw {
        .writes("writes a hundred \(name) of a change", cut)
    }

    private static let writesAHundred: [Flaw] = [
        cuts("new accounts") { $0.accounts = Array($0.accounts.prefix(100)) },
        cuts("keys") { $0.keys = Array($0.keys.prefix(100)) },
        cuts("references") { $0.references = Array($0.references.prefix(100)) },
        cuts("records") { $0.records = Array($0.records.prefix(100)) },
        cuts("sessions") { $0.sessions = Array($0.sessions.prefix(100)) },
        cuts("sign-ins") { $0.signIns = Array($0.signIns.prefix(100)) },
        cuts("events") { $0.events = Array($0.events.prefix(100)) },
        cuts("messages") { $0.messages = Array($0.messages.prefix(100)) },
        .writes("shuffles the events of a large change") { changes in
            if changes.events.count > 256 { changes.events.swapAt(0, 256) }
        },
        .writes("ends a hundred sessions of a change") { changes in
            var left = 100
            changes.sessions.removeAll { change in
                guard case .end = change else { return false }
                left -= 1
                return left < 0
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

@testable import AuthCore

/// Flaws that compare less than whole names, or find one thing by another's name.
extension Flaw {
    static let names: [String: [Flaw]] = [
        "IDs are compared to their last bit": comparesHalves,
        "a key is compared with its kind and all its parts": mixesKeys,
        "what is done to one account is done to none of a similar ID": meansOthers,
        "a lookup finds alone what it finds among others": mixesLookups,
    ]

    // MARK: IDs

    private static func halves(_ name: String, _ half: @escaping @Sendable (UInt128) -> UInt128) -> [Flaw] {
        [
            .edits("knows records by \(name)") { _, changes, after in
                for case .put(let new) in changes.records {
                    after.records = after.records.filter {
                        $0.key == new.key || half($0.key.bits) != half(new.key.bits)
                    }
                }
            },
            .edits("knows sessions by \(name)") { _, changes, after in
                for case .put(let new) in changes.sessions {
                    after.sessions = after.sessions.filter {
                        $0.key == new.id || half($0.key.bits) != half(new.id.bits)
                    }
                }
            },
            .edits("ends sessions by \(name)") { _, changes, after in
                for case .end(let id) in changes.sessions {
                    after.sessions = after.sessions.filter { half($0.key.bits) != half(id.bits) }
                }
            },
            .edits("uses up records by \(name)") { _, changes, after in
                for case .consume(let key) in changes.records {
                    after.records = after.records.filter { half($0.key.bits) != half(key.bits) }
                }
            },
            .wraps("knows operations by \(name)") { store in
                store.onCommit = { changes, whole in
                    try await whole.commit(changes.under(OperationID(bits: half(changes.operation.bits))))
                }
            },
            .edits("knows messages by \(name)") { _, changes, after in
                for message in changes.messages {
                    after.messages.removeAll {
                        $0.entry.id != message.id && half($0.entry.id.bits) == half(message.id.bits)
                    }
                }
            },
            .wraps("settles messages by \(name)") { store in
                store.onSettle = { ids, whole in
                    let waiting = try await whole.messages(.waiting, after: nil, limit: 1000).map(\.entry.id)
                    let meant = Set(ids.map { half($0.bits) })
                    try await whole.settleMessages(ids + waiting.filter { meant.contains(half($0.bits)) })
                }
            },
        ]
    }

    private static let comparesHalves: [Flaw] =
        halves("the low half of their IDs") { $0 & UInt128(UInt64.max) }
        + halves("the high half of their IDs") { $0 >> 64 }
        + halves("127 bits of their IDs") { $0 << 1 }
        + halves("the letters of their IDs") { bits in
            OperationID(bits: bits).text.lowercased().utf8.reduce(0) { $0 &* 257 &+ UInt128($1) }
        } + [
            .wraps("orders messages by signed numbers") { store in
                store.onMessages = { status, id, limit, whole in
                    let all = try await whole.messages(status, after: nil, limit: 1000)
                    let place = { (id: OperationID) in Int128(truncatingIfNeeded: id.bits) }
                    let left = all.filter { message in id.map { place($0) < place(message.entry.id) } ?? true }
                    return Array(left.sorted { place($0.entry.id) < place($1.entry.id) }.prefix(limit))
                }
            },
            .wraps("takes the ID zero for none") { store in
                store.onMessages = { status, id, limit, whole in
                    try await whole.messages(status, after: id ?? OperationID(bits: 0), limit: limit)
                }
            },
            .wraps("lists messages as they were written") { store in
                store.onMessages = { status, _, limit, whole in
                    let all = try await whole.leaseMessages(at: .distantPast, until: .distantPast, limit: 0)
                    let found = try await whole.messages(status, after: nil, limit: limit)
                    return all + found.sorted { ~$0.entry.id.bits < ~$1.entry.id.bits }
                }
            },
        ]

    // MARK: Keys

    /// Takes one key for another.
    static func mapsKeys(_ name: String, _ map: @escaping @Sendable (UniqueKey) -> UniqueKey) -> Flaw {
        .wraps(name) { store in
            store.onCommit = { changes, whole in
                var changes = changes
                changes.keys = changes.keys.map { KeyChange(map($0.key), from: $0.expected, to: $0.owner) }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let mapped = lookups.map { lookup in
                    guard case .owner(let key) = lookup else { return lookup }
                    return .owner(map(key))
                }
                let seen = try await whole.load(Lookups(mapped))
                let places = Dictionary(zip(lookups, mapped)) { first, _ in first }
                return Snapshot(lookups) { places[$0].map(seen.answer) ?? .nothing }
            }
        }
    }

    /// Knows keys by one text each.
    private static func joins(_ name: String, _ text: @escaping @Sendable (UniqueKey) -> String) -> Flaw {
        mapsKeys(name) { .identity(Identity.Key(issuer: "", subject: text($0))) }
    }

    private static func joint(_ joint: String) -> Flaw {
        joins("joins the parts of a key with \(joint.debugDescription)") { key in
            switch key {
            case .identity(let key): "identity \(key.issuer.text)\(joint)\(key.subject.text)"
            case .phone(let number): "phone \(number.text)"
            case .primaryEmail(let email): "email \(email.text)"
            }
        }
    }

    private static let mixesKeys: [Flaw] =
        ["", " ", "|", ":", "/", "\u{0}", "\u{1F}", "\n", "#", ","].map(joint) + [
            joins("knows keys of all kinds by their text") { key in
                switch key {
                case .identity(let key):
                    key.issuer.text.isEmpty ? key.subject.text : "\(key)\u{2}\(key.issuer.text.utf8.count)"
                case .phone(let number): number.text
                case .primaryEmail(let email): email.text
                }
            },
            joins("takes a number's key for an identity of an issuer phone") { key in
                let key =
                    switch key {
                    case .identity(let key): key
                    case .phone(let number): Identity.Key(issuer: "phone", subject: number.text)
                    case .primaryEmail(let email): Identity.Key(issuer: "email", subject: email.text)
                    }
                return "\(key.issuer.text.utf8.count) \(key.issuer.text)\(key.subject.text)"
            },
        ]

    // MARK: Similar accounts

    private static func matches(
        _ name: String,
        _ matches: @escaping @Sendable (_ pattern: String, _ text: String) -> Bool
    ) -> [Flaw] {
        [
            .edits("ends the sessions of accounts \(name)") { _, changes, after in
                for case .endAll(let id, let kept) in changes.sessions {
                    after.sessions = after.sessions.filter { $0 == kept || !matches(id.text, $1.account.text) }
                }
            },
            .edits("revokes the records of accounts \(name)") { _, changes, after in
                for case .revokeAll(let id, let purposes) in changes.records {
                    after.records = after.records.filter { _, record in
                        !(record.account.map { matches(id.text, $0.text) } ?? false)
                            || !purposes.contains(record.purpose)
                    }
                }
            },
            .edits("counts unused sessions of accounts \(name)") { before, changes, after in
                for case .endUnused(let id, let limit, let kept) in changes.sessions {
                    let all = before.sessions.values.filter { matches(id.text, $0.account.text) && $0.id != kept }
                    let unused = all.sorted { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
                    for session in unused.prefix(max(0, all.count + 1 - limit)) { after.sessions[session.id] = nil }
                }
            },
            .edits("removes the sign-ins of accounts \(name)") { _, changes, after in
                for case .remove(let id, _) in changes.accounts {
                    after.signIns = after.signIns.filter { !matches(id.text, $0.key.text) }
                }
            },
        ]
    }

    private static let meansOthers: [Flaw] =
        matches("that begin alike") { $1.hasPrefix($0) }
        + matches("that differ in case") { $0.lowercased() == $1.lowercased() }
        + matches("of a pattern") { pattern, text in
            pattern == text || pattern == "%"
                || pattern.hasSuffix("_") && text.count == pattern.count
                    && text.hasPrefix(pattern.dropLast())
        }
        + [
            .wraps("takes nothing of a removed account with it") { store in
                store.onCommit = { changes, whole in
                    var changes = changes
                    if changes.accounts.contains(where: { if case .remove = $0 { true } else { false } }) {
                        changes.sessions = []
                    }
                    return try await whole.commit(changes)
                }
            }
        ]

    // MARK: Lookups

    private static let mixesLookups: [Flaw] = [
        .wraps("finds the sessions of an owner where the owner is asked for") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                return Snapshot(lookups) { lookup in
                    guard case .sessions(of: .owner(let key)) = lookup, !lookups.contains(.owner(key)) else {
                        return seen.answer(to: lookup)
                    }
                    return .sessions([])
                }
            }
        },
        .wraps("finds an account once in a load") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                var found: Set<AccountID> = []
                return Snapshot(lookups) { lookup in
                    guard case .account(let row) = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                    return found.insert(row.account.id).inserted ? .account(row) : .nothing
                }
            }
        },
        .wraps("answers with what was found before where it finds nothing") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                var last: Snapshot.Answer?
                return Snapshot(lookups) { lookup in
                    guard case .session = lookup else { return seen.answer(to: lookup) }
                    let answer = seen.answer(to: lookup)
                    if case .nothing = answer, let last { return last }
                    last = answer
                    return answer
                }
            }
        },
        .wraps("finds the records of no account by a key without an owner") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                var ofNoAccount: [OneTimeRecord] = []
                for case .record(let key) in lookups {
                    if let record = seen.record(key), record.account == nil { ofNoAccount.append(record) }
                }
                let all = ofNoAccount
                return Snapshot(lookups) { lookup in
                    guard case .records(of: .owner(let key), let purpose) = lookup,
                        lookups.contains(.owner(key)), seen.owner(of: key) == nil
                    else { return seen.answer(to: lookup) }
                    return .records(all.filter { $0.purpose == purpose })
                }
            }
        },
        .wraps("finds the sessions of all accounts by a key without an owner") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                var sessions: [Session] = []
                for account in try await whole.accounts(after: nil, limit: 1000) {
                    let lookup = Lookup.sessions(of: .account(account.id))
                    if case .sessions(let more) = try await whole.load([lookup]).answer(to: lookup) { sessions += more }
                }
                var owned: Set<UniqueKey> = []
                for case .sessions(of: .owner(let key)) in lookups
                where try await whole.load([.owner(key)]).owner(of: key) != nil {
                    owned.insert(key)
                }
                let (all, keys) = (sessions, owned)
                return Snapshot(lookups) { lookup in
                    guard case .sessions(of: .owner(let key)) = lookup, !keys.contains(key) else {
                        return seen.answer(to: lookup)
                    }
                    return .sessions(all)
                }
            }
        },
        .shows("does not find records that have expired") { lookup, answer in
            guard case .record(let record, _) = answer, record.expiresAt != nil else { return answer }
            return .nothing
        },
        .shows("finds a tombstone's account by its record") { lookup, answer in
            guard case .record(let record, _) = answer, case .tombstone(let id?) = record.content else { return answer }
            return .record(record, Snapshot.Row(Account(id: id, createdAt: record.createdAt)))
        },
        .findsNothing("no accounts where an address is referenced by one") {
            if case .referencing(let email) = $0 { email.text.hasPrefix("ben") } else { false }
        },
    ]
}

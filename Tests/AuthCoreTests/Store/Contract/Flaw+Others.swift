@testable import AuthCore
import Foundation
import Synchronization

extension Flaw {
    // MARK: Reading

    static let dropsWhatWasFound: [Flaw] = [
        .findsNothing("no session") { if case .session = $0 { true } else { false } },
        .findsNothing("no account") { if case .account = $0 { true } else { false } },
        .findsNothing("no identity's owner") { if case .owner(.identity) = $0 { true } else { false } },
        .findsNothing("no number's owner") { if case .owner(.phone) = $0 { true } else { false } },
        .findsNothing("no address's owner") { if case .owner(.primaryEmail) = $0 { true } else { false } },
        .findsNothing("no referencing") { if case .referencing = $0 { true } else { false } },
        .findsNothing("no records") { if case .record = $0 { true } else { false } },
        .findsNothing("no sessions") { if case .sessions(of: .account) = $0 { true } else { false } },
        .findsNothing("no sessions of a key's owner") { if case .sessions(of: .owner) = $0 { true } else { false } },
        .findsNothing("no records of a key's owner") {
            if case .records(of: .owner, _) = $0 { true } else { false }
        },
        .shows("no record's account") { _, answer in
            if case .record(let record, _) = answer { .record(record, nil) } else { answer }
        },
        .shows("no last sign-in") { _, answer in
            if case .account(let row) = answer { .account(Snapshot.Row(row.account)) } else { answer }
        },
    ]

    static let losesClaims = Flaw.shows("no claims") { _, answer in
        guard case .account(let row) = answer else { return answer }
        var account = row.account
        account.customClaims = [:]
        return .account(Snapshot.Row(account, lastSignIn: row.lastSignIn))
    }

    static let findsSomebodyElse = Flaw("finds somebody else") { store in
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            let somebody = try await whole.accounts(after: nil, limit: 1).first
            return Snapshot(lookups) { lookup in
                guard case .owner(.primaryEmail) = lookup, case .nothing = seen.answer(to: lookup), let somebody else {
                    return seen.answer(to: lookup)
                }
                return .account(Snapshot.Row(somebody))
            }
        }
    }

    /// Shows an account as it was at the look before.
    static let showsTheLastLook = Flaw("shows the last look") { store in
        let lastLook = LastLook()
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .account = lookup, case .account(let row) = seen.answer(to: lookup) else {
                    return seen.answer(to: lookup)
                }
                return .account(lastLook.replace(with: row))
            }
        }
    }

    private final class LastLook: Sendable {
        private let account = Mutex<Snapshot.Row?>(nil)

        func replace(with new: Snapshot.Row) -> Snapshot.Row {
            account.withLock { account in
                defer { account = new }
                return account ?? new
            }
        }
    }

    // MARK: Keys and references

    static let releasesNothing = Flaw.writes("releases no keys") { changes in
        changes.keys.removeAll { $0.owner == nil }
    }

    static let movesNothing = Flaw.writes("moves no keys") { changes in
        changes.keys.removeAll { $0.expected != nil && $0.owner != nil && $0.owner != $0.expected }
    }

    /// Compares identities after changing their texts, as a collation or a narrow column does.
    static func maps(_ name: String, _ map: @escaping @Sendable (Identity.Key) -> Identity.Key) -> Flaw {
        Flaw(name) { store in
            store.onCommit = { changes, whole in
                var changes = changes
                changes.keys = changes.keys.map { change in
                    guard case .identity(let key) = change.key else { return change }
                    return KeyChange(.identity(map(key)), from: change.expected, to: change.owner)
                }
                return try await whole.commit(changes)
            }
            store.onLoad = { lookups, whole in
                let mapped = lookups.map { lookup in
                    guard case .owner(.identity(let key)) = lookup else { return lookup }
                    return .owner(.identity(map(key)))
                }
                let seen = try await whole.load(Lookups(mapped))
                let places = Dictionary(zip(lookups, mapped)) { first, _ in first }
                return Snapshot(lookups) { places[$0].map(seen.answer) ?? .nothing }
            }
        }
    }

    private static func mapsTexts(_ name: String, _ map: @escaping @Sendable (String) -> String) -> Flaw {
        maps(name) { Identity.Key(issuer: map($0.issuer.text), subject: map($0.subject.text)) }
    }

    /// Ways to take two identities for one.
    static let folds: [Flaw] = [
        mapsTexts("compares identities by their normal form") { $0.precomposedStringWithCanonicalMapping },
        mapsTexts("folds case") { $0.lowercased() },
        mapsTexts("folds width and case") { $0.folding(options: [.caseInsensitive, .widthInsensitive], locale: nil) },
        mapsTexts("trims spaces") { $0.trimmingCharacters(in: .whitespaces) },
        mapsTexts("cuts texts at 255 bytes") { String(decoding: $0.utf8.prefix(255), as: UTF8.self) },
        mapsTexts("cuts texts at 767 bytes") { String(decoding: $0.utf8.prefix(767), as: UTF8.self) },
        mapsTexts("ends texts at a zero byte") { String($0.prefix { $0 != "\u{0}" }) },
        mapsTexts("takes texts of digits for numbers") { Double($0).map { "\($0)" } ?? $0 },
    ]

    static let cutsLongTexts: [Flaw] = [2000, 3072, 8191, 65_535].map { limit in
        mapsTexts("cuts texts at \(limit) bytes") { String(decoding: $0.utf8.prefix(limit), as: UTF8.self) }
    }

    static let ignoresIssuers = Flaw.maps("ignores issuers") { Identity.Key(issuer: "", subject: $0.subject.text) }
    static let joinsTexts = Flaw.maps("joins issuer and subject") {
        Identity.Key(issuer: "", subject: $0.issuer.text + $0.subject.text)
    }

    static let foldsAccountIDs = Flaw("folds the case of account ids") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            guard outcome == .committed else { return outcome }
            for case .create(let account) in changes.accounts {
                let others = try await whole.accounts(after: nil, limit: 1000).map(\.id)
                let lookalikes = others.filter {
                    $0 != account.id && $0.text.lowercased() == account.id.text.lowercased()
                }
                if let lookalike = lookalikes.first { return .violated(.absent(lookalike)) }
            }
            return outcome
        }
    }

    static let losesReferences = Flaw.writes("loses references") { $0.references = [] }
    static let keepsReferences = Flaw.writes("keeps references") { $0.references.removeAll { !$0.isReferenced } }

    // MARK: Operations

    static let knowsNoOperation = Flaw("knows no operation") { store in
        let others = Mutex<UInt128>(1 << 100)
        store.onCommit = { changes, whole in
            let operation = others.withLock { number in
                number += 1
                return number
            }
            return try await whole.commit(changes.under(OperationID(bits: operation)))
        }
    }

    static let callsDuplicatesCommitted = Flaw("calls duplicates committed") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            return outcome == .duplicate ? .committed : outcome
        }
    }

    static let forgetsOperations = Flaw("forgets operations") { store in
        let recent = Mutex<[OperationID]>([])
        store.onCommit = { changes, whole in
            let isForgotten = recent.withLock { recent in
                let place = recent.lastIndex(of: changes.operation)
                recent.append(changes.operation)
                return place.map { recent.count - $0 > 100 } ?? false
            }
            let operation = isForgotten ? OperationID(bits: ~changes.operation.bits) : changes.operation
            return try await whole.commit(changes.under(operation))
        }
    }

    /// Keeps what was written in a list that it reads before and writes after.
    private static func notesTooLate(
        _ name: String,
        where isMeant: @escaping @Sendable (ChangeSet) -> Bool = { _ in true }
    ) -> Flaw {
        Flaw(name) { store in
            let noted = Mutex<Set<OperationID>>([])
            let others = Mutex<UInt128>(1 << 100)
            store.onCommit = { changes, whole in
                guard isMeant(changes) else { return try await whole.commit(changes) }
                if noted.withLock({ $0.contains(changes.operation) }) { return .duplicate }
                await Flaw.pause()
                let operation = others.withLock { number in
                    number += 1
                    return number
                }
                let outcome = try await whole.commit(changes.under(OperationID(bits: operation)))
                if outcome == .committed { _ = noted.withLock { $0.insert(changes.operation) } }
                return outcome
            }
        }
    }

    static let notesOperationsTooLate = notesTooLate("notes operations too late")
    static let notesEventsTooLate = notesTooLate("notes operations that write events only too late") {
        $0.records.isEmpty && $0.accounts.isEmpty
    }

    static let remembersRefusals = Flaw("remembers refusals") { store in
        let refused = Mutex<Set<OperationID>>([])
        store.onCommit = { changes, whole in
            if refused.withLock({ $0.contains(changes.operation) }), let last = changes.accounts.last?.id {
                return .violated(.version(last))
            }
            let outcome = try await whole.commit(changes)
            if case .violated = outcome { _ = refused.withLock { $0.insert(changes.operation) } }
            return outcome
        }
    }

    static let namesAnother = Flaw("names another precondition") { store in
        store.onCommit = { changes, whole in
            let outcome = try await whole.commit(changes)
            guard case .violated = outcome else { return outcome }
            return .violated(.absent("stranger"))
        }
    }

    // MARK: Events

    static let reversesEvents = Flaw("reverses events") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            return Store.EventPage(events: page.events.reversed(), removed: page.removed, end: page.end)
        }
    }

    static let placesEventsAtOnce = Flaw("gives all events one position") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            let events = page.events.map { $0.placed(at: page.end) }
            return Store.EventPage(events: events, removed: page.removed, end: page.end)
        }
    }

    static let callsEventsRemoved = Flaw("says that it removed an event that it keeps") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            return Store.EventPage(events: page.events, removed: page.events.first?.position ?? .start, end: page.end)
        }
    }

    static let ignoresEventLimits = Flaw("ignores the limit of events") { store in
        store.onEvents = { position, _, whole in try await whole.events(after: position, limit: 1000) }
    }

    static let repeatsEvents = Flaw("begins a page with the event before it") { store in
        store.onEvents = { position, limit, whole in
            let before = IdentityEvent.Position(number: position.number == 0 ? 0 : position.number - 1)
            return try await whole.events(after: before, limit: limit)
        }
    }

    static let endsEarly = Flaw("says that the log ends before its last event") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            let end = IdentityEvent.Position(number: max(1, page.end.number) - 1)
            return Store.EventPage(events: page.events, removed: page.removed, end: end)
        }
    }

    static let showsOldEvents = Flaw("shows the oldest of the events that it keeps in its steps") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            let times = page.events.map(\.at).sorted()
            // Each event is shown under the position of another one of its step.
            let events = zip(page.events, times).map { $0.copy(at: $1).placed(at: $0.position) }
            return Store.EventPage(
                events: page.events.count > 256 ? events : page.events,
                removed: page.removed,
                end: page.end
            )
        }
    }

    static let losesEvents: [Flaw] = [
        .edits("keeps five hundred events and says that it keeps all") { _, _, after in
            after.events = after.events.suffix(500)
        },
        .edits("keeps the events of a week and says that it keeps all") { _, _, after in
            let last = after.events.last?.at ?? .distantPast
            after.events.removeAll { last - $0.at > .days(7) }
        },
        .edits("keeps each of several like events of a moment once") { _, _, after in
            if after.events.count > 2000 { after.events.remove(at: 1000) }
        },
    ]

    /// Every fifth event is shown with the next one, and the end of the log is behind it at once.
    static let endsBehindWhatIsShown = Flaw("says that the log ends behind what it does not show yet") { store in
        store.onEvents = { position, limit, whole in
            let page = try await whole.events(after: position, limit: limit)
            guard let last = page.events.last, last.position.number % 5 == 0, last.position == page.end,
                last.position.number > 20, last.kind == .signedIn, last.account.text.hasPrefix("writer")
            else { return page }
            return Store.EventPage(events: page.events.dropLast(), removed: page.removed, end: page.end)
        }
    }

    static let forgetsEveryDay = Flaw.edits("forgets all operations when a day begins") { before, changes, after in
        let day = { (time: Timestamp) in time.seconds / 86_400 }
        let last = before.signIns["clock"] ?? changes.at
        after.signIns["clock"] = changes.at
        if day(last) != day(changes.at) { after.operations = [changes.operation] }
    }

    static let keepsTheKeptAsItWas = Flaw.edits("keeps a session as it was where all others end") {
        before,
        changes,
        after in
        for case .endAll(_, let kept?) in changes.sessions { after.sessions[kept] = before.sessions[kept] }
    }
}

extension ChangeSet {
    /// The same change under another operation.
    func under(_ operation: OperationID) -> ChangeSet {
        var copy = ChangeSet(operation: operation, at: at)
        copy.keyRule = keyRule
        (copy.accounts, copy.reads, copy.keys, copy.references) = (accounts, reads, keys, references)
        copy.referenceReads = referenceReads
        (copy.records, copy.sessions, copy.signIns) = (records, sessions, signIns)
        (copy.events, copy.messages) = (events, messages)
        return copy
    }
}

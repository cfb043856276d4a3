@testable import AuthCore
import AuthCoreTesting
import Synchronization

/// Flaws of two things that meet: rows written twice in a change, lookups beside others, times out of order.
extension Flaw {
    static let combinations: [String: [Flaw]] = [
        "events follow each other as their changes do, whatever their times are": [placesEventsByTime],
        "a change may have many events, and the next one follows them": [countsEventsByHundreds, keepsAHundredEvents],
        "the session that is kept need not be there": [joinsTheKeptSession],
        "a restored account is removed again": [keepsUsedTombstones],
        "keys that a collation or a short hash takes for one are two": mixesSimilarKeys,
        "an id is compared to its last letter, and no id begins another": [cutsIDs, endsByPrefix],
        "what is found once is found beside others of its kind": answersOnce,
        "a handle that saw an account gone sees it restored": [remembersTheGone],
        "one device has as many sessions as begin on it": [keepsOneSessionPerDevice, sparesTheDevice],
        "the ID of a row that ended is free": [marksRecordsAsEnded, marksSessionsAsEnded],
        "a record about a removed account is replaced and used up": [usesRecordsOfTheLiving],
        "the unused sessions are those at the time of the change": unusedByOtherRules,
        "a row that a change writes and ends is gone": [revokesFirst, endsFirst],
        "a sweep finds rows however great their IDs are, and spares messages": [sweepsSmallIDs, sweepsMessages],
        "a list of references has as many versions as changes": [countsVersionsInOneByte],
        "an operation is not known by the ID of a message": [knowsMessagesAsOperations],
    ]

    // MARK: Events

    private static let placesEventsByTime = edits("places events by their times") { before, _, after in
        for place in before.events.count..<after.events.count {
            let event = after.events[place]
            let time = UInt64(bitPattern: event.at.milliseconds)
            after.events[place] = event.placed(
                at: IdentityEvent.Position(transaction: time, number: event.position.number)
            )
        }
        after.events.sort { $0.position < $1.position }
    }

    private static let countsEventsByHundreds = edits("places a hundred events in a commit") { before, _, after in
        for place in before.events.count..<after.events.count {
            let number = 100 * after.commits + UInt64(place - before.events.count)
            after.events[place] = after.events[place].placed(at: IdentityEvent.Position(number: number))
        }
        after.events.sort { $0.position < $1.position }
    }

    private static let keepsAHundredEvents = prepares("writes a thousand events of a change") { changes, _ in
        changes.events = Array(changes.events.prefix(1000))
    }

    // MARK: Sessions

    private static let joinsTheKeptSession = prepares("ends none where the kept session is not there") {
        changes,
        tables in
        changes.sessions.removeAll { change in
            guard case .endAll(_, let kept?) = change else { return false }
            return tables.sessions[kept] == nil
        }
    }

    private static let keepsOneSessionPerDevice = edits("keeps one session of a device") { _, changes, after in
        for case .put(let new) in changes.sessions where new.device != nil {
            after.sessions = after.sessions.filter { $0.value.device != new.device || $0.key == new.id }
        }
    }

    private static let sparesTheDevice = edits("spares the sessions of the kept one's device") {
        before,
        changes,
        after in
        for case .endAll(let account, let kept?) in changes.sessions {
            guard let device = before.sessions[kept]?.device else { continue }
            for session in before.sessions.values where session.account == account && session.device == device {
                after.sessions[session.id] = session
            }
        }
    }

    /// Ends the unused sessions by another rule than the contract's.
    private static func unused(
        _ name: String,
        _ choose: @escaping @Sendable (_ all: [Session], _ limit: Int, _ kept: SessionID, PlainTables) -> [SessionID]
    ) -> Flaw {
        prepares(name) { changes, tables in
            changes.sessions = changes.sessions.flatMap { change -> [Store.SessionChange] in
                guard case .endUnused(let account, let limit, let kept) = change else { return [change] }
                let all = tables.sessions.values.filter { $0.account == account }
                return choose(Array(all), limit, kept, tables).map { .end($0) }
            }
        }
    }

    private static func longestUnused(
        _ all: [Session],
        _ limit: Int,
        _ kept: SessionID,
        before precedes: (Session, Session) -> Bool = { ($0.activeAt, $0.id) < ($1.activeAt, $1.id) }
    ) -> [SessionID] {
        all.filter { $0.id != kept }.sorted(by: precedes).prefix(max(0, all.count - limit)).map(\.id)
    }

    private static let unusedByOtherRules: [Flaw] = [
        unused("ends what was unused before the change") { all, limit, kept, _ in longestUnused(all, limit, kept) },
        unused("ends nothing besides a session that is not there") { all, limit, kept, _ in
            all.contains { $0.id == kept } ? longestUnused(all, limit, kept) : []
        },
        edits("counts no session that has expired") { before, changes, after in
            for case .endUnused(let account, _, _) in changes.sessions {
                for session in before.sessions.values
                where session.account == account && session.expiresAt.map({ $0 <= changes.at }) ?? false {
                    after.sessions[session.id] = session
                }
            }
        },
        ordersUnused("signed numbers") { left, right in
            let (first, second) = (Int128(bitPattern: left.id.bits), Int128(bitPattern: right.id.bits))
            return (left.activeAt, first) < (right.activeAt, second)
        },
        ordersUnused("texts") { ($0.activeAt, $0.id.description) < ($1.activeAt, $1.id.description) },
    ]

    private static func ordersUnused(
        _ name: String,
        _ precedes: @escaping @Sendable (Session, Session) -> Bool
    ) -> Flaw {
        edits("orders unused sessions by \(name)") { before, changes, after in
            for case .endUnused(let account, let limit, let kept) in changes.sessions {
                var all = before.sessions.filter { $0.value.account == account }
                for case .update(let session, _) in changes.sessions { all[session.id] = session }
                for id in longestUnused(Array(all.values), limit, kept, before: precedes) { all[id] = nil }
                after.sessions = after.sessions.filter { $0.value.account != account }.merging(all) { $1 }
            }
        }
    }

    // MARK: Accounts

    private static let keepsUsedTombstones = edits("keeps the tombstone that a creation uses up") {
        before,
        changes,
        after in
        for case .create(let account) in changes.accounts {
            let key = OneTimeRecordID.tombstone(of: account.id)
            after.records[key] = before.records[key]
        }
    }

    private static let remembersTheGone = Flaw.handles("remembers that an account is gone") { store in
        let gone = Mutex<[AccountID: Snapshot.Answer]>([:])
        store.onLoad = { lookups, whole in
            let seen = try await whole.load(lookups)
            return Snapshot(lookups) { lookup in
                guard case .account(let id) = lookup else { return seen.answer(to: lookup) }
                return gone.withLock { gone in
                    if let answer = gone[id] { return answer }
                    let answer = seen.answer(to: lookup)
                    if case .gone = answer { gone[id] = answer }
                    return answer
                }
            }
        }
    }

    private static let cutsIDs = prepares("cuts the IDs of accounts at 127 letters") { changes, _ in
        changes.sessions = changes.sessions.flatMap { change -> [Store.SessionChange] in
            guard case .endAll(let id, let kept) = change, id.text.count > 127 else { return [change] }
            return ["b", "c"].compactMap { AccountID(String(id.text.prefix(127)) + $0) }
                .map { .endAll($0, except: kept) }
        }
    }

    private static let endsByPrefix = edits("ends the sessions of IDs that begin with this one") { _, changes, after in
        for case .endAll(let id, let kept) in changes.sessions {
            after.sessions = after.sessions.filter { !$0.value.account.text.hasPrefix(id.text + ":") || $0.key == kept }
        }
    }

    // MARK: Keys

    /// Finds and claims one key where another one is that the body takes for the same.
    static func mixes(_ name: String, _ fold: @escaping @Sendable (String) -> AnyHashable) -> Flaw {
        let isSame: @Sendable (UniqueKey, UniqueKey) -> Bool = { left, right in
            switch (left, right) {
            case (.identity(let left), .identity(let right)):
                fold(left.issuer.text) == fold(right.issuer.text) && fold(left.subject.text) == fold(right.subject.text)
            case (.phone(let left), .phone(let right)): fold(left.text) == fold(right.text)
            default: left == right
            }
        }
        return judges("takes for one key: \(name)") { checks, tables in
            checks.first { check in
                guard case .owner(let key) = check.precondition else { return !check.holds }
                return !check.holds || tables.owners.keys.contains { $0 != key && isSame($0, key) }
            }?.precondition
        }
    }

    private static func hash(_ text: String, _ start: UInt32, _ step: (UInt32, UInt8) -> UInt32) -> UInt32 {
        text.utf8.reduce(start, step)
    }

    private static let mixesSimilarKeys: [Flaw] = [
        mixes("letters beyond the first plane") { text in
            String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value > 0xFFFF ? "?" : $0 }))
        },
        mixes("addresses with and without a scheme") { $0.replacing("https://", with: "") },
        mixes("UUIDs in any spelling") { $0.count > 30 ? $0.lowercased().replacing("-", with: "") : $0 },
        mixes("escaped letters and themselves") { $0.replacing("%41", with: "A") },
        mixes("entities and themselves") { $0.replacing("&amp;", with: "&") },
        mixes("blanks of both widths") { $0.replacing("\u{A0}", with: " ") },
        mixes("one blank and several") { $0.split(separator: " ").joined(separator: " ") },
        mixes("line ends of both kinds") { $0.replacing("\r\n", with: "\n") },
        mixes("texts with and without joiners") { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value != 0x200D }))
        },
        mixes("texts with and without variation selectors") { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { !(0xFE00...0xFE0F).contains($0.value) }))
        },
        mixes("texts with and without soft hyphens") { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value != 0xAD }))
        },
        mixes("texts with and without a byte order mark") { text in
            String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value != 0xFEFF }))
        },
        mixes("digits of all scripts") { text in
            text.map { $0.wholeNumberValue.map(String.init) ?? String($0) }.joined()
        },
        mixes("numbers of 24 bits") { Float($0.drop { $0 == "+" }).map { AnyHashable($0) } ?? AnyHashable($0) },
        mixes("FNV-1a hashes of 32 bits") { hash($0, 0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 } },
        mixes("hashes of Java's strings") { hash($0, 0) { $0 &* 31 &+ UInt32($1) } },
        mixes("CRC-32 sums") { text in
            hash(text, .max) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
            }
        },
    ]

    // MARK: Reading

    private static let answersOnce: [Flaw] = [
        .wraps("shows the account of the first of its records only") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                let shown = Mutex<Set<AccountID>>([])
                return Snapshot(lookups) { lookup in
                    guard case .record(let record, let row?) = seen.answer(to: lookup) else {
                        return seen.answer(to: lookup)
                    }
                    let isNew = shown.withLock { $0.insert(row.account.id).inserted }
                    return .record(record, isNew ? row : nil)
                }
            }
        },
        .wraps("finds one tombstone in a load") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(lookups)
                let count = Mutex(0)
                return Snapshot(lookups) { lookup in
                    guard case .gone = seen.answer(to: lookup) else { return seen.answer(to: lookup) }
                    let isFirst = count.withLock { count in
                        count += 1
                        return count == 1
                    }
                    return isFirst ? seen.answer(to: lookup) : .nothing
                }
            }
        },
    ]

    // MARK: Rows

    /// Refuses the IDs of rows that ended, as a store does that only marks them.
    private static func marksAsEnded<ID: Hashable & Sendable>(
        _ name: String,
        _ ids: @escaping @Sendable (PlainTables) -> Set<ID>,
        _ id: @escaping @Sendable (Store.Precondition) -> ID?
    ) -> Flaw {
        Flaw("marks \(name) as ended") {
            let ended = Mutex<Set<ID>>([])
            return StoreSubject(
                PlainStore(
                    violation: { checks, tables in
                        let (there, gone) = (ids(tables), ended.withLock { $0 })
                        let isTaken = { (check: PlainTables.Check) in
                            id(check.precondition).map { !there.contains($0) && gone.contains($0) } ?? false
                        }
                        return checks.first { !$0.holds || isTaken($0) }?.precondition
                    },
                    edit: { before, _, after in
                        let gone = ids(before).subtracting(ids(after))
                        ended.withLock { $0.formUnion(gone) }
                    }
                )
            )
        }
    }

    private static let marksRecordsAsEnded = marksAsEnded("records", { Set($0.records.keys) }) {
        if case .record(let key) = $0 { key } else { nil }
    }

    private static let marksSessionsAsEnded = marksAsEnded("sessions", { Set($0.sessions.keys) }) {
        if case .session(let id) = $0 { id } else { nil }
    }

    private static let usesRecordsOfTheLiving = judges("uses up records of accounts that are there") { checks, tables in
        checks.first { check in
            guard case .record(let key) = check.precondition, let account = tables.records[key]?.account else {
                return !check.holds
            }
            return !check.holds || tables.accounts[account] == nil
        }?.precondition
    }

    private static let revokesFirst = prepares("revokes before it writes") { changes, _ in
        func isEnd(_ change: OneTimeRecordChange) -> Bool {
            switch change {
            case .revoke, .revokeAll: true
            default: false
            }
        }
        changes.records = changes.records.filter(isEnd) + changes.records.filter { !isEnd($0) }
    }

    private static let endsFirst = prepares("ends sessions before it writes") { changes, _ in
        func isEnd(_ change: Store.SessionChange) -> Bool {
            switch change {
            case .end, .endAll: true
            default: false
            }
        }
        changes.sessions = changes.sessions.filter(isEnd) + changes.sessions.filter { !isEnd($0) }
    }

    private static let sweepsSmallIDs = Flaw("sweeps by signed numbers") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            let kept = plain.tables.withLock { tables in tables.records.filter { $0.key.bits >> 127 == 1 } }
            let report = try await whole.sweep(at: now, limit: limit)
            plain.tables.withLock { $0.records.merge(kept) { $1 } }
            return report
        }
        return StoreSubject(store)
    }

    private static let sweepsMessages = Flaw("sweeps messages with their records") {
        let plain = PlainStore()
        var store = FlawedStore(whole: plain)
        store.onSweep = { now, limit, whole in
            let before = plain.tables.withLock { Set($0.records.keys) }
            let report = try await whole.sweep(at: now, limit: limit)
            plain.tables.withLock { tables in
                tables.messages.removeAll {
                    before.contains($0.entry.record) && tables.records[$0.entry.record] == nil
                }
            }
            return report
        }
        return StoreSubject(store)
    }

    private static let countsVersionsInOneByte = edits("counts the versions of a list in one byte") { _, _, after in
        after.listVersions = after.listVersions.mapValues { 1000 + ($0 - 1000) % 256 }
    }

    private static let knowsMessagesAsOperations = edits("knows messages as operations") { _, changes, after in
        for message in changes.messages { after.operations.insert(message.id) }
    }
}

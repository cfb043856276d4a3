#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The arguments of the function that commits: lists in the order in which every commit locks its rows.
struct CommitArguments {
    /// How many arguments the function takes.
    static let count = 66

    private let changes: Store.ChangeSet
    private var accounts = AccountArguments()
    private var lists: ListArguments
    private let keys: [Store.KeyChange]
    private var records = RecordArguments()
    private var sessions = SessionArguments()
    private var events: [(event: IdentityEvent, record: [UInt8])] = []
    private var messages: [(message: Store.OutboxEntry, record: [UInt8])] = []

    /// Encodes what the changes write.
    init(_ changes: Store.ChangeSet, _ coder: RowCoder) throws(PostgresError) {
        self.changes = changes
        keys = Self.inOrder(changes.keys)
        lists = ListArguments(changes)
        do throws(Store.RecordError) {
            try accounts.append(changes, coder)
            try records.append(changes.records, coder)
            try sessions.append(changes.sessions, coder)
            for event in changes.events { events.append((event, try coder.encode(event))) }
            for message in changes.messages { messages.append((message, try coder.encode(message))) }
        } catch {
            throw PostgresError(.damagedRecord, "A value of the change cannot be written: \(error).")
        }
    }

    /// Keys in the order of their bytes, and what is only expected of one before it moves.
    ///
    /// The owner is that from before the change. What a move expects, too, is left out, so that no row is locked twice.
    private static func inOrder(_ changes: [Store.KeyChange]) -> [Store.KeyChange] {
        let moves = Dictionary(changes.filter { !$0.isExpectation }.map { ($0.key, $0.expected) }) { first, _ in first }
        return changes.filter { !$0.isExpectation || moves[$0.key] != .some($0.expected) }
            .map { ($0, $0.key.rowBytes) }
            .sorted { left, right in
                if left.1 == right.1 { return left.0.isExpectation && !right.0.isExpectation }
                return left.1.lexicographicallyPrecedes(right.1)
            }
            .map(\.0)
    }

    /// The precondition that the function named, with its place in the list.
    func precondition(_ answer: String, at place: Int) -> Store.Precondition? {
        if answer.hasPrefix("keyRule ") {
            return Store.KeyRule(rawValue: String(answer.dropFirst("keyRule ".count))).map { .keyRule($0) }
        }
        switch answer {
        case "version": return accounts.ids.element(place).map { .version($0) }
        case "absent": return accounts.ids.element(place).map { .absent($0) }
        case "references": return lists.emails.element(place).map { .references($0) }
        case "owner": return keys.element(place).map { .owner($0.key) }
        case "record": return records.ids.element(place).flatMap(\.self).map { .record($0) }
        case "session": return sessions.ids.element(place).flatMap(\.self).map { .session($0) }
        default: return nil
        }
    }

    /// The arguments in the order of the function.
    var parameters: [Parameter] {
        let signIns = changes.signIns.sorted { $0.account < $1.account }
        var all: [Parameter] = [.id(changes.operation), .text(changes.keyRule?.rawValue)]
        all += accounts.parameters + lists.parameters
        all += [
            .byteStrings(keys.map(\.key.rowBytes)), .texts(keys.map(\.expected?.description)),
            .texts(keys.map(\.owner?.description)),
        ]
        all += records.parameters + sessions.parameters
        all += [.texts(signIns.map(\.account.description)), .numbers(signIns.map(\.at.milliseconds))]
        all += [
            .numbers(events.map(\.event.at.milliseconds)), .texts(events.map(\.event.account.description)),
            .texts(events.map(\.event.kind.rawValue.readable)), .encoded(events.map(\.record)),
        ]
        all += [
            .ids(messages.map(\.message.id.bytes)), .numbers(messages.map(\.message.leasedUntil.milliseconds)),
            .numbers(messages.map(\.message.createdAt.milliseconds)),
            .texts(messages.map(\.message.kind.rawValue.readable)),
            .texts(messages.map(\.message.recipient.readable)),
            .texts(messages.map(\.message.account?.description)), .encoded(messages.map(\.record)),
        ]
        return all
    }
}

extension Array {
    func element(_ place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}

extension Store.KeyChange {
    /// Whether the key stays as it is.
    fileprivate var isExpectation: Bool { owner == expected }
}
#endif

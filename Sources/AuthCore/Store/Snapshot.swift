extension Store {
    /// What every lookup found, all at the same moment.
    ///
    /// It keeps the list of lookups: reading something else is a programming error and stops a debug build.
    public struct Snapshot: Sendable {
        /// The lookups.
        public let asked: Lookups
        /// The answers, in the order of the lookups.
        package let answers: [Answer]

        /// Creates a snapshot of these lookups, with the store's answer to each.
        public init(_ asked: Lookups, answering answer: (Lookup) throws -> Answer) rethrows {
            self.asked = asked
            answers = try asked.map(answer)
        }

        /// The answer to one lookup; what is large is by reference, since answers are copied often.
        public enum Answer: Sendable {
            /// Nothing was found.
            case nothing
            /// The account that was looked up, by its ID or as the owner of a key.
            case account(Row)
            /// The account was deleted or merged; this is its tombstone.
            indirect case gone(OneTimeRecord)
            /// The accounts that reference an address: of its first eight references, in their order, those whose
            /// account is there.
            ///
            /// The list is that of the references: one whose account is gone keeps its place until a change ends it,
            /// and no account is shown for it. The version changes whenever one of the first eight does, by its
            /// account or its strength, and no other list of the address has it again. Removing an account without its
            /// references does not change the version. It is 0 for the empty list of an address without references.
            case accounts([Row], version: UInt64)
            /// The session.
            indirect case session(Session)
            /// The one-time record, and the account that it is about.
            indirect case record(OneTimeRecord, Row?)
            /// The sessions of the account, in no particular order.
            case sessions([Session])
            /// The one-time records about the account, in no particular order.
            case records([OneTimeRecord])

            /// The session, if it is one.
            var session: Session? { if case .session(let session) = self { session } else { nil } }
        }

        /// An account and its last sign-in, as stored.
        public struct Row: Sendable {
            /// By reference, so that passing it on copies nothing.
            let reference: AccountReference
            /// When the account was last signed in to; a sign-in changes no version, so this is not in the account.
            public let lastSignIn: Timestamp?

            /// The account.
            public var account: Account { reference.account }

            /// Creates a row with these values.
            public init(_ account: Account, lastSignIn: Timestamp? = nil) {
                self.init(AccountReference(account), lastSignIn: lastSignIn)
            }

            init(_ reference: AccountReference, lastSignIn: Timestamp?) {
                self.reference = reference
                self.lastSignIn = lastSignIn
            }
        }
    }
}

/// An immutable account, shared by reference.
final class AccountReference: Sendable {
    let account: Account

    init(_ account: Account) { self.account = account }
}

/// What a decision reads.
extension Snapshot {
    /// The account with this ID, found by any lookup.
    public subscript(id: AccountID) -> Account? { row(of: id)?.account }

    /// The account with this ID, found by any lookup, by reference.
    func row(of id: AccountID) -> Row? {
        let row = firstRow { $0.id == id }
        assert(row != nil || asked.contains(.account(id)), "no lookup asked for the account \(id)")
        return row
    }

    /// The first account that was found by a name of its own or of a record, and not as one of those that reference an
    /// address.
    func firstNamed(where isWanted: (Account) -> Bool) -> Account? {
        firstRow(orReferencing: false, where: isWanted)?.account
    }

    /// The account that owns the key.
    public func owner(of key: Store.UniqueKey) -> Account? { row(owning: key)?.account }

    /// The account that owns the key, by reference.
    func row(owning key: Store.UniqueKey) -> Row? {
        if case .account(let row) = answer(to: .owner(key)) { row } else { nil }
    }

    /// The accounts that have one of the first eight references to the address: the strongest references first, then
    /// the oldest account.
    public func accounts(referencing email: EmailAddress) -> [Account] {
        if case .accounts(let rows, _) = answer(to: .referencing(email)) { rows.map(\.account) } else { [] }
    }

    /// The version of the list of accounts that reference the address.
    public func referenceVersion(of email: EmailAddress) -> UInt64 {
        if case .accounts(_, let version) = answer(to: .referencing(email)) { version } else { 0 }
    }

    /// The session with this ID.
    public func session(_ id: SessionID) -> Session? { answer(to: .session(id)).session }

    /// The one-time record with this ID.
    public func record(_ id: OneTimeRecordID) -> Store.OneTimeRecord? {
        if case .record(let record, _) = answer(to: .record(id)) { record } else { nil }
    }

    /// The account that a one-time record is about.
    public func account(of record: OneTimeRecordID) -> Account? {
        if case .record(_, let row) = answer(to: .record(record)) { row?.account } else { nil }
    }

    /// The sessions of an account.
    public func sessions(of reference: Store.Lookup.Reference) -> [Session] {
        if case .sessions(let sessions) = answer(to: .sessions(of: reference)) { sessions } else { [] }
    }

    /// The one-time records of a purpose about an account.
    public func records(of reference: Store.Lookup.Reference, _ purpose: Store.OneTimeRecord.Purpose) -> [Store
        .OneTimeRecord]
    {
        if case .records(let records) = answer(to: .records(of: reference, purpose)) { records } else { [] }
    }

    /// The tombstone of a deleted or merged account.
    public func tombstone(of id: AccountID) -> Store.OneTimeRecord? {
        if case .gone(let tombstone) = answer(to: .account(id)) { tombstone } else { nil }
    }

    /// The account that a removed account was merged into; nil if it was not merged, or still exists.
    func successor(of id: AccountID) -> AccountID? {
        if case .tombstone(let successor)? = tombstone(of: id)?.content { successor } else { nil }
    }

    /// When the account was last signed in to, if that was found with it.
    public func lastSignIn(of id: AccountID) -> Timestamp? { firstRow { $0.id == id }?.lastSignIn }

    /// Every account that was found, in the order of the lookups.
    public var accounts: [Account] {
        var found: [Account] = []
        _ = firstRow {
            found.append($0)
            return false
        }
        return found
    }

    /// The answer to a lookup.
    public func answer(to lookup: Store.Lookup) -> Answer {
        for place in asked.indices where asked[place] == lookup { return answers[place] }
        assertionFailure("no lookup asked for \(lookup)")
        return .nothing
    }

    /// Whether all these lookups were made.
    func covers(_ lookups: Lookups) -> Bool { lookups.allSatisfy(asked.contains) }

    /// The first row whose account satisfies the condition, in the order of the lookups; by default also one of those
    /// that reference an address.
    func firstRow(orReferencing: Bool = true, where isWanted: (Account) -> Bool) -> Row? {
        for answer in answers {
            switch answer {
            case .account(let row), .record(_, let row?): if isWanted(row.account) { return row }
            case .accounts(let rows, _) where orReferencing: for row in rows where isWanted(row.account) { return row }
            case .nothing, .gone, .accounts, .session, .record, .sessions, .records: continue
            }
        }
        return nil
    }
}

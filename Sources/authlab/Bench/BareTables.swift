#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import AuthCore
internal import Synchronization

/// The floor: what an operation looks up and writes, on dictionaries, with no rule in between.
///
/// Keys are of the library's own types, since whoever does without the library has to compare the same bytes.
struct BareTables {
    struct Account {
        var email: EmailAddress?
        var methods: [Method]
        var lastSignIn: Date?
        var sessions: [SessionID]
        var version: UInt64 = 0
    }

    struct Method {
        var key: IdentityKey?
        var passwordHash: PasswordHash?
        var addedAt: Date
    }

    struct Session {
        var account: AccountID
        var method: Int
        var createdAt: Date
    }

    struct Event {
        var account: AccountID
        var session: SessionID
        var at: Date
        var kind: UInt8
    }

    var accounts: [AccountID: Account] = [:]
    var identities: [IdentityKey: AccountID] = [:]
    var emails: [EmailAddress: AccountID] = [:]
    var sessions: [SessionID: Session] = [:]
    /// What a conflict keeps until it is resolved.
    var pending: [CapabilityKey: IdentityKey] = [:]
    /// The codes by which changes can be contested.
    var contests: [CapabilityKey: AccountID] = [:]
    var outbox: [CapabilityKey] = []
    /// The newest events, in a ring.
    var log: [Event] = []
    /// The newest operations, so that one is not written twice.
    var operations: [OperationID: UInt64] = [:]
    var olderOperations: [OperationID: UInt64] = [:]
    private var sequence: UInt64 = 0
    private var names: UInt64 = 0

    static let logLimit = Bench.eventLimit

    mutating func name() -> IdentifierWords {
        names += 1
        // Spreads the names over the tables as random ones would be.
        let mixed = (names ^ (names >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return IdentifierWords(high: mixed ^ (mixed >> 29), low: names)
    }

    mutating func note(_ kind: UInt8, _ account: AccountID, _ session: SessionID, _ now: Date) {
        let event = Event(account: account, session: session, at: now, kind: kind)
        if log.count < Self.logLimit { log.append(event) } else { log[Int(sequence) % Self.logLimit] = event }
        sequence += 1
    }

    /// The person is told of a change, by a message whose code can contest it; the message is sent and settled.
    private mutating func notice(_ account: AccountID) {
        let code = CapabilityKey(words: name())
        contests[code] = account
        outbox.append(code)
        outbox.removeAll { $0 == code }
    }

    /// What every write ends with.
    mutating func remember() {
        if operations.count >= 32_768 {
            olderOperations = operations
            operations = Dictionary(minimumCapacity: 32_768)
        }
        operations[OperationID(words: name())] = sequence
    }

    /// A place instead of an id, so that the account is looked up once.
    private mutating func open(
        _ place: Dictionary<AccountID, Account>.Index,
        method: Int,
        _ now: Date
    ) -> SessionID {
        let session = SessionID(words: name())
        sessions[session] = Session(account: accounts.keys[place], method: method, createdAt: now)
        accounts.values[place].sessions.append(session)
        accounts.values[place].lastSignIn = now
        return session
    }

    mutating func signUp(_ email: EmailAddress, _ method: Method, as id: AccountID, _ now: Date) -> SessionID? {
        guard emails[email] == nil else { return nil }
        accounts[id] = Account(email: email, methods: [method], lastSignIn: nil, sessions: [])
        emails[email] = id
        if let key = method.key { identities[key] = id }
        guard let place = accounts.index(forKey: id) else { return nil }
        let session = open(place, method: 0, now)
        note(0, id, session, now)
        note(1, id, session, now)
        remember()
        return session
    }

    mutating func signIn(_ key: IdentityKey, _ email: EmailAddress?, _ now: Date) -> SessionID? {
        guard let id = identities[key], let place = accounts.index(forKey: id),
            let method = accounts.values[place].methods.firstIndex(where: { $0.key == key })
        else { return nil }
        if let email, emails[email] == nil { return nil }
        let session = open(place, method: method, now)
        note(1, id, session, now)
        remember()
        return session
    }

    /// Whether a sign-in would find its account and method.
    func wouldSignIn(_ key: IdentityKey, _ email: EmailAddress?) -> Bool {
        guard let id = identities[key], let place = accounts.index(forKey: id) else { return false }
        if let email, emails[email] == nil { return false }
        return accounts.values[place].methods.contains { $0.key == key }
    }

    mutating func link(_ key: IdentityKey, _ email: EmailAddress?, in session: SessionID, _ now: Date) -> Bool {
        guard let id = sessions[session]?.account, let place = accounts.index(forKey: id), identities[key] == nil else {
            return false
        }
        if let email, let owner = emails[email], owner != id { return false }
        accounts.values[place].methods.append(Method(key: key, passwordHash: nil, addedAt: now))
        accounts.values[place].version += 1
        accounts.values[place].lastSignIn = now
        identities[key] = id
        sessions[session]?.createdAt = now
        note(2, id, session, now)
        notice(id)
        remember()
        return true
    }

    mutating func unlink(_ key: IdentityKey, in session: SessionID, _ now: Date) -> Bool {
        guard let id = sessions[session]?.account, let place = accounts.index(forKey: id),
            accounts.values[place].methods.count > 1
        else { return false }
        accounts.values[place].methods.removeAll { $0.key == key }
        accounts.values[place].version += 1
        identities[key] = nil
        for other in accounts.values[place].sessions where other != session { sessions[other] = nil }
        accounts.values[place].sessions = [session]
        note(3, id, session, now)
        notice(id)
        remember()
        return true
    }

    mutating func conflict(_ key: IdentityKey, _ email: EmailAddress) -> CapabilityKey? {
        guard identities[key] == nil, let owner = emails[email], accounts.index(forKey: owner) != nil else {
            return nil
        }
        let name = CapabilityKey(words: name())
        pending[name] = key
        remember()
        return name
    }

    /// A sign-in that leaves a challenge, and the answer to it.
    mutating func signInWithFactor(_ key: IdentityKey, _ email: EmailAddress?, _ now: Date) -> SessionID? {
        guard let challenge = email.flatMap({ challenge(key, $0) }), pending[challenge] != nil else { return nil }
        pending[challenge] = nil
        guard let session = signIn(key, email, now), let id = sessions[session]?.account else { return nil }
        accounts[id]?.version += 1
        return session
    }

    private mutating func challenge(_ key: IdentityKey, _ email: EmailAddress) -> CapabilityKey? {
        guard let id = identities[key], accounts.index(forKey: id) != nil, emails[email] != nil else { return nil }
        let name = CapabilityKey(words: name())
        pending[name] = key
        remember()
        return name
    }

    /// Whether the session stands: what a token is issued from, and checked against.
    func holds(_ session: SessionID) -> Bool {
        guard let row = sessions[session], let place = accounts.index(forKey: row.account) else { return false }
        return row.method < accounts.values[place].methods.count
    }

    mutating func signOut(_ session: SessionID) {
        guard let row = sessions.removeValue(forKey: session) else { return }
        accounts[row.account]?.sessions.removeAll { $0 == session }
    }

    mutating func remove(_ id: AccountID) {
        guard let account = accounts.removeValue(forKey: id) else { return }
        for session in account.sessions { sessions[session] = nil }
        for method in account.methods { if let key = method.key { identities[key] = nil } }
        if let email = account.email { emails[email] = nil }
    }
}

/// The bare dictionaries under a bare lock.
final class BareStore: Sendable {
    private let tables = Mutex(BareTables())

    func locked<Answer: Sendable>(_ body: (inout BareTables) throws -> Answer) rethrows -> Answer {
        try tables.withLock { tables in try body(&tables) }
    }
}

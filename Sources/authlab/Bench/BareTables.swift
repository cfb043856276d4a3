internal import AuthCore
internal import Synchronization

/// The floor: what an operation looks up and writes, on plain dictionaries, without any rules.
///
/// Keys have the library's own types, because an app without the library would have to compare the same bytes. A test
/// compares what is written here with what the service writes for the same people.
struct BareTables {
    var accounts: [AccountID: Account] = [:]
    var identities: [Identity.Key: AccountID] = [:]
    var emails: [EmailAddress: AccountID] = [:]
    var sessions: [SessionID: Session] = [:]
    var pending: [OneTimeRecordID: Pending] = [:]
    var contests: [OneTimeRecordID: Contest] = [:]
    var outbox: [OperationID: Message] = [:]
    /// The newest events, in a ring buffer.
    var log: [Event] = []
    /// The newest refusals, in a ring buffer of their own.
    var refusals: [Refusal] = []
    private var sequence: UInt64 = 0
    private var names: UInt64 = 0
    private var refusalCount = 0

    static let logLimit = Bench.eventLimit

    mutating func name() -> IdentifierWords {
        names += 1
        // Spreads the names over the tables as random names would be.
        let mixed = (names ^ (names >> 31)) &* 0x9E37_79B9_7F4A_7C15
        return IdentifierWords(high: mixed ^ (mixed >> 29), low: names)
    }

    private mutating func note(_ event: Event) {
        if log.count < Self.logLimit { log.append(event) } else { log[Int(sequence) % Self.logLimit] = event }
        sequence += 1
    }

    /// Records a change of methods, and reports it to the person in a message whose code can report the change as
    /// unauthorized.
    ///
    /// The message is sent and settled.
    private mutating func notify(
        of change: Change,
        to id: AccountID,
        _ kind: AuthCore.Message.Kind,
        because cause: Reason,
        by session: SessionID,
        _ now: Timestamp
    ) {
        note(
            Event(
                kind: .methodsChanged,
                at: now,
                account: id,
                actor: session,
                cause: cause,
                evidence: change.evidence,
                methods: change.methods,
                countBefore: change.countBefore
            )
        )
        guard let email = change.email else { return }
        let message = OperationID(words: name())
        let code = OneTimeRecordID(words: name())
        contests[code] = Contest(
            account: id,
            createdAt: now,
            expiresAt: now + Self.noticeLifetime,
            method: change.added
        )
        outbox[message] = Message(id: message, kind: kind, recipient: email, code: code, account: id, createdAt: now)
        outbox[message] = nil
    }

    private static let noticeLifetime = Duration.seconds(14 * 86_400)

    /// The owner of the mailbox, under either of the names that the mailbox may have.
    private func owner(of email: EmailAddress) -> AccountID? { emails[email.mailbox] }

    /// A position instead of an ID, so that the account is looked up only once.
    private mutating func open(
        _ place: Dictionary<AccountID, Account>.Index,
        method: UInt32,
        verified: EmailAddress?,
        because cause: Reason,
        _ now: Timestamp
    ) -> SessionID {
        let session = SessionID(words: name())
        let id = accounts.keys[place]
        sessions[session] = Session(
            account: id,
            method: method,
            added: nil,
            verified: verified,
            createdAt: now,
            authenticatedAt: now
        )
        accounts.values[place].sessions.append(session)
        accounts.values[place].lastSignIn = now
        note(Event(kind: .signedIn, at: now, account: id, actor: session, cause: cause))
        return session
    }

    /// The account's first sign-in method; an identity whose provider runs the mailbox verifies the address.
    mutating func signUp(
        _ email: EmailAddress,
        _ identity: Identity?,
        _ passwordHash: PasswordHash?,
        as id: AccountID,
        _ now: Timestamp
    ) -> SessionID? {
        guard owner(of: email) == nil else { return nil }
        var method = SignInMethod(identity: identity, passwordHash: passwordHash, addedAt: now)
        var account = Account(email: email, methods: [])
        if let identity {
            method.coveredBy = email
            account.evidence = [Evidence(key: identity.key, email: email, firstAt: now, lastAt: now)]
            identities[identity.key] = id
        }
        account.methods = [method]
        account.nextGeneration = 1
        note(
            Event(
                kind: .accountCreated,
                at: now,
                account: id,
                actor: nil,
                cause: .addressIsFree,
                evidence: account.evidence,
                methods: [Summary(method)]
            )
        )
        accounts[id] = account
        emails[email.mailbox] = id
        guard let place = accounts.index(forKey: id) else { return nil }
        let verified = identity == nil ? nil : email
        return open(place, method: method.generation, verified: verified, because: .addressIsFree, now)
    }

    mutating func signIn(_ identity: Identity, _ now: Timestamp) -> SessionID? {
        guard let id = identities[identity.key], let place = accounts.index(forKey: id),
            let method = accounts.values[place].generation(of: identity.key)
        else { return nil }
        return open(place, method: method, verified: identity.email, because: .identityIsKnown, now)
    }

    /// Whether a sign-in would find its account and its method.
    func wouldSignIn(_ identity: Identity) -> Bool {
        guard let id = identities[identity.key], let place = accounts.index(forKey: id) else { return false }
        return accounts.values[place].generation(of: identity.key) != nil
    }

    mutating func link(_ identity: Identity, in session: SessionID, _ now: Timestamp) -> Bool {
        guard let row = sessions.index(forKey: session) else { return false }
        let id = sessions.values[row].account
        guard let place = accounts.index(forKey: id), identities[identity.key] == nil else { return false }
        if let email = identity.email, let owner = owner(of: email), owner != id { return false }
        let change = accounts.values[place].link(identity, coveredBy: sessions.values[row].verified, now)
        identities[identity.key] = id
        sessions.values[row].added = change.added
        notify(of: change, to: id, .methodAdded, because: .personAddsMethod, by: session, now)
        return true
    }

    mutating func unlink(_ key: Identity.Key, in session: SessionID, _ now: Timestamp) -> Bool {
        guard let row = sessions.index(forKey: session) else { return false }
        let id = sessions.values[row].account
        guard let place = accounts.index(forKey: id), let change = accounts.values[place].unlink(key) else {
            return false
        }
        identities[key] = nil
        sessions.values[row].added = nil
        if accounts.values[place].sessions.count > 1 {
            for other in accounts.values[place].sessions where other != session { sessions[other] = nil }
            accounts.values[place].sessions = [session]
        }
        notify(of: change, to: id, .methodRemoved, because: .personRemovesMethod, by: session, now)
        return true
    }

    mutating func conflict(_ proof: FederatedProof, _ now: Timestamp) -> OneTimeRecordID? {
        guard identities[proof.identity.key] == nil, let email = proof.identity.email,
            let owner = owner(of: email), accounts.index(forKey: owner) != nil
        else { return nil }
        let name = keep(proof, for: owner, now)
        refuse(owner, .accountExistsWithDifferentCredential, .providerIsNotAuthoritative, now)
        return name
    }

    /// Stores what a refused person verified, until the person tries again.
    private mutating func keep(_ proof: FederatedProof, for account: AccountID, _ now: Timestamp) -> OneTimeRecordID {
        let name = OneTimeRecordID(words: name())
        pending[name] = Pending(
            assertion: proof.assertion,
            account: account,
            createdAt: now,
            expiresAt: now + Self.pendingLifetime
        )
        return name
    }

    private static let pendingLifetime = Duration.seconds(600)

    private mutating func refuse(_ account: AccountID, _ code: AuthErrorCode, _ cause: Reason, _ now: Timestamp) {
        let refusal = Refusal(at: now, account: account, code: code, cause: cause)
        if refusals.count < Self.logLimit {
            refusals.append(refusal)
        } else {
            refusals[refusalCount % Self.logLimit] = refusal
        }
        refusalCount += 1
    }

    /// A sign-in that is answered with a challenge, and the answer to the challenge.
    mutating func signInWithFactor(_ proof: FederatedProof, _ now: Timestamp) -> SessionID? {
        guard let challenge = challenge(proof, now), pending[challenge] != nil else { return nil }
        pending[challenge] = nil
        guard let session = signIn(proof.identity, now), let id = sessions[session]?.account else { return nil }
        accounts[id]?.version += 1
        return session
    }

    private mutating func challenge(_ proof: FederatedProof, _ now: Timestamp) -> OneTimeRecordID? {
        guard let id = identities[proof.identity.key], accounts.index(forKey: id) != nil else { return nil }
        let name = keep(proof, for: id, now)
        refuse(id, .secondFactorRequired, .secondFactorIsRequired, now)
        return name
    }

    /// Whether the session is valid: a token is issued from it and checked against it.
    func holds(_ session: SessionID) -> Bool {
        guard let row = sessions[session], let place = accounts.index(forKey: row.account) else { return false }
        return accounts.values[place].has(row.method)
    }

    mutating func signOut(_ session: SessionID) {
        guard let row = sessions.removeValue(forKey: session) else { return }
        accounts[row.account]?.sessions.removeAll { $0 == session }
    }

    mutating func remove(_ id: AccountID) {
        guard let account = accounts.removeValue(forKey: id) else { return }
        for session in account.sessions { sessions[session] = nil }
        for method in account.methods { if let key = method.identity?.key { identities[key] = nil } }
        if let email = account.email { emails[email.mailbox] = nil }
    }
}

/// The plain dictionaries under one lock.
final class BareStore: Sendable {
    private let tables = Mutex(BareTables())

    func locked<Answer: Sendable>(_ body: (inout BareTables) throws -> Answer) rethrows -> Answer {
        try tables.withLock { tables in try body(&tables) }
    }
}

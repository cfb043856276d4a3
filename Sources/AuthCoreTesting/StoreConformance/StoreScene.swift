import AuthCore

/// The accounts and records that the clauses use.
struct StoreScene {
    /// A sample could not be made, so the suite itself is wrong.
    struct UnusableSample: Error {}

    var ann: Account
    var ben: Account
    /// A code about Ann.
    let code: OneTimeRecord
    /// A session of Ann's.
    let session: Session
    /// What the change that writes everything ends, moves and replaces besides; nil if it is not there.
    private(set) var rest: Rest?

    /// Writes Ann, with a code and a session, and Ben, each with an identity, a number and an address.
    static func stage(in probe: inout StoreProbe) async throws -> StoreScene {
        let ann = try person("ann", probe)
        let ben = try person("ben", probe)
        let code = code(about: ann.id, &probe)
        let session = session(of: ann.id, &probe)
        try await probe.commit("a first change") { transaction in
            transaction.insert(ann)
            transaction.insert(ben)
            transaction.changes.records.append(.put(code))
            transaction.changes.sessions.append(.put(session))
            transaction.changes.signIns.append(Store.SignInRecord(account: ann.id, at: transaction.context.now))
            transaction.event(.accountCreated, ann.id, by: .unauthenticated)
        }
        return StoreScene(ann: ann, ben: ben, code: code, session: session)
    }

    /// Dan, whom the change removes, Eve with three sessions, a second key of Ann's, and two codes.
    ///
    /// The second code is Eve's. Something is due for both of them, and some of what they have expires.
    struct Rest {
        let dan: Account
        let eve: Account
        let key: UniqueKey
        let codes: [OneTimeRecord]
        let dansCode: OneTimeRecord
        let sessions: [Session]

        var accounts: [Account] { [dan, eve] }
    }

    /// Writes the scene, with what a change of every kind needs.
    static func stageEverything(in probe: inout StoreProbe) async throws -> StoreScene {
        var scene = try await stage(in: &probe)
        var (dan, eve) = (try person("dan", probe), try person("eve", probe))
        (dan.dueAt, eve.dueAt) = (probe.later(300), probe.later(200))
        let rest = Rest(
            dan: dan,
            eve: eve,
            key: .identity(identity("second")),
            codes: [code(about: nil, &probe, lasting: 100), code(about: eve.id, &probe, lasting: 200)],
            dansCode: code(about: dan.id, &probe, lasting: 300),
            sessions: [
                session(of: eve.id, &probe, lasting: 100), session(of: eve.id, &probe, lasting: 200),
                session(of: eve.id, &probe), session(of: dan.id, &probe, lasting: 300),
            ]
        )
        let ann = scene.ann.id
        try await probe.commit("a second change") { transaction in
            for account in rest.accounts { transaction.insert(account) }
            // As they are, due times too.
            transaction.changes.accounts = rest.accounts.map { .create($0) }
            transaction.changes.keys.append(KeyChange(rest.key, from: nil, to: ann))
            transaction.changes.records = (rest.codes + [rest.dansCode]).map { .put($0) }
            transaction.changes.sessions = rest.sessions.map { .put($0) }
        }
        scene.rest = rest
        return scene
    }

    /// A change that writes every table: a new account, Ben's name, a code, sessions, a sign-in, an event, a message.
    ///
    /// If everything was staged, each kind of change is in it.
    func richChange(_ probe: inout StoreProbe) throws -> ChangeSet {
        var transaction = probe.transaction()
        transaction.insert(try Self.person("cem", probe))
        var renamed = ben
        renamed.displayName = "Ben B."
        transaction.replace(ben, with: &renamed)
        transaction.changes.references.append(
            Self.reference(to: try Self.email("ann@example.com"), by: ben)
        )
        transaction.changes.records.append(.put(Self.code(about: ben.id, &probe)))
        transaction.changes.records.append(.revoke(code.key))
        transaction.changes.sessions.append(.put(Self.session(of: ben.id, &probe)))
        transaction.changes.sessions.append(.end(session.id))
        transaction.changes.signIns.append(Store.SignInRecord(account: ben.id, at: probe.now))
        transaction.event(.profileChanged, ben.id, by: .administrator)
        transaction.changes.messages.append(try Self.message(&probe))
        guard let rest else { return transaction.changes }
        // Removes the account with its keys, references, records and sessions.
        transaction.remove(rest.dan)
        // Something is due for Eve at another time.
        var later = rest.eve
        (later.version, later.dueAt) = (rest.eve.version + 1, probe.later(400))
        transaction.changes.accounts.append(.update(later, expected: rest.eve.version))
        transaction.changes.keys.append(KeyChange(rest.key, from: ann.id, to: ben.id))
        transaction.changes.records.append(.put(Self.code(about: rest.eve.id, &probe, lasting: 400)))
        transaction.changes.sessions.append(.put(Self.session(of: ben.id, &probe, lasting: 400)))
        transaction.changes.records.append(.replace(Self.moved(rest.codes[0], to: ben.id)))
        transaction.changes.records.append(.consume(rest.codes[1].key))
        var active = rest.sessions[0]
        active.activeAt = probe.later(60)
        transaction.changes.sessions.append(.update(active, refreshCount: 0))
        transaction.changes.sessions.append(.endUnused(rest.eve.id, keeping: 1, besides: active.id))
        return transaction.changes
    }

    /// Sweeps everything that expires once everything was staged and the change is written.
    static func expectExpiry(in probe: inout StoreProbe) async throws {
        let report = try await probe.store.sweep(at: .distantFuture, limit: 100)
        probe.expect(report, is: Store.SweepReport(records: 2, sessions: 2), "what expires after the change")
    }

    /// Ends what expires once everything was staged and the change is written.
    func endWhatExpires(of change: ChangeSet, in probe: inout StoreProbe) async throws {
        guard let rest else { return }
        try await probe.commit("the end of what expires") { transaction in
            transaction.changes.records = [.revoke(rest.codes[0].key), .revokeAll(rest.eve.id, [.usedAssertion])]
            transaction.changes.sessions = [.endAll(rest.eve.id, except: nil)]
            for case .put(let session) in change.sessions where session.expiresAt != nil {
                transaction.changes.sessions.append(.end(session.id))
            }
        }
    }

    // MARK: Samples

    static func email(_ text: String) throws -> EmailAddress {
        guard let email = EmailAddress(text) else { throw UnusableSample() }
        return email
    }

    /// A reference by the account, or the end of it.
    static func reference(
        to email: EmailAddress,
        by account: Account,
        _ strength: EmailReference.Strength = .own,
        isReferenced: Bool = true
    ) -> Store.EmailReferenceChange {
        let reference = EmailReference(account: account.id, createdAt: account.createdAt, strength: strength)
        return Store.EmailReferenceChange(email: email, reference: reference, isReferenced: isReferenced)
    }

    static func number(of name: String) throws -> PhoneNumber {
        let digits = name.utf8.map { String($0 % 10) }.joined()
        guard let number = PhoneNumber("+1555" + (digits + "00000").prefix(6)) else { throw UnusableSample() }
        return number
    }

    static func identity(_ subject: String) -> Identity.Key {
        Identity.Key(issuer: "https://issuer.example", subject: subject)
    }

    static func id(_ name: String) throws -> AccountID {
        guard let id = AccountID(name) else { throw UnusableSample() }
        return id
    }

    /// An account with three keys made from this name.
    static func person(_ name: String, _ probe: StoreProbe) throws -> Account {
        var account = Account(id: try id(name), createdAt: probe.now)
        account.email = try email("\(name)@example.com")
        account.reservesEmail = true
        _ = account.add(.federated(Identity(key: identity(name), provider: "oidc.example")), at: probe.now)
        _ = account.add(.phone(try number(of: name)), at: probe.now)
        return account
    }

    /// An account without keys.
    static func bareAccount(_ name: String, _ probe: StoreProbe) throws -> Account {
        Account(id: try id(name), createdAt: probe.now)
    }

    static func code(
        about account: AccountID?,
        _ probe: inout StoreProbe,
        content: OneTimeRecord.Content = .usedAssertion,
        lasting seconds: Double? = nil
    ) -> OneTimeRecord {
        OneTimeRecord(
            key: OneTimeRecordID(bits: probe.draw()),
            account: account,
            createdAt: probe.now,
            expiresAt: seconds.map(probe.later),
            content: content
        )
    }

    /// The same record, which is about another account.
    static func moved(_ record: OneTimeRecord, to account: AccountID) -> OneTimeRecord {
        OneTimeRecord(
            key: record.key,
            account: account,
            createdAt: record.createdAt,
            expiresAt: record.expiresAt,
            content: record.content
        )
    }

    /// What is left of an account that was removed.
    static func tombstone(
        of account: AccountID,
        successor: AccountID? = nil,
        _ probe: StoreProbe,
        lasting seconds: Double? = nil
    ) -> OneTimeRecord {
        OneTimeRecord(
            key: .tombstone(of: account),
            account: nil,
            createdAt: probe.now,
            expiresAt: seconds.map(probe.later),
            content: .tombstone(successor: successor)
        )
    }

    static func session(of account: AccountID, _ probe: inout StoreProbe, lasting seconds: Double? = nil) -> Session {
        var session = Session(
            id: SessionID(bits: probe.draw()),
            account: account,
            sessionGeneration: 0,
            basis: .anonymous,
            at: probe.now,
            device: DeviceKey(bits: probe.draw()),
            origin: "origin",
            deviceName: "deviceName"
        )
        session.expiresAt = seconds.map(probe.later)
        return session
    }

    static func message(
        _ probe: inout StoreProbe,
        leasedFor lease: Double = 60,
        to account: AccountID? = nil,
        settings: Message.Settings? = nil
    ) throws -> OutboxEntry {
        OutboxEntry(
            id: OperationID(bits: probe.draw()),
            kind: .verifyEmail,
            recipient: .email(try email("ann@example.com")),
            record: OneTimeRecordID(bits: probe.draw()),
            account: account,
            settings: settings,
            createdAt: probe.now,
            leasedUntil: probe.later(lease),
            expiresAt: probe.later(3600)
        )
    }
}

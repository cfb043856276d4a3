internal import AuthCore

/// What the floor stores: the same facts that the service stores for the same people, and no others.
extension BareTables {
    struct Account {
        var email: EmailAddress?
        var methods: [SignInMethod]
        var evidence: [Evidence] = []
        /// Issuers of removed identities; auto-linking is blocked for them.
        var blockedIssuers: [ExactText] = []
        var lastSignIn: Timestamp?
        var sessions: [SessionID] = []
        var version: UInt64 = 0
        var nextGeneration: UInt32 = 0
    }

    struct SignInMethod {
        var identity: Identity?
        var passwordHash: PasswordHash?
        var addedAt: Timestamp
        var generation: UInt32 = 0
        var coveredBy: EmailAddress?
    }

    /// The issuer that verified an address.
    struct Evidence {
        var key: Identity.Key
        var email: EmailAddress
        var firstAt: Timestamp
        var lastAt: Timestamp
        var count = 1
    }

    struct Session {
        var account: AccountID
        var method: UInt32
        /// A method that was added in this session.
        var added: UInt32?
        var verified: EmailAddress?
        var createdAt: Timestamp
        var authenticatedAt: Timestamp
    }

    /// A method as an event contains it, without secrets.
    struct Summary {
        var addedAt: Timestamp
        var identity: Identity?
        var generation: UInt32

        init(_ method: SignInMethod) {
            addedAt = method.addedAt
            identity = method.identity
            generation = method.generation
        }
    }

    enum EventKind {
        case accountCreated
        case signedIn
        case methodsChanged
    }

    struct Event {
        var kind: EventKind
        var at: Timestamp
        var account: AccountID
        /// The session in which the change was made; nil if there was none yet.
        var actor: SessionID?
        var cause: Reason
        var evidence: [Evidence] = []
        /// The methods before and after the change, if they changed, and how many there were before.
        var methods: [Summary] = []
        var countBefore = 0
    }

    /// A code that reports a change as unauthorized.
    struct Contest {
        var account: AccountID
        var createdAt: Timestamp
        var expiresAt: Timestamp
        /// The method that was added.
        var method: UInt32?
    }

    /// What a conflict or a challenge stores until it is answered.
    struct Pending {
        var assertion: ProviderAssertion
        var account: AccountID
        var createdAt: Timestamp
        var expiresAt: Timestamp
    }

    /// A refusal, as operators see it.
    struct Refusal {
        var at: Timestamp
        var account: AccountID
        var code: AuthErrorCode
        var cause: Reason
    }

    struct Message {
        var id: OperationID
        var kind: AuthCore.Message.Kind
        var recipient: EmailAddress
        var code: OneTimeRecordID
        var account: AccountID
        var createdAt: Timestamp
    }

    /// What must be reported about a change of methods.
    struct Change {
        var email: EmailAddress?
        var evidence: [Evidence]
        var methods: [Summary]
        var countBefore: Int
        var added: UInt32?
    }
}

// Each change in one place and in one step, as an app without the library would write it.
extension BareTables.Account {
    /// The number of the method of this identity.
    func generation(of key: Identity.Key) -> UInt32? {
        methods.indices.first { methods[$0].identity?.key == key }.map { methods[$0].generation }
    }

    /// Whether the method with this number exists.
    func has(_ generation: UInt32) -> Bool { methods.indices.contains { methods[$0].generation == generation } }

    mutating func link(_ identity: Identity, coveredBy verified: EmailAddress?, _ now: Timestamp) -> BareTables.Change {
        var summaries: [BareTables.Summary] = []
        summaries.reserveCapacity(2 * methods.count + 1)
        for index in methods.indices { summaries.append(BareTables.Summary(methods[index])) }
        let generation = nextGeneration
        methods.append(
            BareTables.SignInMethod(identity: identity, addedAt: now, generation: generation, coveredBy: verified)
        )
        for index in methods.indices { summaries.append(BareTables.Summary(methods[index])) }
        nextGeneration += 1
        version += 1
        lastSignIn = now
        if !blockedIssuers.isEmpty {
            let issuer = identity.key.issuer
            blockedIssuers.removeAll { $0 == issuer }
        }
        if identity.assurance > .claimed, let email = identity.email { vouch(identity.key, for: email, now) }
        return BareTables.Change(
            email: email,
            evidence: evidence,
            methods: summaries,
            countBefore: methods.count - 1,
            added: generation
        )
    }

    private mutating func vouch(_ key: Identity.Key, for email: EmailAddress, _ now: Timestamp) {
        let known = evidence.indices.first { evidence[$0].key == key && evidence[$0].email == email }
        if let known {
            evidence[known].lastAt = now
            evidence[known].count += 1
        } else {
            evidence.append(BareTables.Evidence(key: key, email: email, firstAt: now, lastAt: now))
        }
    }

    /// Nil if the method does not exist or is the last one.
    mutating func unlink(_ key: Identity.Key) -> BareTables.Change? {
        guard methods.count > 1, let gone = methods.indices.first(where: { methods[$0].identity?.key == key }) else {
            return nil
        }
        let count = methods.count
        var summaries: [BareTables.Summary] = []
        summaries.reserveCapacity(2 * count - 1)
        for index in methods.indices { summaries.append(BareTables.Summary(methods[index])) }
        methods.remove(at: gone)
        for index in methods.indices { summaries.append(BareTables.Summary(methods[index])) }
        blockedIssuers.append(key.issuer)
        version += 1
        return BareTables.Change(email: email, evidence: evidence, methods: summaries, countBefore: count)
    }
}

extension AuthService {
    /// Sends the messages that a commit put into the outbox, with the codes that were derived for them.
    func deliver(
        _ entries: [OutboxEntry],
        saying issued: [IssuedCode],
        _ delivery: MessageDelivery
    ) async throws(AuthError) {
        switch delivery {
        case .awaited:
            for entry in entries {
                do {
                    try await sendInTime(entry, saying: issued.text(of: entry), until: entry.leasedUntil)
                } catch {
                    try await revoke(entry)
                    throw AuthError(
                        .internalError,
                        message: "The message could not be sent; ask again later.",
                        cause: error
                    )
                }
            }
        case .afterwards:
            if configuration.messageSender.isImmediate {
                await send(entries, saying: issued)
            } else {
                Task { await self.send(entries, saying: issued) }
            }
        }
    }

    /// Sends messages that were just committed; those that cannot be sent are tried again later.
    private func send(_ entries: [OutboxEntry], saying issued: [IssuedCode]) async {
        for entry in entries {
            let message = Store.QueuedMessage(entry)
            _ = try? await send(message, saying: issued.text(of: entry), until: entry.leasedUntil)
        }
    }

    /// Sends the messages that no caller requested, and returns the others; only operators learn if sending fails.
    func sendNotices(
        among messages: [OutboxEntry],
        saying issued: [IssuedCode]
    ) async throws(AuthError) -> [OutboxEntry] {
        let notices = messages.filter(\.kind.isUnasked)
        if notices.isEmpty { return messages }
        try await deliver(notices, saying: issued, .afterwards)
        if notices.count == messages.count { return [] }
        return messages.filter { !$0.kind.isUnasked }
    }

    /// Sends the messages that are due, at most `limit` of them, and returns how many were sent.
    ///
    /// Call it every few seconds on at least one server. A message that cannot be sent is tried again after growing
    /// waits and given up in the end, as `AuthPolicy.delivery` says; see ``failedMessages(after:limit:)``. Messages to
    /// different recipients do not wait for one another.
    @discardableResult
    public func deliverPendingMessages(limit: Int = 100) async throws(AuthError) -> Int {
        do {
            let now = environment.now
            let end = now + policy.delivery.usableLease
            let leased = try await store.leaseMessages(at: now, until: end, limit: limit)
            let byRecipient = Dictionary(grouping: leased) { $0.entry.recipient }
            return try await withThrowingTaskGroup(of: Int.self) { group in
                var sent = 0
                for (index, messages) in byRecipient.values.enumerated() {
                    if index >= 16, let count = try await group.next() { sent += count }
                    group.addTask { try await self.send(messages, until: end) }
                }
                for try await count in group { sent += count }
                return sent
            }
        } catch {
            throw AuthError(storeFailure: error)
        }
    }

    /// Returns the messages that were given up and not settled yet, ordered by ID, after this one.
    public func failedMessages(
        after id: Store.OperationID? = nil,
        limit: Int = 100
    ) async throws(AuthError) -> [Store.QueuedMessage] {
        try await ask { store in try await store.messages(.failed, after: id, limit: limit) }
    }

    /// Removes messages that were given up; until then, ``failedMessages(after:limit:)`` returns them, for as long as the
    /// policy's `delivery.kept` says.
    public func settleMessages(_ ids: [Store.OperationID]) async throws(AuthError) {
        try await ask { store in try await store.settleMessages(ids) }
    }

    /// Removes messages that were given up and that no operator settled for as long as the policy keeps them.
    func removeOldFailures(at now: Timestamp) async throws(AuthError) {
        let pageLength = 1000
        var page: [Store.QueuedMessage] = []
        repeat {
            page = try await failedMessages(after: page.last?.entry.id, limit: pageLength)
            let old = page.filter { now - $0.entry.createdAt >= policy.delivery.kept }
            if !old.isEmpty { try await settleMessages(old.map(\.entry.id)) }
        } while page.count == pageLength
    }

    /// Sends messages to one recipient while they are leased, and returns how many were sent.
    private func send(_ messages: [Store.QueuedMessage], until end: Timestamp) async throws -> Int {
        var sent = 0
        for message in messages {
            let now = environment.now
            if now >= end { break }
            if let expiresAt = message.entry.expiresAt, now >= expiresAt {
                try await store.endLease(of: message.entry.id, tries: message.tries, dueAt: nil)
            } else if try await send(message, saying: nil, until: end) {
                sent += 1
            }
        }
        return sent
    }

    /// Sends a leased message and returns whether it was sent; otherwise it is tried again later, or given up.
    private func send(
        _ message: Store.QueuedMessage,
        saying text: Secret?,
        until end: Timestamp
    ) async throws -> Bool {
        let (entry, rule) = (message.entry, policy.delivery)
        do {
            try await sendInTime(entry, saying: text, until: end)
            return true
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch let error as AuthError where error.code == .sealedSecretUnreadable {
            audit(error, of: "DeliverMessage", RequestContext(), account: entry.account)
            try await store.endLease(of: entry.id, tries: message.tries, dueAt: nil)
        } catch {
            let dueAt = environment.now + rule.wait(after: message.tries)
            let isOver = message.tries >= rule.tries || entry.expiresAt.map { dueAt >= $0 } ?? false
            try await store.endLease(of: entry.id, tries: message.tries, dueAt: isOver ? nil : dueAt)
        }
        return false
    }

    /// Sends a message, and cancels that when its lease is over: a mailbox that never answers must not hold up others, and
    /// another process may send it from then on.
    private func sendInTime(_ entry: OutboxEntry, saying text: Secret?, until end: Timestamp) async throws {
        // A sender that takes no time needs no clock beside it, which costs more than the rest of an operation.
        if configuration.messageSender.isImmediate { return try await send(entry, saying: text) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await self.send(entry, saying: text) }
            group.addTask { [environment] in
                while !Task.isCancelled, environment.now < end {
                    try await environment.sleep(for: end - environment.now)
                }
                throw CancellationError()
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Sends a message with its code, which is derived again if it is not given.
    private func send(_ entry: OutboxEntry, saying text: Secret?) async throws {
        var code = ""
        if !entry.kind.isWithoutCode {
            let issued: String? = if let text { text.revealed } else { try await self.code(of: entry) }
            guard let issued else { return try await store.settleMessages([entry.id]) }
            code = issued
        }
        let isMail = if case .email = entry.recipient { true } else { false }
        try await configuration.messageSender.send(
            Message(
                id: entry.id,
                kind: entry.kind,
                recipient: entry.recipient,
                code: code,
                link: isMail && !code.isEmpty
                    ? actionLinks.text(kind: entry.kind, code: code, settings: entry.settings) : nil,
                account: entry.account,
                signInMethods: entry.kind == .signInMethods ? try await signInMethods(of: entry) : [],
                settings: entry.settings,
                createdAt: entry.createdAt.date
            )
        )
        try await store.settleMessages([entry.id])
    }

    /// Derives the code of a message by the key it was made with; nil for digits that were used or revoked.
    private func code(of entry: OutboxEntry) async throws(AuthError) -> String? {
        let code: String?
        if case .phone = entry.recipient {
            guard case .phoneCode(let sent)? = try await record(entry.record)?.content else { return nil }
            code = messageCodes.digits(of: entry.id) { isHash(sent.hash, ofDigits: $0, for: entry.record) }
        } else {
            code = messageCodes.text(of: entry.id, in: entry.record)
        }
        guard let code else { throw AuthError(.sealedSecretUnreadable) }
        return code
    }

    /// Returns the sign-in methods of the account that a message is about, at the time of sending.
    ///
    /// For an address without an account it reads as much: with a sender that takes no time, the caller waits for it.
    private func signInMethods(of entry: OutboxEntry) async throws -> [ProviderID] {
        let id = entry.account ?? AccountID(bits: 0)
        // A message that waited must not tell a mailbox of an account that has left it.
        guard let account = try await store.load([.account(id)])[id], case .email(let email) = entry.recipient,
            policy.isSameMailbox(account.email, email)
        else { return [] }
        return account.listedProviders
    }

    /// Revokes the code of a message that was not sent.
    private func revoke(_ entry: OutboxEntry) async throws(AuthError) {
        var changes = ChangeSet(operation: OperationID(bits: environment.randomBits()), at: environment.now)
        changes.records.append(.revoke(entry.record))
        _ = try await ask { store in try await store.commit(changes) }
        try await settleMessages([entry.id])
    }
}

extension [IssuedCode] {
    /// Returns the text of the message's code, if it is among these.
    fileprivate func text(of entry: OutboxEntry) -> Secret? { first { $0.message == entry.id }?.text }
}

extension Message.Kind {
    /// Whether the message follows from a change, without a request by the caller who made the change.
    fileprivate var isUnasked: Bool { isNotice || self == .recoverEmail }
}

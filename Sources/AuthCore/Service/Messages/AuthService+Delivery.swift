/// Who learns that a message that was asked for could not be sent.
enum MessageDelivery: Sendable {
    /// The caller, who is in a session: the request fails and the code is revoked.
    case awaited
    /// Only the operators: the answer to the caller does not depend on the message.
    case afterwards
}

extension AuthService {
    /// Sends the messages that a commit put into the outbox, with the codes that were derived for them.
    ///
    /// Those that no caller requested come first, and are never awaited. Where the store answered so late that the
    /// lease is over, another process may be sending them.
    func deliver(
        _ entries: [OutboxEntry],
        saying issued: [IssuedCode],
        _ delivery: MessageDelivery
    ) async throws(AuthError) {
        for entry in entries where entry.kind.isUnasked && environment.now < entry.leasedUntil {
            await sendAfterwards(entry, saying: issued.text(of: entry))
        }
        for entry in entries where !entry.kind.isUnasked && environment.now < entry.leasedUntil {
            switch delivery {
            case .awaited: try await sendNow(entry, saying: issued.text(of: entry))
            case .afterwards: await sendAfterwards(entry, saying: issued.text(of: entry))
            }
        }
    }

    /// Sends a message that the caller waits for; if that fails, its code is revoked.
    private func sendNow(_ entry: OutboxEntry, saying text: Secret?) async throws(AuthError) {
        do {
            try await sendInTime(entry, saying: text)
        } catch let failure {
            // If the message cannot be removed, it may be sent later; one that failed may have been sent already.
            do { try await shielded { try await self.revoke(entry) } } catch {
                let message = "Whether the message arrives is not known; wait for it before you ask for another."
                throw AuthError(.outcomeUnknown, message: message, cause: failure)
            }
            if !Task.isCancelled { throw AuthError(.messageNotSent, cause: failure) }
            let message = "The task was canceled before the message was sent; its code was revoked."
            throw AuthError(.canceled, message: message, cause: failure)
        }
        // What was sent is in a mailbox: if the store fails now, it is sent once more later, with the same code.
        try? await settle(sent: entry.id)
    }

    /// Sends a message by itself: one that cannot be sent is tried again later, and holds up no other until then.
    private func sendAfterwards(_ entry: OutboxEntry, saying text: Secret?) async {
        let message = Store.QueuedMessage(entry)
        if configuration.messageSender.isImmediate {
            _ = try? await send(message, saying: text)
        } else {
            Task { _ = try? await send(message, saying: text) }
        }
    }

    /// What a delivery waits for.
    private enum DeliveryStep {
        case ended(isSent: Bool)
        case failed(any Error)
        /// A second has passed, so that more may be due.
        case secondPassed
    }

    /// Sends the messages that are due, at most `limit` of them, and returns how many were sent.
    ///
    /// Call it every few seconds on at least one server. A message that cannot be sent is tried again after growing
    /// waits and given up in the end, as ``AuthPolicy/delivery`` says; see ``failedMessages(after:limit:)``. Up to
    /// sixteen messages are sent at once. While one takes long, others that become due are sent beside it.
    ///
    /// - Parameter limit: How many messages it tries to send at most.
    /// - Returns: How many messages were sent.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the store fails, once what is being sent has ended. That a
    ///   message cannot be sent is no error.
    @discardableResult
    public func deliverPendingMessages(limit: Int = 100) async throws(AuthError) -> Int {
        try await ask { store in
            try await withThrowingTaskGroup(of: DeliveryStep.self) { group in
                var begun = 0
                var running = 0
                var sent = 0
                var mayBeDue = true
                var isWaiting = false
                var failure: (any Error)?
                while true {
                    // A lease counts as a try, so only what is sent right now is leased.
                    let free = min(16 - running, limit - begun)
                    if failure == nil, mayBeDue, free > 0 {
                        let now = environment.now
                        let end = now + policy.delivery.usableLease
                        do {
                            let leased = try await store.leaseMessages(at: now, until: end, limit: free)
                            for message in leased { group.addTask { await self.step(sending: message) } }
                            (begun, running) = (begun + leased.count, running + leased.count)
                            mayBeDue = leased.count == free
                        } catch {
                            failure = error
                        }
                    }
                    if running == 0 { break }
                    if !isWaiting, !configuration.messageSender.isImmediate {
                        isWaiting = true
                        group.addTask { [environment] in
                            try await environment.sleep(for: .seconds(1))
                            return .secondPassed
                        }
                    }
                    switch try await group.next() {
                    case .secondPassed?, nil: (isWaiting, mayBeDue) = (false, true)
                    case .ended(let isSent)?:
                        running -= 1
                        if isSent { sent += 1 }
                    case .failed(let error)?:
                        running -= 1
                        // What another message's provider has taken must still be settled.
                        failure = error
                    }
                }
                group.cancelAll()
                if let failure { throw failure }
                return sent
            }
        }
    }

    /// Returns the messages that were given up and not settled yet, ordered by ID.
    ///
    /// ```swift
    /// let failed = try await service.failedMessages(after: last, limit: 100)
    /// ```
    ///
    /// - Parameters:
    ///   - id: The last message of the page before; nil for the first page.
    ///   - limit: How many messages at most.
    /// - Returns: The messages; none if there are no more.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the store fails.
    public func failedMessages(
        after id: Store.OperationID? = nil,
        limit: Int = 100
    ) async throws(AuthError) -> [Store.QueuedMessage] {
        try await ask { store in try await store.messages(.failed, after: id, limit: limit) }
    }

    /// Removes messages that were given up; until then, ``failedMessages(after:limit:)`` returns them, for as long as
    /// the policy's ``AuthPolicy/Delivery/kept`` says.
    ///
    /// - Parameter ids: The IDs of the messages' entries.
    /// - Throws: ``AuthErrorCode/storeUnavailable`` if the store fails.
    public func settleMessages(_ ids: [Store.OperationID]) async throws(AuthError) {
        try await ask { store in try await store.settleMessages(ids) }
    }

    /// Removes messages that were given up and that no operator settled for as long as the policy keeps them.
    ///
    /// The store orders them by their IDs, which begin with the time. So a sweep looks at the oldest thousand, and many
    /// of them cost it no more than these.
    func removeOldFailures(at now: Timestamp) async throws(AuthError) {
        let oldest = try await failedMessages(limit: 1000)
        let old = oldest.filter { now - $0.entry.createdAt >= policy.delivery.kept }
        if !old.isEmpty { try await settleMessages(old.map(\.entry.id)) }
    }

    /// Sends a leased message and returns whether it was sent, or why the store failed.
    private func step(sending message: Store.QueuedMessage) async -> DeliveryStep {
        do { return .ended(isSent: try await send(message, saying: nil)) } catch { return .failed(error) }
    }

    /// Sends a leased message that has not expired and returns whether it was sent; otherwise it is tried again later,
    /// or given up.
    private func send(_ message: Store.QueuedMessage, saying text: Secret?) async throws -> Bool {
        let (entry, rule) = (message.entry, policy.delivery)
        var (dueAt, isSent) = (Timestamp?.none, false)
        // The first try is made at once, however short the time is.
        if message.tries == 1 || entry.expiresAt.map({ environment.now < $0 }) ?? true {
            do {
                try await sendInTime(entry, saying: text)
                isSent = true
            } catch is CancellationError where Task.isCancelled {
                throw CancellationError()
            } catch let error as AuthError where error.code == .sealedSecretUnreadable {
                audit(error, of: "DeliverMessage", RequestContext(), account: entry.account)
            } catch {
                let next = environment.now + rule.wait(after: message.tries)
                let isOver = message.tries >= rule.tries || entry.expiresAt.map { next >= $0 } ?? false
                dueAt = isOver ? nil : next
            }
        }
        // If the store fails, what was sent stays leased, so that it is sent again later; it was not given up.
        if isSent {
            try await settle(sent: entry.id)
        } else {
            try await store.endLease(of: entry.id, tries: message.tries, dueAt: dueAt)
        }
        return isSent
    }

    /// Sends a message, and cancels that after the time of a try: a mailbox that never answers must not hold up others.
    private func sendInTime(_ entry: OutboxEntry, saying text: Secret?) async throws {
        // A sender that takes no time needs no clock beside it, which costs more than the rest of an operation.
        if configuration.messageSender.isImmediate { return try await send(entry, saying: text) }
        let end = environment.now + policy.delivery.timeOfTry
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await self.send(entry, saying: text)
                return true
            }
            group.addTask { [environment] in
                while !Task.isCancelled, environment.now < end {
                    let before = environment.now
                    do { try await environment.sleep(for: end - before) } catch { break }
                    // A clock that was set back meanwhile does not tell that the time is over.
                    if environment.now < before { break }
                }
                return false
            }
            var isSent = try await group.next() ?? false
            group.cancelAll()
            // The provider may still take a message whose time is over, or whose caller went away.
            if !isSent { isSent = try await group.next() ?? false }
            if !isSent { throw CancellationError() }
        }
    }

    /// Sends a message with its code, which is derived again if it is not given.
    private func send(_ entry: OutboxEntry, saying text: Secret?) async throws {
        var code = ""
        if !entry.kind.isWithoutCode {
            let issued: String? = if let text { text.revealed } else { try await self.code(of: entry) }
            guard let issued else { return }
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
    }

    /// Removes a message that was sent, so that it is not sent again.
    private func settle(sent message: Store.OperationID) async throws {
        try await evenIfCanceled { try await self.store.settleMessages([message]) }
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
            policy.keyRule.isSameMailbox(account.email, email)
        else { return [] }
        return account.listedProviders(under: policy)
    }

    /// Removes a message that failed, so that it is not sent later, and then revokes its code.
    ///
    /// In the other order, a code that does not work could be sent later.
    private func revoke(_ entry: OutboxEntry) async throws(AuthError) {
        try await settleMessages([entry.id])
        var changes = ChangeSet(operation: environment.newOperationID(), at: environment.now)
        changes.records.append(.revoke(entry.record))
        _ = try await ask { store in try await store.commit(changes) }
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

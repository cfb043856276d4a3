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
                    try await send(entry, saying: issued.text(of: entry))
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
                for entry in entries { _ = try? await send(entry, saying: issued.text(of: entry)) }
            } else {
                Task { for entry in entries { _ = try? await self.send(entry, saying: issued.text(of: entry)) } }
            }
        }
    }

    /// Sends the messages that no caller requested, and returns the others; only operators learn if sending fails.
    func sendNotices(
        among messages: [OutboxEntry],
        saying issued: [IssuedCode]
    ) async throws(AuthError) -> [OutboxEntry] {
        if messages.allSatisfy(\.kind.isUnasked) {
            try await deliver(messages, saying: issued, .afterwards)
            return []
        }
        let notices = messages.filter(\.kind.isUnasked)
        if notices.isEmpty { return messages }
        try await deliver(notices, saying: issued, .afterwards)
        return messages.filter { !$0.kind.isUnasked }
    }

    /// Sends the messages that were not sent yet, and returns how many were sent.
    @discardableResult
    public func deliverPendingMessages(limit: Int = 100) async throws(AuthError) -> Int {
        var sent = 0
        do {
            for entry in try await store.pendingMessages(limit: limit) {
                do {
                    try await send(entry, saying: nil)
                    sent += 1
                } catch is CancellationError {
                    throw CancellationError()
                } catch {
                    continue
                }
            }
        } catch {
            throw AuthError(storeFailure: error)
        }
        return sent
    }

    /// Sends a message with its code, which is derived again if it is not given.
    private func send(_ entry: OutboxEntry, saying text: Secret?) async throws {
        let code: String
        let link: String?
        switch entry.recipient {
        case .email where entry.kind.isWithoutCode:
            code = ""
            link = nil
        case .email:
            code = text?.revealed ?? messageCodes.text(of: entry.id)
            link = actionLinks.text(kind: entry.kind, code: code, settings: entry.settings)
        case .phone:
            code = text?.revealed ?? messageCodes.digits(of: entry.id)
            link = nil
        }
        try await configuration.messageSender.send(
            Message(
                id: entry.id,
                kind: entry.kind,
                recipient: entry.recipient,
                code: code,
                link: link,
                account: entry.account,
                signInMethods: entry.kind == .signInMethods ? try await signInMethods(of: entry.account) : [],
                settings: entry.settings,
                createdAt: entry.createdAt.date
            )
        )
        try await store.settleMessages([entry.id])
    }

    /// Returns the sign-in methods of the account that a message is about, at the time of sending.
    private func signInMethods(of account: AccountID?) async throws -> [ProviderID] {
        guard let account else { return [] }
        return try await store.load([.account(account)])[account]?.listedProviders ?? []
    }

    /// Revokes the code of a message that was not sent.
    private func revoke(_ entry: OutboxEntry) async throws(AuthError) {
        var changes = ChangeSet(operation: OperationID(bits: environment.randomBits()), at: environment.now)
        changes.records.append(.revoke(entry.record))
        do {
            _ = try await store.commit(changes)
            try await store.settleMessages([entry.id])
        } catch {
            throw AuthError(storeFailure: error)
        }
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

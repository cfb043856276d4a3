#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension AuthService {
    /// Sends what a commit put into the outbox.
    package func deliver(_ entries: [OutboxEntry], _ delivery: MessageDelivery) async throws(AuthError) {
        switch delivery {
        case .awaited:
            for entry in entries {
                do {
                    try await send(entry)
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
                for entry in entries { _ = try? await send(entry) }
            } else {
                Task { for entry in entries { _ = try? await self.send(entry) } }
            }
        }
    }

    /// Sends what nobody asked for, whose fate only operators learn, and leaves the messages that somebody asked for.
    package func sendNotices(among messages: [OutboxEntry]) async throws(AuthError) -> [OutboxEntry] {
        let notices = messages.filter(\.kind.isUnasked)
        if notices.isEmpty { return messages }
        try await deliver(notices, .afterwards)
        return messages.filter { !$0.kind.isUnasked }
    }

    /// Sends again what was not sent yet, and says how many messages left.
    @discardableResult
    public func deliverPendingMessages(limit: Int = 100) async throws(AuthError) -> Int {
        var sent = 0
        do {
            for entry in try await store.pendingMessages(limit: limit) {
                do {
                    try await send(entry)
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

    private func send(_ entry: OutboxEntry) async throws {
        let code: String
        let link: String?
        switch entry.recipient {
        case .email where entry.kind.isWithoutCode:
            code = ""
            link = nil
        case .email:
            code = messageCodes.text(of: entry.id)
            link = ActionLink.text(
                base: configuration.actionURL,
                kind: entry.kind,
                code: code,
                settings: entry.settings
            )
        case .phone:
            code = messageCodes.digits(of: entry.id)
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
                signInMethods: try await signInMethods(toldBy: entry),
                settings: entry.settings,
                createdAt: entry.createdAt
            )
        )
        try await store.settleMessages([entry.id])
    }

    /// What a message says about its account, as it is when the message leaves.
    private func signInMethods(toldBy entry: OutboxEntry) async throws -> [ProviderID] {
        guard entry.kind == .signInMethods, let account = entry.account else { return [] }
        var query = SnapshotQuery()
        query.account = account
        return try await store.load(query).account?.account.listedProviders ?? []
    }

    /// Takes back the code of a message that never left.
    private func revoke(_ entry: OutboxEntry) async throws(AuthError) {
        var changes = ChangeSet(operation: OperationID(bits: environment.randomBits()), at: environment.now)
        changes.capabilities.append(.revoke(entry.capability))
        do {
            _ = try await store.commit(changes)
            try await store.settleMessages([entry.id])
        } catch {
            throw AuthError(storeFailure: error)
        }
    }
}

extension MessageKind {
    /// Whether the message follows from a change, and whoever made that did not ask for it.
    fileprivate var isUnasked: Bool { isNotice || self == .recoverEmail }
}

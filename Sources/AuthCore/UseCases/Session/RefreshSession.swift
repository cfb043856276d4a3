import AuthCoreCrypto

/// Exchanges a refresh token for the next one; an earlier one that is presented again ends the session.
struct RefreshSession: Operation {
    /// The result of the exchange.
    enum Outcome: Sendable {
        case goesOn(SignedIn)
        /// The token was exchanged before: its bearer is not the client, or not the only one, so the session ended.
        case reused
    }

    let handle: ActingHandle
    /// Which of the session's refresh tokens this is, by its signed content; nil if the user issues tokens.
    let presented: Presented?
    /// The hash of the next token.
    let next: [UInt8]
    /// How often the token was replaced, as the user knows it; if that is not so any more, nothing is written.
    var replaced: UInt32?

    struct Presented: Sendable, Hashable {
        let count: UInt32
        let hash: [UInt8]
    }

    func lookups(_ request: Request) -> Lookups { handle.lookups }

    func further(_ seen: Snapshot, _ request: Request) -> Lookups? {
        guard let presented, let session = seen.session(handle.session), presented.count < session.refreshCount else {
            return nil
        }
        return seen.furtherSessions(of: handle.account)
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome {
        let bearer = ActingHandle(session: handle.session, account: handle.account)
        let acting = try bearer.actor(in: seen, transaction.context)
        var session = acting.session
        // A token that a change of privileges made void may come late, which is no sign of a theft: the one that was
        // issued last, and the one from before the last change.
        let wasExchanged =
            presented.map { $0.hash != session.refreshHash && $0.count != session.voidedCount } ?? false
        if !wasExchanged { _ = try handle.actor(in: seen, transaction.context) }
        if let presented {
            if presented.count < session.refreshCount {
                transaction.changes.sessions.append(.end(session.id))
                // What the session decided before may not be written any more.
                var account = acting.account
                account.postponeExpiry(in: seen, besides: session.id, transaction.context)
                transaction.raiseVersion(of: &account)
                transaction.reasons.append(Self.reuse.reason)
                transaction.event(.sessionsRevoked, acting.account.id, by: .system)
                return .reused
            }
            guard presented.count == session.refreshCount, let hash = session.refreshHash,
                equalInConstantTime(hash, presented.hash)
            else { throw Refusal(.invalidUserToken, .tokenIsNotOurs) }
        }
        if replaced ?? session.refreshCount != session.refreshCount {
            return .goesOn(SignedIn(acting.reference, session, lastSignIn: acting.lastSignIn))
        }
        transaction.reasons.append(.sessionGoesOn)
        session.refreshHash = next
        session.refreshCount += 1
        transaction.noteUse(of: &session, on: acting.account)
        transaction.changes.sessions.append(.update(session, refreshCount: acting.session.refreshCount))
        transaction.read(acting.account)
        return .goesOn(SignedIn(acting.reference, session, lastSignIn: acting.lastSignIn))
    }

    /// The refusal for the bearer of an earlier token.
    static let reuse = Refusal(.userTokenExpired, .refreshTokenWasReused)
}

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
    /// Which of the session's refresh tokens this is, by its signed content; nil for the first issue.
    let presented: Presented?
    /// The hash of the next token.
    let next: [UInt8]

    struct Presented: Sendable, Hashable {
        let count: UInt32
        let hash: [UInt8]
    }

    func lookups(_ request: Request) -> Lookups { handle.lookups }

    enum TokenStatus: Sendable, Hashable, CaseIterable {
        case first
        case current
        case reused
        case unknown
    }

    struct Facts: Sendable, Hashable {
        var session: SessionStatus
        var token: TokenStatus
    }

    enum Finding: Sendable, Hashable {
        case issue
        case endSession
    }

    static func rule(_ facts: Facts) throws(Refusal) -> Finding {
        if let refusal = facts.session.refusal { throw refusal }
        switch facts.token {
        case .first, .current: return .issue
        case .reused: return .endSession
        case .unknown: throw Refusal(.invalidUserToken, .tokenIsNotOurs)
        }
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Outcome {
        let found = seen.session(handle.session)
        let facts = Facts(session: handle.status(in: seen, transaction.context), token: found.map(status) ?? .unknown)
        let finding = try Self.rule(facts)
        let acting = try handle.actor(in: seen, transaction.context)
        switch finding {
        case .endSession:
            transaction.changes.sessions.append(.end(acting.session.id))
            transaction.event(.sessionsRevoked, acting.account.id, by: .system)
            transaction.reasons.append(Self.reuse.reason)
            return .reused
        case .issue:
            transaction.reasons.append(.sessionGoesOn)
            var session = acting.session
            session.refreshHash = next
            session.refreshCount += 1
            transaction.noteUse(of: &session, on: acting.account)
            transaction.changes.sessions.append(.update(session, refreshCount: acting.session.refreshCount))
            transaction.read(acting.account)
            return .goesOn(SignedIn(reference: acting.reference, session: session, lastSignIn: acting.lastSignIn))
        }
    }

    /// The refusal for the bearer of an earlier token.
    static let reuse = Refusal(.userTokenExpired, .refreshTokenWasReused)

    private func status(of session: Session) -> TokenStatus {
        guard let presented else { return .first }
        if presented.count < session.refreshCount { return .reused }
        guard presented.count == session.refreshCount, let hash = session.refreshHash else { return .unknown }
        return equalInConstantTime(hash, presented.hash) ? .current : .unknown
    }
}

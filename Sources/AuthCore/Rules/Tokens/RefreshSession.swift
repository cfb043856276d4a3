/// Exchanges a refresh token for the next one; an earlier one that comes back ends the session.
struct RefreshSession: Operation {
    typealias Outcome = SignedIn

    let handle: ActingHandle
    /// Which of the session's refresh tokens this is, by its own signed word; nil for the first issue.
    let presented: Presented?
    /// The hash of the token that comes next.
    let next: [UInt8]

    struct Presented: Sendable, Hashable {
        let count: UInt32
        let hash: [UInt8]

        init(count: UInt32, hash: [UInt8]) {
            self.count = count
            self.hash = hash
        }
    }

    init(handle: ActingHandle, presented: Presented?, next: [UInt8]) {
        self.handle = handle
        self.presented = presented
        self.next = next
    }

    func lookups(_ request: Request) -> Lookups { handle.lookups }

    enum TokenStanding: Sendable, Hashable, CaseIterable {
        case first
        case current
        case reused
        case unknown
    }

    struct Facts: Sendable, Hashable {
        var session: SessionStanding
        var token: TokenStanding
    }

    enum Finding: Sendable, Hashable {
        case issue
        case endSession
        case refuse(AuthErrorCode, Reason)
    }

    static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.session.refusal { return .refuse(refusal.code, refusal.reason) }
        return switch facts.token {
        case .first, .current: .issue
        case .reused: .endSession
        case .unknown: .refuse(.invalidUserToken, .tokenIsNotOurs)
        }
    }

    func decide(on snapshot: Snapshot, by ruling: Ruling) throws(Refusal) -> Decision<SignedIn> {
        let facts = Facts(
            session: handle.standing(in: snapshot, by: ruling),
            token: snapshot.session(handle.session).map(standing) ?? .unknown
        )
        let finding = Self.rule(facts)
        var draft = Draft(ruling)
        if case .refuse(let code, let reason) = finding { return refuse(Refusal(code, reason), by: ruling) }
        let (account, old) = (try snapshot[handle.account].promised(), try snapshot.session(handle.session).promised())
        if finding == .endSession {
            draft.changes.sessions.append(.end(old.id))
            draft.event(.sessionsRevoked, account.id, by: .system)
            return draft.refused(Refusal(.userTokenExpired, .refreshTokenWasReused))
        }
        draft.reasons.append(.sessionGoesOn)
        var session = old
        session.refreshHash = next
        session.refreshCount += 1
        draft.changes.sessions.append(.update(session, refreshCount: old.refreshCount))
        draft.read(account)
        return draft.granted(
            SignedIn(
                account: account,
                session: session,
                isNewUser: false,
                lastSignIn: snapshot.lastSignIn(of: account.id)
            )
        )
    }

    private func standing(of session: Session) -> TokenStanding {
        guard let presented else { return .first }
        if presented.count < session.refreshCount { return .reused }
        guard presented.count == session.refreshCount, let hash = session.refreshHash else { return .unknown }
        return equalInConstantTime(hash, presented.hash) ? .current : .unknown
    }
}

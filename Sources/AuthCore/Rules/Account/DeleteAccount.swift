/// Deletes the account of the acting session with everything that belongs to it.
struct DeleteAccount: ActingOperation {
    typealias Outcome = Account

    var sensitivity: SensitiveOperation? { .delete }

    let handle: ActingHandle

    /// Whether it goes for good, where the policy would let it be taken back for a while.
    let isFinal: Bool

    init(handle: ActingHandle, isFinal: Bool = false) {
        self.handle = handle
        self.isFinal = isFinal
    }

    func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        if let refusal = acting.seniorityRefusal(for: acting.allAges, by: ruling) { return refuse(refusal, by: ruling) }
        var draft = Draft(ruling)
        draft.reasons.append(.personDeletesAccount)
        let actor = EventActor.session(acting.session.id)
        // An account without a way in could not be entered to take the deletion back.
        guard let grace = ruling.policy.deletionGrace, !isFinal, !acting.account.methods.isEmpty else {
            draft.delete(acting.account, by: actor)
            return draft.granted(acting.account)
        }
        var account = acting.account
        account.deletedUntil = ruling.now + grace
        draft.endOtherSessions(of: &account, except: nil)
        draft.changes.capabilities.append(
            .revokeAll(account.id, [.verifyEmail, .changeEmail, .factorChallenge, .totpSeed])
        )
        draft.event(.deletionRequested, account.id, by: actor)
        draft.update(acting.account, to: &account, by: actor)
        return draft.granted(account)
    }
}

extension Draft {
    /// Takes the account away and records what became of it, so that its name is never used again.
    mutating func delete(_ account: Account, by actor: EventActor) {
        if actor != .system { tell(ofDeletionOf: account) }
        remove(account)
        changes.capabilities.append(
            .put(
                Capability(
                    key: .tombstone(of: account.id),
                    account: nil,
                    createdAt: ruling.now,
                    expiresAt: nil,
                    content: .tombstone(successor: nil)
                )
            )
        )
        event(.accountDeleted, account.id, by: actor, methods: MethodsChange(from: account.methods, to: []))
    }
}

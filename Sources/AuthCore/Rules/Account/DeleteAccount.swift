#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Deletes the account of the acting session with everything that belongs to it.
package struct DeleteAccount: ActingOperation {
    package typealias Outcome = Account

    package var sensitivity: SensitiveOperation? { .delete }

    package let handle: ActingHandle

    package init(handle: ActingHandle) { self.handle = handle }

    package func decide(for acting: ActingSession, on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        var draft = Draft(ruling)
        draft.reasons.append(.personDeletesAccount)
        draft.delete(acting.account, by: .session(acting.session.id))
        return draft.granted(acting.account)
    }
}

extension Draft {
    /// Takes the account away and records what became of it, so that its name is never used again.
    package mutating func delete(_ account: Account, by actor: Actor) {
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
        event(.accountDeleted, account.id, by: actor, before: account.methodSummaries, after: [])
    }
}

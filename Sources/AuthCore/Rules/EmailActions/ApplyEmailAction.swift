#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Applies a mailed code that proves an address, moves an account to one, or takes a move back.
package struct ApplyEmailAction: Operation {
    package typealias Outcome = Account

    package let code: CapabilityKey

    package init(code: CapabilityKey) { self.code = code }

    package var query: SnapshotQuery {
        var query = SnapshotQuery()
        query.capabilities = [code]
        return query
    }

    /// What the code is for, as far as the rule is concerned.
    package enum Purpose: Sendable, Hashable, CaseIterable {
        case verify
        case change
        case recover
        case somethingElse
    }

    package struct Facts: Sendable, Hashable {
        package var code: CodeStanding
        package var purpose: Purpose
        /// Whether the account that the code was made for is there, with the address that the code is bound to.
        package var isBindingIntact: Bool
        package var newAddress: NewAddressHolder
    }

    package enum Finding: Sendable, Hashable {
        case apply
        case refuse(AuthErrorCode, Reason)
    }

    package static func rule(_ facts: Facts) -> Finding {
        if let refusal = facts.code.refusal { return .refuse(refusal.code, refusal.reason) }
        switch facts.purpose {
        case .somethingElse:
            return .refuse(.invalidActionCode, .codeIsForSomethingElse)
        case .verify:
            return facts.isBindingIntact ? .apply : .refuse(.invalidActionCode, .codeIsOutdated)
        case .change, .recover:
            if !facts.isBindingIntact { return .refuse(.invalidActionCode, .codeIsOutdated) }
            return facts.newAddress == .nobody ? .apply : .refuse(.emailAlreadyInUse, .addressIsOwned)
        }
    }

    /// The code names the address, so the snapshot needs a second look once it was read.
    package func query(after snapshot: Snapshot) -> SnapshotQuery? {
        var query = query
        switch snapshot.capability(code)?.content {
        case .changeEmail(_, let new)?: query.email = new
        case .recoverEmail(let recovery)?: query.email = recovery.restores
        default: return nil
        }
        return query
    }

    package func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        let content = snapshot.capability(code)?.content
        let facts = facts(of: content, in: snapshot, by: ruling)
        if case .refuse(let code, let reason) = Self.rule(facts) { return refuse(Refusal(code, reason), by: ruling) }
        guard let old = snapshot.capabilityAccount?.account, let content else {
            return refuse(Refusal(.invalidActionCode, .codeIsUnknown), by: ruling)
        }
        var draft = Draft(ruling)
        var account = old
        switch content {
        case .verifyEmail(let email):
            draft.reasons.append(.mailboxIsProven)
            account.note(.email(email), .mailboxCode, at: ruling.now)
            draft.finish(old, &account, .emailProven, by: email, spending: code)
        case .changeEmail(_, let new):
            draft.reasons.append(.mailboxIsProven)
            account.moveToUnproven(new, at: ruling.now)
            account.note(.email(new), .mailboxCode, at: ruling.now)
            draft.finish(old, &account, .emailChanged, by: new, spending: code)
        case .recoverEmail(let recovery):
            draft.reasons.append(.addressIsRecovered)
            account.moveToUnproven(recovery.restores, at: ruling.now)
            account.note(.email(recovery.restores), .mailboxCode, at: ruling.now)
            draft.finish(old, &account, .emailChanged, by: recovery.restores, spending: code)
        default:
            return refuse(Refusal(.invalidActionCode, .codeIsForSomethingElse), by: ruling)
        }
        return draft.granted(account)
    }

    private func facts(of content: Capability.Content?, in snapshot: Snapshot, by ruling: Ruling) -> Facts {
        let account = snapshot.capabilityAccount?.account
        var facts = Facts(
            code: snapshot.standing(of: code, by: ruling) { _ in true },
            purpose: .somethingElse,
            isBindingIntact: account != nil,
            newAddress: .nobody
        )
        switch content {
        case .verifyEmail(let email):
            facts.purpose = .verify
            facts.isBindingIntact = account?.email == email
        case .changeEmail(let current, let new):
            facts.purpose = .change
            facts.isBindingIntact = account?.email == current
            if let account { facts.newAddress = NewAddressHolder(of: new, for: account, in: snapshot) }
        case .recoverEmail(let recovery):
            facts.purpose = .recover
            if let account { facts.newAddress = NewAddressHolder(of: recovery.restores, for: account, in: snapshot) }
        default:
            break
        }
        return facts
    }
}

extension Draft {
    /// Writes the account after a mailed code was applied, and uses the code up.
    package mutating func finish(
        _ old: Account,
        _ account: inout Account,
        _ kind: EventKind,
        by mailbox: EmailAddress,
        spending code: CapabilityKey
    ) {
        changes.capabilities.append(.consume(code))
        update(old, to: &account)
        event(kind, account.id, by: .mailbox(mailbox), evidence: account.evidence)
    }
}

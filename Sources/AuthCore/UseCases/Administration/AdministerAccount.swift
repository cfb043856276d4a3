/// Performs an administrator's action on one account.
struct AdministerAccount: Operation {
    enum Act: Sendable, Hashable {
        case lookUp
        case setDisabled(Bool)
        case delete
        case setClaims([String: ClaimValue])
        case revokeSessions
        case removeFactors
    }

    let account: AccountID
    let act: Act

    func lookups(_ request: Request) -> Lookups {
        if act == .lookUp { return [.account(account)] }
        return [.account(account), .sessions(of: .account(account)), .records(of: .account(account), .lostFactors)]
    }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> Account {
        guard let old = seen[account] else { throw seen.refusal(ofMissing: account) }
        transaction.reasons.append(.administratorDecides)
        var account = old
        switch act {
        case .lookUp: return old
        case .setDisabled(let isDisabled):
            account.isDisabled = isDisabled
            if old.isDisabled && !isDisabled {
                transaction.raiseSessionGeneration(of: &account, for: [.accountEnabled], except: nil)
            }
            // Its sessions cannot be used any more, and what they began ends with them.
            if isDisabled, transaction.context.policy.endsAddressChanges {
                transaction.revokeAll(of: old.id, [.changeEmail])
            }
            // No session could cancel it while it waits.
            if isDisabled { transaction.endFactorRecovery(of: old.id, in: seen, by: .administrator) }
            if account != old {
                transaction.event(isDisabled ? .accountDisabled : .accountEnabled, old.id, by: .administrator)
            }
        case .delete:
            transaction.delete(old, by: .administrator)
            return old
        case .setClaims(let claims):
            if !TokenClaims.areAcceptable(claims) { throw Refusal(.invalidCustomClaims, .claimsAreNotAcceptable) }
            account.customClaims = claims
            if account != old { transaction.event(.claimsChanged, old.id, by: .administrator) }
        case .revokeSessions:
            transaction.endOtherSessions(of: &account, except: nil)
            transaction.event(.sessionsRevoked, old.id, by: .administrator)
        case .removeFactors:
            if old.factors.isEmpty { return old }
            transaction.endFactorRecovery(of: old.id, in: seen, by: .administrator)
            transaction.removeFactors(of: &account)
        }
        // Until now it was kept in any case.
        if !old.mayExpireUnverified { account.postponeExpiry(in: seen, transaction.context) }
        transaction.update(old, to: &account, by: .administrator)
        return account
    }
}

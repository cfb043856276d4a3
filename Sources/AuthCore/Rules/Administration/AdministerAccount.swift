/// An administrator's act on one account.
struct AdministerAccount: DecidingOperation {
    typealias Outcome = Account

    enum Act: Sendable, Hashable {
        case lookUp
        case setDisabled(Bool)
        case delete
        case setClaims([String: ClaimValue])
        case revokeSessions
    }

    let account: AccountID
    let act: Act

    init(account: AccountID, act: Act) {
        self.account = account
        self.act = act
    }

    func lookups(_ request: Request) -> Lookups { [.account(account)] }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<Account> {
        guard let old = snapshot[account] else {
            if case .tombstone(successor: .some)? = snapshot.tombstone(of: account)?.content {
                return refuse(Refusal(.accountMerged, .accountWasMerged), context)
            }
            return refuse(Refusal(.userNotFound, .accountIsGone), context)
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.administratorDecides)
        var account = old
        switch act {
        case .lookUp:
            return transaction.granted(old)
        case .setDisabled(let isDisabled):
            account.isDisabled = isDisabled
            if old.isDisabled && !isDisabled { transaction.raiseEpoch(of: &account, for: .reopening, except: nil) }
            if account != old {
                transaction.event(isDisabled ? .accountDisabled : .accountEnabled, old.id, by: .administrator)
            }
        case .delete:
            transaction.delete(old, by: .administrator)
            return transaction.granted(old)
        case .setClaims(let claims):
            if !TokenClaims.areAcceptable(claims) {
                return refuse(Refusal(.invalidCustomClaims, .claimsAreNotAcceptable), context)
            }
            account.customClaims = claims
            if account != old { transaction.event(.claimsChanged, old.id, by: .administrator) }
        case .revokeSessions:
            transaction.endOtherSessions(of: &account, except: nil)
            transaction.event(.sessionsRevoked, old.id, by: .administrator)
        }
        transaction.update(old, to: &account, by: .administrator)
        return transaction.granted(account)
    }
}

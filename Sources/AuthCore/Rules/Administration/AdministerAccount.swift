/// An administrator's act on one account.
struct AdministerAccount: Operation {
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

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<Account> {
        guard let old = snapshot[account] else {
            if case .tombstone(successor: .some)? = snapshot.tombstone(of: account)?.content {
                return refuse(Refusal(.accountMerged, .accountWasMerged), by: ruling)
            }
            return refuse(Refusal(.userNotFound, .accountIsGone), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.administratorDecides)
        var account = old
        switch act {
        case .lookUp:
            return draft.granted(old)
        case .setDisabled(let isDisabled):
            account.isDisabled = isDisabled
            if old.isDisabled && !isDisabled { draft.raiseEpoch(of: &account, for: .reopening, except: nil) }
            if account != old {
                draft.event(isDisabled ? .accountDisabled : .accountEnabled, old.id, by: .administrator)
            }
        case .delete:
            draft.delete(old, by: .administrator)
            return draft.granted(old)
        case .setClaims(let claims):
            if !TokenClaims.areAcceptable(claims) {
                return refuse(Refusal(.invalidCustomClaims, .claimsAreNotAcceptable), by: ruling)
            }
            account.customClaims = claims
            if account != old { draft.event(.claimsChanged, old.id, by: .administrator) }
        case .revokeSessions:
            draft.endOtherSessions(of: &account, except: nil)
            draft.event(.sessionsRevoked, old.id, by: .administrator)
        }
        draft.update(old, to: &account, by: .administrator)
        return draft.granted(account)
    }
}

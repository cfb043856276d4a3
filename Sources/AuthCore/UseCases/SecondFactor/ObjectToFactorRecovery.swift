/// Cancels a waiting recovery from lost factors, in a session in which a factor was presented.
struct ObjectToFactorRecovery: SessionOperation {
    let handle: ActingHandle

    func moreLookups(_ request: Request) -> Lookups { [.records(of: .account(handle.account), .lostFactors)] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        if acting.factorStatus != .shown { throw .factorNotShown }
        transaction.reasons.append(.personChangesFactors)
        transaction.revokeAll(of: acting.account.id, [.lostFactors])
        let waiting = acting.seen.records(of: .account(handle.account), .lostFactors)
        if waiting.contains(where: { $0.isLive(at: transaction.context.now) }) {
            transaction.event(.factorRecoveryEnded, acting.account.id, by: .session(acting.session.id))
        }
        var account = acting.account
        return transaction.keep(acting, with: &account)
    }
}

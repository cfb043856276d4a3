/// Cancels a waiting recovery from lost factors, in a session in which a factor was presented.
struct CancelFactorRecovery: SessionOperation {
    let handle: ActingHandle

    func moreLookups(_ request: Request) -> Lookups { [.records(of: .account(handle.account), .lostFactors)] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> SignedIn {
        if acting.factorStatus != .presented { throw .factorNotPresented }
        transaction.reasons.append(.personChangesFactors)
        transaction.endFactorRecovery(of: handle.account, in: acting.seen, by: .session(acting.session.id))
        var account = acting.account
        return transaction.keep(acting, with: &account)
    }
}

/// Lists the live sessions of the acting session's account.
struct ListSessions: SessionOperation {
    let handle: ActingHandle

    func moreLookups(_ request: Request) -> Lookups { [.sessions(of: .account(handle.account))] }

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> [Session] {
        let context = transaction.context
        return acting.seen.sessions(of: .account(handle.account))
            .filter { $0.isAlive(for: acting.account, context) }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }
}

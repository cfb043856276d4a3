extension DecisionContext {
    /// Whether a login that counts from `since` may change what has been on the account since `oldest`: it is as old,
    /// or has been there for as long as the policy requires, by now or at the time that is given.
    func isSenior(_ since: Timestamp, than oldest: Timestamp?, at judged: Timestamp? = nil) -> Bool {
        guard let enough = policy.seniority, let oldest else { return true }
        return since <= oldest || (judged ?? now) - since >= enough
    }

    /// Whether a login of this time is recent; one of the future was written by a clock that was ahead.
    func isRecent(_ login: Timestamp) -> Bool {
        now - login <= policy.recency.interval && login - now <= Store.AttemptRecord.longestSkew
    }
}

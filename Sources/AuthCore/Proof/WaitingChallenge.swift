/// A challenge that waits for a second factor, with the account that has the factor.
struct WaitingChallenge: Sendable {
    let challenge: Store.FactorChallenge
    let account: Account
}

extension Snapshot {
    /// The challenge with this key; throws if it cannot be answered any more, or not from this device.
    func waitingChallenge(_ key: OneTimeRecordID, _ context: DecisionContext) throws(Refusal) -> WaitingChallenge {
        guard let record = record(key), case .factorChallenge(let challenge) = record.content,
            record.isLive(at: context.now), let account = account(of: key),
            record.sessionGeneration == account.sessionGeneration
        else { throw .challengeOver }
        if context.isElsewhere(record) { throw Refusal(.deviceMismatch, .challengeIsOfAnotherDevice) }
        return WaitingChallenge(challenge: challenge, account: account)
    }
}

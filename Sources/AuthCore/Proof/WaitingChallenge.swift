/// A challenge that waits for a second factor, with the account whose factor it is.
struct WaitingChallenge: Sendable {
    let challenge: FactorChallenge
    let account: Account
    /// When the first factor was shown.
    let since: Timestamp
}

extension Snapshot {
    /// The challenge with this key; throws why it cannot be answered any more, or not from here.
    func waitingChallenge(
        _ key: CapabilityKey,
        _ context: DecisionContext
    ) throws(Refusal) -> WaitingChallenge {
        guard let record = record(key), case .factorChallenge(let challenge) = record.content,
            record.isLive(at: context.now), let account = account(of: key), record.epoch == account.epoch
        else { throw .challengeOver }
        if let seat = record.seat, seat != context.seat {
            throw Refusal(.seatMismatch, .challengeIsOfAnotherSeat)
        }
        return WaitingChallenge(challenge: challenge, account: account, since: record.createdAt)
    }
}

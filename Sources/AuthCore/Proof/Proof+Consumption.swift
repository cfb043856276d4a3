extension Proof {
    /// What using the proof writes: the codes that it uses up, and that its token was used.
    func consumption(at now: Timestamp) -> [OneTimeRecordChange] {
        switch claim {
        case .mailbox(let proof): [.consume(proof.record)]
        case .phone(let proof): [.consume(proof.record)]
        case .identity(let proof): proof.consumption(at: now)
        case .password, .customToken, .nothing: []
        }
    }
}

extension FederatedProof {
    /// The pending identity that is used up, and the token that cannot be presented again.
    fileprivate func consumption(at now: Timestamp) -> [OneTimeRecordChange] {
        var changes: [OneTimeRecordChange] = []
        if let pending { changes.append(.consume(pending.key)) }
        if let key = singleUseKey, let use = assertion.singleUse {
            changes.append(
                .put(
                    OneTimeRecord(
                        key: key,
                        account: nil,
                        createdAt: now,
                        expiresAt: Timestamp(use.expiresAt),
                        content: .usedAssertion
                    )
                )
            )
        }
        return changes
    }
}

extension Proof {
    /// The writes that using the proof causes: the codes that it consumes, and the record that its token was used.
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
    /// The pending identity that is consumed, and the record of a token that cannot be presented again.
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

extension Proof {
    /// What using the proof writes: the codes that it uses up, and that its token was used.
    func consumption(at now: Timestamp) -> [CapabilityChange] {
        switch self {
        case .mailbox(let proof): [.consume(proof.capability)]
        case .phone(let proof): [.consume(proof.capability)]
        case .federated(let proof): proof.consumption(at: now)
        case .password, .customToken, .anonymous: []
        }
    }
}

extension FederatedProof {
    /// The pending identity that is used up, and the token that cannot be presented again.
    fileprivate func consumption(at now: Timestamp) -> [CapabilityChange] {
        var changes: [CapabilityChange] = []
        if let pending { changes.append(.consume(pending.key)) }
        if let key = singleUseKey, let use = assertion.singleUse {
            changes.append(
                .put(
                    Capability(
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

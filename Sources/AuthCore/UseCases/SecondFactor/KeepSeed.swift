/// Keeps a seed until a code made from it comes back.
struct KeepSeed: SessionOperation {
    typealias Outcome = CapabilityKey

    let handle: ActingHandle
    let sealedSeed: [UInt8]
    let key: CapabilityKey

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> CapabilityKey {
        let context = transaction.context
        try EnrolmentFacts(acting, number: nil, under: context.policy).check()
        transaction.reasons.append(.personChangesFactors)
        transaction.changes.capabilities.append(
            .put(
                Capability(
                    key: key,
                    account: acting.account.id,
                    createdAt: context.now,
                    expiresAt: context.now + context.policy.lifetimes.factorChallenge,
                    seat: context.seat,
                    content: .totpSeed(sealedSeed)
                )
            )
        )
        return key
    }
}

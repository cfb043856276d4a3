/// Stores a seed until a code generated from it is presented.
struct KeepSeed: SessionOperation {
    typealias Outcome = OneTimeRecordID

    let handle: ActingHandle
    let sealedSeed: [UInt8]
    let key: OneTimeRecordID

    func decide(
        _ acting: ActingSession,
        _ seen: Snapshot,
        _ transaction: inout Transaction
    ) throws(Refusal) -> OneTimeRecordID {
        let context = transaction.context
        try EnrollmentFacts(acting, number: nil, under: context.policy).check()
        transaction.reasons.append(.personChangesFactors)
        transaction.changes.records.append(
            .put(
                OneTimeRecord(
                    key: key,
                    account: acting.account.id,
                    createdAt: context.now,
                    expiresAt: context.now + context.policy.lifetimes.factorChallenge,
                    device: context.device,
                    content: .totpSeed(sealedSeed)
                )
            )
        )
        return key
    }
}

/// Stores a seed until a code generated from it is presented.
struct KeepSeed: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeFactors }

    let handle: ActingHandle
    let sealedSeed: [UInt8]
    let key: OneTimeRecordID

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) {
        let context = transaction.context
        try acting.requireEnrollment(of: nil, under: context.policy)
        transaction.reasons.append(.personChangesFactors)
        let until = context.now + context.policy.lifetimes.factorChallenge
        transaction.put(key, .totpSeed(sealedSeed), of: acting.account.id, until: until, on: context.device)
    }
}

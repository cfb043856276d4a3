/// Sends digits to the number of a factor that a challenge asks for.
struct RequestChallengeCode: Operation {
    let challenge: OneTimeRecordID
    let factor: SecondFactor.ID
    let code: IssuedCode

    func lookups(_ request: Request) -> Lookups { [.record(challenge)] }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> OneTimeRecordID {
        let account = try seen.waitingChallenge(challenge, transaction.context).account
        guard let number = account.activeFactors.first(where: { $0.id == factor })?.phoneNumber else {
            throw .factorUnknown
        }
        transaction.reasons.append(.numberWillProve)
        transaction.issuePhoneCode(code, to: number, for: .challenge(challenge, factor), account: account.id)
        return code.key
    }
}

/// Sends digits to a number.
struct RequestPhoneCode: Operation {
    let number: PhoneNumber
    let code: IssuedCode

    func lookups(_ request: Request) -> Lookups { [.owner(.phone(number))] }

    func decide(_ seen: Snapshot, _ transaction: inout Transaction) throws(Refusal) -> OneTimeRecordID {
        let context = transaction.context
        try context.requireEnabled(.phone)
        // If strangers learn nothing, only a person who has the digits learns of factors, by the sign-in.
        if context.policy.disclosure != .uniform,
            seen.owner(of: .phone(number))?.acceptsNumber(under: context.policy) == false
        {
            throw .phoneIsNoFirstFactor
        }
        transaction.reasons.append(.numberWillProve)
        transaction.issuePhoneCode(code, to: number, for: .method, account: nil)
        return code.key
    }
}

/// Sends digits to a number.
struct RequestPhoneCode: DecidingOperation {
    typealias Outcome = CapabilityKey

    let number: PhoneNumber
    let code: IssuedCode

    init(number: PhoneNumber, code: IssuedCode) {
        self.number = number
        self.code = code
    }

    func lookups(_ request: Request) -> Lookups { [.owner(.phone(number))] }

    func decide(on snapshot: Snapshot, _ context: DecisionContext) -> Decision<CapabilityKey> {
        if let refusal = context.policy.refusal(of: .phone) { return refuse(refusal, context) }
        // Where strangers learn nothing, only who has the digits is told of factors, by the sign-in.
        if context.policy.disclosure == .detailed, context.policy.phoneWithFactors == .refused,
            let owner = snapshot.owner(of: .phone(number)), !owner.activeFactors.isEmpty
        {
            return refuse(Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere), context)
        }
        var transaction = Transaction(context)
        transaction.reasons.append(.numberWillProve)
        transaction.issuePhoneCode(code, to: number, for: .method, account: nil)
        return transaction.granted(code.key)
    }
}

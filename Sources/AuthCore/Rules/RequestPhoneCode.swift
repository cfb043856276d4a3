/// Sends digits to a number.
struct RequestPhoneCode: Operation {
    typealias Outcome = CapabilityKey

    let number: PhoneNumber
    let code: IssuedCode

    init(number: PhoneNumber, code: IssuedCode) {
        self.number = number
        self.code = code
    }

    func lookups(_ request: Request) -> Lookups { [.owner(.phone(number))] }

    func decide(on snapshot: Snapshot, by ruling: Ruling) -> Decision<CapabilityKey> {
        if let refusal = ruling.policy.refusal(of: .phone) { return refuse(refusal, by: ruling) }
        // Where strangers learn nothing, only who has the digits is told of factors, by the sign-in.
        if ruling.policy.disclosure == .detailed, ruling.policy.phoneWithFactors == .refused,
            let owner = snapshot.owner(of: .phone(number)), !owner.activeFactors.isEmpty
        {
            return refuse(Refusal(.unsupportedFirstFactor, .phoneIsNoFirstFactorHere), by: ruling)
        }
        var draft = Draft(ruling)
        draft.reasons.append(.numberWillProve)
        draft.issuePhoneCode(code, to: number, for: .method, account: nil)
        return draft.granted(code.key)
    }
}

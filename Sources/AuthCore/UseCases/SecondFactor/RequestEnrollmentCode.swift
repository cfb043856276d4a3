/// Sends digits to a number that is to become a second factor.
struct RequestEnrollmentCode: SessionOperation {
    var sensitivity: AuthPolicy.SensitiveOperation? { .changeFactors }

    let handle: ActingHandle
    let number: PhoneNumber
    let code: IssuedCode

    func decide(_ acting: ActingSession, _ transaction: inout Transaction) throws(Refusal) -> OneTimeRecordID {
        try acting.requireEnrollment(of: number, under: transaction.context.policy)
        transaction.reasons.append(.numberWillProve)
        transaction.read(acting.account)
        transaction.issuePhoneCode(code, to: number, for: .enrollment(acting.account.id), account: acting.account.id)
        return code.key
    }
}

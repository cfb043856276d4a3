extension Transaction {
    /// Sends digits to a number for one use.
    mutating func issuePhoneCode(
        _ code: IssuedCode,
        to number: PhoneNumber,
        for use: Store.PhoneCode.Use,
        account: AccountID?
    ) {
        issue(
            code,
            .phoneCode(Store.PhoneCode(number: number, hash: code.hash, use: use)),
            kind: .phoneCode,
            to: .phone(number),
            account: account,
            lifetime: context.policy.lifetimes.phoneCode,
            device: context.device
        )
    }
}

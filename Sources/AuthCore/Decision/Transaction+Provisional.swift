extension Transaction {
    /// Remembers in which seat the password of a provisional account is good.
    mutating func keepProvisional(
        _ account: Account,
        _ email: EmailAddress,
        _ seat: SeatID,
        isNew: Bool
    ) {
        let key = CapabilityKey.provisional(email, seat)
        let capability = Capability(
            key: key,
            account: account.id,
            createdAt: context.now,
            expiresAt: nil,
            seat: seat,
            content: .provisionalSignUp
        )
        changes.capabilities.append(isNew ? .put(capability) : .replace(capability))
    }

    /// What has a proven address is provisional no more, and its password is good everywhere.
    mutating func endProvision(of account: inout Account) {
        guard account.isProvisional else { return }
        account.isProvisional = false
        changes.capabilities.append(.revokeAll(account.id, [.provisionalSignUp]))
    }
}
